/* Blocks that one function allocates for others: for callers.test, which has the lines. */
#include <stdlib.h>

enum { BYTES = 8192 };

volatile char *seen;

static char *allocate(size_t bytes) {
  char *block = malloc(bytes);
  return block ? block : (exit(1), block);
}
static void rows(char **row, int count) {
  for (int i = 0; i < count; i++)
    row[i] = allocate(BYTES);
}
static void use(char *block) {
  for (seen = block; seen < block + BYTES; seen++)
    *seen = 1;
}

int main(int argc, char **argv) {
  char *one[4], *other[3];
  rows(one, argc + 3); /* not a number: the loop stays a loop */
  rows(other, argv[argc] ? 0 : argc + 2);
  for (int i = 0; i < 4; i++)
    use(one[i]), use(other[i % 3]);
  char *kept = allocate(BYTES);
  use(kept);
  for (int i = 0; i < argc + 4; i++) {
    char *passing;
    passing = allocate(BYTES);
    use(passing);
    free(passing);
  }
  for (int i = 0; i < 4; i++)
    free(one[i]);
  for (int i = 0; i < 3; i++)
    free(other[i]);
  return 0;
}
