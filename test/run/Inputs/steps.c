/* Each step has two temporaries, and a third of every second step is of another size: BYTES, or more. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef BYTES
#define BYTES (2 << 20)
#endif
enum { STEPS = 100 };

__attribute__((noinline)) static char *temporary(size_t bytes) {
  char *block = malloc(bytes);
  memset(block, 1, bytes);
  return block;
}

__attribute__((noinline)) static int step(int number) {
  char *a = temporary(BYTES), *b = temporary(BYTES), *c = temporary(BYTES + number % 2 * 4096);
  int sum = a[number] + b[number] + c[number];
  free(a);
  free(b);
  free(c);
  return sum;
}

int main(int count, char **arguments) {
  int sum = 0;
  for (int i = 0; i < STEPS; i++)
    sum += step(i);
  if (count > 1 && !strcmp(arguments[1], "twice")) {
    char *volatile block = temporary(BYTES);
    free(block);
    free(block);
  }
  printf("sum %d\n", sum);
}
