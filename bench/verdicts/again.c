/* Runs a program's main(), which is called program_main here, again and again for some seconds, or
   until it has taken much memory: programs of the set are over in milliseconds, samples need
   seconds. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int program_main(int count, char **arguments);

static void end(int signal) {
  (void)signal;
  _exit(0);
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
  signal(SIGALRM, end);
  alarm(seconds ? (unsigned)atoi(seconds) : 10);
  while (resident_pages() < most_pages)
    program_main(count, arguments);
  return 0;
}
