/* The array, its rows, its elements are typedefs.

   RUN: %{try} %{program}
   PLACE: MAPP001 field: block
   HEAP: MAPP056 field: left alone: its declaration is not of the form `static type name[...]`
   CHECK: MAPP001 forces: block
   PLACE: MAPP001 u0: block
   PLACE: MAPP005 bodies: cyclic on threads: schedule(dynamic) distributes its elements in main()
   HEAP: MAPP052 u0: left alone: other files may declare it: it is not static
   HEAP: MAPP057 bodies: left alone: its address is in the static initialiser of first
*/
#include <stdio.h>
typedef double real;
typedef real vector[3];
typedef vector grid[40][50];
typedef struct {
  real re, im;
} dcomplex;
typedef struct body {
  real x[3], v[3];
  int id;
} body_t;

static grid field;
static vector forces[3000];
dcomplex u0[64][65], (*alias)[65] = u0;
static body_t bodies[2000], *first = bodies;

int main(void) {
  double sum = 0;
#pragma omp parallel
  {
#pragma omp for nowait
    for (int i = 0; i < 40; i++)
      for (int j = 0; j < 50; j++)
        for (int m = 0; m < 3; m++)
          field[i][j][m] = m;
#pragma omp for nowait
    for (int i = 0; i < 3000; i++)
      forces[i][1] = i;
#pragma omp for
    for (int k = 0; k < 64; k++)
      for (int l = 0; l < 65; l++)
        alias[k][l].re = k;
#pragma omp for schedule(monotonic : dynamic, 4)
    for (int i = 0; i < 2000; i++) {
      bodies[i].x[0] = i;
      first[i].v[2] = 2 * i;
    }
  }
  for (int i = 0; i < 40; i++)
    sum += field[i][i][2] + forces[i][1] + u0[i][i].re + bodies[i].v[2] + bodies[i].x[0];
  printf("%g\n", sum);
  return 0;
}
