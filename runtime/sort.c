/*===-- sort.c - sorts without memory -----------------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * By a heap (J. W. J. Williams, "Algorithm 232: Heapsort", 1964).
 */
#include "sort.h"

struct list {
  char *elements;
  size_t bytes; /* of each */
  int (*compare)(const void *, const void *);
};

static int compare(const struct list *list, size_t left, size_t right) {
  return list->compare(list->elements + left * list->bytes, list->elements + right * list->bytes);
}

static void swap(const struct list *list, size_t left, size_t right) {
  char *a = list->elements + left * list->bytes;
  char *b = list->elements + right * list->bytes;
  for (size_t i = 0; i < list->bytes; i++) {
    char kept = a[i];
    a[i] = b[i];
    b[i] = kept;
  }
}

static void sift_down(const struct list *list, size_t at, size_t count) {
  for (size_t child; (child = 2 * at + 1) < count; at = child) {
    if (child + 1 < count && compare(list, child, child + 1) < 0)
      child++;
    if (compare(list, at, child) >= 0)
      return;
    swap(list, at, child);
  }
}

void minas_sort(void *elements, size_t count, size_t bytes,
                int (*by)(const void *left, const void *right)) {
  const struct list list = {elements, bytes, by};
  for (size_t at = count / 2; at-- > 0;)
    sift_down(&list, at, count);
  for (size_t left = count; left-- > 1;) {
    swap(&list, 0, left);
    sift_down(&list, 0, left);
  }
}
