/* Accesses by way of calls: recursion, mutual recursion, pointers to functions in tables and members, callbacks,
   variable arguments, library functions, functions that compute subscripts.

   RUN: %{try} %{program}
   CHECK: MAPP001 added: block
   CHECK: MAPP001 to_add: block
   CHECK: MAPP001 by_table: block
   PLACE: MAPP001 by_member: block
   HEAP: MAPP057 by_member: left alone: its address is in the static initialiser of context
   CHECK: MAPP001 recursive: block
   CHECK: MAPP010 mutual: left alone: used by one thread only
   CHECK: MAPP010 variadic: left alone: used by one thread only
   CHECK: MAPP010 copied: left alone: used by one thread only
   PLACE: MAPP005 zeroed: cyclic on threads: every thread goes over it in main()
   HEAP: MAPP059 zeroed: left alone: its size is taken with sizeof
   CHECK: MAPP010 sorted: left alone: used by one thread only
   CHECK: MAPP001 subscripted: block
   CHECK: MAPP001 by_macro: block
   CHECK: MAPP001 printed: block
   CHECK: 1 array smaller than 4096 bytes left alone
*/
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define N 4096
typedef void kernel(double *, const double *, int, int);
static double added[N], to_add[N], by_table[N], by_member[N], recursive[N], mutual[N], variadic[N], copied[N];
static double zeroed[N], sorted[N], subscripted[N], by_macro[64][64], printed[N];

static void add(double *restrict to, const double *restrict from, int begin, int end) {
  for (int i = begin; i < end; i++)
    to[i] += from[i] + 1;
}
static void apply(kernel *k, double *to, const double *from, int n) {
#pragma omp parallel for
  for (int c = 0; c < n; c += 64)
    k(to, from, c, c + 64 < n ? c + 64 : n);
}
static kernel *const kernels[] = {add, NULL};
static struct {
  kernel *run;
  double *to;
} context = {add, by_member};

static void halves(double *a, int n) {
  if (n == 1) {
    *a += 1;
    return;
  }
  halves(a, n / 2);
  halves(a + n / 2, n - n / 2);
}
static void odd(double *a, int n);
static void even(double *a, int n) {
  if (n > 0)
    odd(a, n - 1);
}
static void odd(double *a, int n) {
  a[n] = n;
  even(a, n);
}
static double total(int n, ...) {
  va_list list;
  double sum = 0;
  va_start(list, n);
  for (int i = 0; i < n; i++)
    sum += va_arg(list, double *)[i];
  va_end(list);
  return sum;
}
static int ascending(const void *l, const void *r) {
  const double a = *(const double *)l, b = *(const double *)r;
  return (a > b) - (a < b);
}
static inline int at(int i, int j) { return i * 64 + j; }
#define AT(i, j) by_macro[(i)][(j)]

int main(void) {
  double sum = 0;
  apply(add, added, to_add, N);
  apply(kernels[0], by_table, to_add, N);
  apply(context.run, context.to, to_add, N);
#pragma omp parallel for
  for (int c = 0; c < N; c += 64)
    halves(recursive + c, 64);
  even(mutual, N);
#pragma omp parallel for
  for (int i = 0; i < 64; i++)
    for (int j = 0; j < 64; j++)
      subscripted[at(i, j)] = AT(i, j) = i - j;
#pragma omp parallel
  memset(zeroed, 0, sizeof zeroed);
  memcpy(copied, added, sizeof copied);
  qsort(sorted, N, sizeof *sorted, ascending);
  sum += total(2, variadic, added) + *(double *)bsearch(&sum, sorted, N, sizeof *sorted, ascending);
#pragma omp parallel for
  for (int i = 0; i < N; i++)
    if (printed[i] > 0)
      printf("%g\n", printed[i]);
  for (int i = 0; i < N; i++)
    sum += added[i] + by_table[i] + by_member[i] + recursive[i] + mutual[i] + copied[i] + subscripted[i] +
           zeroed[i] + by_macro[i / 64][i % 64];
  printf("%g\n", sum);
  return 0;
}
