/* A sparse matrix in blocks of the heap; the first sixteenth of its rows are a hundred times as long as the
   others. */
#include <stdio.h>
#include <stdlib.h>
struct csr {
  int n;
  int *rowptr;
  int *col;
  double *val;
};
static struct csr *make(int n) {
  struct csr *m = malloc(sizeof *m);
  m->n = n;
  m->rowptr = malloc((n + 1) * sizeof *m->rowptr);
  m->rowptr[0] = 0;
  for (int i = 0; i < n; i++)
    m->rowptr[i + 1] = m->rowptr[i] + 1 + (i < n / 16 ? 300 : i % 5);
  int nnz = m->rowptr[n];
  m->col = malloc(nnz * sizeof *m->col);
  m->val = malloc(nnz * sizeof *m->val);
  for (int k = 0; k < nnz; k++) {
    m->col[k] = (int)((k * 7919L) % n);
    m->val[k] = k % 3;
  }
  return m;
}
static void spmv(const struct csr *m, const double *x, double *y) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < m->n; i++) {
    double s = 0;
    for (int k = m->rowptr[i]; k < m->rowptr[i + 1]; k++)
      s += m->val[k] * x[m->col[k]];
    y[i] = s;
  }
}
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 40000;
  struct csr *m = make(n);
  double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
  for (int i = 0; i < n; i++)
    x[i] = i % 10;
  for (int s = 0; s < 5; s++)
    spmv(m, x, y);
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += y[i];
  printf("%g\n", sum);
  return 0;
}
