/* Every misuse of the allocation calls has its own errno and harms nothing.

   RUN: %{gcc} %s -o %t %{mai} && %t | FileCheck %s
*/
#define _GNU_SOURCE
#include <errno.h>
#include <mai.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void say(const char *what, int failed) {
  printf("%s: %s\n", what, failed ? strerrorname_np(errno) : "no error");
}

/* What succeeds does not make an error of before seem to be none. */
static int count_zeroes(void) {
  enum { BEFORE = 4000 };
  errno = BEFORE;
  int count = mai_init() != 0 || errno != BEFORE;
  char *array = mai_alloc(100, 4096, "block populate", NULL);
  count += !array || errno == 0;
  count += mai_replace(array, "skew", NULL) != 0 || errno == 0;
  count += mai_migrate(array, 0, NULL) != 0 || errno == 0;
  array = mai_realloc(array, 200);
  count += !array || errno == 0;
  count += mai_where(&count) < 0 || errno == 0;
  count += mai_free(array) != 0 || errno == 0;
  return count;
}

int main(void) {
  const char *filled_range = "block 8..10 filled";

  // CHECK: no units: EINVAL
  say("no units", !mai_alloc(0, 8, "block", NULL));
  // CHECK-NEXT: units of nothing: EINVAL
  say("units of nothing", !mai_alloc(8, 0, "block", NULL));
  // CHECK-NEXT: no policy: EINVAL
  say("no policy", !mai_alloc(8, 8, NULL, NULL));
  // CHECK-NEXT: unknown policy: EINVAL
  say("unknown policy", !mai_alloc(8, 8, "diagonal", NULL));
  // CHECK-NEXT: a word too many: EINVAL
  say("a word too many", !mai_alloc(8, 8, "block loosely", NULL));
  // CHECK-NEXT: range outside the array: EINVAL
  say("range outside the array", !mai_alloc(10, 8, "block 8..10", NULL));
  // CHECK-NEXT: range outside an array that is to be filled: EINVAL
  say("range outside an array that is to be filled", !mai_alloc(10, 8, filled_range, NULL));
  char *longer = mai_alloc(12, 8, filled_range, NULL);
  // CHECK-NEXT: range outside what is left: EINVAL
  say("range outside what is left", !mai_realloc(longer, 10));
  mai_free(longer);
  // CHECK-NEXT: a node twice: EINVAL
  say("a node twice", !mai_alloc(8, 8, "cyclic on 0,0", NULL));
  // CHECK-NEXT: more weights than nodes: EINVAL
  say("more weights than nodes", !mai_alloc(8, 8, "weighted 1,2 on 0", NULL));
  // CHECK-NEXT: too many units: EOVERFLOW
  say("too many units", !mai_alloc(SIZE_MAX / 4, 8, "block", NULL));
  // CHECK-NEXT: more than the address space: ENOMEM
  say("more than the address space", !mai_alloc(SIZE_MAX, 1, "block", NULL));
  // CHECK-NEXT: missing node: ENODEV
  say("missing node", !mai_alloc_bind(8, 8, 1000));

  char *array = mai_alloc_block(100, 100);
  char *foreign = malloc(100);
  struct mai_pages pages;
  // CHECK-NEXT: not the start: EINVAL
  say("not the start", mai_free(array + 1) != 0);
  // CHECK-NEXT: foreign pointer: EINVAL
  say("foreign pointer", mai_free(foreign) != 0);
  // CHECK-NEXT: verify a foreign pointer: EINVAL
  say("verify a foreign pointer", mai_verify(foreign, &pages, NULL, 0) != 0);
  // CHECK-NEXT: node of a foreign pointer: EINVAL
  say("node of a foreign pointer", mai_node_meant(foreign) < 0);
  // CHECK-NEXT: untouched page: ENOENT
  say("untouched page", mai_where(array) < 0);
  // CHECK-NEXT: unmapped page: ENOENT
  say("unmapped page", mai_where(NULL) < 0);
  // CHECK-NEXT: null: no error
  say("null", mai_free(NULL) != 0);
  // CHECK-NEXT: free: no error
  say("free", mai_free(array) != 0);
  // CHECK-NEXT: double free: EINVAL
  say("double free", mai_free(array) != 0);
  free(foreign);

  // CHECK-NEXT: set to 0: 0 times
  printf("set to 0: %d times\n", count_zeroes());
}
