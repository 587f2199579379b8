/* A macro that is a statement, and sets or declares a pointer to a block, has another statement behind
   it that places the block; not where that would not always be right.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s

   What is placed is not placed once more.
   RUN: mapp-rewrite -o %t.once.c %s && mapp-rewrite --check %t.once.c
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 60000
#define DECLARE(name, count)                                                                       \
  double *name;                                                                                    \
  name = (double *)malloc((count) * sizeof(double));
#define SET(name, count)                                                                           \
  do {                                                                                             \
    name = malloc((count) * sizeof *name);                                                         \
    if (!name)                                                                                     \
      exit(1);                                                                                     \
  } while (0)
#define CHECKED(name, count)                                                                       \
  if (posix_memalign((void **)&name, 64, (count) * sizeof(double)))                                \
  exit(1)
#define WITH_OWN_SIZE(name, count)                                                                 \
  do {                                                                                             \
    size_t bytes = (count) * sizeof(double);                                                       \
    name = malloc(bytes);                                                                          \
  } while (0)
#define SHIFTED(name, count)                                                                       \
  name = malloc(((count) + 1) * sizeof(double));                                                   \
  ++name
#define BOTH(one, other, count)                                                                    \
  one = malloc((count) * sizeof(double));                                                          \
  other = malloc((count) * sizeof(double));                                                        \
  memset(other, 0, sizeof(double))
#define WHERE(condition, name, count)                                                              \
  if (condition)                                                                                   \
  name = malloc((count) * sizeof(double))

struct field {
  double *values;
};

static double sum(const double *a) {
  double all = 0;
#pragma omp parallel for reduction(+ : all)
  for (int i = 0; i < N; i++)
    all += a[i];
  return all;
}

static void fill(double *a, double by) {
#pragma omp parallel for
  for (int i = 0; i < N; i++)
    a[i] = by * (i % 100);
}

int main(int argc, char **argv) {
  struct field f;
  (void)argv;
  double *set, *checked, *sized, *shifted, *unbraced = NULL, *sometimes = NULL, *first, *second;
  size_t bytes = 8UL * N * N;
  // CHECK-DAG: {{^\+.*}}DECLARE(declared, N); MAI_PLACE_POINTER(declared, {{.*}}sizeof(double), "block"
  DECLARE(declared, N)
  // CHECK-DAG: {{^\+.*}}SET(set, N); MAI_PLACE_POINTER(set, {{.*}}sizeof(double), "block" {{.*}});
  SET(set, N);
  // CHECK-DAG: {{^\+.*}}SET(f.values, N); MAI_PLACE_POINTER(f.values, {{.*}}sizeof(double), "block" {{.*}});
  SET(f.values, N);
  // CHECK-DAG: {{^\+.*}}CHECKED(checked, N); MAI_PLACE_POINTER(checked, {{.*}}sizeof(double), "block" {{.*}});
  CHECKED(checked, N);
  // CHECK-DAG: {{^\+.*}}BOTH(first, second, N); MAI_PLACE_POINTER(first, {{.*}}); MAI_PLACE_POINTER(second, {{.*}});
  BOTH(first, second, N);
  // CHECK-DAG: sized: left alone: its size cannot be told
  WITH_OWN_SIZE(sized, N);
  // CHECK-DAG: shifted: left alone: a macro allocates it, and makes more than that
  SHIFTED(shifted, N);
  // CHECK-DAG: unbraced: left alone: a macro allocates it, and makes more than that
  if (argc > 0)
    SET(unbraced, N);
  // CHECK-DAG: sometimes: left alone: a macro allocates it, and makes more than that
  WHERE(argc > 0, sometimes, N);
  fill(declared, 1);
  fill(set, 2);
  fill(checked, 3);
  fill(sized, 4);
  fill(shifted, 5);
  fill(unbraced, 6);
  fill(sometimes, 7);
  fill(f.values, 8);
  fill(first, 9);
  fill(second, 10);
  printf("%g %g %g %g %zu\n", sum(declared) + sum(set), sum(checked) + sum(sized),
         sum(shifted) + sum(unbraced), sum(sometimes) + sum(f.values) + sum(first) + sum(second),
         bytes);
  return 0;
}
