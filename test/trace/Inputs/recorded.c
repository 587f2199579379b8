/* Counting stops and starts again, while threads are in a region. */
#include <mai_trace.h>
#include <omp.h>

enum { N = 1000, THREADS = 4 };

static double before[N], stopped[N], started[N], serial[N];

static void fill(double *array) {
#pragma omp for
  for (int i = 0; i < N; i++)
    ((volatile double *)array)[i] = i;
}

static void fill_all(void) {
  for (int i = 0; i < N; i++)
    ((volatile double *)serial)[i] = i;
}

int main(void) {
#pragma omp parallel num_threads(THREADS)
  {
    fill(before);
#pragma omp single
    mai_trace_stop();
    fill(stopped);
#pragma omp single
    mai_trace_start();
    fill(started);
  }
  mai_trace_stop();
  fill_all();
#pragma omp parallel num_threads(THREADS)
  fill(stopped);
  mai_trace_start();
  fill_all();
  return 0;
}
