/*===-- symbols.c - the static arrays in a program's symbol table *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "symbols.h"

#include <elf.h>
#include <link.h>

#include "runtime/symbols.h"

/* What is looked for, and who gets it. */
struct search {
  size_t least_bytes;
  mai_symbol_visitor *visit;
};

static void visit_array(const struct minas_symbol *symbol, void *context) {
  const struct search *search = context;
  if (symbol->type == STT_OBJECT && symbol->is_written && symbol->bytes >= search->least_bytes)
    search->visit(symbol->name, symbol->start, symbol->bytes);
}

/* The first object that is reported is the executable. */
static int take_load_bias(struct dl_phdr_info *info, size_t size, void *bias) {
  (void)size;
  *(uintptr_t *)bias = info->dlpi_addr;
  return 1;
}

void mai_symbols_visit(size_t least_bytes, mai_symbol_visitor *visit) {
  struct search search = {least_bytes, visit};
  struct minas_image image;
  uintptr_t bias = 0;
  dl_iterate_phdr(take_load_bias, &bias);
  if (minas_image_open(&image, "/proc/self/exe", bias) != 0)
    return;
  minas_symbols_visit(&image, MINAS_FULL_TABLE, visit_array, &search);
  minas_image_close(&image);
}
