/*===-- here.c - allocates what another file places -------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/* Beside it, the new functions, in parentheses where the names are the original's too. */
#include <mai.h>

void place_elsewhere(void *array);

static int check_cube(float ***cube) {
  int wrong = 0;
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 6; j++)
      for (int k = 0; k < 7; k++)
        wrong += cube[i][j][k] != (float)(100 * i + 10 * j + k);
  return wrong;
}

int main(void) {
  mai_init((char *)"");
  float ***cube = (float ***)mai_alloc_3D(5, 6, 7, sizeof(float), FLOAT);
  int *vector = (int *)mai_alloc_1D(1000, sizeof(int), INT);
  if (!cube || !vector)
    return 1;
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 6; j++)
      for (int k = 0; k < 7; k++)
        cube[i][j][k] = (float)(100 * i + 10 * j + k);
  place_elsewhere(cube);
  place_elsewhere(vector);
  printf("wrong: %d, contiguous: %d, bytes: %zu\n", check_cube(cube),
         &cube[0][0][0] + 5 * 6 * 7 == &cube[4][5][6] + 1, mai_getsize(cube));

  void *fresh = mai_alloc_block(10, 4096);
  printf("new functions: %d %d %d\n", (mai_init)(), (mai_migrate_rows)(fresh, 0, 1, 0, NULL),
         (mai_next_touch)(fresh, 0, 0));
  mai_free(fresh);
  mai_free_array(vector);
  mai_free_array(cube);
  return 0;
}
