/* While pages are watched a program forbids all of its threads the calls by which that is done: the
   thread that watches has ended before, and nobody waits for it.

   RUN: %{gcc} -D_GNU_SOURCE %s -o %t
   RUN: env OMP_NUM_THREADS=4 OMP_WAIT_POLICY=passive MAI_NEIGHBOURS=0 MAI_DYNAMIC_CHAOS=1 \
   RUN:   %{build}/bin/mai-run -q --dynamic -r %t.json %t | FileCheck %s
   CHECK: all right
*/
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { BYTES = 8 << 20, PASSES = 30 };

static int forbid_watching(void) {
  static const int calls[] = {
      SYS_userfaultfd, SYS_ioctl, SYS_ppoll,  SYS_move_pages,    SYS_mbind,          SYS_nanosleep,
      SYS_close_range, SYS_read,  SYS_getcpu, SYS_get_mempolicy, SYS_perf_event_open};
  enum { CALLS = sizeof calls / sizeof *calls };
  struct sock_filter filter[CALLS + 3] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))};
  for (unsigned i = 0; i < CALLS; i++)
    filter[i + 1] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)calls[i],
                                                 (unsigned char)(CALLS - i), 0);
  filter[CALLS + 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  filter[CALLS + 2] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
  struct sock_fprog program = {CALLS + 3, filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
         syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
}

static void pass(char *block, int number) {
#pragma omp parallel for schedule(static)
  for (size_t i = 0; i < BYTES; i++)
    block[i] = (char)(i + (size_t)number);
}

int main(void) {
  char *block = malloc(BYTES);
  for (int number = 0; number < PASSES; number++)
    pass(block, number);
  if (forbid_watching() != 0)
    return perror("seccomp"), 1;
  for (int number = 0; number < PASSES; number++)
    pass(block, number);
  puts(block[BYTES - 1] == (char)(BYTES - 1 + PASSES - 1) ? "all right" : "wrong");
  fflush(stdout);
}
