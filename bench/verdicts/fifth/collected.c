/* The first thread goes through all results once, at the end.

   verdict: none
 */
enum { N = 1 << 17, ROUNDS = 60 };
static double results[N];

int main(void) {
  for (int round = 0; round < ROUNDS; round++)
#pragma omp parallel for schedule(static)
    for (int i = 0; i < N; i++)
      results[i] += round;
  double sum = 0;
  for (int i = 0; i < N; i++)
    sum += results[i];
  return sum < 0;
}
