/* Each of four threads touches a quarter of an array that waits for touches. */
#include "calls.h"

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PAGES = 1024, BYTES = PAGES * PAGE };

static void touch_quarters(char *array) {
#pragma omp parallel num_threads(4)
  {
    int thread = omp_get_thread_num();
    for (int page = thread * PAGES / 4; page < (thread + 1) * PAGES / 4; page++)
      array[page * PAGE]++;
  }
}

static void report(const char *array) {
  printf("%zu %zu %zu %zu\n", pages_on(array, 0, BYTES, 0), pages_on(array, 0, BYTES, 1),
         pages_on(array, 0, BYTES, 2), pages_on(array, 0, BYTES, 3));
}

int main(void) {
  mai_options_t options = {.alignment = PAGE};
  const char *cyclic = "cyclic"; /* by pages: the kernel is told to make no huge ones */
  struct mai_pages pages;
  size_t units = BYTES;
  char *array = mai_alloc_shape(1, &units, 1, cyclic, &options, "shared");
  memset(array, 1, BYTES);
  mai_map_threads((unsigned[]){0, 2, 4, 6}, 4);
  CHECK(mai_next_touch(array, 0, 0) == 0);
  touch_quarters(array);
  report(array);
  CHECK(mai_verify(array, &pages, NULL, 0) == 0 && pages.placed == PAGES);
  /* What was touched on a node belongs there from then on. */
  CHECK(mai_node_meant(array) == 0 && mai_node_meant(array + BYTES - PAGE) == 3);
  void *page = array + 700 * PAGE;
  int node = 0, status;
  syscall(SYS_move_pages, 0, 1UL, &page, &node, &status, 2);
  CHECK(mai_verify(array, &pages, NULL, 0) == 0);
  printf("placed %zu, spilled %zu\n", pages.placed, pages.spilled);
  printf("wrong: %d\n", wrong);
}
