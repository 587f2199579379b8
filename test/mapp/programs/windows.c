/* A file with a byte order mark, Windows's line breaks and none at its end, and each of them alone.

   RUN: %{try} --bom --crlf --no-newline %{program}
   RUN: %{try} --bom %{program}
   RUN: %{try} --crlf %{program}
   CHECK: MAPP001 a: block
   CHECK: MAPP001 b: block
   CHECK: MAPP001 last: block
*/
#include <stdio.h>
#define SUM(a, b) \
  ((a) + \
   (b))
static double a[5000]; /* x */
int main(void) {
  static int b[5000];
  double sum = 0;
#pragma omp parallel for \
    schedule(static)
  for (int i = 0; i < 5000; i++)
    a[i] = b[i] = i;
  for (int i = 0; i < 5000; i++)
    sum += SUM(a[i], b[i]);
  printf("%g\n", sum);
  return 0;
}
static double last[5000];
double *end(void);
double *end(void) {
#pragma omp parallel for
  for (int i = 0; i < 5000; i++)
    last[i] = i;
  return last;
}
