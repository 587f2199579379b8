/* Arrays that four threads use in ways of which each asks for another placement, and one that is well as
   it is. Thread 0 initialises the others. */
#include <stdlib.h>

enum { N = 256, M = 256, ROWS = 64, ROUNDS = 5, THREADS = 4 };

static double equal[N][M], triangle[N][M], partly[N][M], common[N][M], healthy[N][M];
static double *rows[ROWS];

static void initialise(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      equal[i][j] = triangle[i][j] = partly[i][j] = common[i][j] = i + j;
  for (int i = 0; i < ROWS; i++) {
    rows[i] = malloc(8192);
    for (int j = 0; j < 1024; j++)
      rows[i][j] = i;
  }
}

static void use(void) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      equal[i][j] += healthy[i][j] += 1;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < N / 2; i++)
    for (int j = 0; j < M; j++)
      partly[i][j] += 1;
  /* Thread t goes over the elements from its part of the triangle on to the next one's. */
#pragma omp parallel for schedule(static)
  for (int i = 0; i < N; i++)
    for (int k = i * i / N; k < (i + 1) * (i + 1) / N; k++)
      for (int j = 0; j < M; j++)
        triangle[k][j] += 1;
  double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (int i = 0; i < THREADS; i++)
    for (int k = 0; k < N; k++)
      for (int j = 0; j < M; j++)
        sum += common[k][j];
#pragma omp parallel for schedule(static, 1)
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < 1024; j++)
      rows[i][j] += sum;
}

int main(void) {
  initialise();
  for (int round = 0; round < ROUNDS; round++)
    use();
  return 0;
}
