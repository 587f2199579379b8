/* A loop counts, too, where its variable is set before it, and where it is counted on in the body: `for (; i < end; i++)`,
   `while (i < end) { ...; i++; }`, `do { ... } while (...)`.  Where the body has other ways to set it, it does not.

   RUN: mapp-rewrite %s 2>&1 | FileCheck %s
   RUN: %{run-rewritten} %t %s
*/
#include <omp.h>
#include <stdio.h>

enum { N = 100000 };

// CHECK-DAG: {{^\+}}MAI_STATIC(by_for, "block");
static double by_for[N];
// CHECK-DAG: {{^\+}}MAI_STATIC(by_name, "block");
static double by_name[N];
// CHECK-DAG: {{^\+}}MAI_STATIC(by_while, "block");
static double by_while[N];
// CHECK-DAG: {{^\+}}MAI_STATIC(by_do, "block");
static double by_do[N];
// CHECK-DAG: jumping: left alone
static double jumping[N];

int main(void) {
  for (int i = 0; i < N; i++)
    by_for[i] = by_name[i] = by_while[i] = by_do[i] = jumping[i] = i % 7;
  for (int step = 0; step < 20; step++) {
#pragma omp parallel
    {
      const int thread = omp_get_thread_num(), threads = omp_get_num_threads();
      const int share = N / threads;
      int end = share * (thread + 1);
      if (thread == threads - 1)
        end = N;
      int i = share * thread;
      for (; i < end; i++)
        by_for[i] += 1;
      int named = share * thread;
      for ((void)named; named < end; ++named)
        by_name[named] += by_for[named];
      int k = share * thread;
      while (k < end) {
        by_while[k] += by_name[k];
        k++;
      }
      int m = share * thread;
      do {
        m += 1;
        by_do[m - 1] += by_while[m - 1];
      } while (m < end);
      int j = share * thread;
      while (j < end) {
        jumping[j] += 1;
        if (jumping[j] > 5)
          j += 2;
        j++;
      }
    }
  }
  printf("%g %g %g %g\n", by_for[5], by_name[N - 1], by_while[77], by_do[N / 2]);
  return 0;
}
