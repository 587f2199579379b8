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

int main(void) {
  mai_policy_t block = MAI_BLOCK;
  mai_policy_t range = MAI_BLOCK_RANGE(8, 3);
  mai_policy_t unknown = MAI_POLICY_OF(99, 0, 0, 0, 0, 0);
  mai_policy_t flags = MAI_POLICY_OF(MAI_POLICY_BLOCK, 1U << 30, 0, 0, 0, 0);

  // CHECK: no units: EINVAL
  say("no units", !mai_alloc(0, 8, &block, NULL));
  // CHECK-NEXT: units of nothing: EINVAL
  say("units of nothing", !mai_alloc(8, 0, &block, NULL));
  // CHECK-NEXT: no policy: EINVAL
  say("no policy", !mai_alloc(8, 8, NULL, NULL));
  // CHECK-NEXT: unknown policy: EINVAL
  say("unknown policy", !mai_alloc(8, 8, &unknown, NULL));
  // CHECK-NEXT: unknown flag: EINVAL
  say("unknown flag", !mai_alloc(8, 8, &flags, NULL));
  // CHECK-NEXT: range outside the array: EINVAL
  say("range outside the array", !mai_alloc(10, 8, &range, NULL));
  // CHECK-NEXT: too many units: EOVERFLOW
  say("too many units", !mai_alloc(SIZE_MAX / 4, 8, &block, NULL));
  // CHECK-NEXT: more than the address space: ENOMEM
  say("more than the address space", !mai_alloc(SIZE_MAX, 1, &block, NULL));
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
}
