/* Thread 0 has filled what four threads count down, each its quarter, again and again.

   An emulated CPU is interrupted where it jumps only: what it has carried out last there accesses memory. */
#include <stdint.h>

enum { THREADS = 4, QUARTER = 8 * 4096 / 8, TIMES = 20000 };
static _Alignas(4096) uint64_t numbers[THREADS][QUARTER];

/* Ends at a number that becomes 0. */
static inline void count_down(uint64_t *from) {
  __asm__ volatile("1: lea 8(%0), %0\n"
                   "decq -8(%0)\n"
                   "jnz 1b"
                   : "+r"(from)
                   :
                   : "memory", "cc");
}

int main(void) {
  for (int thread = 0; thread < THREADS; thread++)
    for (int i = 0; i < QUARTER; i++)
      numbers[thread][i] = UINT64_MAX;
#pragma omp parallel for schedule(static, 1) num_threads(THREADS)
  for (int thread = 0; thread < THREADS; thread++)
    for (int times = 0; times < TIMES; times++) {
      numbers[thread][QUARTER - 1] = 1;
      count_down(numbers[thread]);
    }
  return 0;
}
