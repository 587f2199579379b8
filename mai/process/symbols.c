/*===-- symbols.c - the static arrays in a program's symbol table *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "symbols.h"

#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/system.h"

/* An ELF file in memory; everything read from it is checked against its size. */
struct image {
  const char *bytes;
  size_t size;
  uintptr_t load_bias; /* address of a symbol = load_bias + its value */
};

/* Part [offset, offset + size) of the file, or NULL. */
static const void *part(const struct image *image, size_t offset, size_t size) {
  return offset <= image->size && size <= image->size - offset ? image->bytes + offset : NULL;
}

/* Section `index`, or NULL. */
static const ElfW(Shdr) * section(const struct image *image, size_t index) {
  const ElfW(Ehdr) *header = part(image, 0, sizeof *header);
  if (!header || header->e_shentsize != sizeof(ElfW(Shdr)) || index >= header->e_shnum)
    return NULL;
  const ElfW(Shdr) *sections =
      part(image, header->e_shoff, (size_t)header->e_shnum * sizeof *sections);
  return sections ? &sections[index] : NULL;
}

static const ElfW(Shdr) * symbol_table(const struct image *image) {
  const ElfW(Shdr) * candidate;
  for (size_t i = 0; (candidate = section(image, i)); i++)
    if (candidate->sh_type == SHT_SYMTAB && candidate->sh_entsize == sizeof(ElfW(Sym)))
      return candidate;
  return NULL;
}

static bool lies_in(const ElfW(Sym) * symbol, const ElfW(Shdr) * home) {
  return symbol->st_value >= home->sh_addr && symbol->st_size <= home->sh_size &&
         symbol->st_value - home->sh_addr <= home->sh_size - symbol->st_size;
}

/* Whether a symbol is an object of at least so many bytes in a section that the program writes to.
 */
static bool is_array(const struct image *image, const ElfW(Sym) * symbol, size_t least_bytes) {
  const ElfW(Shdr) *home = section(image, symbol->st_shndx);
  return ELF64_ST_TYPE(symbol->st_info) == STT_OBJECT && symbol->st_size >= least_bytes && home &&
         (home->sh_flags & SHF_WRITE) && !(home->sh_flags & SHF_TLS) && lies_in(symbol, home);
}

static void visit_symbols(const struct image *image, size_t least_bytes,
                          mai_symbol_visitor *visit) {
  const ElfW(Shdr) *table = symbol_table(image);
  const ElfW(Shdr) *names = table ? section(image, table->sh_link) : NULL;
  const ElfW(Sym) *symbols = table ? part(image, table->sh_offset, table->sh_size) : NULL;
  const char *text = names ? part(image, names->sh_offset, names->sh_size) : NULL;
  if (!symbols || !text || names->sh_size == 0 || text[names->sh_size - 1] != '\0')
    return;
  for (size_t i = 0; i < table->sh_size / sizeof *symbols; i++)
    if (symbols[i].st_name < names->sh_size && is_array(image, &symbols[i], least_bytes))
      visit(text + symbols[i].st_name, image->load_bias + symbols[i].st_value, symbols[i].st_size);
}

/* The first object that is reported is the executable. */
static int take_load_bias(struct dl_phdr_info *info, size_t size, void *bias) {
  (void)size;
  *(uintptr_t *)bias = info->dlpi_addr;
  return 1;
}

void mai_symbols_visit(size_t least_bytes, mai_symbol_visitor *visit) {
  struct image image = {0};
  struct statx status = {0};
  dl_iterate_phdr(take_load_bias, &image.load_bias);
  int file = minas_open("/proc/self/exe");
  if (file < 0)
    return;
  if (minas_file_status(file, &status) == 0 && status.stx_size > 0) {
    image.size = status.stx_size;
    void *bytes = mmap(NULL, image.size, PROT_READ, MAP_PRIVATE, file, 0);
    if (bytes != MAP_FAILED) {
      image.bytes = bytes;
      visit_symbols(&image, least_bytes, visit);
      munmap(bytes, image.size);
    }
  }
  minas_close(file);
}
