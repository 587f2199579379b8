/* One declaration has arrays beside pointers to them, functions and numbers, with initialisers.

   RUN: %{try} %{program}
   PLACE: MAPP001 x: block
   PLACE: MAPP001 y: block
   PLACE: MAPP004 z: block by columns: index i of the parallel loop in main() drives dimension 2
   HEAP: MAPP052 x: left alone: other files may declare it: it is not static
   HEAP: MAPP052 y: left alone: other files may declare it: it is not static
   HEAP: MAPP052 z: left alone: other files may declare it: it is not static
   CHECK: MAPP002 trace: block, 0, 4000
   CHECK: MAPP010 unused: left alone: used by one thread only
*/
#include <stdio.h>

double x[4000], *p = x, **pp = &p, y[4000] = {1, 2}, factor = 3, z[2][4000], half(double);
static float *cursor, trace[5000], last;
static int unused[9000], (*whole)[9000] = &unused, *const begin = unused + 1, *const middle = &unused[4500];

double half(double number) { return number / 2; }

int main(void) {
  double sum = 0;
#pragma omp parallel for
  for (int i = 0; i < 4000; ++i) {
    x[i] = i;
    y[i] += i;
    z[0][i] = 1;
    z[1][i] = 2;
    trace[i] = (float)i;
  }
  cursor = trace;
  last = cursor[3];
  for (int i = 0; i < 4000; ++i)
    sum += (*pp)[i] + y[i] + half(z[1][i]) + (double)trace[i];
  printf("%g %g %g %d\n", sum, factor, (double)last, (*whole)[3] + *begin + *middle);
  return 0;
}
