/* In a container that forbids placing memory (EPERM, as Docker's default profile answers), programs
   run on without placement; it is said once, and the report says it for each array.

   REQUIRES: guest
   RUN: %{gcc} %s -o %t %{mai}
   RUN: %{guest} --topology 4x2 --env MAI_REPORT=1 -- %t 2>&1 | FileCheck %s
   Where the kernel does not let one look either, the report says that:
   RUN: %{guest} --topology 4x2 --env MAI_REPORT=1 -- %t blind 2>&1 \
   RUN:   | FileCheck --check-prefixes=CHECK,BLIND %s
   So it is with profiles and kernels that say ENOSYS:
   RUN: %{guest} --topology 4x2 --env MAI_VERBOSE=1 -- %t unknown 2>&1 \
   RUN:   | FileCheck --check-prefix=UNKNOWN %s
*/
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <mai.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What a forbidden call gives: EPERM, or ENOSYS as other profiles and old kernels do. */
static unsigned answer = EPERM;

static int forbid(const long *calls, unsigned char count) {
  struct sock_filter filter[16] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))};
  unsigned char length = 1;
  for (unsigned char i = 0; i < count; i++)
    filter[length++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)calls[i],
                                                    (unsigned char)(count - i), 0);
  filter[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  filter[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | answer);
  struct sock_fprog program = {length, filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static void say(const char *what, int result) {
  fprintf(stderr, "%s: %s\n", what, result ? strerrorname_np(errno) : "done");
}

/* What exists can not be moved; what needs no kernel works. */
static void refuse_to_move(char *block, const char *cyclic) {
  const char *skew = "skew", *replicate = "replicate";
  char *memory = calloc(100, 4096);
  char *copied = mai_alloc(100, 4096, replicate, "copied");
  copied[4096] = 3;
  say("replace", mai_replace(block, skew, NULL));
  say("replace all", mai_replace_all(NULL));
  say("scatter", mai_scatter(block, NULL));
  say("migrate", mai_migrate(block, 1, NULL));
  say("next touch", mai_next_touch(block, 0, 0));
  say("place", mai_place(memory, 100, 4096, skew, "placed"));
  say("replicate", mai_replicate(copied));
  const char *copy = mai_replica(copied);
  block = mai_realloc(block, 200);
  fprintf(stderr, "contents: %d %d %d\n", block[99 * 4096], cyclic[1], copy[4096]);
  mai_forget(memory);
  free(memory);
}

int main(int argc, char **argv) {
  static const long calls[] = {SYS_mbind, SYS_set_mempolicy, SYS_migrate_pages, SYS_move_pages};
  int blind = argc > 1 && strcmp(argv[1], "blind") == 0;
  if (argc > 1 && strcmp(argv[1], "unknown") == 0)
    answer = ENOSYS;
  if (!getenv("CONTAINED")) { /* the filter is there before the program is */
    setenv("CONTAINED", "1", 1);
    return forbid(calls, blind ? 4 : 3) != 0 || execv("/proc/self/exe", argv);
  }
  char *block = mai_alloc_block(100, 4096);
  char *cyclic = mai_alloc_cyclic(100, 4096);
  if (!block || !cyclic)
    return 1;
  memset(block, 1, 100 * 4096);
  memset(cyclic, 2, 100 * 4096);
  fprintf(stderr, "sum %d\n", block[1] + cyclic[99 * 4096]);
  refuse_to_move(block, cyclic);
  struct mai_pages pages;
  int result = mai_verify(cyclic, &pages, NULL, 0);
  if (result == 0)
    fprintf(stderr, "placed %zu spilled %zu\n", pages.placed, pages.spilled);
  else
    fprintf(stderr, "verify: %s\n", strerrorname_np(errno));
}

/* CHECK: mai: the kernel does not let this process place memory (mbind: Operation not permitted)
   CHECK-NOT: mai: the kernel
   CHECK: sum 3
   CHECK-NEXT: replace: EPERM
   CHECK-NEXT: replace all: EPERM
   CHECK-NEXT: scatter: EPERM
   CHECK-NEXT: migrate: EPERM
   CHECK-NEXT: next touch: EPERM
   CHECK-NEXT: place: done
   CHECK-NEXT: replicate: done
   CHECK-NEXT: contents: 1 2 3
   BLIND: verify: EPERM
   CHECK-DAG: array@{{.*}} block {{.*}} not placed: Operation not permitted
   BLIND-DAG: pages not known: Operation not permitted
   CHECK-DAG: array@{{.*}} cyclic {{.*}} not placed: Operation not permitted

   UNKNOWN: mai: the kernel does not let this process place memory (mbind: Function not implemented)
   UNKNOWN-NOT: mai: the kernel
   UNKNOWN: sum 3
   UNKNOWN-NEXT: replace: ENOSYS
   UNKNOWN-NEXT: replace all: ENOSYS
   UNKNOWN-NEXT: scatter: ENOSYS
   UNKNOWN-NEXT: migrate: ENOSYS
   UNKNOWN-NEXT: next touch: ENOSYS
   UNKNOWN-NEXT: place: done
   UNKNOWN-NEXT: replicate: done
   UNKNOWN-NEXT: contents: 1 2 3
*/
