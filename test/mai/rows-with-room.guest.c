/* A matrix is allocated with room for more elements than its rows will have, before there are row pointers. What threads fill lies with
   them, since the room says nothing of where their rows will be; later teams find it so.

   REQUIRES: guest
   UNSUPPORTED: sanitizer
   RUN: %{gcc} %s -o %t.gcc %{mai}
   RUN: %{guest} --topology 4x1 --thp never --file %t.gcc -- %t.gcc | FileCheck %s
   CHECK: filled: pages at home more than nine tenths
   CHECK: later: pages at home more than nine tenths
*/
#include <mai.h>
#include <mai_static.h>
#include <omp.h>
#include <stdlib.h>

#include "Inputs/pages.h"

enum { ROWS = 2048, ELEMENTS = ROWS * 100, ROOM = 4 * ELEMENTS };

static int *start;
static double *value;

static void print_home(const char *what) {
  int pages = 0, home = 0;
#pragma omp parallel for schedule(static) reduction(+ : pages, home)
  for (int i = 0; i < ROWS; i++) {
    unsigned cpu = 0, node = 0;
    syscall(SYS_getcpu, &cpu, &node, NULL);
    pages++;
    home += node_of_page(&value[start[i]]) == (int)node;
  }
  printf("%s: pages at home %s than nine tenths\n", what,
         home > pages * 9 / 10 ? "more" : "not more");
}

int main(void) {
  start = MAI_PLACED(start, malloc(MAI_BYTES((ROWS + 1) * sizeof(int))), sizeof(int), "block", 0, 0,
                     MAI_LEAST_ROW_POINTERS);
  value = MAI_PLACED(value, malloc(MAI_BYTES(ROOM * sizeof(double))), sizeof(double),
                     "block along start");
  for (int i = 0; i <= ROWS; i++)
    start[i] = 100 * i;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < ROWS; i++)
    for (int k = start[i]; k < start[i + 1]; k++)
      value[k] = k;
  print_home("filled");
  print_home("later");
  free(start), free(value);
  return 0;
}
