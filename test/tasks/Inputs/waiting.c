/* A thread that waits for a task runs what that one makes for its node: two such tasks run at once.  With an argument
   they are in a group that the task begins. */
#include <omp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

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

static void make_two(void) {
  for (unsigned node = 0; node < 2; node++) {
    mai_task_on(node);
#pragma omp task
    meet();
  }
}

static void run_two(bool in_group) {
  atomic_fetch_add(&begun, 1);
  if (!in_group)
    make_two();
  else
#pragma omp taskgroup
    make_two();
#pragma omp taskwait
}

int main(int count, char **arguments) {
  bool in_group = count > 1;
  (void)arguments;
#pragma omp parallel num_threads(2)
#pragma omp master
  {
    mai_task_on(1);
#pragma omp task
    run_two(in_group);
    if (!comes_to(&begun, 1))
      puts("nobody has come");
#pragma omp taskwait
  }
  printf("%d of 2 together\n", atomic_load(&together));
}
