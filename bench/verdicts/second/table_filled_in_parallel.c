/* All threads go through a table of 1 MiB, which they have filled together: it is far for most
   wherever it is.

   verdict: replication table
   cure: replicate
 */
#ifdef CURED
#include <omp.h>
#endif

enum { N = 1 << 17, ROUNDS = 3 };
#ifdef CURED
_Alignas(
    1 << 21) static double copies[4][1 << 18]; /* one for each node, in huge pages of its own */
#else
static double table[N];
#endif

int main(void) {
  double sum = 0;
#ifdef CURED
#pragma omp parallel num_threads(8)
  if (omp_get_thread_num() % 2 == 0)
    for (int i = 0; i < N; i++)
      copies[omp_get_thread_num() / 2][i] = i;
#pragma omp parallel reduction(+ : sum) num_threads(8)
#else
#pragma omp parallel for schedule(static)
  for (int i = 0; i < N; i++)
    table[i] = i;
#pragma omp parallel reduction(+ : sum)
#endif
  for (int round = 0; round < ROUNDS; round++)
    for (int i = 0; i < N; i++)
#ifdef CURED
      sum += copies[omp_get_thread_num() / 2][i];
#else
      sum += table[i];
#endif
  return sum < 0;
}
