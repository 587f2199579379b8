/* The first thread fills a table of 1 MiB that all threads go through, as a whole.

   verdict: contention table
   cure: cyclic|replicate
 */
enum { N = 1 << 17, ROUNDS = 2 };
static double table[N];

int main(void) {
  double sum = 0;
  for (int i = 0; i < N; i++)
    table[i] = i;
#pragma omp parallel reduction(+ : sum)
  for (int round = 0; round < ROUNDS; round++)
    for (int i = 0; i < N; i++)
      sum += table[i];
  return sum < 0;
}
