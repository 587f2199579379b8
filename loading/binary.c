/*===-- binary.c - what the file of a program says of it --------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "binary.h"

#include <dlfcn.h>
#include <string.h>
#include <sys/auxv.h>

#include "runtime/path.h"
#include "runtime/system.h"

enum { LINKER_PATH = 512 };

/** As far as the file goes. @return how many bytes there were */
static size_t read_start(int file, uint64_t offset, void *bytes, size_t size) {
  long read = offset <= INT64_MAX
                  ? minas_system(SYS_pread64, file, (long)bytes, (long)size, (long)offset, 0, 0)
                  : 0;
  return read > 0 ? (size_t)read : 0;
}

bool binary_read(int file, uint64_t offset, void *part, size_t size) {
  return read_start(file, offset, part, size) == size;
}

void binary_read_string(int file, uint64_t offset, char *text, size_t size) {
  text[read_start(file, offset, text, size - 1)] = '\0';
}

bool binary_has_header(int file, elf_header *header) {
  return binary_read(file, 0, header, sizeof *header) &&
         memcmp(header->e_ident, ELFMAG, SELFMAG) == 0;
}

typedef ElfW(Dyn) elf_entry;

bool binary_segment(int file, const elf_header *header, size_t index, elf_segment *segment) {
  return index < header->e_phnum &&
         binary_read(file, header->e_phoff + index * sizeof *segment, segment, sizeof *segment);
}

static bool find_segment(int file, const elf_header *header, uint32_t type, elf_segment *segment) {
  for (size_t i = 0; binary_segment(file, header, i, segment); i++)
    if (segment->p_type == type)
      return true;
  return false;
}

/* Where in the file that lies what is at an address in memory; the file's end where nowhere. */
static uint64_t offset_of(int file, const elf_header *header, uint64_t address) {
  elf_segment segment;
  for (size_t i = 0; binary_segment(file, header, i, &segment); i++)
    if (segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
        address - segment.p_vaddr < segment.p_filesz)
      return segment.p_offset + (address - segment.p_vaddr);
  return UINT64_MAX;
}

static bool read_entry(int file, const elf_segment *dynamic, size_t index, elf_entry *entry) {
  return index < dynamic->p_filesz / sizeof *entry &&
         binary_read(file, dynamic->p_offset + index * sizeof *entry, entry, sizeof *entry) &&
         entry->d_tag != DT_NULL;
}

/* Where in the file one of the dynamic linker's tables lies; the file's end where nowhere. */
static uint64_t find_table(int file, const elf_header *header, const elf_segment *dynamic,
                           ElfW(Sxword) tag) {
  elf_entry entry;
  for (size_t i = 0; read_entry(file, dynamic, i, &entry); i++)
    if (entry.d_tag == tag)
      return offset_of(file, header, entry.d_un.d_ptr);
  return UINT64_MAX;
}

void binary_needs(int file, const elf_header *header,
                  void (*visit)(const char *library, void *context), void *context) {
  elf_segment dynamic;
  elf_entry entry;
  if (!find_segment(file, header, PT_DYNAMIC, &dynamic))
    return;
  uint64_t names = find_table(file, header, &dynamic, DT_STRTAB);
  for (size_t i = 0; names != UINT64_MAX && read_entry(file, &dynamic, i, &entry); i++) {
    char library[BINARY_LIBRARY_NAME];
    if (entry.d_tag != DT_NEEDED)
      continue;
    binary_read_string(file, names + entry.d_un.d_val, library, sizeof library);
    visit(library, context);
  }
}

bool binary_is_sanitizer(const char *library) {
  static const char *const run_times[] = {"libasan.so",   "libtsan.so",       "liblsan.so",
                                          "libhwasan.so", "libclang_rt.asan", "libclang_rt.tsan"};
  for (size_t i = 0; i < sizeof run_times / sizeof *run_times; i++)
    if (strncmp(library, run_times[i], strlen(run_times[i])) == 0)
      return true;
  return false;
}

/*===-- Which functions libraries find in it -------------------------------===*/

/* As the dynamic linker finds them, by a table of hashes (DT_GNU_HASH): its head, a filter, where
   the symbols of each bucket begin, and a hash for each symbol, odd for the last of a bucket. */
struct hashes {
  uint32_t buckets, first_symbol, filter_words, filter_shift;
};

static uint32_t hash_of(const char *name) {
  uint32_t hash = 5381;
  for (; *name; name++)
    hash = hash * 33 + (unsigned char)*name;
  return hash;
}

struct exports {
  int file;
  uint64_t hashes, symbols, names;
};

static bool is_defined_as(const struct exports *exports, uint32_t index, const char *name) {
  ElfW(Sym) symbol;
  char text[BINARY_LIBRARY_NAME];
  if (!binary_read(exports->file, exports->symbols + (uint64_t)index * sizeof symbol, &symbol,
                   sizeof symbol))
    return false;
  binary_read_string(exports->file, exports->names + symbol.st_name, text, sizeof text);
  return symbol.st_shndx != SHN_UNDEF && strcmp(text, name) == 0;
}

static bool has_export(const struct exports *exports, const char *name) {
  struct hashes head;
  uint32_t index, wanted = hash_of(name), hash = 0;
  if (!binary_read(exports->file, exports->hashes, &head, sizeof head) || !head.buckets)
    return false;
  uint64_t buckets = exports->hashes + sizeof head + head.filter_words * sizeof(ElfW(Addr));
  uint64_t chains = buckets + head.buckets * sizeof index;
  if (!binary_read(exports->file, buckets + wanted % head.buckets * sizeof index, &index,
                   sizeof index))
    return false;
  bool found = false;
  for (; !found && index >= head.first_symbol && !(hash & 1); index++)
    if (binary_read(exports->file, chains + (uint64_t)(index - head.first_symbol) * sizeof hash,
                    &hash, sizeof hash))
      found = (hash | 1) == (wanted | 1) && is_defined_as(exports, index, name);
    else
      hash = 1; /* the file ends here */
  return found;
}

/* Its run-time is in the program itself. */
static bool has_memory_sanitizer(int file, const elf_header *header) {
  elf_segment dynamic;
  if (!find_segment(file, header, PT_DYNAMIC, &dynamic))
    return false;
  struct exports exports = {file, find_table(file, header, &dynamic, DT_GNU_HASH),
                            find_table(file, header, &dynamic, DT_SYMTAB),
                            find_table(file, header, &dynamic, DT_STRTAB)};
  return exports.hashes != UINT64_MAX && exports.symbols != UINT64_MAX &&
         exports.names != UINT64_MAX && has_export(&exports, "__msan_init");
}

/*===-- Which kind of binary it is -----------------------------------------===*/

void binary_linker(int file, const elf_header *header, char *path, size_t size) {
  elf_segment segment;
  *path = '\0';
  if (find_segment(file, header, PT_INTERP, &segment))
    binary_read_string(file, segment.p_offset, path, size);
}

/* The file name of this program's dynamic linker; NULL: not known. */
static const char *own_linker;

__attribute__((constructor)) static void find_own_linker(void) {
  Dl_info info;
  unsigned long linker = getauxval(AT_BASE);
  if (linker && dladdr((const void *)linker, &info))
    own_linker = minas_file_name(info.dli_fname);
}

/* Of what this code is linked into; it is put there by the linker. */
extern const elf_header __ehdr_start __attribute__((visibility("hidden")));

static enum binary_kind kind_by_linker(const char *linker) {
  if (!*linker)
    return BINARY_STATIC;
  return !own_linker || strcmp(minas_file_name(linker), own_linker) == 0 ? BINARY_DYNAMIC
                                                                         : BINARY_OTHER_LINKER;
}

enum binary_kind binary_kind(int file, const elf_header *header) {
  char linker[LINKER_PATH];
  if (header->e_ident[EI_CLASS] != __ehdr_start.e_ident[EI_CLASS])
    return BINARY_32_BIT;
  if (header->e_machine != __ehdr_start.e_machine)
    return BINARY_OTHER_PROCESSOR;
  binary_linker(file, header, linker, sizeof linker);
  enum binary_kind kind = kind_by_linker(linker);
  return kind == BINARY_DYNAMIC && has_memory_sanitizer(file, header) ? BINARY_CHECKS_MEMORY : kind;
}

/*===-- Scripts ------------------------------------------------------------===*/

bool binary_interpreter(const char *line, char *name, size_t size) {
  if (strncmp(line, "#!", 2) != 0)
    return false;
  line += 2 + strspn(line + 2, " \t");
  size_t length = strcspn(line, " \t\n");
  if (length == 0 || length >= size)
    return false;
  memcpy(name, line, length);
  name[length] = '\0';
  return true;
}
