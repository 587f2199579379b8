/* One of three NUMA problems, or its cure, on a machine of two nodes with two threads each:

   contention    thread 0 initialises what all use; cured: each its part
   imbalance     the data of thread 3 lie with thread 0; cured: with thread 3
   sharing       threads 0 and 2, and 1 and 3, work on the same lines; cured: 0 and 1, 2 and 3 */
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, N = 1 << 15, PART = N / THREADS, ROUNDS = 20 };

_Alignas(4096) static double field[N];
_Alignas(4096) static double of_thread[THREADS][PART];
_Alignas(4096) static double pairs[2][PART];

static void contention(int cured) {
#pragma omp parallel for schedule(static) num_threads(THREADS) if (cured)
  for (int i = 0; i < N; i++)
    field[i] = i;
  for (int round = 0; round < ROUNDS; round++)
#pragma omp parallel for schedule(static) num_threads(THREADS)
    for (int i = 0; i < N; i++)
      field[i] += 1;
}

static void imbalance(int cured) {
#pragma omp parallel for schedule(static, 1) num_threads(THREADS)
  for (int thread = 0; thread < THREADS; thread++)
    if (thread < 3 || cured)
      memset(of_thread[thread], 0, sizeof of_thread[thread]);
  if (!cured)
    memset(of_thread[3], 0, sizeof of_thread[3]);
#pragma omp parallel for schedule(static, 1) num_threads(THREADS)
  for (int thread = 0; thread < THREADS; thread++)
    for (int round = 0; round < ROUNDS; round++)
      for (int i = 0; i < PART; i++)
        of_thread[thread][i] += 1;
}

static void sharing(int cured) {
#pragma omp parallel for schedule(static, 1) num_threads(THREADS)
  for (int thread = 0; thread < THREADS; thread++) {
    double *mine = pairs[cured ? thread / 2 : thread % 2];
    int half = cured ? thread % 2 : thread / 2;
    for (int round = 0; round < ROUNDS; round++)
      for (int i = half; i < PART; i += 2)
        mine[i] += 1;
  }
}

int main(int argc, char **argv) {
  int cured = argc > 2 && strcmp(argv[2], "cured") == 0;
  if (strcmp(argv[1], "contention") == 0)
    contention(cured);
  else if (strcmp(argv[1], "imbalance") == 0)
    imbalance(cured);
  else
    sharing(cured);
  return field[1] + of_thread[3][1] + pairs[1][1] == 0;
}
