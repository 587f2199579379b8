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

/* Whether a table is for an object that is loaded.  One without an id is for the executable, which
   is told of first; mai-run's program may start others, so that is known by its process. */
static int examine(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  struct mai_names_object *object = context;
  const struct minas_names_header *header = object->names.header;
  object->bias = info->dlpi_addr;
  if (header->id_bytes == 0)
    return mai_settings_are_users() ? 1 : -1;
  for (size_t i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    if (segment->p_type == PT_NOTE &&
        has_id(header, (const char *)(info->dlpi_addr + segment->p_vaddr), segment->p_memsz))
      return 1;
  }
  return 0;
}

static void open_table(const char *path) {
  struct mai_names_object *object = &mai_names_objects[mai_names_object_count];
  if (mai_names_object_count < MAI_NAMES_MOST_OBJECTS &&
      minas_names_open(path, &object->names) == 0 && dl_iterate_phdr(examine, object) == 1)
    mai_names_object_count++;
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
