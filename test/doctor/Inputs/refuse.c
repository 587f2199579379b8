/* Becomes the program that its arguments name, for which the kernel refuses what containers refuse: memory policies
   and samples. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define REFUSE(call)                                                                               \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),                                                 \
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)

int main(int argc, char **argv) {
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      REFUSE(SYS_mbind),
      REFUSE(SYS_move_pages),
      REFUSE(SYS_sched_setaffinity),
      REFUSE(SYS_perf_event_open),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
  if (argc < 2 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
    return 99;
  execvp(argv[1], argv + 1);
  perror(argv[1]);
  return 127;
}
