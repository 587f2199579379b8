/* A thread that waits for a task runs what that one makes for its node: two such tasks run at once.  With "group"
   they are in a group that the task begins; with "late" it is begun when the thread waits for tasks at home already. */
#include <omp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "mai.h"

static atomic_int begun;
static atomic_int together;

static bool comes_to(atomic_int *number, int wanted) {
  double end = omp_get_wtime() + 10;
  while (atomic_load(number) < wanted && omp_get_wtime() < end)
    ;
  return atomic_load(number) >= wanted;
}

static void meet(void) {
  atomic_fetch_add(&begun, 1);
  if (comes_to(&begun, 3))
    atomic_fetch_add(&together, 1);
}

static void pass_time(long milliseconds) {
  nanosleep(&(struct timespec){.tv_nsec = milliseconds * 1000000}, NULL);
}

static void make_two(void) {
  for (unsigned node = 0; node < 2; node++) {
    mai_task_on(node);
#pragma omp task
    meet();
  }
}

static void run_two(bool in_group, bool is_late) {
  atomic_fetch_add(&begun, 1);
  if (is_late)
    pass_time(20);
  if (!in_group)
    make_two();
  else
#pragma omp taskgroup
    make_two();
#pragma omp taskwait
}

static void keep_busy(void) {
  mai_task_on(1);
#pragma omp task
  pass_time(5);
}

int main(int count, char **arguments) {
  bool in_group = count > 1 && strcmp(arguments[1], "group") == 0;
  bool is_late = count > 1 && strcmp(arguments[1], "late") == 0;
#pragma omp parallel num_threads(2)
#pragma omp master
  {
    if (is_late)
      keep_busy();
    mai_task_on(1);
#pragma omp task
    run_two(in_group, is_late);
    if (!is_late && !comes_to(&begun, 1))
      puts("nobody has come");
#pragma omp taskwait
  }
  printf("%d of 2 together\n", atomic_load(&together));
}
