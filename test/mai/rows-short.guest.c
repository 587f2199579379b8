/* Rows that are much shorter than a page and allocated one by one lie with the matrix's block that they belong to,
   once 64 KiB of the matrix have come; a small matrix is left alone.

   A program of clang cannot load a library with gcc's sanitizers.
   UNSUPPORTED: sanitizer
   REQUIRES: guest
   RUN: %{gcc} %s -o %t.gcc %{mai}
   RUN: %{clang} %s -o %t.clang %{mai}
   RUN: %{guest} --topology 4x2 --thp never --balancing off --file %t.gcc --file %t.clang \
   RUN:   --env OMP_WAIT_POLICY=passive -- sh -c '%t.gcc && %t.clang' | FileCheck %s
   CHECK: large: wrong pages 0
   CHECK: small: wrong pages 0
   CHECK: large: wrong pages 0
   CHECK: small: wrong pages 0
*/
#include <mai.h>
#include <mai_static.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROW = 528, PLANE = 66, IN_A_PAGE = 8 };

static char ***allocate(int planes) {
  char ***u = malloc((size_t)planes * sizeof *u);
  for (int k = 0; k < planes; k++) {
    u[k] = MAI_PLACED_ROW(u[k], malloc(MAI_BYTES(PLANE * sizeof **u)), (unsigned long)k,
                          (unsigned long)planes, "block");
    for (int j = 0; j < PLANE; j++) {
      u[k][j] = MAI_PLACED_ROW(u[k][j], malloc(MAI_BYTES(ROW)), (unsigned long)k,
                               (unsigned long)planes, "block");
      u[k][j][0] = 1;
    }
  }
  return u;
}

/* On other nodes than their block's, of the pages that hold nothing but rows of one plane. */
static int wrong_pages(char ***u, int planes, int first) {
  int wrong = 0, nodes = 4;
  for (int k = first; k < planes; k++)
    for (int j = IN_A_PAGE; j < PLANE - IN_A_PAGE; j++)
      wrong += mai_where(u[k][j]) != k / ((planes + nodes - 1) / nodes);
  return wrong;
}

/* Where the thread that fills them has not put them; the first may lie in a page that was there. */
static int pages_elsewhere(char **row) {
  int elsewhere = 0;
  for (int j = IN_A_PAGE; j < PLANE; j++)
    elsewhere += mai_where(row[j]) != mai_where(row[PLANE - 1]);
  return elsewhere;
}

int main(void) {
  int threads = 0;
#pragma omp parallel num_threads(8) reduction(+ : threads)
  threads += omp_get_num_threads() == 8;
  if (threads != 8)
    return 1;
  char ***small = allocate(1);
  char ***large = allocate(64);
  int behind_the_first_64_kib = 3;
  printf("large: wrong pages %d\n", wrong_pages(large, 64, behind_the_first_64_kib));
  printf("small: wrong pages %d\n", pages_elsewhere(small[0]));
  return 0;
}
