/* Arrays in data-sharing clauses: default(none) and shared keep them, the others give threads their own.

   RUN: %{try} %{program}
   CHECK: MAPP001 keys: block
   CHECK: MAPP010 histogram: left alone: used by one thread only
   CHECK: MAPP010 section: left alone: used by one thread only
   PLACE: MAPP001 both: block
   HEAP: MAPP065 both: left alone: it stands in an OpenMP clause other than shared
   CHECK: MAPP001 shared: block
   CHECK: MAPP011 scratch: left alone: not used in the files given
   CHECK: MAPP010 copies: left alone: used by one thread only
   CHECK: MAPP010 last: left alone: used by one thread only
   CHECK: MAPP010 sums: left alone: used by one thread only
   CHECK: MAPP001 listed: block
*/
#include <stdio.h>
#define N 6000
static int keys[N], histogram[1024], section[1024], both[N];
static double shared[N], scratch[600], copies[600], last[600], sums[600], listed[N];

int main(void) {
  double sum = 0;
  int n = N;
  for (int i = 0; i < N; i++)
    keys[i] = i * 79 % 1024;
#pragma omp parallel default(none) shared(shared, listed, n) reduction(+ : sum)
  {
#pragma omp for
    for (int i = 0; i < n; i++)
      shared[i] = listed[i] = i;
#pragma omp for
    for (int i = 0; i < n; i++)
      sum += shared[i] + listed[i];
  }
#pragma omp parallel for reduction(+ : histogram)
  for (int i = 0; i < N; i++)
    histogram[keys[i]]++;
  /* One thread: clang 19 loses additions of several to an array section, once in thirty runs. */
#pragma omp parallel for reduction(+ : section[ : 1024]) num_threads(1)
  for (int i = 0; i < N; i++)
    section[keys[i]]++;
#pragma omp parallel for private(scratch) firstprivate(copies) lastprivate(last) reduction(+ : sums)
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < 600; j++)
      last[j] = scratch[j] = copies[j] + i;
    sums[i % 600] += scratch[i % 600];
  }
#pragma omp parallel private(both)
  for (int i = 0; i < N; i++)
    both[i] = i;
#pragma omp parallel for
  for (int i = 0; i < N; i++)
    both[i] = i;
  for (int i = 0; i < 600; i++)
    sum += histogram[i] + section[i] + last[i] + sums[i] + copies[i] + both[i];
  printf("%g\n", sum);
  return 0;
}
