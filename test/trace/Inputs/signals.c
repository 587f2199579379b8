/* Writes an array and ends by a signal, in the way that it is told. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

_Alignas(64) static volatile double array[1024];

typedef void (*handler_t)(int);
handler_t sysv_signal(int signal, handler_t handler);
handler_t __sysv_signal(int signal, handler_t handler);
handler_t sigset(int signal, handler_t handler);

static void handle(int signal) { printf("handled %d\n", signal); }

static void handle_more(int signal, siginfo_t *info, void *context) {
  printf("handled %d %d %d\n", signal, info->si_signo, context != NULL);
}

static const char *name_of(handler_t handler) {
  return handler == SIG_DFL ? "default" : handler == SIG_IGN ? "ignored" : "a handler";
}

static void tell(int signal) {
  struct sigaction action;
  sigaction(signal, NULL, &action);
  printf("%d: %s, flags %x, %d\n", signal, name_of(action.sa_handler), (unsigned)action.sa_flags,
         sigismember(&action.sa_mask, SIGUSR2));
}

/* What the program learns of signals that it has not touched, and of those that it has. */
static void ask(void) {
  struct sigaction action = {.sa_handler = SIG_DFL, .sa_flags = SA_RESTART}, old;
  for (int signal = 1; signal < 32; signal++)
    if (signal != SIGKILL && signal != SIGSTOP)
      tell(signal);
  sigaddset(&action.sa_mask, SIGUSR2);
  sigaction(SIGTERM, &action, NULL);
  tell(SIGTERM);
  printf("%s\n", name_of(signal(SIGTERM, handle)));
  printf("%s\n", name_of(signal(SIGTERM, SIG_DFL)));
  printf("%s\n", name_of(sysv_signal(SIGTERM, SIG_IGN)));
  printf("%s\n", name_of(sigset(SIGTERM, SIG_DFL)));
  action.sa_handler = handle;
  action.sa_flags = (int)SA_RESETHAND;
  sigaction(SIGINT, &action, &old);
  printf("%s\n", name_of(old.sa_handler));
  tell(SIGINT);
  raise(SIGINT);
  tell(SIGINT);
  sigaction(SIGINT, &action, &action);
  printf("%s\n", name_of(action.sa_handler));
  raise(SIGSTKFLT);
}

static void raise_after_default(void) {
  signal(SIGTERM, handle);
  raise(SIGTERM);
  signal(SIGTERM, SIG_DFL);
  raise(SIGTERM);
}

static void raise_after_action(void) {
  struct sigaction action = {.sa_sigaction = handle_more, .sa_flags = SA_SIGINFO}, old;
  sigaction(SIGHUP, &action, &old);
  raise(SIGHUP);
  sigaction(SIGHUP, &old, NULL);
  raise(SIGHUP);
}

static void raise_twice(void) {
  __sysv_signal(SIGALRM, handle);
  raise(SIGALRM);
  raise(SIGALRM);
}

static void raise_with_information(void) {
  struct sigaction action = {.sa_sigaction = handle_more,
                             .sa_flags = (int)(SA_SIGINFO | SA_RESETHAND)};
  sigaction(SIGSEGV, &action, NULL);
  raise(SIGSEGV);
  raise(SIGSEGV);
}

static void abort_handled(void) {
  signal(SIGABRT, handle);
  abort();
}

static void abort_ignored(void) {
  signal(SIGABRT, SIG_IGN);
  abort();
}

static void use_up_time(void) {
  struct rlimit limit = {1, 5};
  setrlimit(RLIMIT_CPU, &limit);
  for (;;)
    ;
}

static void *do_abort(void *nothing) {
  (void)nothing;
  abort();
}

static void abort_in_thread(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, do_abort, NULL);
  pthread_join(thread, NULL);
}

static void *leave(void *nothing) {
  (void)nothing;
  for (;;)
    pause();
}

static void killed_while_waiting(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, leave, NULL);
  kill(getpid(), SIGTERM);
  pthread_join(thread, NULL);
}

static void signal_parent(void) {
  kill(getppid(), SIGUSR1);
  leave(NULL);
}

static void fault(void) { *(volatile int *)8 = 1; }

static void divide(void) {
  volatile int zero = 0, seven = 7;
  printf("%d\n", seven / zero);
}

static void end_on_other_stack(void) {
  stack_t stack = {.ss_sp = malloc(1 << 13), .ss_size = 1 << 13};
  sigaltstack(&stack, NULL);
  fault();
}

static void child_by_signal(void) {
  int status;
  pid_t child = fork();
  if (child == 0) {
    array[1] = 2;
    raise(SIGUSR1);
  }
  waitpid(child, &status, 0);
  printf("%d\n", status);
  child = vfork();
  if (child == 0) {
    raise(SIGUSR1);
    _exit(0);
  }
  waitpid(child, &status, 0);
  printf("%d %d\n", status, system("kill -USR2 $$"));
  raise(SIGUSR1);
}

static const struct {
  const char *name;
  void (*end)(void);
} ways[] = {{"ask", ask},
            {"after-default", raise_after_default},
            {"after-action", raise_after_action},
            {"twice", raise_twice},
            {"with-information", raise_with_information},
            {"abort", abort},
            {"abort-handled", abort_handled},
            {"abort-ignored", abort_ignored},
            {"abort-in-thread", abort_in_thread},
            {"time", use_up_time},
            {"waiting", killed_while_waiting},
            {"parent", signal_parent},
            {"fault", fault},
            {"divide", divide},
            {"other-stack", end_on_other_stack},
            {"children", child_by_signal}};

int main(int count, char **arguments) {
  setvbuf(stdout, NULL, _IONBF, 0);
  for (int i = 0; i < 1024; i++)
    array[i] = count;
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
    if (strcmp(arguments[1], ways[i].name) == 0)
      ways[i].end();
  raise(atoi(arguments[1]));
  return 0;
}
