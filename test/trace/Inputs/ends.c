/* Writes 1000 elements of an array in each of two threads and ends in the way that it is told. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

_Alignas(64) double array[2000];
_Alignas(64) double of_child[1024];

static void end_by(const char *way) {
  if (strcmp(way, "exit") == 0)
    exit(3);
  if (strcmp(way, "_exit") == 0)
    _exit(4);
  if (strcmp(way, "quick_exit") == 0)
    quick_exit(5);
  if (strcmp(way, "abort") == 0)
    abort();
  if (strcmp(way, "segv") == 0)
    raise(SIGSEGV);
  if (strcmp(way, "term") == 0) {
    raise(SIGTERM);
    pause();
  }
}

static void have_child(void) {
  pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < 1024; i++)
      of_child[i] = i;
    exit(0);
  }
  waitpid(child, NULL, 0);
}

int main(int argc, char **argv) {
#pragma omp parallel for num_threads(2) schedule(static)
  for (int i = 0; i < 2000; i++)
    array[i] = i;
  if (strcmp(argv[1], "fork") == 0)
    have_child();
  if (strcmp(argv[1], "vfork") == 0 && vfork() == 0)
    _exit(0);
  end_by(argv[1]);
  return argc - 2;
}
