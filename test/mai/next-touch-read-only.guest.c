/* Who takes the right to write from pages that have followed their thread gets the fault of a write.
   REQUIRES: guest
   RUN: %{gcc} %s -o %t %{mai}
   RUN: %{guest} --topology 2x1 --timeout 100 --file %t -- %t | FileCheck %s
   CHECK: refused, then written: 1
*/
#include <mai.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { BYTES = 1 << 20 };

static sigjmp_buf refused;

static void refuse(int number) { siglongjmp(refused, number); }

int main(void) {
  char *bytes = mai_alloc(BYTES, 1, "block", "bytes");
  if (!bytes || signal(SIGSEGV, refuse) == SIG_ERR || mai_next_touch(bytes, 0, 0) != 0)
    return 1;
  memset(bytes, 0, BYTES);
  if (mprotect(bytes, BYTES, PROT_READ) != 0)
    return 1;
  if (sigsetjmp(refused, 1) == 0) {
    bytes[5000] = 1;
    puts("written");
    return 1;
  }
  mprotect(bytes, BYTES, PROT_READ | PROT_WRITE);
  bytes[5000] = 1;
  printf("refused, then written: %d\n", bytes[5000]);
  mai_free(bytes);
  return 0;
}
