/*===-- forbidden.c - places memory where some nodes are forbidden *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/* For a machine of 4 nodes with 2 CPUs each.  Usage: forbidden cpuset|membind: lets itself use nodes 1
   and 3 only, by a cpuset, or as numactl --membind does, and begins again as "forbidden used". */
#include "calls.h"

#include <sys/stat.h>

enum { UNITS = 64, BYTES = UNITS * PAGE };

static void forbid_by_cpuset(void) {
  static const char group[] = "/sys/fs/cgroup/narrow";
  char path[64];
  CHECK(write_word("/sys/fs/cgroup/cgroup.subtree_control", "+cpuset"));
  CHECK(mkdir(group, 0755) == 0);
  snprintf(path, sizeof path, "%s/cpuset.mems", group);
  CHECK(write_word(path, "1,3"));
  snprintf(path, sizeof path, "%s/cgroup.procs", group);
  CHECK(write_word(path, "0"));
}

static void forbid_by_policy(void) {
  enum { BIND = 2 };
  unsigned long nodes = 1UL << 1 | 1UL << 3;
  CHECK(syscall(SYS_set_mempolicy, BIND, &nodes, 64UL) == 0);
}

static void check_placed_on_allowed(const char *text) {
  const char *policy = text;
  char *array = mai_alloc(UNITS, PAGE, policy, text);
  CHECK(array);
  if (!array)
    return;
  memset(array, 1, BYTES);
  CHECK(pages_on(array, 0, BYTES, 1) + pages_on(array, 0, BYTES, 3) >= UNITS);
  CHECK(misplaced(array, BYTES) == 0);
  CHECK(mai_free(array) == 0);
}

static void use(void) {
  static const char *const policies[] = {"cyclic",       "skew",          "block",
                                         "block on 3",   "random 3",      "bind 3",
                                         "weighted 2,1", "cyclic strict", "local"};
  static const char *const forbidden[] = {"bind 0", "bind 2 strict", "cyclic on 1,2", "block on 0"};
  for (int i = 0; i < 9; i++)
    check_placed_on_allowed(policies[i]);
  char *array = mai_alloc_bind(UNITS, PAGE, 1);
  memset(array, 1, BYTES);
  for (int i = 0; i < 4; i++) {
    const char *policy = forbidden[i];
    CHECK(!mai_alloc(UNITS, PAGE, policy, NULL) && errno == ENODEV);
    CHECK_FAILS(mai_replace(array, policy, NULL), ENODEV);
  }
  CHECK_FAILS(mai_migrate(array, 2, NULL), ENODEV);
  CHECK(mai_migrate(array, 3, NULL) == 0 && misplaced(array, BYTES) == 0);
  CHECK(mai_free(array) == 0);
}

int main(int argc, char **argv) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  if (argc < 2)
    return 2;
  if (strcmp(argv[1], "used") == 0) {
    use();
    printf("%d wrong\n", wrong);
    return 0;
  }
  printf("%s\n", argv[1]);
  if (strcmp(argv[1], "cpuset") == 0)
    forbid_by_cpuset();
  else
    forbid_by_policy();
  execl("/proc/self/exe", argv[0], "used", (char *)NULL);
  return 2;
}
