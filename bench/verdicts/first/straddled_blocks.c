/* Each thread fills and uses its own part; parts end within pages, and the array begins within one.

   verdict: none
 */
enum { N = 8 * 2800, ROUNDS = 10 };
static char shift[1000];
static double u[N];

int main(void) {
  for (int round = 0; round < ROUNDS; round++)
#pragma omp parallel for schedule(static)
    for (int i = 0; i < N; i++)
      u[i] += i;
  return shift[0] + (u[1] < 0);
}
