/* Threads fill an array upwards, and go through it downwards in all other loops.

   verdict: placement u
   cure: reversed|#pragma
 */
enum { N = 1 << 17, ROUNDS = 8 };
static double u[N];

int main(void) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < N; i++)
    u[i] = i;
  for (int round = 0; round < ROUNDS; round++)
#pragma omp parallel for schedule(static)
    for (int i = 0; i < N; i++)
      u[N - 1 - i] += i;
  return u[1] < 0;
}
