/* Comments stand wherever one can, with brackets, semicolons and quotes in them.

   RUN: %{try} %{program} -Wno-comment
   CHECK: MAPP001 a: block
   PLACE: MAPP001 b: block
   HEAP: MAPP053 b: left alone: it has an initialiser
   CHECK: MAPP001 c: block
   CHECK: MAPP001 d: block
   PLACE: MAPP001 e: block
   HEAP: MAPP053 e: left alone: it has an initialiser
   CHECK: MAPP001 f: block
   CHECK: MAPP001 g: block
*/
#include <stdio.h>
// clang-format off
/* leading */ static double a[5000] /* mid */ , /* x; */ b /*;*/ [ /* N] */ 5000 /* } */ ] = { 0 /* } ; */ } ; /* tail
 goes on */ static double c[5000]; // last; "quote
static double d[5000]; /* open */ /* close */
static double e[5000] = { 1, /* { */ 2 }; // e
static double /* type */ f /* name */ [5000] /* extent */ ; // continued \
   here; static double no[5000];
static const char *s = "static double x[5000]; /* in a string"; static double g[5000];
// clang-format on

int main(void) {
  double sum = 0;
#pragma omp parallel for
  for (int i = 0; i < 5000; i++)
    a[i] = b[i] = c[i] = d[i] = e[i] = f[i] = g[i] = i;
  for (int i = 0; i < 5000; i++)
    sum += a[i] + b[i] + c[i] + d[i] + e[i] + f[i] + g[i];
  printf("%g %s\n", sum, s);
  return 0;
}
