/* A stencil, a sparse product and a transposition, on static arrays or, with -DHEAP, on blocks of
   malloc() whose size the command line decides. Says how many of the bytes that the threads access
   in their loops lie on other nodes. Two CPUs a node. */
#include <mai.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 2048, PerRow = 8 };

#ifdef HEAP
static double *from, *to, *value, *x, *y, *turned;
static int *start, *column;
#define AT(a, i, j) a[(i) * n + (j)]
#else
static double from[N][N], to[N][N], turned[N][N], value[PerRow * N * N / 256], x[N * N / 256],
    y[N * N / 256];
static int start[N * N / 256 + 1], column[PerRow * N * N / 256];
#define AT(a, i, j) a[i][j]
#endif

static int node_of(uintptr_t page) {
  static _Thread_local struct {
    uintptr_t page;
    int node;
  } known[1 << 15];
  const unsigned slot = page % (1 << 15);
  if (known[slot].page != page) {
    known[slot].page = page;
    known[slot].node = mai_where((const void *)(page * 4096));
  }
  return known[slot].node;
}

static long count(const void *begin, size_t bytes) {
  const uintptr_t page = 4096;
  uintptr_t at = (uintptr_t)begin, end = at + bytes;
  unsigned cpu = (unsigned)mai_cpu_of_thread((unsigned)omp_get_thread_num());
  long remote = 0;
  for (uintptr_t next; at < end; at = next) {
    next = (at / page + 1) * page < end ? (at / page + 1) * page : end;
    if (node_of(at / page) != (int)(cpu / 2))
      remote += (long)(next - at);
  }
  return remote;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : N, rows = n * n / 256;
  long stencil = 0, product = 0, turn = 0;
  size_t row = (size_t)n * sizeof(double);
#ifdef HEAP
  from = malloc((size_t)n * (size_t)n * sizeof *from);
  to = malloc((size_t)n * (size_t)n * sizeof *to);
  turned = malloc((size_t)n * (size_t)n * sizeof *turned);
  value = malloc(PerRow * (size_t)rows * sizeof *value);
  column = malloc(PerRow * (size_t)rows * sizeof *column);
  start = malloc(((size_t)rows + 1) * sizeof *start);
  x = malloc((size_t)rows * sizeof *x);
  y = malloc((size_t)rows * sizeof *y);
#endif
  for (int i = 0; i < n; i++) // by one thread: first touch would be no help
    for (int j = 0; j < n; j++)
      AT(from, i, j) = AT(to, i, j) = AT(turned, i, j) = i + j;
  for (int i = 0; i < rows; i++) {
    x[i] = y[i] = start[i] = PerRow * i;
    for (int k = PerRow * i; k < PerRow * (i + 1); k++)
      value[k] = 1, column[k] = (int)(k * 7919L % rows);
  }
  start[rows] = PerRow * rows;

#pragma omp parallel for
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      AT(to, i, j) =
          AT(from, i - 1, j) + AT(from, i + 1, j) + AT(from, i, j - 1) + AT(from, i, j + 1);
#pragma omp parallel for
  for (int i = 0; i < rows; i++)
    for (int k = start[i]; k < start[i + 1]; k++)
      y[i] += value[k] * x[column[k]];
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      AT(turned, j, i) = AT(from, i, j);

#pragma omp parallel for reduction(+ : stencil)
  for (int i = 1; i < n - 1; i++)
    for (int k = -1; k <= 1; k++)
      stencil += count((k ? &AT(from, i + k, 0) : &AT(to, i, 0)), row);
#pragma omp parallel for reduction(+ : product)
  for (int i = 0; i < rows; i++) {
    product += count(&y[i], sizeof *y) + count(&start[i], sizeof *start) +
               count(&value[start[i]], PerRow * sizeof *value) +
               count(&column[start[i]], PerRow * sizeof *column);
    for (int k = start[i]; k < start[i + 1]; k++)
      product += count(&x[column[k]], sizeof *x);
  }
#pragma omp parallel for reduction(+ : turn)
  for (int i = 0; i < n; i++) {
    turn += count(&AT(from, i, 0), row);
    for (int j = 0; j < n; j += 16) // a sixteenth of them, each for all
      turn += 16 * count(&AT(turned, j, i), sizeof(double));
  }
  printf("stencil %ld product %ld transposition %ld\n", stencil, product, turn);
  return 0;
}
