// Blocks of the heap whose use the sources do not show, or not well enough: for profile-blocks.test.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#ifndef N
#define N 1024
#endif

static void *allocate(size_t count, size_t bytes, const char *what) {
  void *memory = calloc(count, bytes);
  if (!memory) {
    fprintf(stderr, "no memory for %s\n", what);
    exit(1);
  }
  return memory;
}

struct matrix {
  int rows, columns;
  double **row;
};

static void create(struct matrix *m, int rows, int columns) {
  m->rows = rows;
  m->columns = columns;
  m->row = allocate((size_t)rows, sizeof *m->row, "rows");
  for (int i = 0; i < rows; i++)
    m->row[i] = malloc((size_t)columns * sizeof **m->row);
}

static void release(struct matrix *m) {
  for (int i = 0; i < m->rows; i++)
    free(m->row[i]);
  free(m->row);
}

static double *row_of(const struct matrix *m, int i) { return m->row[i]; }

/* The square root: what lies before a thread's rows of a triangle grows with the square. */
static int root_of(long square) {
  int root = 0;
  while ((long)(root + 1) * (root + 1) <= square)
    root++;
  return root;
}

static void step(int n, double *triangle, double *in_truth_local, const int *index_of, double *left,
                 double *right, struct matrix *distributed, struct matrix *uneven) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      triangle[(long)i * (i + 1) / 2 + j] += i - j;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n * 64; i++)
    in_truth_local[index_of[i]] += i;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n * 64; i++) {
    left[index_of[i] / 2] += i;
    right[index_of[i]] += i;
  }
#pragma omp parallel
  {
    const int me = omp_get_thread_num(), all = omp_get_num_threads();
    for (int i = me; i < n; i += all)
      for (int j = 0; j < distributed->columns; j++)
        row_of(distributed, i)[j] += j;
    const int first = root_of((long)n * n * me / all), last = root_of((long)n * n * (me + 1) / all);
    for (int i = first; i < last; i++)
      for (int j = 0; j < uneven->columns; j++)
        row_of(uneven, i)[j] += j;
  }
}

int main(int argc, char **argv) {
  const int n = N / argc;
  double *triangle = malloc((size_t)n * (size_t)(n + 1) / 2 * sizeof *triangle);
  double *in_truth_local = allocate((size_t)n * 64, sizeof *in_truth_local, argv[0]);
  int *index_of = allocate((size_t)n * 64, sizeof *index_of, "indices");
  double *left = malloc((size_t)n * 64 * sizeof *left),
         *right = malloc((size_t)n * 64 * sizeof *right);
  struct matrix distributed, uneven;
  double *extra = NULL;
  create(&distributed, n, 1024);
  uneven = (struct matrix){n, 1024, allocate((size_t)n, sizeof *uneven.row, "rows")};
  for (int i = 0; i < n; i++)
    uneven.row[i] = malloc(1024 * sizeof **uneven.row);
  if (n > 512)
    extra = malloc((size_t)n * 64 * sizeof *extra);
  for (long i = 0; i < (long)n * (n + 1) / 2; i++)
    triangle[i] = 0;
  for (int i = 0; i < n * 64; i++) {
    index_of[i] = i % 2 ? i - 1 : i + 1;
    left[i] = right[i] = 1;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 1024; j++)
      distributed.row[i][j] = uneven.row[i][j] = 0;
  for (int i = 0; i < 4; i++)
    step(n, triangle, in_truth_local, index_of, left, right, &distributed, &uneven);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n * 64; i++)
    if (extra)
      extra[i] = right[i];
  printf("%g %g %g %g %g %g %g\n", triangle[n], in_truth_local[5], left[7], right[8],
         distributed.row[3][4], uneven.row[5][6], extra ? extra[9] : 0);
  release(&distributed);
  release(&uneven);
  free(triangle);
  free(in_truth_local);
  free(index_of);
  free(left);
  free(right);
  free(extra);
  return 0;
}
