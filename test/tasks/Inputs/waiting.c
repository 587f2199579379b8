/* A thread that waits for a task runs what that one makes for its node: two such tasks run at once. */
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
  atomic_fetch_add(&begun, 1);
  for (unsigned node = 0; node < 2; node++) {
    mai_task_on(node);
#pragma omp task
    meet();
  }
#pragma omp taskwait
}

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp master
  {
    mai_task_on(1);
#pragma omp task
    make_two();
    if (!comes_to(&begun, 1))
      puts("nobody has come");
#pragma omp taskwait
  }
  printf("%d of 2 together\n", atomic_load(&together));
}
