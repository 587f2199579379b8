// Arrays whose use the sources do not show, or not well enough: for profile-*.test.
#include <omp.h>
#include <stdio.h>
#ifndef N
#define N 1024
#endif
#define ROW 1024

static double triangle[N * (N + 1) / 2];
static double in_truth_local[N * 64];
static int index_of[N * 64];
static double distributed[N][ROW];
static double partly[N * 128];
static double everywhere[N];
double by_chance[N * 64];
struct {
  int count;
  double cells[N][16];
} state;

static void fill(void) {
  for (int i = 0; i < N * 64; i++)
    index_of[i] = i % 2 ? i - 1 : i + 1;
  for (int i = 0; i < N; i++)
    everywhere[i] = i % 7;
  state.count = N;
}

static double *row(int i) { return distributed[i]; }

static double step(int used) {
  double sum = 0;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < N; i++)
    for (int j = 0; j <= i; j++)
      triangle[(long)i * (i + 1) / 2 + j] += i - j;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < N * 64; i++)
    in_truth_local[index_of[i]] += i;
#pragma omp parallel
  for (int i = omp_get_thread_num(); i < N; i += omp_get_num_threads())
    for (int j = 0; j < ROW; j++)
      row(i)[j] += j;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < used; i++)
    partly[i] += i;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      sum += everywhere[(j * 7 + i) % N];
#pragma omp parallel for schedule(monotonic : dynamic, 64)
  for (int i = 0; i < N * 64; i++)
    by_chance[i] += 1;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < state.count; i++)
    for (int j = 0; j < 16; j++)
      state.cells[i][j] += j;
  return sum;
}

int main(int argc, char **argv) {
  double sum = 0;
  (void)argv;
  fill();
  for (int i = 0; i < 4; i++)
    sum += step(argc * N * 64);
  printf("%g %g %g %g %g %g %g\n", sum, triangle[N], in_truth_local[5], distributed[3][4], partly[9],
         by_chance[7], state.cells[3][2]);
  return 0;
}
