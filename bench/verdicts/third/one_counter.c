/* All threads count in one variable.

   verdict: shared-lines (no known array)
   cure: reduction
 */
enum { N = 1 << 16, ROUNDS = 3 };
static double u[N];
static long done;

int main(void) {
  for (int round = 0; round < ROUNDS; round++)
#ifdef CURED
#pragma omp parallel for schedule(static) reduction(+ : done)
#else
#pragma omp parallel for schedule(static)
#endif
    for (int i = 0; i < N; i++) {
      u[i] += i;
#ifndef CURED
#pragma omp atomic
#endif
      done++;
    }
  return u[1] + (double)done < 0;
}
