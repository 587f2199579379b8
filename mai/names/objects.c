/*===-- objects.c - the tables of what is loaded ----------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "objects.h"

#include <link.h>
#include <string.h>

#include "mai/process/settings.h"
#include "runtime/heap.h"

struct mai_names_object mai_names_objects[MAI_NAMES_MOST_OBJECTS];
size_t mai_names_object_count;

struct note {
  ElfW(Nhdr) header;
  char name[4];
  uint8_t id[];
};

static bool is_id(const struct note *note) {
  return note->header.n_type == NT_GNU_BUILD_ID && note->header.n_namesz == sizeof note->name &&
         memcmp(note->name, ELF_NOTE_GNU, sizeof note->name) == 0;
}

static size_t aligned(size_t bytes) { return (bytes + 3) & ~(size_t)3; }

/* Whether one of the notes is the build-id that a table is for. */
static bool has_id(const struct minas_names_header *header, const char *notes, size_t size) {
  while (size >= sizeof(struct note)) {
    const struct note *note = (const void *)notes;
    size_t bytes =
        sizeof note->header + aligned(note->header.n_namesz) + aligned(note->header.n_descsz);
    if (is_id(note) && bytes <= size)
      return note->header.n_descsz == header->id_bytes &&
             memcmp(note->id, header->id, header->id_bytes) == 0;
    notes += bytes < size ? bytes : size;
    size -= bytes < size ? bytes : size;
  }
  return false;
}

static bool is_for(const struct minas_names_header *header, const struct dl_phdr_info *info) {
  for (size_t i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    if (segment->p_type == PT_NOTE &&
        has_id(header, (const char *)(info->dlpi_addr + segment->p_vaddr), segment->p_memsz))
      return true;
  }
  return false;
}

/*===-- Tables in files of their own ---------------------------------------===*/

/* Whether a table is for an object that is loaded.  One without an id is for the executable, which
   is told of first; mai-run's program may start others, so that is known by its process. */
static int examine(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  struct mai_names_object *object = context;
  const struct minas_names_header *header = object->names.header;
  object->bias = info->dlpi_addr;
  if (header->id_bytes == 0)
    return mai_settings_are_users() ? 1 : -1;
  return is_for(header, info);
}

static void open_table(const char *path) {
  struct mai_names_object *object = &mai_names_objects[mai_names_object_count];
  if (mai_names_object_count == MAI_NAMES_MOST_OBJECTS ||
      minas_names_open(path, &object->names) != 0)
    return;
  if (dl_iterate_phdr(examine, object) == 1)
    mai_names_object_count++;
  else
    minas_names_close(&object->names);
}

void mai_names_objects_open(const char *paths) {
  for (const char *line = paths; line && *line;) {
    size_t length = strcspn(line, "\n");
    char *path = minas_copy_part(line, length);
    if (path)
      open_table(path);
    minas_free(path);
    line += length + (line[length] != '\0');
  }
}

/*===-- Tables that objects carry ------------------------------------------===*/

static bool has_table(uintptr_t bias) {
  for (size_t i = 0; i < mai_names_object_count; i++)
    if (mai_names_objects[i].bias == bias)
      return true;
  return false;
}

/* What the kernel has loaded, which has no file, has no path either. */
static const char *file_of(const struct dl_phdr_info *info, bool is_executable) {
  if (is_executable)
    return "/proc/self/exe";
  return strchr(info->dlpi_name, '/') ? info->dlpi_name : NULL;
}

/* A library's file may be another by now; the executable's is the very one, and needs no id. */
static bool is_own(const struct minas_names_header *header, const struct dl_phdr_info *info,
                   bool is_executable) {
  return header->id_bytes == 0 ? is_executable : is_for(header, info);
}

static int open_carried(struct dl_phdr_info *info, size_t size, void *seen) {
  (void)size;
  bool is_executable = !*(bool *)seen;
  struct mai_names_object *object = &mai_names_objects[mai_names_object_count];
  const char *file = file_of(info, is_executable);
  *(bool *)seen = true;
  if (mai_names_object_count == MAI_NAMES_MOST_OBJECTS)
    return 1;
  if (!file || has_table(info->dlpi_addr) || minas_names_open_carried(file, &object->names) != 0)
    return 0;
  object->bias = info->dlpi_addr;
  if (is_own(object->names.header, info, is_executable))
    mai_names_object_count++;
  else
    minas_names_close(&object->names);
  return 0;
}

void mai_names_objects_open_carried(void) {
  bool seen = false;
  dl_iterate_phdr(open_carried, &seen);
}
