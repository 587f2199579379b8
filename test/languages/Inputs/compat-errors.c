/*===-- compat-errors.c - the original's functions, called wrongly *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include <errno.h>
#include <mai.h>
#include <string.h>

#define TRY(call)                                                                                  \
  do {                                                                                             \
    errno = 0;                                                                                     \
    call;                                                                                          \
    printf("%s: %s\n", #call, errno ? strerrorname_np(errno) : "no error");                        \
  } while (0)

static char handed_over[64];

int main(void) {
  int one[] = {1};
  int missing[] = {0, 999};
  int negative[] = {-1};
  double stack[4] = {0};
  mai_init(NULL);
  double **array = (double **)mai_alloc_2D(64, 512, sizeof(double), DOUBLE);
  if (!array)
    return 1;
  array[63][511] = 5;

  TRY(mai_alloc_1D(0, 8, DOUBLE));
  TRY(mai_alloc_2D(-1, 5, 8, DOUBLE));
  TRY(mai_alloc_3D(2147483647, 2147483647, 2147483647, 8, DOUBLE));
  TRY(mai_alloc_1D(8, 0, DOUBLE));
  TRY(mai_cyclic(NULL));
  TRY(mai_cyclic(stack));
  TRY(mai_cyclic(array[1]));
  TRY(mai_next_touch(handed_over));
  TRY(mai_cyclic_rows(array, 0));
  TRY(mai_ibind_columns(array, -5));
  TRY(mai_cyclic_sn(array, 0, one));
  TRY(mai_cyclic_sn(array, 100000, one));
  TRY(mai_cyclic_sn(array, 2, missing));
  TRY(mai_cyclic_sn(array, 1, negative));
  TRY(mai_bind_all_sn(array, 1, NULL));
  TRY(mai_migrate_gather(array, 999));
  TRY(mai_migrate_gather(array, 1UL << 40));
  TRY(mai_migrate_rows(array, 0, 5, 60));
  TRY(mai_migrate_rows(array, 0, -1, 0));
  TRY(mai_migrate(array, 0, 1, 0, 513, 0));
  TRY(mai_migrate(array, 0, 65, 0, 512, 0));
  TRY(mai_migrate_scatter(array, 0));
  TRY(mai_regularbind(array));
  TRY(mai_irregularbind(stack, 4096, 0));
  TRY(mai_mv_pointer_rows(array, 65));
  TRY(mai_change((char *)"/nowhere/map"));
  TRY(mai_free_array(stack));
  TRY(mai_free_array(NULL));
  TRY(mai_free_array(array));
  TRY(mai_free_array(array));
  TRY(mai_cyclic(array));
  return 0;
}
