/* Rows that are padded by a number that the run decides are steps of one length, though that is a sum.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>
#include <stdlib.h>

static int planes, rows, columns, pad;

static void scale(double (*u)[rows][columns + pad]) {
#pragma omp parallel for
  for (int k = 0; k < planes; k++)
    for (int j = 0; j < rows; j++)
      for (int i = 0; i < columns; i++)
        u[k][j][i] *= 2;
}

// The rows beside one are in it, too.
static void relax(void *of, const double *from) {
  double(*x)[columns + pad] = of;
#pragma omp parallel for
  for (int j = 1; j < rows - 1; j++)
    for (int i = 1; i < columns - 1; i++)
      x[j][i] += from[(j - 1) * (columns + pad) + i] + from[(j + 1) * (columns + pad) + i];
}

// Padding makes no rows of columns.
static void transpose(double *y) {
#pragma omp parallel for
  for (int i = 0; i < columns; i++)
    for (int j = 0; j < rows; j++)
      y[j * (columns + pad) + i] += i - j;
}

int main(int argc, char **argv) {
  (void)argv;
  planes = 12 * argc;
  rows = planes * 3;
  columns = planes + 28;
  pad = argc;
  const size_t plane = (size_t)rows * (columns + pad);
  // CHECK: :[[#@LINE+1]]: cube: block: elements follow index k of the parallel loop in scale()
  double *cube = malloc(planes * plane * sizeof *cube);
  // CHECK: :[[#@LINE+1]]: wide: block: elements follow index j of the parallel loop in relax()
  double *wide = malloc(plane * sizeof *wide);
  // CHECK: :[[#@LINE+1]]: from: block: elements follow index j of the parallel loop in relax()
  double *from = malloc(plane * sizeof *from);
  // CHECK: :[[#@LINE+1]]: tall: cyclic on threads: index i of the parallel loop in transpose()
  double *tall = malloc(plane * sizeof *tall);
  for (size_t i = 0; i < planes * plane; i++)
    cube[i] = (double)i;
  for (size_t i = 0; i < plane; i++)
    wide[i] = from[i] = tall[i] = 1;
  for (int step = 0; step < 10; step++) {
    scale((void *)cube);
    relax(wide, from);
    transpose(tall);
  }
  double sum = 0;
  for (size_t i = 0; i < plane; i++)
    sum += cube[i] + wide[i] + tall[i];
  printf("%g\n", sum);
  free(cube), free(wide), free(from), free(tall);
  return 0;
}
