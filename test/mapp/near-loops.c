/* Under schedule(dynamic) threads take the pieces near them first, as under schedule(static); not of ordered or monotonic loops,
   and of guided ones not under each run-time.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
*/
#include <stdio.h>

enum { N = 1 << 20 };

// CHECK-DAG: plain: block: elements follow index i
static double plain[N];
// CHECK-DAG: pieces: block: elements follow index i
static double pieces[N];
// CHECK-DAG: monotonic: cyclic on threads: schedule(dynamic) distributes
static double monotonic[N];
// CHECK-DAG: ordered: cyclic on threads: schedule(dynamic) distributes
static double ordered[N];
// CHECK-DAG: guided: cyclic on threads: schedule(guided) distributes
static double guided[N];

int main(void) {
  double sum = 0;
  for (int i = 0; i < N; i++)
    plain[i] = pieces[i] = monotonic[i] = ordered[i] = guided[i] = i;
  for (int step = 0; step < 50; step++) {
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < N; i++)
      plain[i] += 1;
#pragma omp parallel for schedule(nonmonotonic : dynamic, 64)
    for (int i = 0; i < N; i++)
      pieces[i] += 1;
#pragma omp parallel for schedule(monotonic : dynamic, 64)
    for (int i = 0; i < N; i++)
      monotonic[i] += 1;
#pragma omp parallel for schedule(dynamic, 64) ordered
    for (int i = 0; i < N; i++)
      ordered[i] += 1;
#pragma omp parallel for schedule(guided)
    for (int i = 0; i < N; i++)
      guided[i] += 1;
  }
  for (int i = 0; i < N; i++)
    sum += plain[i] + pieces[i] + monotonic[i] + ordered[i] + guided[i];
  printf("%g\n", sum);
  return 0;
}
