/* Directives that change how a loop runs, not who runs it: scan, doacross loops, cancellation,
   declared reductions and variants, critical and atomic updates.

   RUN: %{try} %{program}
   CHECK: MAPP001 scanned: block
   CHECK: MAPP001 from: block
   CHECK: MAPP005 doacross: cyclic on threads
   CHECK: MAPP001 cancelled: block
   CHECK: MAPP001 stored: block
   CHECK: MAPP005 critical: cyclic on threads: every thread goes over it in main()
   CHECK: MAPP001 atomic: block
   CHECK: MAPP001 varied: block
   CHECK: MAPP001 pairs: block
*/
#include <stdio.h>
#define N 4096
struct pair {
  double low, high;
};
#pragma omp declare reduction(merge:struct pair : omp_out.low += omp_in.low)                       \
    initializer(omp_priv = (struct pair){0, 0})
static double scanned[N], from[N], doacross[N], cancelled[N], stored[N], critical[N], atomic[N], varied[N];
static struct pair pairs[N];

#pragma omp declare simd
static double square(double x) { return x * x; }
__attribute__((unused)) static double fill_in_region(double x) { return x + 1; }
#pragma omp declare variant(fill_in_region) match(construct = {parallel})
static double fill(double x) { return x + 1; }

int main(void) {
  double sum = 0, running = 0;
  struct pair total = {0, 0};
#pragma omp parallel for simd
  for (int i = 0; i < N; i++)
    from[i] = square(i);
#pragma omp parallel for reduction(inscan, + : running)
  for (int i = 0; i < N; i++) {
    running += from[i];
#pragma omp scan inclusive(running)
    scanned[i] = running;
  }
#pragma omp parallel for ordered(1)
  for (int i = 1; i < 64; i++) { // Its threads wait for each other, busily.
#pragma omp ordered depend(sink : i - 1)
    doacross[i] = doacross[i - 1] + 1;
#pragma omp ordered depend(source)
  }
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < N; i++) {
      cancelled[i] = i;
#pragma omp cancellation point for
    }
#pragma omp critical(name)
    for (int i = 0; i < N; i++)
      critical[i] += 0;
#pragma omp for reduction(merge : total)
    for (int i = 0; i < N; i++) {
      pairs[i].low = varied[i] = fill(i);
      total.low += pairs[i].low;
#pragma omp atomic
      atomic[i] += 1;
#pragma omp atomic write
      stored[i] = i;
    }
  }
  for (int i = 0; i < N; i++)
    sum += scanned[i] + doacross[i] + cancelled[i] + critical[i] + atomic[i] + stored[i] + varied[i];
  printf("%g %g\n", sum, total.low);
  return 0;
}
