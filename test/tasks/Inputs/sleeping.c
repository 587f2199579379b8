/* Each thread has tasks at home, the last of which waits for those of all others: as long as some have tasks nobody looks in
   vain.  The threads sleep when the tasks are made. */
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

#include "mai.h"

enum { NODES = 8, SHORT = 16 };

static atomic_int met;

static void pass_time(long milliseconds) {
  nanosleep(&(struct timespec){.tv_nsec = milliseconds * 1000000}, NULL);
}

static void be_short(void) { pass_time(1); }

static void meet(void) {
  double end = omp_get_wtime() + 10;
  atomic_fetch_add(&met, 1);
  while (atomic_load(&met) < NODES && omp_get_wtime() < end)
    pass_time(1);
}

static void make(unsigned node, void (*run)(void)) {
  mai_task_on(node);
#pragma omp task
  run();
}

int main(void) {
  double begin = 0;
#pragma omp parallel num_threads(NODES)
#pragma omp master
  {
    pass_time(200);
    for (int i = 0; i < SHORT; i++)
      for (unsigned node = 0; node < NODES; node++)
        make(node, be_short);
    for (unsigned node = 0; node < NODES; node++)
      make(node, meet);
    begin = omp_get_wtime();
  }
  puts(omp_get_wtime() < begin + 10 ? "all have met" : "some have not come");
}
