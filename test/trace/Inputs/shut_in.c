/* A program that leaves itself just the system calls by which it gets memory, writes and ends: the kernel ends it for any other. */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static const unsigned left[] = {SYS_mmap,  SYS_munmap,     SYS_brk,       SYS_madvise,
                                SYS_write, SYS_newfstatat, SYS_getrandom, SYS_exit_group};

static int shut_in(void) {
  enum { COUNT = sizeof left / sizeof *left };
  struct sock_filter filter[COUNT + 3] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))};
  for (unsigned i = 0; i < COUNT; i++)
    filter[i + 1] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, left[i],
                                                 (unsigned char)(COUNT - i), 0);
  filter[COUNT + 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
  filter[COUNT + 2] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  struct sock_fprog program = {COUNT + 3, filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int main(void) {
  const size_t bytes = 1 << 21;
  char *before = malloc(bytes);
  memset(before, 1, bytes);
  if (shut_in())
    return 1;
  char *after = malloc(bytes);
  memset(after, before[1], bytes);
  free(before);
  puts(after[bytes - 1] ? "still there" : "wrong");
  fflush(stdout);
  _exit(0);
}
