/* How many of a loop's iterations threads run that schedule(static) would give them, or others of
   their node, in percent. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 4096, A_NODE = 2, ROUNDS = 8 };

static int by_static[COUNT];
static int by_dynamic[COUNT];
static double values[COUNT];

static void work(int i) {
  for (int k = 0; k < 5000; k++)
    values[i] = values[i] * 0.5 + k;
}

static int count_at_home(void) {
  int home = 0;
  for (int i = 0; i < COUNT; i++)
    home += by_dynamic[i] / A_NODE == by_static[i] / A_NODE;
  return home;
}

int main(void) {
  int home = 0;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < COUNT; i++)
    by_static[i] = omp_get_thread_num();
  for (int round = 0; round < ROUNDS; round++) {
#pragma omp parallel for schedule(dynamic, 4)
    for (int i = 0; i < COUNT; i++) {
      by_dynamic[i] = omp_get_thread_num();
      work(i);
    }
    home += count_at_home();
  }
  printf("at home: %d %%\n", 100 * home / (ROUNDS * COUNT));
  return 0;
}
