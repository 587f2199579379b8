/* Where the user binds threads, blocks lie on the nodes where the run-time has put them, although
   MAi has done neither and no region has begun.

   A program of clang cannot load a library with gcc's sanitizers.
   UNSUPPORTED: sanitizer
   REQUIRES: guest
   RUN: %{clang} %s -o %t.clang %{mai}
   RUN: %{guest} --topology 4x2 --env OMP_NUM_THREADS=4 --env OMP_PROC_BIND=spread -- %t.clang \
   RUN:   | FileCheck --check-prefix=SPREAD %s
   SPREAD: blocks on 0 1 2 3

   RUN: %{gcc} %s -o %t.gcc %{mai}
   RUN: %{guest} --topology 4x2 --env OMP_NUM_THREADS=4 --env OMP_PLACES={5},{4},{0},{2} \
   RUN:   -- %t.gcc | FileCheck --check-prefix=PLACES %s
   PLACES: blocks on 2 2 0 1

   RUN: %{guest} --topology 4x2 --env OMP_NUM_THREADS=4 --env OMP_PROC_BIND=close --env OMP_PLACES={5},{4},{0},{2},{6} \
   RUN:   -- %t.clang | FileCheck --check-prefix=PLACES %s
 */
#include <mai.h>
#include <omp.h>
#include <stdio.h>

int main(void) {
  char *array = mai_alloc_block(4, 4096);
  if (!array)
    return 1;
  printf("blocks on");
  for (int i = 0; i < 4; i++)
    printf(" %d", mai_node_meant(array + i * 4096));
  printf("\n");
  return omp_get_level();
}
