/* Ends in the way that is asked for; says how a signal is handled. */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "";
  char *block = malloc(4 << 20);
  struct sigaction action;
  memset(block, 1, 4 << 20);
  sigaction(SIGINT, NULL, &action);
  printf("SIGINT by default: %d %d\n", action.sa_handler == SIG_DFL,
         signal(SIGTERM, SIG_DFL) == SIG_DFL);
  fflush(stdout);
  if (strcmp(how, "_exit") == 0)
    _exit(3);
  if (strcmp(how, "_Exit") == 0)
    _Exit(3);
  if (strcmp(how, "quick_exit") == 0)
    quick_exit(3);
  if (strcmp(how, "abort") == 0)
    abort();
  if (strcmp(how, "fault") == 0)
    *(volatile int *)(uintptr_t)(8 * argc) = 1;
  raise(atoi(how));
  return 4;
}
