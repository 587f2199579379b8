/* Rows that only the thread of their number writes lie where that thread first touches them, also
   when it does so in a loop that is divided among the threads.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
*/
#include <omp.h>

static int keys[90000], total[9000];
// CHECK: c:[[#]]: counts: local: each thread has a part of its own, by its number, in count()
static int counts[64][9000];

void count(void) {
#pragma omp parallel
  {
    int *mine = counts[omp_get_thread_num()];
#pragma omp for
    for (int i = 0; i < 90000; i++)
      mine[keys[i]]++;
#pragma omp for
    for (int i = 0; i < 9000; i++)
      for (int t = 0; t < omp_get_num_threads(); t++)
        total[i] += counts[t][i];
  }
}
