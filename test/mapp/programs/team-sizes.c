/* The team that runs a loop is said by omp_set_num_threads, by a clause, or decided when the program runs.

   RUN: %{try} %{program}
   CHECK: MAPP001 before: block
   CHECK: MAPP001 by_default: block for 4 threads
   CHECK: MAPP001 by_clause: block for 8 threads
   CHECK: MAPP001 by_number: block for 4 threads
   CHECK: MAPP015 own: local: each thread has a part of its own, by its number, in main(): the first to touch it is its user
   CHECK: MAPP001 run_time: block
*/
#include <omp.h>
#include <stdio.h>
#define THREADS 4
static double before[8000], by_default[8000], by_clause[8000], by_number[8000], own[THREADS][4096];
static double run_time[8000];

int main(int argc, char **argv) {
  double sum = 0;
  (void)argv;
#pragma omp parallel for
  for (int i = 0; i < 8000; i++)
    before[i] = i;
  omp_set_num_threads(THREADS);
#pragma omp parallel for
  for (int i = 0; i < 8000; i++)
    by_default[i] = i;
#pragma omp parallel for num_threads(2 * THREADS)
  for (int i = 0; i < 8000; i++)
    by_clause[i] = i;
#pragma omp parallel for num_threads(argc + 1)
  for (int i = 0; i < 8000; i++)
    run_time[i] = i;
#pragma omp parallel num_threads(THREADS)
  {
    int me = omp_get_thread_num(), threads = omp_get_num_threads();
    int chunk = (8000 + threads - 1) / threads, begin = me * chunk;
    int end = begin + chunk < 8000 ? begin + chunk : 8000;
    for (int i = begin; i < end; i++)
      by_number[i] = i;
    for (int i = 0; i < 4096; i++)
      own[me][i] = i;
  }
  for (int i = 0; i < 8000; i++)
    sum += before[i] + by_default[i] + by_clause[i] + by_number[i] + run_time[i];
  printf("%g %g\n", sum, own[0][5]);
  return 0;
}
