/*===-- balanced.c - places anew what automatic balancing looks at *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/* Waits until the kernel has made pages of an array inaccessible, to see who uses them, and places
   the array anew then. */
#include <mai.h>
#include <time.h>

#include "pages.h"

enum { PAGES = 4096, BYTES = PAGES * 4096, SECONDS = 60 };

static char value(long i) { return (char)(i % 251 + 1); }

static void fill(char *array) {
#pragma omp parallel for schedule(static)
  for (long i = 0; i < BYTES; i++)
    array[i] = value(i);
}

static long count_wrong(const char *array) {
  long wrong = 0;
  for (long i = 0; i < BYTES; i++)
    wrong += array[i] != value(i);
  return wrong;
}

/* Keeps the CPUs busy: the kernel looks at threads that run. */
static int wait_until_hidden(const char *array) {
  int hidden = 0;
  time_t end = time(NULL) + SECONDS;
  while (!hidden && time(NULL) < end) {
#pragma omp parallel
    for (volatile int k = 0; k < 3000000;)
      k = k + 1;
    for (int page = 0; page < PAGES; page++)
      hidden += node_of_page(array + page * 4096L) < 0;
  }
  return hidden;
}

int main(void) {
  const char *policy = "first-touch";
  struct mai_moves moves = {0};
  struct mai_pages pages;
  char *array = mai_alloc(PAGES, 4096, policy, "array");
  if (!array)
    return 1;
  fill(array);
  printf("hidden: %s\n", wait_until_hidden(array) ? "some" : "none");
  if (mai_verify(array, &pages, NULL, 0) == 0)
    printf("untouched: %zu\n", pages.untouched);
  policy = "skew";
  int result = mai_replace(array, policy, &moves);
  printf("replaced: %d, untouched: %zu, failed: %zu\n", result, moves.untouched, moves.failed);
  printf("contents lost: %ld\n", count_wrong(array));
  return mai_free(array);
}
