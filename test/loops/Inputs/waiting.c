/* Loops whose iterations wait for the ones before: `in order`, or in a team whose first thread comes last. */
#include <omp.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

enum { COUNT = 500 };
static atomic_int done;

static void wait_for_others(int i) {
  while (atomic_load(&done) != i)
    sched_yield();
  atomic_store(&done, i + 1);
}

int main(void) {
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < COUNT; i++)
    wait_for_others(i);
  printf("in order: %d\n", done);
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0)
      for (int i = 0; i < 100; i++)
        sched_yield();
#pragma omp for schedule(dynamic, 3) nowait
    for (int i = COUNT; i < 2 * COUNT; i++)
      wait_for_others(i);
#pragma omp for schedule(guided)
    for (int i = 2 * COUNT; i < 3 * COUNT; i++)
      wait_for_others(i);
  }
  printf("late: %d\n", done);
  return 0;
}
