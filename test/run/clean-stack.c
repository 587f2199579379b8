/* The stack below main() is as if nobody had used it but the C library: variables that a program forgets to set are 0.
   RUN: %{gcc} -Wno-uninitialized -Wno-maybe-uninitialized %s -o %t
   RUN: env OMP_NUM_THREADS=2 %{build}/bin/mai-run -q %t | FileCheck %s
   RUN: env OMP_NUM_THREADS=2 %{build}/bin/mai-run -q -s 1 -p '*: cyclic' %t | FileCheck %s
   RUN: env OMP_NUM_THREADS=2 %{build}/bin/mai-run -q --dynamic %t | FileCheck %s
   RUN: env OMP_NUM_THREADS=2 HWLOC_SYNTHETIC='node:2 pu:1' %{build}/bin/mai-run %t 2> %t.messages | FileCheck %s
   CHECK: bytes that are not zero: 0 of 24576
*/
#include <omp.h>
#include <stdio.h>

enum { ALL = 30 * 1024, NEAR = 6 * 1024 };

/* Those nearest are the C library's, and of this function. */
static __attribute__((noinline)) int count_not_zero(void) {
  volatile unsigned char unset[ALL];
  int count = 0;
  for (int i = 0; i < ALL - NEAR; i++)
    count += unset[i] != 0;
  return count;
}

int main(void) {
  printf("bytes that are not zero: %d of %d\n", count_not_zero(), ALL - NEAR);
  return omp_get_max_threads() == 0;
}
