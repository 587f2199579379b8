// A large block and small ones.
#include <stdlib.h>

int main(void) {
  volatile char *blocks[COUNT];
  volatile char *large = malloc(2 << 20);
  for (int i = 0; i < COUNT; i++)
    blocks[i] = malloc(16 << 10);
  return large == blocks[0];
}
