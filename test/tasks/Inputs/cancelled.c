/* A task cancels its group; then the group gets more tasks, none of which is to be run. */
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>

enum { TASKS = 100 };

static atomic_int run;
static atomic_bool is_cancelled;

/* The task that is cancelled goes to its end. */
static void cancel(void) {
#pragma omp task
  {
    atomic_store(&is_cancelled, omp_get_cancellation());
#pragma omp cancel taskgroup
    printf("nothing is cancelled\n");
  }
}

int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
  {
#pragma omp taskgroup
    {
      cancel();
#pragma omp taskwait
      for (int i = 0; i < TASKS; i++)
#pragma omp task
        atomic_fetch_add(&run, 1);
    }
#pragma omp taskgroup
    for (int i = 0; i < TASKS; i++)
#pragma omp task
      atomic_fetch_add(&run, 1);
  }
  printf("cancelled: %d, run: %d\n", (int)is_cancelled, (int)run);
}
