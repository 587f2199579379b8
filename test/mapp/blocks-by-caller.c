/* What a function allocates into a struct of its caller's, or into one that it returns, is another block for each call:
   where the callers use theirs in different ways, calls bear names, by which the allocation chooses. That also holds for
   calls of a function that calls such a one. Callers whose call a macro makes, and those behind a pointer to a function
   or a recursion, get what suits all of them together.

   RUN: mapp-rewrite %s -- -w 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 100000 };

struct vector {
  int n;
  double *data;
};

static void vector_init(struct vector *v, int n) {
  v->n = n;
  // CHECK: {{^\+}}  v->data = MAI_PLACED_NEW(v->data, malloc({{.*}}), sizeof(double), MAI_CALLED_FROM("main:[[#FALLING:]]:3") ? "block reversed" : "block" /*
  v->data = malloc(n * sizeof *v->data);
  memset(v->data, 0, n * sizeof *v->data);
}

typedef struct matrix {
  int rows, columns;
  double *a;
} matrix;

static matrix *matrix_new(int rows, int columns) {
  matrix *m = malloc(sizeof *m);
  if (!m)
    return NULL;
  m->rows = rows;
  m->columns = columns;
  // CHECK: {{^\+}}  m->a = MAI_PLACED_NEW(m->a, malloc({{.*}}), sizeof(double), MAI_CALLED_FROM("main:[[#PRODUCT:]]:15") ? "block" : MAI_UNLESS_CACHED("cyclic on threads", "first-touch") /*
  m->a = malloc((size_t)rows * columns * sizeof *m->a);
  return m;
}

static matrix *square(int n) { return matrix_new(n, n); }

static void aligned_init(struct vector *v, int n) {
  v->n = n;
  // CHECK: {{^\+}}  if (MAI_PLACED_AT(v->data, posix_memalign({{.*}}), sizeof(double), MAI_CALLED_FROM("main:[[#ALIGNED:]]:3") ? "block reversed" : "block" /*
  if (posix_memalign((void **)&v->data, 64, n * sizeof *v->data))
    abort();
  memset(v->data, 0, n * sizeof *v->data);
}

/* One call for all. */
static void both(struct vector *first, struct vector *second) {
  for (int i = 0; i < 2; i++)
    vector_init(i ? first : second, N);
}

#define INIT(v) vector_init(&v, N)

static struct vector deeper(int levels) {
  struct vector v;
  if (levels > 0)
    return deeper(levels - 1);
  vector_init(&v, N);
  return v;
}

int main(void) {
  struct vector rising, falling, hidden, one, other, deep;
  vector_init(&rising, N);
  // CHECK-NOT: {{^\+.*}}MAI_CALLING
  // CHECK: {{^\+}}  MAI_CALLING("main:[[#FALLING]]:3", vector_init(&falling, N));
  vector_init(&falling, N);
  // CHECK-NOT: {{^\+.*}}MAI_CALLING
  INIT(hidden);
  both(&one, &other);
  deep = deeper(2);
  // CHECK: {{^\+}}  matrix *a = MAI_CALLING("main:[[#PRODUCT]]:15", matrix_new(N / 400, 400)), *b = square(400);
  matrix *a = matrix_new(N / 400, 400), *b = square(400);
  if (!a || !b)
    return 1;
  struct vector up, more, down;
  aligned_init(&up, N);
  aligned_init(&more, N);
  // CHECK: {{^\+}}  MAI_CALLING("main:[[#ALIGNED]]:3", aligned_init(&down, N));
  aligned_init(&down, N);
  for (int step = 0; step < 4; step++)
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
      rising.data[i] += i;
      falling.data[N - 1 - i] += 2 * i;
      down.data[N - 1 - i] += up.data[i] + more.data[i]++;
      hidden.data[i] = one.data[i] = other.data[i] = deep.data[i] = i;
    }
#pragma omp parallel for
  for (int i = 0; i < 400 * 400; i++)
    b->a[i] = i % 3;
#pragma omp parallel for
  for (int i = 0; i < a->rows; i++)
    for (int j = 0; j < a->columns; j++) {
      double sum = 0;
      for (int k = 0; k < b->rows; k++)
        sum += b->a[k * b->columns + j];
      a->a[i * a->columns + j] = sum;
    }
  printf("%g %g %g %g %g %g %g\n", down.data[8], rising.data[3], falling.data[3], hidden.data[3], one.data[4],
         deep.data[5], a->a[7]);
  return 0;
}
// CHECK: v->data: block reversed from main:[[#FALLING]]:3, block else:
