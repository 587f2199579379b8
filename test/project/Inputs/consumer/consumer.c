/* A program outside Minas that uses both libraries. */
#include <mai.h>
#include <numarch.h>
#include <string.h>

int main(void) {
  struct mai_pages pages;
  char *array = mai_alloc_block(10, 4096);
  numarch_t *machine = numarch_open(0);
  if (!array || !machine)
    return 1;
  memset(array, 1, 40960);
  if (mai_verify(array, &pages, NULL, 0) != 0)
    return 1;
  printf("placed %zu of %zu on a machine with %u nodes\n", pages.placed, pages.total,
         numarch_node_count(machine));
  numarch_close(machine);
  return mai_free(array);
}
