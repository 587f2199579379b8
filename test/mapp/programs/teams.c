/* Leagues of teams on the host: distribute alone and with parallel for, dist_schedule, nested regions.

   RUN: %{try} %{program}
   CHECK: MAPP001 combined: block
   CHECK: MAPP005 split: cyclic on threads: index j of the parallel loop in main() drives dimension 2
   CHECK: MAPP010 distributed: left alone: used by one thread only
   CHECK: MAPP001 nested: block
*/
#include <stdio.h>
#define N 4096
static double combined[N], split[64][64], distributed[N], nested[64][64];

int main(void) {
  double sum = 0;
#pragma omp teams distribute parallel for num_teams(2)
  for (int i = 0; i < N; i++)
    combined[i] = i;
#pragma omp teams num_teams(2)
  {
#pragma omp distribute
    for (int i = 0; i < 64; i++) {
#pragma omp parallel for
      for (int j = 0; j < 64; j++)
        split[i][j] = i;
    }
#pragma omp distribute dist_schedule(static, 16)
    for (int i = 0; i < N; i++)
      distributed[i] = i;
  }
#pragma omp parallel for
  for (int i = 0; i < 64; i++) {
#pragma omp parallel for
    for (int j = 0; j < 64; j++)
      nested[i][j] = i + j;
  }
  for (int i = 0; i < 64; i++)
    sum += combined[i] + split[i][i] + distributed[i] + nested[i][i];
  printf("%g\n", sum);
  return 0;
}
