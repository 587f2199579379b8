/* Thread-local variables, accessed by name, by pointer and by index, by several threads. */
#include <stdio.h>

static int counter;
#pragma omp threadprivate(counter)
_Thread_local long values[100];
_Thread_local struct {
  char tag;
  double parts[10];
  _Complex double wide;
} mixed;
static _Thread_local volatile int seen;
static long of_all[100];

__attribute__((noinline)) static long *choose(int own) { return own ? values : of_all; }

__attribute__((noinline)) static long sum_up(int own) {
  long *from = own ? values : of_all;
  long sum = 0;
  for (int i = 0; i < 100; i++)
    sum += from[i] + choose(!own)[99 - i];
  return sum;
}

__attribute__((noinline)) static long use(int thread) {
  for (int i = 0; i < 100; i++) {
    counter += i + thread;
    values[i] = counter;
    mixed.parts[i % 10] += values[99 - i];
    mixed.wide += values[i];
    seen = i;
  }
  mixed.tag = (char)(seen + thread);
  return counter + (long)mixed.parts[3] + (long)__real__ mixed.wide + mixed.tag +
         sum_up(thread % 2);
}

int main(void) {
  long total = 0;
#pragma omp parallel for num_threads(3) schedule(static) reduction(+ : total)
  for (int i = 0; i < 3; i++)
    total += use(i);
  printf("%ld\n", total);
  return 0;
}
