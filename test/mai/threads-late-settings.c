/* What main() sets in the environment before its first region holds, whatever is placed before main(): the
   run-time starts when the program first uses it.

   RUN: %{clang} %s -o %t
   RUN: mai-run -q %t | FileCheck %s
   RUN: mai-run -q -p 'table:block' %t | FileCheck %s
   RUN: mai-run -q -m none %t | FileCheck %s
   RUN: mai-run -q -w %t | FileCheck %s
   CHECK: 3 threads, at most 5 levels

   It is seen, too, that threads are bound:
   RUN: taskset -c 0,1 %t bind | FileCheck --check-prefix=BOUND %s
   RUN: taskset -c 0,1 mai-run -q %t bind | FileCheck --check-prefix=BOUND %s
   BOUND: 3 threads, at most 5 levels, thread 1 on 0
 */
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

static double table[100000];

static int first_cpu(void) {
  cpu_set_t mask;
  int cpu = 0;
  sched_getaffinity(0, sizeof mask, &mask);
  while (!CPU_ISSET(cpu, &mask))
    cpu++;
  return cpu;
}

int main(int argc, char **argv) {
  int threads = 0, cpu = 0;
  (void)argv;
  setenv("OMP_NUM_THREADS", "3", 1);
  setenv("OMP_MAX_ACTIVE_LEVELS", "5", 1);
  if (argc > 1)
    setenv("OMP_PLACES", "{1},{0},{1}", 1);
#pragma omp parallel
  {
#pragma omp single
    threads = omp_get_num_threads();
    if (omp_get_thread_num() == 1)
      cpu = first_cpu();
  }
  table[0] = threads;
  printf("%.0f threads, at most %d levels", table[0], omp_get_max_active_levels());
  if (argc > 1)
    printf(", thread 1 on %d", cpu);
  printf("\n");
  return 0;
}
