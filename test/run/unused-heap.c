/* No byte of what a program allocates at its beginning has been used before under mai-run either: programs that forget to
   write something first read zeros.
   RUN: %{gcc} %s -o %t
   RUN: %t | FileCheck %s
   RUN: %{build}/bin/mai-run -q %t | FileCheck %s
   RUN: %{build}/bin/mai-run -q -r %t.json --threads all %t | FileCheck %s
   RUN: env MAI_TASKS=near %{build}/bin/mai-run -q %t | FileCheck %s
   RUN: %{build}/bin/mai-run -q -s 1 -p '*: cyclic' %t | FileCheck %s
   RUN: %{build}/bin/mai-run -q -s 1 -p '*: block' %t | FileCheck %s
   RUN: %{build}/bin/mai-run -q --dynamic %t | FileCheck %s
   RUN: %{build}/bin/mai-run -q -m scatter %t | FileCheck %s
   RUN: %{build}/bin/mai-run -q -m per-cache %t | FileCheck %s
   RUN: env HWLOC_SYNTHETIC='node:2 pu:1' %{build}/bin/mai-run -q %t | FileCheck %s
   CHECK: bytes that are not zero: 0
*/
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_BYTES = 100000, MOST_BLOCKS = 64 };

static size_t count_not_zero(void) {
  const unsigned char *blocks[MOST_BLOCKS];
  size_t count = 0, not_zero = 0;
  for (size_t bytes = 16; bytes < MOST_BYTES; bytes = (bytes * 3 / 2 + 15) & ~(size_t)15) {
    const unsigned char *volatile block = blocks[count++] = malloc(bytes);
    for (size_t i = 0; block && i < bytes; i++)
      not_zero += block[i] != 0;
  }
  while (count)
    free((void *)blocks[--count]);
  return not_zero;
}

int main(void) {
  printf("bytes that are not zero: %zu\n", count_not_zero());
  return omp_get_max_threads() == 0;
}
