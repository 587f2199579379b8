/* Macros that must come before any of the system's headers do.

   RUN: %{try} %{program}
   CHECK: MAPP001 roots: block
   PLACE: MAPP002 text: block, 0, 5000
   HEAP: MAPP059 text: left alone: its size is taken with sizeof
*/
#define _GNU_SOURCE
#define _FORTIFY_SOURCE 2
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#if defined _OPENMP && _OPENMP >= 200805
#include <omp.h>
#endif
static double roots[5000];
static char text[9000];

int main(void) {
  cpu_set_t set;
  double sum = 0;
  CPU_ZERO(&set);
  memset(text, 'x', sizeof text - 1);
  for (int step = 0; step < 3; step++)
#pragma omp parallel for
    for (int i = 0; i < 5000; i++)
      roots[i] = sqrt((double)i) * M_PI + text[i];
  for (int i = 0; i < 5000; i++)
    sum += roots[i];
  printf("%.6g %d\n", sum, CPU_COUNT(&set));
  return 0;
}
