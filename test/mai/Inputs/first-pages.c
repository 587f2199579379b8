/* Arrays whose pages go with the threads that touch them first, on a machine with huge pages. */
#include <mai.h>
#include <mai_static.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { Pages = 8 * 700, PageBytes = 4096, Bytes = Pages * PageBytes };

static char array[Bytes];
MAI_STATIC(array, "local");

/* Each thread touches its share first, all but for its last page, which a neighbour may have a part of. */
static void touch(char *at) {
#pragma omp parallel for schedule(static)
  for (int page = 0; page < Pages; page++)
    at[(size_t)page * PageBytes + 2000] = 1;
}

static int wrong(const char *at) {
  int sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (int page = 0; page < Pages; page++) {
    int cpu = mai_cpu_of_thread((unsigned)omp_get_thread_num());
    sum += mai_where(&at[(size_t)page * PageBytes + 2000]) != cpu / 2; // two CPUs a node
  }
  return sum;
}

int main(void) {
  char *block = MAI_PLACED(block, malloc(MAI_BYTES(Bytes)), 1, "local");
  if (!block)
    return 1;
  touch(array);
  touch(block);
  printf("static: %d pages wrong\n", wrong(array));
  printf("block: %d pages wrong\n", wrong(block));
  free(block);
  return 0;
}
