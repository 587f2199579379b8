/* Where the kernel refuses to pin (a seccomp filter), it is said once, and the program runs on.
   (libomp itself ends the program there.)

   RUN: %{gcc} %s -o %t %{mai}
   RUN: env MAI_VERBOSE=1 OMP_NUM_THREADS=2 %t 2>&1 | FileCheck %s
   CHECK-NOT: mai: thread {{[0-9]}}
   CHECK: mai: the kernel does not let a thread be pinned (sched_setaffinity: Operation not permitted): it runs any
   CHECK-NOT: mai:
   CHECK: 20 threads in 10 regions
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <omp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static int forbid_pinning(void) {
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sched_setaffinity, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int main(int argc, char **argv) {
  int threads = 0;
  if (argc == 1) /* the filter is there before the program is */
    return forbid_pinning() != 0 || execv("/proc/self/exe", (char *[]){*argv, "contained", NULL});
  for (int i = 0; i < 10; i++) {
#pragma omp parallel reduction(+ : threads)
    threads += omp_get_thread_num() >= 0;
  }
  printf("%d threads in 10 regions\n", threads);
}
