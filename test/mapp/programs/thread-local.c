/* Each thread has its own: threadprivate with copyin, _Thread_local, __thread.

   RUN: %{try} %{program}
   CHECK: MAPP021 own: left alone: threadprivate: each thread has its own
   CHECK: MAPP001 shared: block
   CHECK: MAPP021 copied: left alone: threadprivate: each thread has its own
   CHECK: MAPP022 standard: left alone: thread-local: each thread has its own
   CHECK: MAPP022 gnu: left alone: thread-local: each thread has its own
   CHECK: MAPP021 memory: left alone: threadprivate: each thread has its own
*/
#include <stdio.h>
static double own[1000], shared[8000];
double copied[600];
#pragma omp threadprivate(own, copied)
static _Thread_local double standard[600];
static __thread double gnu[600];

static double next(int n) {
  static double memory[600];
#pragma omp threadprivate(memory)
  return memory[n % 600] += n;
}

int main(void) {
  double sum = 0;
  for (int i = 0; i < 600; i++)
    copied[i] = i;
#pragma omp parallel copyin(copied) reduction(+ : sum)
  {
    for (int i = 0; i < 1000; i++)
      own[i] = standard[i % 600] = gnu[i % 600] = next(i % 600) >= 0;
#pragma omp for
    for (int i = 0; i < 8000; i++)
      shared[i] = own[i % 1000] + copied[i % 600] + standard[i % 600] + gnu[i % 600];
#pragma omp for
    for (int i = 0; i < 8000; i++)
      sum += shared[i];
  }
  printf("%g\n", sum);
  return 0;
}
