/* What is best divided by columns, and whose allocation does not tell how long a row is, as a macro hides it, is left alone where nothing else is
   open either.

   RUN: mapp-rewrite --report text %s 2>&1 >/dev/null | FileCheck %s
   RUN: %{run-rewritten} %t %s
   CHECK: memory: left alone: nothing tells how long a row is where the block is allocated [MAPP041]
*/
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 300, M = 200 };
#define ALLOCATE(pointer, bytes)                                                                   \
  do {                                                                                             \
    pointer = malloc(bytes);                                                                       \
    if (!pointer)                                                                                  \
      abort();                                                                                     \
  } while (0)

struct holder {
  long *field;
};
static struct holder held;
static long other[N][M];

static void make(void) {
  void *memory;
  ALLOCATE(memory, (M * N) * sizeof *held.field);
  held.field = memory;
  memset(held.field, 0, (M * N) * sizeof *held.field);
}

static void use(void) {
#pragma omp parallel for
  for (int i = 0; i < N; i++)
    for (int k = 0; k < M; k++)
      other[i][k] += held.field[k * N + i] | held.field[k * N + 3 * i % N];
#pragma omp parallel for schedule(guided)
  for (int i = N - 1; i >= 0; i--)
    for (int k = 0; k < M; k++)
      other[i][k] = held.field[k * N + i];
#pragma omp parallel for schedule(monotonic : dynamic)
  for (int k = 0; k < M; k++)
    for (int i = 0; i < N; i++)
      held.field[k * N + i] -= other[i][k] + 1;
}

int main(void) {
  make();
  for (int step = 0; step < 3; step++)
    use();
  long sum = 0;
  for (int i = 0; i < N * M; i++)
    sum = sum * 31 + held.field[i];
  printf("%ld\n", sum);
  free(held.field);
  return 0;
}
