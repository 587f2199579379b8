/* The program's first thread begins where the map has it, so that what it touches before the first region is on
   its node; it may still run anywhere, as run-times ask for its CPUs.

   A program of clang cannot load a library with gcc's sanitizers.
   UNSUPPORTED: sanitizer
   REQUIRES: guest
   RUN: %{gcc} -I%S/Inputs %s -o %t.gcc %{mai}
   RUN: %{clang} -I%S/Inputs %s -o %t.clang %{mai}
   RUN: echo '6 1 2 3' > %t.map
   RUN: %{guest} --topology 4x2 --file %t.map --file %t.gcc --file %t.clang --env MAI_MAP_FILE=%t.map \
   RUN:   --env OMP_NUM_THREADS=4 -- sh -c '%t.gcc && %t.clang' | FileCheck %s
   CHECK: {{^own: [0-9]+\*3$}}
   CHECK-NEXT: {{^CPUs: 8, threads: 4$}}
   CHECK-NEXT: {{^own: [0-9]+\*3$}}
   CHECK-NEXT: {{^CPUs: 8, threads: 4$}}
 */
#define _GNU_SOURCE
#include <mai_static.h>
#include <omp.h>
#include <sched.h>

#include "pages.h"

static double own[16384], placed[16384];
MAI_STATIC(placed, "block");

int main(void) {
  cpu_set_t mask;
  memset(own, 1, sizeof own);
  memset(placed, 1, sizeof placed);
  print_nodes("own", own, sizeof own);
  sched_getaffinity(0, sizeof mask, &mask);
  printf("CPUs: %d, threads: %d\n", CPU_COUNT(&mask), omp_get_max_threads());
  return 0;
}
