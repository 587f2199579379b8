/*===-- full.c - moves an array to a node that is full ------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include <mai.h>
#include <stdio.h>
#include <string.h>

/* A full node leaves many pages behind; the kernel may keep a few for other reasons. */
static void print(const char *what, int result, const struct mai_moves *moves) {
  size_t kept = moves->untouched + moves->shared + moves->busy + moves->failed;
  printf("%s: %d full %s moved %s kept %s of %zu\n", what, result,
         moves->full > 10000 ? "many"
         : moves->full       ? "some"
                             : "none",
         moves->moved > 10000 ? "many" : "few", kept > 1000 ? "many" : "few",
         moves->moved + moves->right + moves->full + kept);
}

int main(void) {
  enum { PAGES = 60000 };
  struct mai_moves moves;
  char *array = mai_alloc(PAGES, 4096, "bind 0", "array");
  memset(array, 1, (size_t)PAGES * 4096);
  print("migrate", mai_migrate(array, 1, &moves), &moves);
  print("back", mai_migrate(array, 0, &moves), &moves);
  print("replace", mai_replace(array, "bind 1", &moves), &moves);
  for (size_t page = 0; page < PAGES; page++)
    if (array[page * 4096] != 1)
      printf("lost: %zu\n", page);
  return mai_free(array);
}
