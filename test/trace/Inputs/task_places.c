/* Tasks of several places.  The initial thread touches their array first; threads 0 and 1 each run a task at once that reads
   it; tasks that sum it up make others that fill it, which are not deferred either when there is an argument. */
#include <omp.h>

enum { PARTS = 32, PART = 4096, ROUNDS = 2 };

int mai_task_on(unsigned node) __attribute__((weak));

static volatile long array[PARTS * PART];

static void fill(int part) {
  for (int i = part * PART; i < (part + 1) * PART; i++)
    array[i] = i;
}

static void sum(int part) {
  for (int i = part * PART; i < (part + 1) * PART; i++)
    (void)array[i];
}

static void sum_fill_sum(int part, int deferred) {
  sum(part);
#pragma omp task firstprivate(part) if (deferred) /* FILL */
  fill(part);
#pragma omp taskwait
  sum(part);
}

static void at_once(int thread) {
  if (thread == 0) {
#pragma omp task if (0) /* LOCAL */
    sum(0);
  } else {
#pragma omp task if (0) /* REMOTE */
    sum(1);
  }
}

/* Where MAi is there, the next task is one that it sends somewhere. */
static void give_home(int part) {
  if (mai_task_on)
    mai_task_on((unsigned)part % 2);
}

int main(int count, char **arguments) {
  (void)arguments;
  for (int part = 0; part < PARTS; part++)
    fill(part);
#pragma omp parallel num_threads(2)
  at_once(omp_get_thread_num());
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int round = 0; round < ROUNDS; round++)
    for (int part = 0; part < PARTS; part++) {
      give_home(part);
#pragma omp task firstprivate(part, count) /* NESTED */
      sum_fill_sum(part, count == 1);
    }
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop num_tasks(8) /* LOOP */
  for (int part = 0; part < PARTS; part++)
    fill(part);
  return 0;
}
