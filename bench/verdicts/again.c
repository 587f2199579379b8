/* Runs a program's main(), which is called program_main here, again and again for some seconds, or until it has taken much
   memory: programs of the set are over in milliseconds, samples need seconds. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int program_main(int count, char **arguments);

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static long resident_pages(void) {
  long all = 0, resident = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file) {
    if (fscanf(file, "%ld %ld", &all, &resident) != 2)
      resident = 0;
    fclose(file);
  }
  return resident;
}

int main(int count, char **arguments) {
  const long most_pages = 1L << 18;
  const char *seconds = getenv("AGAIN_SECONDS");
  const double end = now() + (seconds ? atof(seconds) : 10);
  do
    program_main(count, arguments);
  while (now() < end && resident_pages() < most_pages);
  return 0;
}
