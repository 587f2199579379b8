/* Elements go to threads in turn, so that each line is all threads'.

   verdict: scattered u
   cure: static|order
 */
enum { N = 1 << 16, ROUNDS = 6 };
static double u[N];

int main(void) {
  for (int round = 0; round < ROUNDS; round++)
#pragma omp parallel for schedule(static, 1)
    for (int i = 0; i < N; i++)
      u[i] += i;
  return u[1] < 0;
}
