/* A function that allocates in one of several ways, each of the size that it was asked for, hands on
   what they return, also by another function that looks where to allocate; one that returns what it
   has kept, or a block of another size, does not.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
 */
#include <stdio.h>
#include <stdlib.h>

typedef void (*function)(void **, size_t);
static function user;

static void *host(size_t bytes, int zeroed) {
  void *block;
  if (zeroed)
    block = calloc(bytes, 1);
  else
    block = malloc(bytes);
  return block;
}

static void *device(size_t bytes) {
  void *block = NULL;
  if (user)
    user(&block, bytes);
  return block;
}

static void *allocate(size_t bytes, int zeroed, int where) {
  void *block = NULL;
  if (bytes == 0)
    return NULL;
  switch (where) {
  case 0:
    block = host(bytes, zeroed);
    break;
  case 1:
    block = device(bytes);
    break;
  default:
    fprintf(stderr, "no such memory\n");
  }
  if (!block)
    abort();
  return block;
}

static void *cleared(size_t count, size_t each) { return allocate(count * each, 1, 0); }

#define NEW(type, count) ((type *)allocate((size_t)(count) * sizeof(type), 0, 0))

static void *buffer(size_t bytes) {
  static void *kept;
  if (!kept)
    kept = malloc(bytes);
  return kept;
}

static double *either(size_t bytes, int more) {
  return more ? malloc(2 * bytes) : malloc(bytes);
}

int main(int argc, char **argv) {
  (void)argv;
  int n = 50000 * argc;
  // CHECK: {{^\+}}  double *u = MAI_PLACED_SIZED(u, NEW(double, n), {{.*}}sizeof(double), "block
  double *u = NEW(double, n);
  // CHECK: {{^\+}}  double *v = MAI_PLACED(v, cleared(MAI_COUNT((size_t)n), MAI_BYTES(sizeof *v)), sizeof(double), MAI_UNLESS_CACHED("cyclic on threads
  double *v = cleared((size_t)n, sizeof *v);
  double *w = buffer((size_t)n * sizeof *w);
  double *x = either((size_t)n * sizeof *x, argc > 1);
  if (!w || !x)
    return 1;
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    u[i] = w[i] = x[i] = i;
#pragma omp parallel for schedule(monotonic : dynamic)
  for (int i = 0; i < n; i++)
    v[i] += 2 * i;
  printf("%g %g %g %g\n", u[1], v[n - 1], w[2], x[3]);
  free(u);
  free(v);
  free(w);
  free(x);
  return 0;
}

// CHECK: block: left alone: placed where host() is called, which hands it on [MAPP014]
// CHECK: block: left alone: placed where host() is called, which hands it on [MAPP014]
// CHECK: block: left alone: placed where allocate() is called, which hands it on [MAPP014]
// CHECK: kept: block: elements follow index i
// CHECK: {{(x|either:[0-9]+): block: elements follow index i}}
