/*===-- symbols.c - the symbols of a file that is loaded --------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "symbols.h"

#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>

#include "fail.h"
#include "system.h"

/*===-- Files --------------------------------------------------------------===*/

/* The kernel maps files that are empty or too large neither. */
static int map(struct minas_image *image, int file) {
  struct statx status = {0};
  if (minas_file_status(file, &status) != 0)
    return -1;
  image->size = status.stx_size;
  long bytes = minas_system(SYS_mmap, 0, (long)image->size, PROT_READ, MAP_PRIVATE, file, 0);
  image->bytes = bytes == -1 ? NULL : (const char *)bytes;
  return image->bytes ? 0 : -1;
}

int minas_image_open(struct minas_image *image, const char *path, uintptr_t bias) {
  int file = minas_open(path);
  if (file < 0)
    return -1;
  *image = (struct minas_image){.bias = bias};
  int result = map(image, file);
  minas_close(file);
  return result;
}

void minas_image_close(struct minas_image *image) {
  int error = errno;
  minas_system(SYS_munmap, (long)image->bytes, (long)image->size, 0, 0, 0, 0);
  errno = error;
}

/*===-- Sections -----------------------------------------------------------===*/

/* Part [offset, offset + size) of the file, or NULL. */
static const void *part(const struct minas_image *image, size_t offset, size_t size) {
  return offset <= image->size && size <= image->size - offset ? image->bytes + offset : NULL;
}

/* Section `index`, or NULL. */
static const ElfW(Shdr) * section(const struct minas_image *image, size_t index) {
  const ElfW(Ehdr) *header = part(image, 0, sizeof *header);
  if (!header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_shentsize != sizeof(ElfW(Shdr)) || index >= header->e_shnum)
    return NULL;
  const ElfW(Shdr) *sections =
      part(image, header->e_shoff, (size_t)header->e_shnum * sizeof *sections);
  return sections ? &sections[index] : NULL;
}

/* The texts of a section; NULL: there are none, or the last one has no end. */
static const char *texts(const struct minas_image *image, const ElfW(Shdr) * home) {
  const char *text = home ? part(image, home->sh_offset, home->sh_size) : NULL;
  return text && home->sh_size > 0 && text[home->sh_size - 1] == '\0' ? text : NULL;
}

const void *minas_image_section(const struct minas_image *image, const char *name, size_t *size) {
  const ElfW(Ehdr) *header = part(image, 0, sizeof *header);
  const ElfW(Shdr) *home = header ? section(image, header->e_shstrndx) : NULL;
  const char *names = texts(image, home);
  const ElfW(Shdr) * candidate;
  for (size_t i = 0; names && (candidate = section(image, i)); i++)
    if (candidate->sh_name < home->sh_size && strcmp(names + candidate->sh_name, name) == 0) {
      *size = candidate->sh_size;
      return candidate->sh_type == SHT_NOBITS ? NULL : part(image, candidate->sh_offset, *size);
    }
  return NULL;
}

static const ElfW(Shdr) * section_of_type(const struct minas_image *image, ElfW(Word) type) {
  const ElfW(Shdr) * candidate;
  for (size_t i = 0; (candidate = section(image, i)); i++)
    if (candidate->sh_type == type && candidate->sh_entsize == sizeof(ElfW(Sym)))
      return candidate;
  return NULL;
}

static const ElfW(Shdr) *
    find_table(const struct minas_image *image, enum minas_symbol_table which) {
  const ElfW(Shdr) *full = section_of_type(image, SHT_SYMTAB);
  return full || which == MINAS_FULL_TABLE ? full : section_of_type(image, SHT_DYNSYM);
}

static bool lies_in(const ElfW(Sym) * symbol, const ElfW(Shdr) * home) {
  return symbol->st_value >= home->sh_addr && symbol->st_size <= home->sh_size &&
         symbol->st_value - home->sh_addr <= home->sh_size - symbol->st_size;
}

static bool is_written(const struct minas_image *image, const ElfW(Sym) * symbol) {
  const ElfW(Shdr) *home = section(image, symbol->st_shndx);
  return home && (home->sh_flags & SHF_WRITE) && !(home->sh_flags & SHF_TLS) &&
         lies_in(symbol, home);
}

void minas_symbols_visit(const struct minas_image *image, enum minas_symbol_table which,
                         minas_symbol_visitor *visit, void *context) {
  const ElfW(Shdr) *table = find_table(image, which);
  const ElfW(Shdr) *names = table ? section(image, table->sh_link) : NULL;
  const ElfW(Sym) *symbols = table ? part(image, table->sh_offset, table->sh_size) : NULL;
  const char *text = texts(image, names);
  if (!symbols || !text)
    return;
  const char *file = "";
  for (size_t i = 0; i < table->sh_size / sizeof *symbols; i++) {
    if (symbols[i].st_name >= names->sh_size)
      continue;
    if (ELF64_ST_TYPE(symbols[i].st_info) == STT_FILE)
      file = text + symbols[i].st_name;
    /* A source's name stands before its own symbols; those of all sources come last. */
    bool is_local = ELF64_ST_BIND(symbols[i].st_info) == STB_LOCAL;
    struct minas_symbol symbol = {.name = text + symbols[i].st_name,
                                  .file = is_local ? file : "",
                                  .start = image->bias + symbols[i].st_value,
                                  .bytes = symbols[i].st_size,
                                  .type = ELF64_ST_TYPE(symbols[i].st_info),
                                  .is_defined = symbols[i].st_shndx != SHN_UNDEF,
                                  .is_written = is_written(image, &symbols[i])};
    visit(&symbol, context);
  }
}
