/* A program begins with errno 0, as C has it, also where its static arrays were placed before.

   RUN: %{gcc} %s -o %t %{mai}
   RUN: %t | FileCheck %s
   CHECK: begins with 0
 */
#include <errno.h>
#include <mai_static.h>
#include <stdio.h>

static double grid[1 << 18];
MAI_STATIC(grid, "block");

int main(void) {
  int error = errno;
  printf("begins with %d\n", error);
  return 0;
}
