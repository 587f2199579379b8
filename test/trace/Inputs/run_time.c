/* Spends time in its own code, in a library and in a function of another object, which may be traced or not. */
#include <stdio.h>
#include <time.h>

enum { COUNT = 1 << 12 };
static double values[COUNT];
double in_library(const double *from, long count);
double in_object(const double *from, long count);

static double in_program(const double *from, long count) {
  double sum = 0;
  for (long i = 0; i < count; i++)
    sum += from[i] / (1 + sum);
  return sum;
}

/* By the process's own time: so there are samples on a busy machine, too. */
static double repeat(double (*function)(const double *, long)) {
  double sum = 0;
  for (clock_t end = clock() + CLOCKS_PER_SEC * 3 / 10; clock() < end;)
    sum += function(values, COUNT);
  return sum;
}

int main(void) {
  for (int i = 0; i < COUNT; i++)
    values[i] = i;
  printf("%g\n", repeat(in_program) + repeat(in_library) + repeat(in_object));
}
