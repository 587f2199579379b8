/* One thread sorts a list again and again, and all threads read it once in between; of another list they read parts of their own. */
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 1 << 16, STEPS = 6, PASSES = 1 };

int main(void) {
  int *list = malloc(COUNT * sizeof *list), *keys = malloc(COUNT * sizeof *keys);
  long sum = 0;
  for (int i = 0; i < COUNT; i++) {
    list[i] = COUNT - i;
    keys[i] = i;
  }
  for (int step = 0; step < STEPS; step++) {
    for (int pass = 0; pass < PASSES; pass++)
      for (int i = 1; i < COUNT; i++)
        if (list[i] < list[i - 1]) {
          int larger = list[i - 1];
          list[i - 1] = list[i];
          list[i] = larger;
        }
#pragma omp parallel for reduction(+ : sum) schedule(static)
    for (int i = 0; i < COUNT; i++)
      sum += list[i] + list[(COUNT - 1) & (i * 7919)] + keys[i];
  }
  printf("%ld\n", sum);
  free(list);
  free(keys);
  return 0;
}
