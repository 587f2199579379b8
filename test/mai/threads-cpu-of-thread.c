/* mai_cpu_of_thread() tells the map before any region has begun, and ENOENT where MAi does not pin;
   what keeps it from pinning is said, once.

   A program of clang cannot load a library with gcc's sanitizers.
   UNSUPPORTED: sanitizer
   RUN: %{gcc} %s -o %t.gcc %{mai}
   RUN: %{clang} %s -o %t.clang %{mai}
   RUN: echo '1 0 1' > %t.map
   RUN: env MAI_MAP_FILE=%t.map taskset -c 0,1 %t.gcc 2>/dev/null | FileCheck %s
   RUN: env MAI_MAP_FILE=%t.map taskset -c 0,1 %t.clang 2>/dev/null | FileCheck %s
   CHECK: 1 0 1 1 0

   RUN: %{gcc} %s -o %t.late -lgomp %{mai}
   RUN: env MAI_VERBOSE=1 %t.late 2>&1 | FileCheck --check-prefixes=LATE,NONE %s
   LATE: mai: threads are not pinned: the program finds libgomp before libmai

   RUN: env MAI_VERBOSE=1 HWLOC_SYNTHETIC="numa:2 core:2 pu:1" %t.gcc 2>&1 \
   RUN:   | FileCheck --check-prefixes=FOREIGN,NONE %s
   FOREIGN: mai: threads are not pinned: HWLOC_XMLFILE or HWLOC_SYNTHETIC describes another machine

   RUN: env OMP_PROC_BIND=true %t.gcc 2>&1 | FileCheck --check-prefix=NONE %s
   RUN: env OMP_PROC_BIND=true %t.clang 2>&1 | FileCheck --check-prefix=NONE %s
   RUN: env MAI_WATCH=1 %t.gcc 2>&1 | FileCheck --check-prefix=NONE %s
   NONE-NOT: mai: threads
   NONE: ENOENT ENOENT ENOENT ENOENT ENOENT
   NONE-NOT: mai: threads
 */
#define _GNU_SOURCE
#include <errno.h>
#include <mai.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  for (unsigned thread = 0; thread < 5; thread++) {
    int cpu = mai_cpu_of_thread(thread);
    if (cpu < 0)
      printf("%s ", strerrorname_np(errno));
    else
      printf("%d ", cpu);
  }
  printf("\n");
  return omp_get_level();
}
