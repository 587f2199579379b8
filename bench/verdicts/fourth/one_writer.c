/* One thread notes how far it is, beside parameters in the same line that all others read all the
   time.

   options: --transfers
   verdict: false-sharing state
   cure: Alignas
 */
#include <omp.h>

enum { N = 1 << 15, ROUNDS = 2 };
static struct {
  volatile double scale, offset, least, most, step, origin;
#ifdef CURED
  _Alignas(64)
#endif
      volatile long done;
  long padding;
} state __attribute__((aligned(64))) = {.scale = 2, .offset = 1};
static double u[N];

int main(void) {
  for (int round = 0; round < ROUNDS; round++)
#pragma omp parallel for schedule(static) num_threads(8)
    for (int i = 0; i < N; i++) {
      u[i] = u[i] * state.scale + state.offset;
      if (omp_get_thread_num() == 0)
        state.done = i;
    }
  return u[1] < 0;
}
