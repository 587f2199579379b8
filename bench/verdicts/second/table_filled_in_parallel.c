/* All threads go through a table of 1 MiB, which they have filled together: it is far for most
   wherever it is.

   verdict: replication table
   cure: replicate
 */
enum { N = 1 << 17, ROUNDS = 3 };
static double table[N];

int main(void) {
  double sum = 0;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < N; i++)
    table[i] = i;
#pragma omp parallel reduction(+ : sum)
  for (int round = 0; round < ROUNDS; round++)
    for (int i = 0; i < N; i++)
      sum += table[i];
  return sum < 0;
}
