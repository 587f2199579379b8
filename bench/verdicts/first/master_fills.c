/* The first thread fills what all threads use then, each its part.

   verdict: placement u
   cure: block|#pragma
 */
enum { N = 1 << 16, ROUNDS = 10 };
static double u[N];

int main(void) {
  for (int i = 0; i < N; i++)
    u[i] = i;
  for (int round = 0; round < ROUNDS; round++)
#pragma omp parallel for schedule(static)
    for (int i = 0; i < N; i++)
      u[i] += 1;
  return u[1] < 0;
}
