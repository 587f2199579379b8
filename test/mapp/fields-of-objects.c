/* Each object has one block for all its fields, and a table of pointers to them, whose distance is a number of the object. The block is
   one row, by the order of allocation; loops that only say which object it is, or move a pointer through a field, make no more
   rows of it.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>
#include <stdlib.h>

enum { FIELDS = 4 };

struct box {
  int low[3], volume;
  double **field;
};

static void create(struct box *b, int i, int j, int size) {
  b->low[0] = i * size;
  b->low[1] = j * size;
  b->volume = size * size * size;
  b->field = malloc(FIELDS * sizeof *b->field);
  // CHECK: {{^\+}}  double *all = MAI_PLACED_NEXT_ROW(all,
  double *all = malloc((size_t)b->volume * FIELDS * sizeof *all);
  for (int g = 0; g < FIELDS; g++) {
    b->field[g] = all + g * b->volume;
    for (int c = 0; c < b->volume; c++)
      b->field[g][c] = c % 5;
  }
}

int main(int argc, char **argv) {
  const int side = argc > 1 ? atoi(argv[1]) : 4, size = 20;
  struct box *boxes = malloc((size_t)(side * side) * sizeof *boxes);
  for (int j = 0; j < side; j++)
    for (int i = 0; i < side; i++)
      create(&boxes[j * side + i], i, j, size);
  for (int step = 0; step < 10; step++) {
#pragma omp parallel for
    for (int n = 0; n < side * side; n++) {
      double *to = boxes[n].field[0] + 1;
      const double *from = boxes[n].field[1] + 1;
      for (int c = 0; c < boxes[n].volume - 2; c++)
        to[c] += 0.5 * (from[c - 1] + from[c + 1]);
    }
  }
  printf("%g\n", boxes[side].field[0][7]);
  return 0;
}
