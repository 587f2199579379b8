/*===-- inject.c - runs a program in which one system call of MAi fails *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Usage: inject CALL ERROR NUMBER PROGRAM [ARGUMENT...]
 *
 * The call of this number, counted from 1, that MAi's libraries make of CALL gives ERROR, a number of errno, and is not made;
 * 0: none, and those that are made are counted.  A call is MAi's where the code that makes it, or what has called the C
 * library for it, is in one of its libraries, and no OpenMP run-time has asked for it.
 *
 * Exit status: the program's, 128 and its signal; 120 where the program never came to that call.  With NUMBER 0 the count is
 * printed last.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct {
  const char *name;
  long number;
} calls[] = {{"mbind", SYS_mbind},
             {"move_pages", SYS_move_pages},
             {"get_mempolicy", SYS_get_mempolicy},
             {"set_mempolicy", SYS_set_mempolicy},
             {"mmap", SYS_mmap},
             {"mremap", SYS_mremap},
             {"munmap", SYS_munmap},
             {"madvise", SYS_madvise},
             {"sched_setaffinity", SYS_sched_setaffinity},
             {"sched_getaffinity", SYS_sched_getaffinity},
             {"openat", SYS_openat},
             {"read", SYS_read},
             {"pread64", SYS_pread64},
             {"statx", SYS_statx},
             {"getdents64", SYS_getdents64},
             {"write", SYS_write},
             {"renameat2", SYS_renameat2},
             {"rt_sigprocmask", SYS_rt_sigprocmask},
             {"ioctl", SYS_ioctl},
             {"clone", SYS_clone},
             {"clone3", SYS_clone3}};

static long number_of(const char *name) {
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    if (strcmp(calls[i].name, name) == 0)
      return calls[i].number;
  fprintf(stderr, "inject: no such call: %s\n", name);
  exit(2);
}

/*===-- The program --------------------------------------------------------===*/

static void trace_me(long call) {
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)call, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
  ptrace(PTRACE_TRACEME, 0, NULL, NULL);
  raise(SIGSTOP);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
    exit(2);
}

static pid_t start(long call, char **arguments) {
  pid_t child = fork();
  if (child == 0) {
    trace_me(call);
    execv(*arguments, arguments);
    perror(*arguments);
    exit(2);
  }
  waitpid(child, NULL, __WALL);
  ptrace(PTRACE_SETOPTIONS, child, NULL,
         PTRACE_O_TRACESECCOMP | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
             PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL);
  ptrace(PTRACE_CONT, child, NULL, NULL);
  return child;
}

/*===-- Whose call it is ---------------------------------------------------===*/

enum owner { OTHER, MAI, OPENMP };

/* The code of a library. */
struct range {
  unsigned long begin, end;
  enum owner owner;
};

static struct range ranges[64];
static size_t range_count;

static enum owner owner_by_name(const char *line) {
  if (strstr(line, "/libmai") || strstr(line, "/libnumarch"))
    return MAI;
  return strstr(line, "/libgomp") || strstr(line, "/libomp") ? OPENMP : OTHER;
}

static void read_ranges(pid_t process) {
  char path[64], line[4096], rights[8];
  struct range range;
  snprintf(path, sizeof path, "/proc/%d/maps", process);
  FILE *maps = fopen(path, "r");
  range_count = 0;
  while (maps && fgets(line, sizeof line, maps) && range_count < 64)
    if (sscanf(line, "%lx-%lx %7s", &range.begin, &range.end, rights) == 3 && rights[2] == 'x' &&
        (range.owner = owner_by_name(line)) != OTHER)
      ranges[range_count++] = range;
  if (maps)
    fclose(maps);
}

/* The libraries are there before MAi's code runs. */
static bool knows_all(void) {
  bool knows[] = {false, false, false};
  for (size_t i = 0; i < range_count; i++)
    knows[ranges[i].owner] = true;
  return knows[MAI] && knows[OPENMP];
}

static enum owner owner_of(unsigned long address) {
  for (size_t i = 0; i < range_count; i++)
    if (address >= ranges[i].begin && address < ranges[i].end)
      return ranges[i].owner;
  return OTHER;
}

/* By the addresses on its stack to which the thread will return. */
static bool is_mais(pid_t thread, const struct user_regs_struct *registers, bool deep) {
  enum owner owner = owner_of(registers->rip);
  for (unsigned i = 0; owner == OTHER && i < (deep ? 256 : 16); i++)
    owner =
        owner_of((unsigned long)ptrace(PTRACE_PEEKDATA, thread, registers->rsp + 8UL * i, NULL));
  for (unsigned i = 0; deep && owner == MAI && i < 256; i++)
    if (owner_of((unsigned long)ptrace(PTRACE_PEEKDATA, thread, registers->rsp + 8UL * i, NULL)) ==
        OPENMP)
      owner = OPENMP;
  return owner == MAI;
}

/*===-- Injecting ----------------------------------------------------------===*/

static struct {
  long call, error, number;
  long seen;
} injection;

static void meet_call(pid_t thread) {
  struct user_regs_struct registers;
  bool is_done = injection.number && injection.seen >= injection.number;
  if (is_done || ptrace(PTRACE_GETREGS, thread, NULL, &registers) != 0)
    return;
  if (!knows_all())
    read_ranges(thread);
  bool thread_is_made = injection.call == SYS_clone3;
  if (!is_mais(thread, &registers, thread_is_made) || ++injection.seen != injection.number)
    return;
  registers.orig_rax = (unsigned long long)-1;
  registers.rax = (unsigned long long)-injection.error;
  ptrace(PTRACE_SETREGS, thread, NULL, &registers);
}

/* @return whether the program goes on */
static bool handle(pid_t program, pid_t thread, int status, int *end) {
  int signal = WIFSTOPPED(status) ? WSTOPSIG(status) : 0;
  if (WIFEXITED(status) || WIFSIGNALED(status)) {
    if (thread == program)
      *end = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return thread != program;
  }
  if (status >> 8 == (SIGTRAP | PTRACE_EVENT_SECCOMP << 8))
    meet_call(thread);
  bool is_event = status >> 16 || signal == SIGSTOP;
  ptrace(PTRACE_CONT, thread, NULL, is_event ? 0L : (long)signal);
  return true;
}

int main(int argc, char **argv) {
  if (argc < 5)
    return 2;
  injection.call = number_of(argv[1]);
  injection.error = strtol(argv[2], NULL, 10);
  injection.number = strtol(argv[3], NULL, 10);
  pid_t program = start(injection.call, argv + 4);
  int status, end = 2;
  pid_t thread;
  while ((thread = waitpid(-1, &status, __WALL)) > 0 || errno == EINTR)
    if (thread > 0 && !handle(program, thread, status, &end))
      break;
  if (injection.number == 0)
    printf("%ld\n", injection.seen);
  return injection.number > injection.seen ? 120 : end;
}
