/* Old C: no prototypes, no types, definitions in the style of Kernighan and Ritchie, calls before
   declarations, tentative definitions in the middle.

   RUN: %{try} %{program} -std=gnu89 -w
   PLACE: MAPP001 x: block
   PLACE: MAPP001 y: block
   PLACE: MAPP002 starts: block, 0, 30
   HEAP: MAPP052 x: left alone: other files may declare it: it is not static
   HEAP: MAPP052 y: left alone: other files may declare it: it is not static
   HEAP: MAPP052 starts: left alone: other files may declare it: it is not static
*/
extern int printf();
double x[3000], y[3000];
static double dot(a, b, n) double *a, b[]; register int n;
{
  double s = 0;
  int i;
#pragma omp parallel for reduction(+ : s)
  for (i = 0; i < n; i++)
    s += a[i] * b[i];
  return s;
}
int starts[3001];
main()
{
  int i, k;
  setup(x, 3000);
#pragma omp parallel for
  for (i = 0; i < 3000; i++)
    y[i] = x[i];
#pragma omp parallel for private(k)
  for (i = 0; i < 30; i++) {
    starts[i] = i * 100;
    for (k = i * 100; k < (i + 1) * 100; k++)
      y[k] += k;
  }
  printf("%g %d\n", dot(x, y, 3000), starts[7]);
  return 0;
}
setup(a, n) double a[];
{
  int i;
#pragma omp parallel for
  for (i = 0; i < n; i++)
    a[i] = i;
  return 0;
}
