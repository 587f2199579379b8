/* Two threads fill what eight use.

   verdict: placement u
   cure: block|#pragma
 */
enum { N = 1 << 17, ROUNDS = 8 };
static double u[N];

int main(void) {
#pragma omp parallel for schedule(static) num_threads(2)
  for (int i = 0; i < N; i++)
    u[i] = i;
  for (int round = 0; round < ROUNDS; round++)
#pragma omp parallel for schedule(static) num_threads(8)
    for (int i = 0; i < N; i++)
      u[i] = u[i] * 0.5 + round;
  return u[1] < 0;
}
