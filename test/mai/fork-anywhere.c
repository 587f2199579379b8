/* fork() waits for nobody: neither when a handler of a signal calls it in the middle of the library, nor while
   other threads are inside; and the child can use the library.

   RUN: %{gcc} %s -o %t %{mai}
   RUN: timeout 120 %t | FileCheck %s
   CHECK: {{[2-9][0-9][0-9]}} children, 0 failed
*/
#include <mai.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t children, failed, stop;
static char *shared;

static void use_the_library(void) {
  const char *skew = "skew";
  char *array = mai_alloc(20, 4096, skew, "own");
  mai_replace(shared, NULL, NULL);
  mai_node_meant(shared);
  mai_free(array);
}

static void *work(void *unused) {
  (void)unused;
  while (!stop)
    use_the_library();
  return NULL;
}

static void fork_here(int signal) {
  (void)signal;
  pid_t child = fork();
  if (child == 0) {
    alarm(20);
    use_the_library();
    _exit(mai_free(shared) == 0 ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  children++;
  failed += status != 0;
}

int main(void) {
  pthread_t threads[3];
  sigset_t alarms;
  shared = mai_alloc_cyclic(200, 4096);
  memset(shared, 1, 200 * 4096);
  sigemptyset(&alarms);
  sigaddset(&alarms, SIGALRM);
  pthread_sigmask(SIG_BLOCK, &alarms, NULL);
  for (int i = 0; i < 3; i++)
    pthread_create(&threads[i], NULL, work, NULL);
  pthread_sigmask(SIG_UNBLOCK, &alarms, NULL);
  sigaction(SIGALRM, &(struct sigaction){.sa_handler = fork_here}, NULL);
  setitimer(ITIMER_REAL, &(struct itimerval){{0, 3000}, {0, 3000}}, NULL);
  while (children < 200)
    use_the_library();
  setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
  stop = 1;
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
  printf("%d children, %d failed\n", (int)children, (int)failed);
}
