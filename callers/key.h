/*===-- key.h - the name of a place that asks for memory --------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The key of a site: the program's own functions that are being called, innermost first, past
 * allocators, containers and run-times, up to main() or what a thread begins with:
 *
 *     Grid::allocate<Grid::Grid<main
 *
 * For what static variables ask for, before main(), the last is "{static}".
 *
 * It is made from symbols alone, so that two builds of a source have the same keys whatever they
 * have of debug information.  One that is stripped has FILE+0xOFFSET in place of functions.
 *
 * Sites of one key (two instructions of one function) are told apart by their order, that in which
 * they have first asked for blocks of MINAS_SITE_BYTES or more: "key", "key#2", "key#3".  That does
 * not depend on which of them are placed or counted: the order is the same in all tools, and in
 * runs of other sizes.
 */
#ifndef MINAS_KEY_H
#define MINAS_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "callers.h"

enum { MINAS_KEY_FUNCTIONS = 8, MINAS_KEY_BYTES = 512, MINAS_SITE_BYTES = 4096 };

/** Make the key of the site that these calls lead to, without an order.
 *  @param key receives it, at most MINAS_KEY_BYTES with the 0 behind */
void minas_key_make(const struct minas_callers *callers, char *key, size_t size);

/** A hash of a key without an order, by which sites of one key are found. */
uint64_t minas_key_hash(const char *key);

/** Add the order to a key; nothing for the first, 1.  0: a place that has asked for smaller blocks
 *  alone, which no number finds. */
void minas_key_add_order(unsigned order, char *key, size_t size);

/** How many characters of a key its first `functions` functions are; all but the order where it has
 *  fewer.  Here, for those that get keys as text. */
static inline size_t minas_key_part(const char *key, unsigned functions) {
  size_t end = 0;
  while (functions--) {
    end += strcspn(key + end, "<#");
    if (key[end] != '<' || functions == 0)
      break;
    end++;
  }
  return end;
}

#endif /* MINAS_KEY_H */
