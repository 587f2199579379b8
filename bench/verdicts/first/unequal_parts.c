/* The first thread fills a packed triangle, of which the last threads have more than the first.

   verdict: placement packed
   cure: block shares|#pragma
 */
enum { N = 400, ROUNDS = 8 };
static double packed[N * (N + 1) / 2];

int main(void) {
  for (int k = 0; k < N * (N + 1) / 2; k++)
    packed[k] = k;
  for (int round = 0; round < ROUNDS; round++)
#pragma omp parallel for schedule(static)
    for (int i = 0; i < N; i++)
      for (int j = 0; j <= i; j++)
        packed[i * (i + 1) / 2 + j] += 1;
  return packed[3] < 0;
}
