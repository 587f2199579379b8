/* What a program has mapped it may move and resize in one piece, whatever policy its pages have.
   REQUIRES: guest
   RUN: %{gcc} -D_GNU_SOURCE %s -o %t
   RUN: %t | FileCheck %s
   RUN: %{guest} --topology 4x1 --file %{build}/mai/libmai-run.so --file %{build}/bin/mai-run --file %t \
   RUN:   -- %{build}/bin/mai-run -q -p '*: block' -s 4096 %t | FileCheck %s
   CHECK: grown: same
   CHECK-NEXT: moved: same
*/
#include <stdio.h>
#include <sys/mman.h>

enum { BYTES = 1 << 20 };

static void fill(char *bytes) {
#pragma omp parallel for
  for (int i = 0; i < BYTES; i++)
    bytes[i] = (char)(i / 61);
}

static void compare(const char *what, const char *bytes) {
  int different = 0;
  for (int i = 0; bytes != MAP_FAILED && i < BYTES; i++)
    different += bytes[i] != (char)(i / 61);
  printf("%s: %s\n", what, bytes == MAP_FAILED || different ? "not the same" : "same");
}

static char *map(void) {
  return mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

int main(void) {
  char *first = map();
  char *second = map();
  fill(first);
  fill(second);
  compare("grown", mremap(first, BYTES, 2 * BYTES, MREMAP_MAYMOVE));
  compare("moved", mremap(second, BYTES, BYTES, MREMAP_MAYMOVE | MREMAP_FIXED, map()));
  return 0;
}
