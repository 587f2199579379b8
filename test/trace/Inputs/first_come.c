/* All threads use columns of a matrix, each page of which is a row. Argument "fills": one of them has filled it; else that one
   only comes first. */
#include <omp.h>
#include <string.h>
#include <unistd.h>
enum { N = 512, ROUNDS = 5 };
static double b[N][N];

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "fills") == 0)
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        b[i][j] = i + j;
#pragma omp parallel
  {
    if (omp_get_thread_num() > 0)
      usleep(200000);
    for (int round = 0; round < ROUNDS; round++)
#pragma omp for schedule(static) nowait
      for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
          b[j][i] += round;
  }
  return b[1][1] < 0;
}
