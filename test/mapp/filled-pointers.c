/* A function that puts the block into a pointer whose address it gets, always, hands it on: each call is a block of its
   own. One that may leave the pointer as it was, that frees, or that is called in another way, places the block itself,
   for all of its callers.

   RUN: mapp-rewrite %s -- -w 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
 */
#include <stdio.h>
#include <stdlib.h>

enum { N = 96, M = 100000 };

// CHECK-DAG: c:[[#@LINE+1]]: *p: left alone: placed where status() is called, which hands it on
static int status(double **p, int n) { *p = malloc(n * sizeof **p); return *p == NULL; }

static void nothing(double **p, int n) {
  // CHECK-DAG: c:[[#@LINE+1]]: *p: left alone: placed where nothing() is called, which hands it on
  if (!(*p = calloc(n, sizeof **p)))
    abort();
}

static int aligned(double **p, int n) {
  // CHECK-DAG: c:[[#@LINE+1]]: aligned:[[#@LINE+1]]: left alone: placed where aligned() is called, which hands it on
  return posix_memalign((void **)p, 64, n * sizeof **p);
}

static int maybe(double **p, int n) {
  if (n < 0)
    return 1;
  // CHECK-DAG: +{{.*}}MAI_PLACED_NEW(*p, malloc(
  *p = malloc(n * sizeof **p);
  return 0;
}

static int anew(double **p, int n) {
  free(*p);
  // CHECK-DAG: +{{.*}}MAI_PLACED_NEW(*p, malloc(
  *p = malloc(n * sizeof **p);
  return 0;
}

static int anywhere(double **p, int n) {
  // CHECK-DAG: +{{.*}}MAI_PLACED_NEW(*p, malloc(
  *p = malloc(n * sizeof **p);
  return 0;
}

static int rows(double ***p, int n, int m) {
  *p = malloc(n * sizeof **p);
  for (int i = 0; i < n; i++)
    // CHECK-DAG: +{{.*}}MAI_PLACED_ROW_BY((*p)[i], status(&(*p)[i], MAI_UNITS(8, m)), (unsigned long)i, (unsigned long)n, "block"
    if (status(&(*p)[i], m))
      return 1;
  return *p == NULL;
}

struct fields {
  double *last;
};

int main(void) {
  double *u, *v, *w, *a = NULL, *b = NULL, *c = NULL, **d = &c, **r, sum = 0;
  struct fields f;
  // CHECK-DAG: +  if (MAI_PLACED_BY(u, status(&u, MAI_UNITS(8, M)), sizeof(double), "block"
  // CHECK-DAG: +{{.*}}MAI_PLACED_BY(f.last, status(&f.last, MAI_UNITS(8, M)), sizeof(double), "block reversed"
  if (status(&u, M) || status(&f.last, M))
    return 1;
  // CHECK-DAG: +  MAI_PLACED_BY_VOID(v, nothing(&v, MAI_UNITS(8, M)), sizeof(double), "block"
  nothing(&v, M);
  // CHECK-DAG: +{{.*}}MAI_PLACED_BY(w, aligned(&w, MAI_UNITS(8, M)), sizeof(double), "block"
  if (aligned(&w, M) || maybe(&a, M) || anew(&b, M) || anywhere(d, M) || rows(&r, N, N))
    return 1;
#pragma omp parallel for
  for (int i = 0; i < M; i++) {
    u[i] = v[i] + i;
    f.last[M - 1 - i] = w[i] = a[i] = b[i] = c[i] = 1;
  }
#pragma omp parallel for
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      r[i][j] = i * j;
  for (int i = 0; i < M; i++)
    sum += u[i] + f.last[i] + w[i] + a[i] + b[i] + c[i];
  printf("%g %g\n", sum, r[5][7]);
  return 0;
}
