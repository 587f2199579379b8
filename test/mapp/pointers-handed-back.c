/* What a function returns that gives back the pointer it got, having looked at it, is that pointer: the blocks that pass
   through it stay apart, and have the names of what they are assigned to. A function that may return another is none of these.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>
#include <stdlib.h>

static void *checked(void *block) {
  if (!block) {
    fputs("no memory\n", stderr);
    exit(1);
  }
  return block;
}

static double *or_null(double *block, int is_wanted) {
  if (!is_wanted)
    return NULL;
  return (double *)checked(block);
}

static double *told(double *block) {
  if (block == NULL)
    return NULL;
  printf("it is there\n");
  return block;
}

static double *next_of(double *block) {
  block++;
  return block;
}

// CHECK-DAG: rows: block
// CHECK-DAG: table: {{.*}}every thread goes over it
// CHECK-DAG: told_of: block
// CHECK-DAG: behind: block
int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 30000;
  double *rows = checked(malloc(n * sizeof *rows));
  double *table = (double *)checked(malloc(n * sizeof *table));
  double *told_of = told(malloc(n * sizeof *told_of));
  double *behind = malloc(n * sizeof *behind);
  double *moved = next_of(behind);
  if (or_null(told_of, 0))
    return 1;
  for (int i = 0; i < n; i++)
    rows[i] = table[i] = told_of[i] = behind[i] = i % 7;
  for (int step = 0; step < 10; step++) {
#pragma omp parallel for
    for (int i = 0; i < n - 1; i++) {
      for (int k = 0; k < n; k += 997)
        rows[i] += table[k];
      rows[i] += moved[i];
      told_of[i] += rows[i];
    }
  }
  printf("%g %g\n", rows[n / 2], told_of[n / 3]);
  free(rows), free(table), free(told_of), free(behind);
}
