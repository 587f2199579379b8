/*===-- symbols.h - the symbols of a file that is loaded --------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The dynamic linker knows no functions that a program keeps to itself: they are read from the
 * file.  Everything in it is checked against its size.
 */
#ifndef MINAS_SYMBOLS_H
#define MINAS_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** An ELF file in memory. */
struct minas_image {
  const char *bytes;
  size_t size;
  uintptr_t bias; /**< address of a symbol = bias + its value */
};

/** A symbol; its texts live as long as the image. */
struct minas_symbol {
  const char *name;
  const char *file; /**< the source's name, of a symbol that others do not see; "" if not known */
  uintptr_t start;
  size_t bytes;
  unsigned type; /**< STT_OBJECT, STT_FUNC, ... */
  bool is_defined;
  bool is_written; /**< lies in a section that the program writes to */
};

typedef void minas_symbol_visitor(const struct minas_symbol *symbol, void *context);

/** Which of a file's tables is read. */
enum minas_symbol_table {
  MINAS_FULL_TABLE,   /**< that of the linker, which a stripped file does not have */
  MINAS_EITHER_TABLE, /**< or else that of the dynamic linker */
};

/** Open a file. @return 0, or -1 with errno; then there is nothing to close */
int minas_image_open(struct minas_image *image, const char *path, uintptr_t bias);
void minas_image_close(struct minas_image *image);

/** What the first section of a name holds; NULL: there is none, or nothing of it in the file. */
const void *minas_image_section(const struct minas_image *image, const char *name, size_t *size);

/** Visit the symbols of an image; none where it has no such table. */
void minas_symbols_visit(const struct minas_image *image, enum minas_symbol_table which,
                         minas_symbol_visitor *visit, void *context);

#endif /* MINAS_SYMBOLS_H */
