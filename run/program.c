/*===-- program.c - the program that mai-run is to become -------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Nothing that is read from a file is believed: every part is read where the file says that it
 * lies, and is missing where the file ends before.
 */
#include "program.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "runtime/path.h"

/*===-- Finding it ---------------------------------------------------------===*/

static bool can_be_run(const char *file) {
  struct stat status;
  return stat(file, &status) == 0 && S_ISREG(status.st_mode) &&
         faccessat(AT_FDCWD, file, X_OK, AT_EACCESS) == 0;
}

/* What execvp() searches; to be freed. */
static char *search_path(void) {
  const char *path = getenv("PATH");
  if (path)
    return strdup(path);
  size_t size = confstr(_CS_PATH, NULL, 0);
  char *standard = malloc(size);
  if (standard)
    confstr(_CS_PATH, standard, size);
  return standard;
}

/* In the directories of `path`; an empty one is the current directory. */
static char *search(const char *path, const char *name) {
  for (;;) {
    size_t length = strcspn(path, ":");
    char *file;
    if (asprintf(&file, "%.*s%s%s", (int)length, path, length ? "/" : "", name) < 0)
      return NULL;
    if (can_be_run(file))
      return file;
    free(file);
    if (!path[length])
      return NULL;
    path += length + 1;
  }
}

char *program_find(const char *name) {
  if (strchr(name, '/'))
    return can_be_run(name) ? strdup(name) : NULL;
  char *path = search_path();
  char *file = path && *name ? search(path, name) : NULL;
  free(path);
  return file;
}

/*===-- Binaries -----------------------------------------------------------===*/

/* @return false where the file has no such part */
static bool read_part(int file, uint64_t offset, void *part, size_t size) {
  return offset <= INT64_MAX && pread(file, part, size, (off_t)offset) == (ssize_t)size;
}

/* A string of the file, cut off at `size`; "" where there is none. */
static void read_string(int file, uint64_t offset, char *text, size_t size) {
  ssize_t length = offset <= INT64_MAX ? pread(file, text, size - 1, (off_t)offset) : 0;
  text[length > 0 ? length : 0] = '\0';
}

typedef ElfW(Ehdr) elf_header;
typedef ElfW(Phdr) elf_segment;
typedef ElfW(Shdr) elf_section;
typedef ElfW(Dyn) elf_entry;

static bool read_segment(int file, const elf_header *header, size_t index, elf_segment *segment) {
  return index < header->e_phnum &&
         read_part(file, header->e_phoff + index * sizeof *segment, segment, sizeof *segment);
}

static bool find_segment(int file, const elf_header *header, uint32_t type, elf_segment *segment) {
  for (size_t i = 0; read_segment(file, header, i, segment); i++)
    if (segment->p_type == type)
      return true;
  return false;
}

/* Where in the file that lies what is at an address in memory; the file's end where nowhere. */
static uint64_t offset_of(int file, const elf_header *header, uint64_t address) {
  elf_segment segment;
  for (size_t i = 0; read_segment(file, header, i, &segment); i++)
    if (segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
        address - segment.p_vaddr < segment.p_filesz)
      return segment.p_offset + (address - segment.p_vaddr);
  return UINT64_MAX;
}

static bool has_symbol_table(int file, const elf_header *header) {
  elf_section section;
  for (size_t i = 0; i < header->e_shnum; i++)
    if (read_part(file, header->e_shoff + i * sizeof section, &section, sizeof section) &&
        section.sh_type == SHT_SYMTAB)
      return true;
  return false;
}

static bool has_section(int file, const elf_header *header, const char *name) {
  elf_section names, section;
  char text[32];
  if (!read_part(file, header->e_shoff + header->e_shstrndx * sizeof names, &names, sizeof names))
    return false;
  for (size_t i = 0; i < header->e_shnum; i++) {
    if (!read_part(file, header->e_shoff + i * sizeof section, &section, sizeof section))
      return false;
    read_string(file, names.sh_offset + section.sh_name, text, sizeof text);
    if (strcmp(text, name) == 0)
      return true;
  }
  return false;
}

/*===-- Its build-id -------------------------------------------------------===*/

struct note {
  ElfW(Nhdr) header;
  char name[sizeof ELF_NOTE_GNU];
};

static void write_digits(const unsigned char *bytes, size_t count, char *digits) {
  for (size_t i = 0; i < count; i++)
    sprintf(digits + 2 * i, "%02x", bytes[i]);
}

/* @return whether the note that begins here is the id */
static bool read_id_at(int file, uint64_t offset, const struct note *note, char id[PROGRAM_ID]) {
  unsigned char bytes[(PROGRAM_ID - 1) / 2];
  if (note->header.n_type != NT_GNU_BUILD_ID || note->header.n_namesz != sizeof note->name ||
      memcmp(note->name, ELF_NOTE_GNU, sizeof note->name) != 0 ||
      note->header.n_descsz > sizeof bytes ||
      !read_part(file, offset + sizeof *note, bytes, note->header.n_descsz))
    return false;
  write_digits(bytes, note->header.n_descsz, id);
  return true;
}

/* Each note is filled up to whole words. */
static uint64_t note_bytes(const struct note *note) {
  uint64_t name = (note->header.n_namesz + UINT64_C(3)) & ~UINT64_C(3);
  return sizeof note->header + name + ((note->header.n_descsz + UINT64_C(3)) & ~UINT64_C(3));
}

static void read_id(int file, const elf_header *header, char id[PROGRAM_ID]) {
  elf_segment segment;
  struct note note;
  for (size_t i = 0; read_segment(file, header, i, &segment); i++)
    for (uint64_t at = 0; segment.p_type == PT_NOTE && at < segment.p_filesz &&
                          read_part(file, segment.p_offset + at, &note, sizeof note);
         at += note_bytes(&note))
      if (read_id_at(file, segment.p_offset + at, &note, id))
        return;
}

/*===-- Which libraries it needs -------------------------------------------===*/

static bool read_entry(int file, const elf_segment *dynamic, size_t index, elf_entry *entry) {
  return index < dynamic->p_filesz / sizeof *entry &&
         read_part(file, dynamic->p_offset + index * sizeof *entry, entry, sizeof *entry) &&
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

static bool begins_with_any(const char *name, const char *const *beginnings, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strncmp(name, beginnings[i], strlen(beginnings[i])) == 0)
      return true;
  return false;
}

static bool is_openmp(const char *library) {
  static const char *const run_times[] = {"libgomp", "libomp", "libiomp5"};
  return begins_with_any(library, run_times, sizeof run_times / sizeof *run_times);
}

bool program_is_sanitizer(const char *library) {
  static const char *const run_times[] = {"libasan.so",   "libtsan.so",       "liblsan.so",
                                          "libhwasan.so", "libclang_rt.asan", "libclang_rt.tsan"};
  return begins_with_any(library, run_times, sizeof run_times / sizeof *run_times);
}

static void note_library(const char *library, struct program *program) {
  if (is_openmp(library))
    program->needs_openmp = true;
  if (program_is_sanitizer(library))
    snprintf(program->sanitizer, sizeof program->sanitizer, "%s", library);
}

static void note_libraries(int file, const elf_header *header, struct program *program) {
  elf_segment dynamic;
  elf_entry entry;
  if (!find_segment(file, header, PT_DYNAMIC, &dynamic))
    return;
  uint64_t names = find_table(file, header, &dynamic, DT_STRTAB);
  for (size_t i = 0; names != UINT64_MAX && read_entry(file, &dynamic, i, &entry); i++) {
    char library[PROGRAM_LIBRARY_NAME];
    if (entry.d_tag != DT_NEEDED)
      continue;
    read_string(file, names + entry.d_un.d_val, library, sizeof library);
    note_library(library, program);
  }
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
  char text[PROGRAM_LIBRARY_NAME];
  if (!read_part(exports->file, exports->symbols + (uint64_t)index * sizeof symbol, &symbol,
                 sizeof symbol))
    return false;
  read_string(exports->file, exports->names + symbol.st_name, text, sizeof text);
  return symbol.st_shndx != SHN_UNDEF && strcmp(text, name) == 0;
}

static bool has_export(const struct exports *exports, const char *name) {
  struct hashes head;
  uint32_t index, wanted = hash_of(name), hash = 0;
  if (!read_part(exports->file, exports->hashes, &head, sizeof head) || !head.buckets)
    return false;
  uint64_t buckets = exports->hashes + sizeof head + head.filter_words * sizeof(ElfW(Addr));
  uint64_t chains = buckets + head.buckets * sizeof index;
  if (!read_part(exports->file, buckets + wanted % head.buckets * sizeof index, &index,
                 sizeof index))
    return false;
  bool found = false;
  for (; !found && index >= head.first_symbol && !(hash & 1); index++)
    if (read_part(exports->file, chains + (uint64_t)(index - head.first_symbol) * sizeof hash,
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

static void read_linker_path(int file, const elf_header *header, char path[PATH_MAX]) {
  elf_segment segment;
  *path = '\0';
  if (find_segment(file, header, PT_INTERP, &segment))
    read_string(file, segment.p_offset, path, PATH_MAX);
}

/* The file name of the dynamic linker that a binary asks for: "" for a static one. */
static void read_linker(int file, const elf_header *header, char *name, size_t size) {
  char path[PATH_MAX];
  read_linker_path(file, header, path);
  snprintf(name, size, "%.*s", (int)size - 1, minas_file_name(path));
}

enum { LINKER_NAME = 64 };

/* MAi can be loaded into what is like mai-run itself. */
static bool read_self(elf_header *header, char linker[LINKER_NAME]) {
  int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  bool read = file >= 0 && read_part(file, 0, header, sizeof *header);
  if (read)
    read_linker(file, header, linker, LINKER_NAME);
  if (file >= 0)
    close(file);
  return read;
}

static enum program_kind kind_of_binary(int file, const elf_header *header) {
  elf_header self;
  char linker[LINKER_NAME];
  char own_linker[LINKER_NAME];
  read_linker(file, header, linker, sizeof linker);
  if (!read_self(&self, own_linker))
    return *linker ? PROGRAM_DYNAMIC : PROGRAM_STATIC;
  if (header->e_ident[EI_CLASS] != self.e_ident[EI_CLASS])
    return PROGRAM_32_BIT;
  if (header->e_machine != self.e_machine)
    return PROGRAM_OTHER_PROCESSOR;
  if (!*linker)
    return PROGRAM_STATIC;
  return strcmp(linker, own_linker) == 0 ? PROGRAM_DYNAMIC : PROGRAM_OTHER_LINKER;
}

/* Where packages of debug information have it. */
static bool has_installed_information(const char *id) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "/usr/lib/debug/.build-id/%.2s/%s.debug", id, *id ? id + 2 : id);
  return *id && access(path, R_OK) == 0;
}

static void examine_binary(int file, const elf_header *header, struct program *program) {
  program->kind = kind_of_binary(file, header);
  if (program->kind == PROGRAM_DYNAMIC && has_memory_sanitizer(file, header))
    program->kind = PROGRAM_CHECKS_MEMORY;
  if (program->kind != PROGRAM_DYNAMIC)
    return;
  note_libraries(file, header, program);
  read_linker_path(file, header, program->linker);
  program->has_symbols = has_symbol_table(file, header);
  read_id(file, header, program->id);
  program->has_debug_information = has_section(file, header, ".debug_info") ||
                                   has_section(file, header, ".gnu_debuglink") ||
                                   has_installed_information(program->id);
}

/*===-- Any file -----------------------------------------------------------===*/

/* The dynamic linker takes no libraries from a user whose rights a program extends. */
static bool is_privileged(int file) {
  struct stat status;
  if (fstat(file, &status) != 0)
    return false;
  return ((status.st_mode & S_ISUID) && status.st_uid != getuid()) ||
         ((status.st_mode & S_ISGID) && status.st_gid != getgid()) ||
         (getuid() != 0 && fgetxattr(file, "security.capability", NULL, 0) > 0);
}

/* Shells take a file for a script whose first line has no null byte. */
static bool is_text(const char *bytes, size_t length) {
  const char *end = memchr(bytes, '\n', length);
  return !memchr(bytes, '\0', end ? (size_t)(end - bytes) : length);
}

/* The interpreter that a first line such as "#! /bin/sh -e" names. */
static bool read_interpreter(const char *line, char *name, size_t size) {
  if (strncmp(line, "#!", 2) != 0)
    return false;
  line += 2 + strspn(line + 2, " \t");
  int length = (int)strcspn(line, " \t\n");
  snprintf(name, size, "%.*s", length, line);
  return length > 0;
}

static void examine_open(int file, const char *start, size_t length, struct program *program) {
  elf_header header;
  program->privileged = is_privileged(file);
  if (read_part(file, 0, &header, sizeof header) && memcmp(header.e_ident, ELFMAG, SELFMAG) == 0)
    examine_binary(file, &header, program);
  else
    program->kind = is_text(start, length) ? PROGRAM_TEXT : PROGRAM_DATA;
}

/* Find out about one file. @return whether it is a script, whose interpreter counts instead */
static bool examine_one(struct program *program) {
  char start[PATH_MAX] = "";
  int file = open(program->file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0)
    return false;
  ssize_t length = pread(file, start, sizeof start - 1, 0);
  bool script = read_interpreter(start, program->file, sizeof program->file);
  if (!script)
    examine_open(file, start, length > 0 ? (size_t)length : 0, program);
  close(file);
  return script;
}

void program_examine(const char *file, struct program *program) {
  enum { MOST_INTERPRETERS = 5 }; /* so many the kernel follows */
  *program = (struct program){.kind = PROGRAM_UNKNOWN};
  snprintf(program->file, sizeof program->file, "%s", file);
  for (int i = 0; i < MOST_INTERPRETERS && examine_one(program); i++)
    program->script = true;
}

/* The system's libraries have none: what packages have of it is not looked for. */
void program_examine_library(const char *file, struct program *library) {
  elf_header header;
  *library = (struct program){.kind = PROGRAM_UNKNOWN};
  snprintf(library->file, sizeof library->file, "%s", file);
  int descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0)
    return;
  if (read_part(descriptor, 0, &header, sizeof header) &&
      memcmp(header.e_ident, ELFMAG, SELFMAG) == 0) {
    read_id(descriptor, &header, library->id);
    library->has_debug_information =
        *library->id && has_section(descriptor, &header, ".debug_info");
  }
  close(descriptor);
}
