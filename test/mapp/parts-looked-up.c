/* A loop that begins and ends where a table says makes one pass over the array for all rows together, however it is written that
   they begin where the row before ends. So what the threads do elsewhere outweighs it.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
*/
#include <stdio.h>

enum { KEYS = 1 << 20, BUCKETS = 512 };

// CHECK: sorted: block: elements follow index i of the parallel loop in check()
static int sorted[KEYS], ends[BUCKETS], counts[BUCKETS];

static void sum(void) {
#pragma omp parallel for schedule(static, 1)
  for (int b = 0; b < BUCKETS; b++) {
    int begin = b > 0 ? ends[b - 1] : 0;
    for (int k = begin; k < ends[b]; k++)
      counts[b] += sorted[k];
  }
}

static long check(void) {
  long wrong = 0;
#pragma omp parallel for reduction(+ : wrong)
  for (int i = 1; i < KEYS; i++)
    wrong += sorted[i - 1] > sorted[i];
  return wrong;
}

int main(void) {
  for (int b = 0; b < BUCKETS; b++)
    ends[b] = (b + 1) * (KEYS / BUCKETS);
  sum();
  printf("%ld %d\n", check(), counts[3]);
  return 0;
}
