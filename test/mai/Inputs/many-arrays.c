/* More small arrays than a process may have mappings: they are placed, hold zeroes, and leave the program
   the mappings that it needs. */
#include "calls.h"

#include <malloc.h>
#include <string.h>

enum { ARRAYS = 20000, BLOCKS = 4000 };

static size_t count_all_mappings(void) {
  FILE *file = fopen("/proc/self/maps", "r");
  size_t lines = 0;
  for (int c; (c = fgetc(file)) != EOF;)
    lines += c == '\n';
  fclose(file);
  return lines;
}

int main(void) {
  static char *arrays[ARRAYS], *blocks[BLOCKS];
  size_t dirty = 0, elsewhere = 0;
  const char *spread = "block for 8 threads";
  for (int i = 0; i < ARRAYS; i++) {
    arrays[i] = i % 10 ? mai_alloc_bind(100, 8, (unsigned)i % 4) : mai_alloc(5, PAGE, spread, NULL);
    CHECK(arrays[i]);
    dirty += !is_zero(arrays[i], 0, 800);
    memset(arrays[i], 1, i % 10 ? 800 : 5 * PAGE);
    if (i % 10)
      elsewhere += node_of_page((void *)((uintptr_t)arrays[i] / PAGE * PAGE)) != i % 4;
    else
      elsewhere += misplaced(arrays[i], 5 * PAGE);
    if (i % 3 == 0) { /* freed pages come again */
      CHECK(mai_free(arrays[i]) == 0);
      arrays[i] = NULL;
    }
  }
  printf("dirty %zu, elsewhere %zu\n", dirty, elsewhere);
  printf("few mappings: %d\n", count_all_mappings() < 2000);
  for (int i = 0; i < ARRAYS; i++)
    CHECK(mai_free(arrays[i]) == 0);
  /* The program's own memory cannot be pooled: half of what is allowed stays the program's. */
  mallopt(M_MMAP_THRESHOLD, 64 << 20);
  for (int i = 0; i < BLOCKS; i++) {
    blocks[i] = malloc(5 * PAGE);
    CHECK(mai_place(blocks[i], 5 * PAGE, 1, spread, "block") == 0);
  }
  printf("mappings left: %d\n", count_all_mappings() < 8000);
  char *mapped = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(mapped != MAP_FAILED);
  for (int i = 0; i < BLOCKS; i++)
    free(blocks[i]);
  printf("wrong: %d\n", wrong);
}
