/* Each page belongs to a thread that a table names, which is the first to touch it. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { PAGES = 256, IN_PAGE = 4096 / sizeof(double) };

static double fixed[PAGES][IN_PAGE] __attribute__((aligned(4096)));
static unsigned char owner[PAGES];

int main(void) {
  double *block = aligned_alloc(4096, PAGES * IN_PAGE * sizeof *block);
  if (!block)
    return 1;
  for (unsigned page = 0; page < PAGES; page++)
    owner[page] = (unsigned char)((page * 5 + page / 8 * 3) % 8);
  for (int step = 0; step < 20; step++) {
#pragma omp parallel
    for (unsigned page = 0; page < PAGES; page++)
      if (owner[page] == omp_get_thread_num())
        for (unsigned i = 0; i < IN_PAGE; i++) {
          fixed[page][i] = step + i;
          block[page * IN_PAGE + i] = fixed[page][i] + 1;
        }
  }
  printf("%g\n", block[PAGES] + fixed[1][1]);
  free(block);
}
