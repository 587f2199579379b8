/* Ends as soon as the kernel has made pages of an array inaccessible, to see who uses them. */
#include <stdio.h>
#include <time.h>

#include "../../mai/Inputs/pages.h"

enum { PAGES = 4096, SECONDS = 60 };

_Alignas(4096) static char array[PAGES][4096];

int main(void) {
  int hidden = 0;
  time_t end = time(NULL) + SECONDS;
  for (int page = 0; page < PAGES; page++)
    array[page][0] = 1;
  while (!hidden && time(NULL) < end) {
#pragma omp parallel
    for (volatile int k = 0; k < 300000;)
      k = k + 1;
    for (int page = 0; page < PAGES; page++)
      hidden += node_of_page(array[page]) < 0;
  }
  printf("hidden: %s\n", hidden ? "some" : "none");
  return 0;
}
