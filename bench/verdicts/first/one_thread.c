/* One thread does everything, on memory of its own node.

   verdict: none
 */
enum { N = 1 << 16, ROUNDS = 20 };
static double u[N];

int main(void) {
  int threads = 0;
#pragma omp parallel reduction(+ : threads)
  threads++;
  for (int round = 0; round < ROUNDS; round++)
    for (int i = 0; i < N; i++)
      u[i] += i + threads;
  return u[3] < 0;
}
