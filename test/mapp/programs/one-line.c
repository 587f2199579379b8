/* A whole program in one line.

   RUN: %{try} %{program}
   CHECK: MAPP001 a: block
   CHECK: MAPP001 l: block
*/
#include <stdio.h>
static double a[5000]; int main(void) { static double l[5000]; double s = 0; _Pragma("omp parallel for") for (int i = 0; i < 5000; i++) { a[i] = l[i] = i; } for (int i = 0; i < 5000; i++) s += a[i] + l[i]; printf("%g\n", s); return 0; }
