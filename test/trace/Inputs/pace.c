/* 80,000 accesses by tasks of 400 each, which any thread may take. */
#include <stdio.h>

enum { TASKS = 200, EACH = 400 };
static volatile int numbers[TASKS][EACH];

int main(void) {
#pragma omp parallel
#pragma omp single
  for (int task = 0; task < TASKS; task++)
#pragma omp task
    for (int i = 0; i < EACH; i++)
      numbers[task][i] = 1;
  puts("done");
}
