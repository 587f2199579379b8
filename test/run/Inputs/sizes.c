// Three places of one function, which ask for blocks of different sizes.
#include <stdlib.h>

static void *volatile kept;

int main(void) {
  void *first = kept = malloc(7 << 10);
  void *second = kept = malloc(128 << 10);
  void *third = kept = malloc(2 << 20);
  free(first);
  free(second);
  free(third);
  return 0;
}
