/* A program that knows nothing of MAi can be watched: its static arrays are reported by name.

   RUN: %{gcc} %s -o %t
   RUN: env MAI_WATCH=1 MAI_REPORT=1 LD_PRELOAD=%{libmai} %t 2>&1 | FileCheck %s
   A stripped executable has no names; it runs all the same:
   RUN: strip %t
   RUN: env MAI_WATCH=1 MAI_REPORT=1 LD_PRELOAD=%{libmai} %t 2>&1 \
   RUN:   | FileCheck --check-prefix=STRIPPED %s
*/
#include <stdio.h>
#include <string.h>

static char used[5 * 4096];
static char small[100];

int main(void) {
  static char local[9 * 4096];
#pragma omp parallel
#pragma omp master
  memset(used, 1, sizeof used);
  memset(local, 2, (size_t)used[1]);
  printf("%d\n", small[0] + local[0]);
}

/* CHECK-NOT: small
   CHECK-DAG: used 20.0 KiB first-touch
   CHECK-DAG: local.{{[0-9]+}} 36.0 KiB first-touch
   CHECK: threads (

   STRIPPED: no arrays
   STRIPPED: threads (
*/
