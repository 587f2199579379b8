/* Says which pieces threads get first: while each has its first one, nobody gets another. */
#include <omp.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

enum { THREADS = 4, COUNT = 400 };

static atomic_int arrived;
static int first[THREADS];

static void meet(int i) {
  static _Thread_local int known;
  if (known++)
    return;
  first[omp_get_thread_num()] = i;
  atomic_fetch_add(&arrived, 1);
  while (atomic_load(&arrived) < THREADS)
    sched_yield();
}

int main(void) {
#pragma omp parallel for schedule(dynamic, 10) num_threads(THREADS)
  for (int i = 0; i < COUNT; i++)
    meet(i);
  printf("first:");
  for (int thread = 0; thread < THREADS; thread++)
    printf(" %d", first[thread]);
  puts("");
  return 0;
}
