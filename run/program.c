/*===-- program.c - the program that mai-run is to become -------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "program.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "loading/binary.h"
#include "loading/search.h"

static bool find_runnable(const char *file, void *found) {
  struct stat status;
  if (stat(file, &status) != 0 || !S_ISREG(status.st_mode) ||
      faccessat(AT_FDCWD, file, X_OK, AT_EACCESS) != 0)
    return false;
  *(char **)found = strdup(file);
  return true;
}

char *program_find(const char *name) {
  char *file = NULL;
  loading_search(name, find_runnable, &file);
  return file;
}

typedef ElfW(Shdr) elf_section;

static bool has_symbol_table(int file, const elf_header *header) {
  elf_section section;
  for (size_t i = 0; i < header->e_shnum; i++)
    if (binary_read(file, header->e_shoff + i * sizeof section, &section, sizeof section) &&
        section.sh_type == SHT_SYMTAB)
      return true;
  return false;
}

static bool has_section(int file, const elf_header *header, const char *name) {
  elf_section names, section;
  char text[32];
  if (!binary_read(file, header->e_shoff + header->e_shstrndx * sizeof names, &names, sizeof names))
    return false;
  for (size_t i = 0; i < header->e_shnum; i++) {
    if (!binary_read(file, header->e_shoff + i * sizeof section, &section, sizeof section))
      return false;
    binary_read_string(file, names.sh_offset + section.sh_name, text, sizeof text);
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
      !binary_read(file, offset + sizeof *note, bytes, note->header.n_descsz))
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
  for (size_t i = 0; binary_segment(file, header, i, &segment); i++)
    for (uint64_t at = 0; segment.p_type == PT_NOTE && at < segment.p_filesz &&
                          binary_read(file, segment.p_offset + at, &note, sizeof note);
         at += note_bytes(&note))
      if (read_id_at(file, segment.p_offset + at, &note, id))
        return;
}

/*===-- Which libraries it needs -------------------------------------------===*/

static bool is_openmp(const char *library) {
  return strncmp(library, "libgomp", 7) == 0 || strncmp(library, "libomp", 6) == 0 ||
         strncmp(library, "libiomp5", 8) == 0;
}

static void note_library(const char *library, void *into) {
  struct program *program = into;
  if (is_openmp(library))
    program->needs_openmp = true;
  if (binary_is_sanitizer(library))
    snprintf(program->sanitizer, sizeof program->sanitizer, "%s", library);
}

/* Where packages of debug information have it. */
static bool has_installed_information(const char *id) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "/usr/lib/debug/.build-id/%.2s/%s.debug", id, *id ? id + 2 : id);
  return *id && access(path, R_OK) == 0;
}

static void examine_binary(int file, const elf_header *header, struct program *program) {
  program->kind = binary_kind(file, header);
  if (program->kind != BINARY_DYNAMIC)
    return;
  binary_needs(file, header, note_library, program);
  binary_linker(file, header, program->linker, sizeof program->linker);
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

static void examine_open(int file, const char *start, size_t length, struct program *program) {
  elf_header header;
  program->privileged = is_privileged(file);
  if (binary_has_header(file, &header))
    examine_binary(file, &header, program);
  else
    program->kind = is_text(start, length) ? BINARY_TEXT : BINARY_DATA;
}

/* Find out about one file. @return whether it is a script, whose interpreter counts instead */
static bool examine_one(struct program *program) {
  char start[PATH_MAX] = "";
  int file = open(program->file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0)
    return false;
  ssize_t length = pread(file, start, sizeof start - 1, 0);
  bool script = binary_interpreter(start, program->file, sizeof program->file);
  if (!script)
    examine_open(file, start, length > 0 ? (size_t)length : 0, program);
  close(file);
  return script;
}

void program_examine(const char *file, struct program *program) {
  *program = (struct program){.kind = BINARY_UNKNOWN};
  snprintf(program->file, sizeof program->file, "%s", file);
  for (int i = 0; i < BINARY_MOST_INTERPRETERS && examine_one(program); i++)
    program->script = true;
}

/* The system's libraries have none: what packages have of it is not looked for. */
void program_examine_library(const char *file, struct program *library) {
  elf_header header;
  *library = (struct program){.kind = BINARY_UNKNOWN};
  snprintf(library->file, sizeof library->file, "%s", file);
  int descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0)
    return;
  if (binary_has_header(descriptor, &header)) {
    read_id(descriptor, &header, library->id);
    library->has_debug_information =
        *library->id && has_section(descriptor, &header, ".debug_info");
  }
  close(descriptor);
}
