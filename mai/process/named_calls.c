/*===-- named_calls.c - calls that have a name while they run ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Nothing here outlives a call in any way but as text, and an outer call that ends takes along
 * those inside which never did, by longjmp(): at worst a block gets the policy of another caller.
 */
#include <stdbool.h>
#include <string.h>

#include "mai_types.h"

enum { MOST_CALLS = 16 }; /* inside one another; of further ones nothing is known */

static _Thread_local struct {
  unsigned depth;
  const char *names[MOST_CALLS];
} calls;

unsigned mai_begin_call(const char *name) {
  unsigned outer = calls.depth++;
  if (outer < MOST_CALLS)
    calls.names[outer] = name;
  return outer;
}

void mai_end_call(const unsigned *outer) { calls.depth = *outer; }

int mai_called_from(const char *name) {
  unsigned known = calls.depth < MOST_CALLS ? calls.depth : MOST_CALLS;
  for (unsigned call = 0; call < known; call++)
    if (strcmp(calls.names[call], name) == 0)
      return true;
  return false;
}
