/* A block of some pages that is divided among threads begins with a page, so that their parts do; and no byte of the heap has been used for that.
   RUN: %{gcc} -fopenmp %s -o %t
   RUN: %{build}/bin/mai-run -q -s 1 -p 'main*: block' %t | FileCheck %s
   CHECK: 40 blocks begin with a page, 0 bytes are not zero
*/
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { BLOCKS = 40, PAGE = 4096 };

static size_t count_not_zero(const unsigned char *block, size_t bytes) {
  size_t count = 0;
  for (size_t i = 0; i < bytes; i++)
    count += block[i] != 0;
  return count;
}

int main(void) {
  size_t at_page = 0, not_zero = 0;
  for (size_t i = 0; i < BLOCKS; i++) {
    size_t bytes = 4 * PAGE + i * 1000;
    unsigned char *volatile block = malloc(bytes);
    unsigned char *volatile small = malloc(16 + i * 40);
    at_page += block && (uintptr_t)block % PAGE == 0;
    not_zero +=
        block && small ? count_not_zero(block, bytes) + count_not_zero(small, 16 + i * 40) : 0;
  }
  printf("%zu blocks begin with a page, %zu bytes are not zero\n", at_page, not_zero);
  return 0;
}
