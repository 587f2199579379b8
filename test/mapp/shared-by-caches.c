/* What all threads share is not distributed where a core's cache holds it and one thread makes a good part of the accesses:
   no memory is asked for it by all at once, and that thread would lose. How large a block is, the run may decide. Nor is it
   divided, where a regular loop is little beside what schedule(guided) gives to whichever thread comes.

   RUN: mapp-rewrite %s 2>&1 | grep -v CHECK | FileCheck %s
   RUN: %{run-rewritten} %t %s
 */
#include <stdio.h>
#include <stdlib.h>

enum { SMALL = 100000, LARGE = 200000 };

// CHECK-DAG: c:[[#@LINE+1]]: small: left alone: one thread writes it first, in main()
static double small[SMALL];
// CHECK-DAG: +MAI_STATIC(large, "cyclic on threads"
static double large[LARGE];
static int at[1000];

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1000;
  // CHECK-DAG: +{{.*}}MAI_UNLESS_CACHED("cyclic on threads", "first-touch") /* mapp: indexed indirectly by at in main(); read only after it is filled */
  double *block = malloc(n * sizeof *block), *known = malloc(sizeof *known * LARGE), sum = 0;
  // CHECK-DAG: *known = {{.*}}sizeof(double), "cyclic on threads" /* mapp: indexed indirectly by at in main(); read only after it is filled */
  // CHECK-DAG: +{{.*}}MAI_UNLESS_CACHED("block", "first-touch") /* mapp: elements follow index i of the parallel loop in main()
  double *body = malloc(n * sizeof *body);
  for (int i = 0; i < n; i++)
    body[i] = i;
  for (int i = 0; i < SMALL; i++)
    small[i] = i;
  for (int i = 0; i < LARGE; i++)
    large[i] = known[i] = i;
  for (int i = 0; i < n; i++)
    block[i] = i;
  for (int i = 0; i < 1000; i++)
    at[i] = i * 7919 % 1000;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 1000; i++)
    for (int t = 0; t < 1000; t++) {
      int to = at[(i + t) % 1000];
      sum += small[to] + large[to * 199] + block[to] + known[to];
    }
  for (int t = 0; t < 3; t++) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
      body[i] += t;
#pragma omp parallel for schedule(guided, 100) reduction(+ : sum)
    for (int i = 0; i < n; i++)
      for (int k = 0; k < 100; k++)
        sum += body[at[(i + k) % 1000] % n];
  }
  printf("%g\n", sum);
  return 0;
}
