/* Blocks of a table of few pointers, such as the components of a field, are each divided as the threads go over them,
   whichever of them it is; where the table is long its blocks are rows.

   RUN: mapp-rewrite -q %s | FileCheck %s
   RUN: %{run-rewritten} %t %s
 */
#include <stdio.h>
#include <stdlib.h>

enum { SPEEDS = 9, NX = 128, NY = 128, ROWS = 300 };

typedef struct {
  float *of[SPEEDS];
} cells;

static const int towards[SPEEDS] = {0, 1, 0, -1, 0, 1, 1, -1, -1};

static void allocate(cells *c) {
  for (int k = 0; k < SPEEDS; k++)
    // CHECK: {{^\+.*}}MAI_PLACED(c->of[k], malloc({{.*}}), 512, "block"{{.*}} /* mapp: elements follow index j of the parallel loop in collide() */
    c->of[k] = malloc(sizeof(float) * NX * NY);
}

static void collide(cells *from, cells *to) {
#pragma omp parallel for
  for (int j = 0; j < NY; j++)
    for (int i = 0; i < NX; i++) {
      float sum = 0;
      for (int k = 0; k < SPEEDS; k++)
        sum += from->of[k][(i + towards[k] + NX) % NX + j * NX];
      for (int k = 0; k < SPEEDS; k++)
        to->of[k][i + j * NX] = sum / SPEEDS;
    }
}

int main(void) {
  cells *a = malloc(sizeof *a), *b = malloc(sizeof *b);
  float **matrix = malloc(ROWS * sizeof *matrix), sum = 0;
  allocate(a);
  allocate(b);
  for (int i = 0; i < ROWS; i++)
    // CHECK: {{^\+.*}}matrix[i]{{.*}}"cyclic on threads"
    matrix[i] = malloc(ROWS * sizeof **matrix);
  for (int k = 0; k < SPEEDS; k++)
    for (int i = 0; i < NX * NY; i++)
      a->of[k][i] = (float)(i % 5);
#pragma omp parallel for
  for (int j = 0; j < ROWS; j++)
    for (int i = 0; i < ROWS; i++)
      matrix[i][j] = 1;
  collide(a, b);
  for (int i = 0; i < NX * NY; i++)
    sum += b->of[4][i] + matrix[i % ROWS][i % ROWS];
  printf("%g\n", (double)sum);
  return 0;
}
