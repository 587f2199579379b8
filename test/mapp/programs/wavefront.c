/* A pipelined sweep: threads own columns by their number and wait for each other with flush(flag); rows are reached
   through a struct of pointers that each step sets anew.

   RUN: %{try} %{program}
   CHECK: MAPP004 u: block by columns: index j of the parallel loop in main() drives dimension 2
   CHECK: MAPP001 rhs: block: rows follow index k of the parallel loop in main(); less often, index j of the parallel loop in main() drives dimension 2
   CHECK: MAPP012 flag: left alone: each thread has a part of its own, by its number, in main(): the first to touch it is its user
   CHECK: MAPP012 bounds: left alone: each thread has a part of its own, by its number, in main(): the first to touch it is its user
*/
#include <omp.h>
#include <stdio.h>
#define NZ 24
#define NY 48
#define NX 40
struct row {
  double *u, *rhs;
};
static double u[NZ][NY][NX], rhs[NZ][NY][NX];
static volatile int flag[1024];
static int bounds[1025];

static void wait_for(int me, int k) {
  if (me > 0)
    while (flag[me - 1] < k) {
#pragma omp flush
    }
}

static void update(const struct row *row, const struct row *above) {
  for (int i = 1; i < NX; i++)
    row->u[i] = 0.5 * (row->u[i - 1] + above->u[i]) + row->rhs[i];
}

int main(void) {
  double sum = 0;
#pragma omp parallel
  {
    const int me = omp_get_thread_num(), threads = omp_get_num_threads();
#pragma omp single
    for (int t = 0; t <= threads; t++)
      bounds[t] = 1 + (NY - 1) * t / threads;
#pragma omp for
    for (int k = 0; k < NZ; k++)
      for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++)
          rhs[k][j][i] = (i + j + k) % 3;
    for (int k = 1; k < NZ; k++) {
      wait_for(me, k);
      for (int j = bounds[me]; j < bounds[me + 1]; j++) {
        struct row row, above;
        row.u = u[k][j];
        row.rhs = rhs[k][j];
        above.u = u[k][j - 1];
        above.rhs = NULL;
        update(&row, &above);
      }
#pragma omp flush
      flag[me] = k;
#pragma omp flush(flag)
    }
  }
  for (int k = 0; k < NZ; k++)
    sum += u[k][NY - 1][NX - 1];
  printf("%.8g\n", sum);
  return 0;
}
