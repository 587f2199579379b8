/* Threads 0 and 1 use the halves of an array, then each the other's half; 300 ms each at least, and some times. */
#include <omp.h>
#include <time.h>

enum { N = 1 << 14, HALF = N / 2, LEAST = 300 /* milliseconds */, TIMES = 20 };

static double u[N];

static long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* Both threads as long. */
static void use(int other) {
  long end = now() + LEAST;
#pragma omp parallel num_threads(2)
  {
    double *mine = u + (omp_get_thread_num() ^ other) * HALF;
    for (int time = 0; time < TIMES || now() < end; time++)
      for (int i = 0; i < HALF; i++)
        ((volatile double *)mine)[i] += 1;
  }
}

int main(void) {
  use(0);
  use(1);
  return u[3] < 0;
}
