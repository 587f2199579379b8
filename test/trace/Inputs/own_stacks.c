/* A coroutine whose stack lies in the middle of memory that has arrays on both sides of it. */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { Size = 64 << 20, Elements = (16 << 20) / sizeof(double), StackBytes = 1 << 20, Rounds = 40 };

static ucontext_t Caller, Own;
static double *Low, *High;

static void sweep(void) {
  double Sums[512] = {0};
  for (int Round = 0; Round < Rounds; Round++)
    for (int I = 0; I < Elements; I++) {
      Low[I] += High[I];
      Sums[I % 512] += Low[I];
    }
  printf("%g\n", Sums[7]);
}

int main(void) {
  char *All =
      mmap((void *)0xc000000000, Size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (All == MAP_FAILED)
    return 1;
  Low = (double *)All;
  High = (double *)(All + Size / 2);
  getcontext(&Own);
  Own.uc_stack.ss_sp = All + Size / 4;
  Own.uc_stack.ss_size = StackBytes;
  Own.uc_link = &Caller;
  makecontext(&Own, sweep, 0);
  swapcontext(&Caller, &Own);
  return 0;
}
