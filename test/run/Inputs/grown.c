// Two places of one function: the first asks for a short block, and for a long one after the other has asked.
#include <stdlib.h>

static void *volatile kept;

int main(void) {
  for (int round = 0; round < 2; round++) {
    void *grown = kept = malloc(round ? 256 << 10 : 2 << 10);
    void *other = round ? NULL : (kept = malloc(128 << 10));
    free(grown);
    free(other);
  }
  return 0;
}
