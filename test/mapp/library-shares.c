/* A library function that gets where a thread's bucket begins works on the thread's own share, whoever has filled it.

   RUN: mapp-rewrite -q %s | FileCheck %s
*/
#include <omp.h>
#include <stdlib.h>

enum { Keys = 200000, Most = 64 };

// CHECK: {{^\+}}MAI_STATIC(sorted, "block"); /* mapp: elements that begin delimits follow the parallel loop in sort()
static long sorted[Keys];
static long keys[Keys], begin[Most + 1], place[Most][Most];

static int compare(const void *left, const void *right) {
  const long l = *(const long *)left, r = *(const long *)right;
  return (l > r) - (l < r);
}

void sort(void) {
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
#pragma omp for
    for (int i = 0; i < Keys; i++)
      sorted[place[me][keys[i] % Most]++] = keys[i];
    qsort(sorted + begin[me], begin[me + 1] - begin[me], sizeof(long), compare);
  }
}
