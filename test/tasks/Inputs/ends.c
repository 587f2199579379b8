/* A task among others ends the program as the argument says (exit, _exit, kill), or forks it. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void fork_and_wait(void) {
  int status = 0;
  pid_t child = fork();
  if (child == 0)
    _exit(5);
  waitpid(child, &status, 0);
  printf("child: %d\n", WEXITSTATUS(status));
}

static void end(const char *way) {
  if (strcmp(way, "exit") == 0)
    exit(3);
  if (strcmp(way, "_exit") == 0)
    _exit(4);
  if (strcmp(way, "kill") == 0)
    raise(SIGKILL);
  fork_and_wait();
}

int main(int count, char **arguments) {
  enum { TASKS = 400 };
  int done = 0;
  if (count != 2)
    return 2;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < TASKS; i++) {
#pragma omp task shared(done)
    {
      if (i == TASKS / 2)
        end(arguments[1]);
#pragma omp task shared(done)
#pragma omp atomic
      done++;
    }
  }
  printf("%d of %d\n", done, TASKS);
}
