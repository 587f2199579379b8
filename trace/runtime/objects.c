/*===-- objects.c - the program and its libraries, and their symbols *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "objects.h"

#include <string.h>

#include "trace/system/kernel.h"
#include "memory.h"
#include "trace/system/text.h"
#include "threads.h"

/* Part [offset, offset + size) of the file, or NULL. */
static const void *part(const struct trace_object *object, size_t offset, size_t size) {
  return object->bytes && offset <= object->size && size <= object->size - offset
             ? object->bytes + offset
             : NULL;
}

/* Section `index`, or NULL. */
static const ElfW(Shdr) * section(const struct trace_object *object, size_t index) {
  const ElfW(Ehdr) *header = part(object, 0, sizeof *header);
  if (!header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_shentsize != sizeof(ElfW(Shdr)) || index >= header->e_shnum)
    return NULL;
  const ElfW(Shdr) *sections =
      part(object, header->e_shoff, (size_t)header->e_shnum * sizeof *sections);
  return sections ? &sections[index] : NULL;
}

/* The full table of symbols, or else, in a stripped file, those of the dynamic linker. */
static const ElfW(Shdr) * symbol_table(const struct trace_object *object) {
  static const ElfW(Word) wanted[] = {SHT_SYMTAB, SHT_DYNSYM};
  for (size_t kind = 0; kind < sizeof wanted / sizeof *wanted; kind++) {
    const ElfW(Shdr) * candidate;
    for (size_t i = 0; (candidate = section(object, i)); i++)
      if (candidate->sh_type == wanted[kind] && candidate->sh_entsize == sizeof(ElfW(Sym)))
        return candidate;
  }
  return NULL;
}

static bool is_written(const struct trace_object *object, const ElfW(Sym) * symbol) {
  const ElfW(Shdr) *home = section(object, symbol->st_shndx);
  return home && (home->sh_flags & SHF_WRITE) && !(home->sh_flags & SHF_TLS);
}

void trace_symbols_visit(const struct trace_object *object,
                         void (*visit)(const struct trace_symbol *symbol, void *context),
                         void *context) {
  const ElfW(Shdr) *table = symbol_table(object);
  const ElfW(Shdr) *names = table ? section(object, table->sh_link) : NULL;
  const ElfW(Sym) *symbols = table ? part(object, table->sh_offset, table->sh_size) : NULL;
  const char *text = names ? part(object, names->sh_offset, names->sh_size) : NULL;
  if (!symbols || !text || names->sh_size == 0 || text[names->sh_size - 1] != '\0')
    return;
  const char *file = "";
  for (size_t i = 0; i < table->sh_size / sizeof *symbols; i++) {
    if (symbols[i].st_name >= names->sh_size)
      continue;
    /* A source's name stands before its own symbols; those of all sources come last. */
    bool is_local = ELF64_ST_BIND(symbols[i].st_info) == STB_LOCAL;
    if (ELF64_ST_TYPE(symbols[i].st_info) == STT_FILE)
      file = text + symbols[i].st_name;
    struct trace_symbol symbol = {.name = text + symbols[i].st_name,
                                  .file = is_local ? file : "",
                                  .start = object->bias + symbols[i].st_value,
                                  .bytes = symbols[i].st_size,
                                  .type = ELF64_ST_TYPE(symbols[i].st_info),
                                  .is_defined = symbols[i].st_shndx != SHN_UNDEF,
                                  .is_written = is_written(object, &symbols[i])};
    visit(&symbol, context);
  }
}

/*===-- Objects -------------------------------------------------------------===*/

struct walk {
  void (*visit)(const struct trace_object *object, void *context);
  void *context;
  bool seen_program;
};

static void read_file(struct trace_object *object, const char *path) {
  int file = kernel_open(path, O_RDONLY, 0);
  if (file < 0)
    return;
  off_t size = kernel_size(file);
  long bytes = size > 0 ? kernel_mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, file, 0) : -1;
  if (!minas_kernel_failed(bytes)) {
    object->bytes = (const char *)bytes;
    object->size = (size_t)size;
  }
  kernel_close(file);
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
  struct trace_object object = {.path = info->dlpi_name, .bias = info->dlpi_addr};
  (void)size;
  if (!walk->seen_program) {
    ssize_t length = kernel_readlink("/proc/thread-self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    object.path = program;
  }
  read_extent(&object, info);
  read_file(&object, walk->seen_program ? object.path : "/proc/thread-self/exe");
  walk->seen_program = true;
  walk->visit(&object, walk->context);
  if (object.bytes)
    trace_memory_free((void *)(uintptr_t)object.bytes, object.size);
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

static void match_function(const struct trace_symbol *symbol, void *argument) {
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
  search->place->offset = search->code - object->bias;
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
