/* Neighbouring items go to different threads, and have a byte each.

   verdict: shared-lines states
   cure: lign|pad|reduction
 */
constexpr int N = 2048, Rounds = 60;
static volatile unsigned char states[N];
static double u[N];

int main() {
  for (int round = 0; round < Rounds; round++)
#pragma omp parallel for schedule(static, 1)
    for (int i = 0; i < N; i++) {
      u[i / 8 + i % 8 * (N / 8)] += i;
      for (int step = 0; step < 8; step++)
        states[i] = static_cast<unsigned char>(states[i] + 1);
    }
  return u[1] + states[1] < 0;
}
