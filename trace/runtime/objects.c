/*===-- objects.c - the program and its libraries, and their symbols *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "objects.h"

#include <errno.h>
#include <errno.h>

#include "trace/system/kernel.h"
#include "memory.h"
#include "trace/system/text.h"
#include "threads.h"

void trace_symbols_visit(const struct trace_object *object, minas_symbol_visitor *visit,
                         void *context) {
  minas_symbols_visit(&object->image, MINAS_EITHER_TABLE, visit, context);
}

/*===-- Objects -------------------------------------------------------------===*/

struct walk {
  void (*visit)(const struct trace_object *object, void *context);
  void *context;
  bool seen_program;
};

/* No image where the file cannot be read. The program's errno stays as it is. */
static void read_file(struct trace_object *object, const char *path, uintptr_t bias) {
  int error = errno;
  if (minas_image_open(&object->image, path, bias) != 0)
    object->image = (struct minas_image){.bias = bias};
  errno = error;
}

static void read_extent(struct trace_object *object, const struct dl_phdr_info *info) {
  object->start = UINTPTR_MAX;
  for (size_t i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    if (header->p_type != PT_LOAD)
      continue;
    uintptr_t start = info->dlpi_addr + header->p_vaddr;
    if (start < object->start)
      object->start = start;
    if (start + header->p_memsz > object->end)
      object->end = start + header->p_memsz;
  }
}

static int visit_object(struct dl_phdr_info *info, size_t size, void *argument) {
  struct walk *walk = argument;
  char program[1024] = "";
  struct trace_object object = {.path = info->dlpi_name};
  (void)size;
  if (!walk->seen_program) {
    ssize_t length = kernel_readlink("/proc/thread-self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    object.path = program;
  }
  read_extent(&object, info);
  read_file(&object, walk->seen_program ? object.path : "/proc/thread-self/exe", info->dlpi_addr);
  walk->seen_program = true;
  walk->visit(&object, walk->context);
  if (object.image.bytes)
    minas_image_close(&object.image);
  return 0;
}

void trace_objects_visit(void (*visit)(const struct trace_object *object, void *context),
                         void *context) {
  struct walk walk = {visit, context, false};
  dl_iterate_phdr(visit_object, &walk);
}

/*===-- Constants -----------------------------------------------------------===*/

struct collection {
  struct trace_constants *list;
  size_t count, room;
};

static int collect_constants(struct dl_phdr_info *info, size_t size, void *argument) {
  struct collection *found = argument;
  uintptr_t page = trace_settings()->page;
  (void)size;
  for (size_t i = 0; i < info->dlpi_phnum && found->count < found->room; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    if (header->p_type != PT_LOAD || (header->p_flags & PF_W))
      continue;
    uintptr_t start = info->dlpi_addr + header->p_vaddr;
    found->list[found->count++] = (struct trace_constants){
        start & ~(page - 1), (start + header->p_memsz + page - 1) & ~(page - 1)};
  }
  return 0;
}

size_t trace_constants_find(struct trace_constants *list, size_t room) {
  struct collection found = {list, 0, room};
  dl_iterate_phdr(collect_constants, &found);
  return found.count;
}

/*===-- Code ----------------------------------------------------------------===*/

struct search {
  uintptr_t code;
  struct trace_place *place;
};

static void match_function(const struct minas_symbol *symbol, void *argument) {
  struct search *search = argument;
  if (symbol->type == STT_FUNC && symbol->is_defined && search->code >= symbol->start &&
      search->code - symbol->start < symbol->bytes)
    trace_format(search->place->function, sizeof search->place->function, "%s", symbol->name);
}

static void match_object(const struct trace_object *object, void *argument) {
  struct search *search = argument;
  if (search->code < object->start || search->code >= object->end)
    return;
  trace_format(search->place->path, sizeof search->place->path, "%s", object->path);
  search->place->offset = search->code - object->image.bias;
  trace_symbols_visit(object, match_function, search);
}

void trace_place_of(uintptr_t code, struct trace_place *place) {
  struct search search = {code, place};
  *place = (struct trace_place){.path = ""};
  if (code)
    trace_objects_visit(match_object, &search);
}

/* Opens no file but the name of the program. */
static int match_extent(struct dl_phdr_info *info, size_t size, void *argument) {
  struct search *search = argument;
  struct trace_object object = {.start = 0};
  (void)size;
  read_extent(&object, info);
  if (search->code < object.start || search->code >= object.end)
    return 0;
  trace_format(search->place->path, sizeof search->place->path, "%s", info->dlpi_name);
  search->place->offset = search->code - info->dlpi_addr;
  return 1;
}

void trace_object_of(uintptr_t code, struct trace_place *place) {
  struct search search = {code, place};
  *place = (struct trace_place){.path = ""};
  if (!dl_iterate_phdr(match_extent, &search) || place->path[0])
    return;
  ssize_t length = kernel_readlink("/proc/thread-self/exe", place->path, sizeof place->path - 1);
  place->path[length > 0 ? length : 0] = '\0';
}
