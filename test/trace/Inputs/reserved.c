/* Reserves far more memory than it uses, and gives it back many times. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

static const size_t reserved = (size_t)1 << 40, touched = 1 << 13;

static void use(char *memory) {
  double *first = (double *)memory, *last = (double *)(memory + reserved - touched);
  for (size_t i = 0; i < touched / sizeof *first; i++)
    first[i] = last[i] = (double)i;
}

int main(void) {
  for (int i = 0; i < 50; i++) {
    char *memory = mmap(NULL, reserved, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
      return 1;
    if (i % 5 == 0)
      use(memory);
    munmap(memory, reserved);
    char *volatile block = malloc(reserved >> 10);
    block[reserved >> 11] = 1;
    free(block);
  }
  return 0;
}
