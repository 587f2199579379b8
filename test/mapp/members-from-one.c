/* Indices that begin at 1, as in programs that came from Fortran, have what is constant of an address lie before the array: in another member of the
   struct. The array is the one that the source names, in functions that get a pointer to the struct or to the array, too.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <stdio.h>

enum { N = 60 };

// CHECK-DAG: c:[[#@LINE+4]]: common.seldom: left alone: used by one thread only
// CHECK-DAG: c:[[#@LINE+3]]: common.named: block{{.*}}: elements follow index j of the parallel loop in main()
// CHECK-DAG: c:[[#@LINE+2]]: common.behind: block reversed{{.*}}: elements follow index j of the parallel loop in backwards(), backwards
// CHECK-DAG: c:[[#@LINE+1]]: common.passed: cyclic on threads: schedule(dynamic) distributes its elements in anyhow()
static struct Common { double seldom[N * N], named[N * N], behind[N * N], passed[N * N]; } common;

#define REF(array, i, j) (array)[(i) - 1 + N * ((j) - 1)]

static void backwards(struct Common *of) {
#pragma omp parallel for
  for (int j = N; j >= 1; --j)
    for (int i = 1; i <= N; ++i)
      REF(of->behind, i, j) += i;
}

static void anyhow(double *of) {
#pragma omp parallel for schedule(monotonic : dynamic)
  for (int j = 1; j <= N; ++j)
    for (int i = 1; i <= N; ++i)
      REF(of, i, j) += j;
}

int main(void) {
  for (int j = 1; j <= N; ++j)
    for (int i = 1; i <= N; ++i)
      REF(common.seldom, i, j) = i - j;
#pragma omp parallel for
  for (int j = 1; j <= N; ++j)
    for (int i = 1; i <= N; ++i)
      REF(common.named, i, j) += i;
  backwards(&common);
  anyhow(common.passed);
  printf("%g %g %g %g\n", common.seldom[N], common.named[N + 1], common.behind[3], common.passed[N * N - 1]);
}
