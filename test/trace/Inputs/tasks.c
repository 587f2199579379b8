/* Tasks that threads do at the closing barrier of a region, and what is behind it. */
#include <omp.h>
#include <stdio.h>

enum { N = 8000, TASKS = 64, THREADS = 4, ROUNDS = 200 };

static double array[N], after[N];
static int done[THREADS][16];

static void work(int task) {
  for (int round = 0; round < ROUNDS; round++)
    for (int i = task * (N / TASKS); i < (task + 1) * (N / TASKS); i++)
      ((volatile double *)array)[i] = round;
  done[omp_get_thread_num()][0]++;
}

int main(void) {
#pragma omp parallel num_threads(THREADS)
  {
    ((volatile double *)array)[omp_get_thread_num()] = 0;
#pragma omp single nowait
    for (int task = 0; task < TASKS; task++)
#pragma omp task firstprivate(task)
      work(task);
  }
  for (int i = 0; i < N; i++)
    ((volatile double *)after)[i] = 1;
  for (int i = 0; i < THREADS; i++)
    printf("%d ", 1 + done[i][0] * ROUNDS * (N / TASKS));
  printf("\n");
  return 0;
}
