// All threads use `all`, which lies with the first thread, who uses it most. With TOGETHER the others keep their own nodes as busy
// in the same region, by parts of `own`; else in a region by itself.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef MOST
#define MOST 6 // times that the first thread goes over it
#endif

enum { THREADS = 4, N = 1 << 17, SOME = 2, BUSY = 12 };

static double sum(const double *from, int times) {
  double result = 0;
  for (int time = 0; time < times; time++)
    for (int i = 0; i < N; i++)
      result += from[i];
  return result;
}

int main(void) {
  double *all = malloc(N * sizeof *all), *own = malloc(THREADS * N * sizeof *own);
  double result = 0;
  for (int i = 0; i < N; i++)
    all[i] = i;
#pragma omp parallel for schedule(static) num_threads(THREADS)
  for (int i = 0; i < THREADS * N; i++)
    own[i] = i;
#pragma omp parallel num_threads(THREADS) reduction(+ : result)
  {
    int thread = omp_get_thread_num();
    result += sum(all, thread ? SOME : MOST);
#ifndef TOGETHER
  }
#pragma omp parallel num_threads(THREADS) reduction(+ : result)
  {
    int thread = omp_get_thread_num();
#endif
    if (thread)
      result += sum(own + thread * N, BUSY);
  }
  printf("%g\n", result);
  free(all);
  free(own);
}
