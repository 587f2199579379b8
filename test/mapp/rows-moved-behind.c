/* Threads put the rows of a matrix together in arrays for that, where each row has room, then move them to where the one before
   ends and change the row pointers. The matrix lies as these tell in the end; what it was put together in does not, and is divided
   evenly.

   RUN: mapp-rewrite -q %s > %t
   RUN: FileCheck %s < %t
*/
#include <omp.h>
#include <stdio.h>

enum { N = 4096, ROOM = 16 };

// CHECK-DAG: {{^\+}}MAI_STATIC(room, "block filled"); /* mapp: elements that start delimits
static double room[N * ROOM];
// CHECK-DAG: {{^\+}}MAI_STATIC(number, "block filled"); /* mapp: elements that start delimits
static int number[N * ROOM];
// CHECK-DAG: {{^\+}}MAI_STATIC(value, "block along start filled"); /* mapp: elements that start delimits
static double value[N * ROOM];
// CHECK-DAG: {{^\+}}MAI_STATIC(column, "block along start filled"); /* mapp: elements that start delimits
static int column[N * ROOM];
static int start[N + 1], unused[N];
static double x[N], y[N];

static void assemble(void) {
#pragma omp for schedule(static)
  for (int i = 0; i <= N; i++)
    start[i] = i * ROOM;
#pragma omp for schedule(static)
  for (int i = 0; i < N; i++) {
    for (int k = start[i]; k < start[i + 1]; k++) {
      room[k] = 0;
      number[k] = -1;
    }
    unused[i] = ROOM;
    for (int m = 0; m < ROOM; m++)
      for (int k = start[i]; k < start[i + 1]; k++)
        if (number[k] < 0 || number[k] == (i * m) % N) {
          unused[i] -= number[k] < 0;
          number[k] = (i * m) % N;
          room[k] += 1;
          break;
        }
  }
#pragma omp single
  for (int i = 1; i < N; i++)
    unused[i] += unused[i - 1];
#pragma omp for schedule(static)
  for (int i = 0; i < N; i++) {
    const int from = start[i], first = i > 0 ? start[i] - unused[i - 1] : 0,
              end = start[i + 1] - unused[i];
    for (int k = first; k < end; k++) {
      value[k] = room[from + k - first];
      column[k] = number[from + k - first];
    }
  }
#pragma omp for schedule(static)
  for (int i = 1; i <= N; i++)
    start[i] -= unused[i - 1];
}

static void multiply(void) {
#pragma omp for schedule(static)
  for (int i = 0; i < N; i++) {
    double sum = 0;
    for (int k = start[i]; k < start[i + 1]; k++)
      sum += value[k] * x[column[k]];
    y[i] = sum;
  }
#pragma omp for schedule(static)
  for (int i = 0; i < N; i++)
    x[i] = y[i] / 16;
}

int main(void) {
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (int i = 0; i < N; i++)
      x[i] = 1;
    assemble();
  }
#pragma omp parallel
  for (int step = 0; step < 10; step++)
    multiply();
  printf("%g\n", y[N / 2]);
  return 0;
}
