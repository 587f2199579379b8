/* Pointers that start before their array, in its middle, run through it, are exchanged, chosen, returned, stored
   by another function.

   RUN: %{try} %{program}
   CHECK: MAPP001 minus_one: block
   CHECK: MAPP001 shifted: block
   CHECK: MAPP001 running: block
   CHECK: MAPP001 swap_a: block
   CHECK: MAPP001 swap_b: block
   CHECK: MAPP001 chosen: block
   CHECK: MAPP001 other: block
   CHECK: MAPP001 from_function: block
   CHECK: MAPP001 out: block
   CHECK: MAPP004 two: block by columns: index i of the parallel loop in main() drives dimension 2
   CHECK: MAPP001 as_number: block
   CHECK: MAPP001 byte_wise: block
   CHECK: MAPP001 unrelated: block
   CHECK: MAPP001 reversed: block reversed: elements follow index i of the parallel loop in main(), backwards
   CHECK: MAPP001 keys: block
*/
#include <stdint.h>
#include <stdio.h>
#define N 9000
static double minus_one[N + 2], shifted[N], running[N], swap_a[N], swap_b[N], chosen[N], other[N];
static double from_function[N], out[N], two[2][N], as_number[N], byte_wise[N], unrelated[N], reversed[N];
static int keys[N], current;

static void from_one(double *x, int n) {
#pragma omp parallel for
  for (int i = 1; i <= n; i++)
    x[i] = i;
}
static double *get(void) { return from_function; }
static double *source(void) { return two[current]; }
static void set(double **where) { *where = out; }

int main(int argc, char **argv) {
  double *w = shifted - 0, *p = swap_a, *q = swap_b, sum = 0, *where;
  int *k = &keys[0];
  (void)argv;
  k = k - 1 + 1;
  from_one(&minus_one[1] - 1, N);
  from_one(other - (1 - 0), N);
#pragma omp parallel for
  for (int i = 0; i < N; i++) {
    w[i] = minus_one[i + 1];
    k[i] = i;
  }
#pragma omp parallel for
  for (int c = 0; c < 90; c++) {
    double *r = running + c * 100;
    for (int i = 0; i < 100; i++)
      *r++ = i;
  }
  for (int step = 0; step < 4; step++) {
#pragma omp parallel for
    for (int i = 0; i < N; i++)
      p[i] = q[i] + 1;
    double *t = p;
    p = q;
    q = t;
  }
  double *r = argc > 1 ? unrelated : chosen;
#pragma omp parallel for
  for (int i = 0; i < N; i++)
    r[i] = get()[i] = i;
  set(&where);
#pragma omp parallel for
  for (int i = 0; i < N; i++)
    where[i] = i;
  for (int step = 0; step < 2; step++) {
    double *now = source();
    current ^= 1;
#pragma omp parallel for
    for (int i = 0; i < N; i++)
      now[i] = i;
  }
  uintptr_t number = (uintptr_t)as_number;
#pragma omp parallel for
  for (int i = 0; i < N; i++)
    ((double *)number)[i] = *(double *)((char *)byte_wise + sizeof(double) * (size_t)i) = i;
#pragma omp parallel for
  for (int i = 0; i < N; i++)
    *(reversed + N - 1 - i) = i;
  for (int i = 0; i < N; i++)
    sum += shifted[i] + keys[i] + running[i] + swap_a[i] + swap_b[i] + chosen[i] + other[i] + out[i] +
           from_function[i] + two[1][i] + as_number[i] + byte_wise[i] + reversed[i] + unrelated[i];
  printf("%g\n", sum);
  return 0;
}
