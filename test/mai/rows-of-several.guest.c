/* Matrices that one function makes have row pointers of one name. Each lies with the threads that work on its own rows, also where those
   of another matrix would fit it, and are filled earlier.

   REQUIRES: guest
   UNSUPPORTED: sanitizer
   RUN: %{gcc} %s -o %t.gcc %{mai}
   RUN: %{guest} --topology 4x1 --thp never --file %t.gcc -- %t.gcc | FileCheck %s
   CHECK: triangle: pages at home more than nine tenths
   CHECK: reversed: pages at home more than nine tenths
*/
#include <mai.h>
#include <mai_static.h>
#include <omp.h>
#include <stdlib.h>

#include "Inputs/pages.h"

enum { ROWS = 1024, ELEMENTS = ROWS * (ROWS + 1) / 2 };

struct matrix {
  int *start;
  double *value;
};

static struct matrix create(void) {
  struct matrix m;
  m.start = MAI_PLACED(m.start, malloc(MAI_BYTES((ROWS + 1) * sizeof(int))), sizeof(int), "block",
                       0, 0, MAI_LEAST_ROW_POINTERS);
  m.value = MAI_PLACED(m.value, malloc(MAI_BYTES(ELEMENTS * sizeof(double))), sizeof(double),
                       "block along m.start");
  return m;
}

/* Row i has i + 1 elements, or as many as row ROWS - 1 - i. */
static void fill(const struct matrix *m, int reversed) {
  m->start[0] = 0;
  for (int i = 0; i < ROWS; i++)
    m->start[i + 1] = m->start[i] + (reversed ? ROWS - i : i + 1);
  for (int k = 0; k < ELEMENTS; k++)
    m->value[k] = k;
}

static void print_home(const char *what, const struct matrix *m) {
  int pages = 0, home = 0;
#pragma omp parallel reduction(+ : pages, home)
  {
    unsigned cpu = 0, node = 0;
    syscall(SYS_getcpu, &cpu, &node, NULL);
    int me = omp_get_thread_num(), team = omp_get_num_threads();
    for (int k = m->start[ROWS * me / team]; k < m->start[ROWS * (me + 1) / team]; k += 512) {
      pages++;
      home += node_of_page(&m->value[k]) == (int)node;
    }
  }
  printf("%s: pages at home %s than nine tenths\n", what,
         home > pages * 9 / 10 ? "more" : "not more");
}

int main(void) {
  struct matrix triangle = create();
  fill(&triangle, 0);
  struct matrix reversed = create();
  fill(&reversed, 1);
#pragma omp parallel
  triangle.value[omp_get_thread_num()] += 1;
  print_home("triangle", &triangle);
  print_home("reversed", &reversed);
  free(triangle.start), free(triangle.value), free(reversed.start), free(reversed.value);
  return 0;
}
