/* Touches memory for the first time on stacks that have no more room than this needs: of a handler of
   signals and of coroutines.  Below each stack is something else of the program's. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

enum { LINES = 2000, BELOW = 1 << 16, COROUTINES = 20, ROOM = 1536 };

_Alignas(64) static volatile double fresh[COROUTINES + 2][LINES * 8];
static ucontext_t program;
static int which;

/* A page of something below `bytes` of stack. */
static char *make_stack(size_t bytes) {
  char *memory =
      mmap(NULL, BELOW + bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memset(memory, 0x5a, BELOW);
  return memory + BELOW;
}

static void look_below(const char *stack) {
  for (int i = 1; i <= BELOW; i++)
    if (stack[-i] != 0x5a) {
      printf("written %d bytes below a stack\n", i);
      exit(1);
    }
}

static void touch(void) {
  for (int i = 0; i < LINES; i++)
    fresh[which][i * 8] += fresh[which][(LINES - 1 - i) * 8] + i;
}

static volatile char *lowest;

static void look_where(int signal) {
  volatile char here = (char)signal;
  lowest = &here;
}

static void handle(int signal) {
  (void)signal;
  touch();
}

static char *raise_on(size_t bytes, void (*handler)(int)) {
  stack_t stack = {.ss_sp = make_stack(bytes), .ss_size = bytes};
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
  if (sigaltstack(&stack, NULL) != 0 || sigaction(SIGUSR1, &action, NULL) != 0)
    exit(2);
  raise(SIGUSR1);
  return stack.ss_sp;
}

/* What the kernel needs depends on the processor's registers. */
static void run_in_handler(void) {
  char *stack = raise_on(1 << 16, look_where);
  size_t of_kernel = (size_t)(stack + (1 << 16) - lowest);
  look_below(raise_on(of_kernel + ROOM, handle));
  which++;
  look_below(raise_on(of_kernel + ROOM, handle));
  which++;
}

static char *volatile block;

static void allocate(void) {
  block = malloc(1 << 14);
  block[7] = 1;
  free(block);
  block = mmap(NULL, 1 << 14, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  block[7] = 1;
  munmap(block, 1 << 14);
}

static void run_as_coroutine(void (*body)(void), size_t room) {
  ucontext_t coroutine;
  getcontext(&coroutine);
  coroutine.uc_stack.ss_sp = make_stack(room);
  coroutine.uc_stack.ss_size = room;
  coroutine.uc_link = &program;
  makecontext(&coroutine, body, 0);
  swapcontext(&program, &coroutine);
  look_below(coroutine.uc_stack.ss_sp);
}

int main(void) {
  run_in_handler();
  for (int i = 0; i < COROUTINES; i++, which++)
    run_as_coroutine(touch, ROOM);
  allocate(); /* the dynamic linker needs more for the first call */
  run_as_coroutine(allocate, 4096);
  double sum = 0;
  for (int i = 0; i < COROUTINES + 2; i++)
    sum += fresh[i][8];
  printf("%g\n", sum);
  return 0;
}
