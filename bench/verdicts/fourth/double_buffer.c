/* Two arrays take turns; the threads fill both as they use them.

   verdict: none
 */
enum { N = 1 << 16, ROUNDS = 8 };
static double first[N], second[N];

int main(void) {
  double *from = first;
  double *to = second;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < N; i++)
    first[i] = second[i] = i;
  for (int round = 0; round < ROUNDS; round++) {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < N; i++)
      to[i] = 0.5 * from[i] + 1;
    double *kept = from;
    from = to;
    to = kept;
  }
  return first[1] < 0;
}
