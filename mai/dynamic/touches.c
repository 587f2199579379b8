/*===-- touches.c - what touches are likely to come of ----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "touches.h"

enum {
  /* ln 0.9: who it is, where a pattern says so. */
  RIGHT = -105,
  /* ln 0.1: one of the others. */
  WRONG = -2303,
};

/* x = 2^k m, and ln m by its series in (m - 1) / (m + 1). */
long mai_log(double x) {
  unsigned twos = 0;
  while (x >= 2) {
    x /= 2;
    twos++;
  }
  double z = (x - 1) / (x + 1);
  double square = z * z;
  double series = 2 * z * (1 + square * (1.0 / 3 + square * (1.0 / 5 + square / 7)));
  return (long)(1000 * (twos * 0.693147180559945 + series));
}

long mai_likelihood(size_t right, size_t count, unsigned owners, unsigned threads) {
  unsigned others = threads > owners ? threads - owners : 1;
  return (long)right * (RIGHT - mai_log(owners)) +
         (long)(count - right) * (WRONG - mai_log(others));
}

long mai_likelihood_of_anybody(size_t count, unsigned threads) {
  return -(long)count * mai_log(threads);
}

unsigned mai_owner_in_parts(size_t page, size_t pages, unsigned threads) {
  size_t owner = (2 * page + 1) * threads / (2 * pages);
  return owner < threads ? (unsigned)owner : threads - 1;
}

void mai_touches_sort(struct mai_touch *touches, size_t count) {
  for (size_t i = 1; i < count; i++) {
    struct mai_touch touch = touches[i];
    size_t at = i;
    for (; at > 0 && touches[at - 1].page > touch.page; at--)
      touches[at] = touches[at - 1];
    touches[at] = touch;
  }
}
