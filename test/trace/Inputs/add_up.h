/* Of known cost, for programs whose samples are counted. */
static double sink;

/* Each addition waits for the one before: time goes with accesses. */
static __attribute__((noinline)) void add_up(const double *from, long count, int times) {
  double sum = 0;
  while (times--)
    for (long i = 0; i < count; i++)
      sum += from[i];
#pragma omp atomic
  sink += sum;
}
