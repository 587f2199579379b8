/*===-- policy_list.h - the entries of a list of policies -------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A list is text, with commas between its entries NAME:POLICY, or @FILE: a file with an entry a
 * line.  There a # at the beginning of a line or behind a blank begins a comment, and lines without
 * an entry mean nothing.
 */
#ifndef MAI_POLICY_LIST_H
#define MAI_POLICY_LIST_H

#include <stddef.h>

#include "runtime/lines.h"

/** A list that is being read. */
struct mai_policy_list {
  const char *text; /**< that is left; NULL: a file */
  size_t column;    /**< of a text: how many characters stand before the entry */
  size_t length;    /**< of a text: that of the entry, and of the comma behind it */
  const char *file; /**< its name; NULL: a text */
  unsigned line;    /**< of a file: that of the entry, from 1 */
  struct minas_lines lines;
};

/** Begin to read a list, which lives until the end.
 *  @return 0, or -1 with errno: the file cannot be read; then there is nothing to close */
int mai_policy_list_open(struct mai_policy_list *list, const char *text);

/** The next entry, to be freed; NULL at the end, or without memory.  A line of a file that is
 * longer than 8,000 characters is an empty entry. */
char *mai_policy_list_next(struct mai_policy_list *list);

void mai_policy_list_close(struct mai_policy_list *list);

/** The colon that ends the name of an entry, in which colons are in pairs: Grid::allocate.
 *  @return NULL where there is none */
const char *mai_policy_entry_colon(const char *entry);

#endif /* MAI_POLICY_LIST_H */
