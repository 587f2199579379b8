/*===-- memory.c - allocation that does not fail -------------------------===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "fem.h"

#include <stdio.h>
#include <stdlib.h>

const char *program = "fem";

/* Memory that nothing has touched yet; ends the program where there is none. */
void *new_array(size_t count, size_t bytes) {
  void *memory = count <= (size_t)-1 / bytes ? malloc(count * bytes) : NULL;
  if (!memory) {
    fprintf(stderr, "%s: no memory for %zu x %zu bytes\n", program, count, bytes);
    exit(EXIT_FAILURE);
  }
  return memory;
}
