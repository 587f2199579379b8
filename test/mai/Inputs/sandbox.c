/* A program that shuts itself in: the kernel ends it for any system call that it does not list. */
#include "calls.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What a program that computes needs. */
static const long usual[] = {SYS_read,
                             SYS_write,
                             SYS_close,
                             SYS_mmap,
                             SYS_munmap,
                             SYS_mprotect,
                             SYS_brk,
                             SYS_futex,
                             SYS_exit_group,
                             SYS_exit,
                             SYS_madvise,
                             SYS_rt_sigreturn,
                             SYS_gettid,
                             SYS_getpid,
                             SYS_rt_sigprocmask,
                             SYS_newfstatat,
                             SYS_openat,
                             SYS_sched_yield,
                             SYS_mremap,
                             SYS_clock_gettime,
                             SYS_rt_sigaction,
                             SYS_sched_getaffinity,
                             SYS_set_robust_list,
                             SYS_rseq,
                             SYS_clone3,
                             SYS_getrandom};

static int shut_in(int by_syscall) {
  enum { COUNT = sizeof usual / sizeof *usual };
  struct sock_filter filter[COUNT + 3] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))};
  for (unsigned i = 0; i < COUNT; i++)
    filter[i + 1] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)usual[i],
                                                 (unsigned char)(COUNT - i), 0);
  filter[COUNT + 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
  filter[COUNT + 2] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  struct sock_fprog program = {COUNT + 3, filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    return -1;
  return by_syscall ? (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program)
                    : prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int main(int argc, char **argv) {
  size_t bytes = 2 << 20;
  char *before = malloc(bytes);
  memset(before, 1, bytes);
  printf("shut in: %d\n", shut_in(argc > 1 && strcmp(argv[1], "syscall") == 0));
  fflush(stdout);
  char *after = malloc(bytes);
  int sum = 0;
  memset(after, 1, bytes);
#pragma omp parallel reduction(+ : sum)
  sum += after[omp_get_thread_num()];
  free(before);
  free(after);
  puts("still there");
  fflush(stdout);
  _exit(sum > 0 ? 0 : 1);
}
