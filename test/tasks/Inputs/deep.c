/* A chain of tasks that each make the next one near its data, and wait for it. */
#include <stdio.h>

#include <mai.h>

enum { DEEP = 12000 };

static long *numbers;

static void go_down(int level) {
  if (level == DEEP)
    return;
  mai_task_near(&numbers[level], sizeof *numbers);
#pragma omp task
  {
    go_down(level + 1);
    numbers[level]++;
  }
#pragma omp taskwait
}

int main(void) {
  long sum = 0;
  numbers = mai_alloc(DEEP, sizeof *numbers, "block", "numbers");
  if (!numbers)
    return 1;
#pragma omp parallel
#pragma omp single
  go_down(0);
  for (int level = 0; level < DEEP; level++)
    sum += numbers[level];
  printf("%ld of %d\n", sum, DEEP);
  return 0;
}
