/* Prints on which CPU each thread of the default team may run, or -1 where it may on several. */
#include <omp.h>
#include <sched.h>
#include <stdio.h>

enum { MOST = 64 };

static int only_cpu(void) {
  cpu_set_t cpus;
  sched_getaffinity(0, sizeof cpus, &cpus);
  for (int cpu = 0; CPU_COUNT(&cpus) == 1 && cpu < CPU_SETSIZE; cpu++)
    if (CPU_ISSET(cpu, &cpus))
      return cpu;
  return -1;
}

int main(void) {
  int seen[MOST];
  int count = 0;
#pragma omp parallel num_threads(4)
  {
    seen[omp_get_thread_num()] = only_cpu();
#pragma omp single
    count = omp_get_num_threads();
  }
  for (int i = 0; i < count; i++)
    printf("%d%c", seen[i], i + 1 < count ? ' ' : '\n');
  return 0;
}
