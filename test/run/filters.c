/* Where a filter of system calls was there before, as those of services and containers are, that ends who asks for nodes or
   CPUs, or answers that it may not, a program does under mai-run what it does without.
   RUN: %{gcc} -D_GNU_SOURCE %s -o %t
   RUN: printf '0 1\n' > %t.map
   RUN: echo '*: cyclic' > %t.policies
   RUN: sh -c 'for call in get_mempolicy sched_setaffinity move_pages mbind perf_event_open; do for way in kill refuse; do \
   RUN:     for options in "-s 4096" "-m %t.map" "-p @%t.policies" --dynamic "--list -r %t.list" "-r %t.json"; do \
   RUN:       %t $way $call %{build}/bin/mai-run -q $options %t || echo "$way $call $options"; done; done; done' > %t.all
   RUN: FileCheck %s < %t.all
   CHECK-COUNT-60: sum 499500
   Nor does it wait for an answer that never comes:
   RUN: timeout 20 %t refuse sched_getaffinity %{build}/bin/mai-run -q -s 4096 -p '*: cyclic' %t | FileCheck --check-prefix=ASKED %s
   ASKED: sum 499500
   What cannot be done is said:
   RUN: %t kill sched_setaffinity %{build}/bin/mai-run %t 2>&1 | FileCheck --check-prefix=SAID %s
   SAID: mai-run: {{.*}}: a filter of system calls (seccomp) ends processes that ask for CPUs and nodes: memory and threads are left as they are
   SAID-NEXT: sum 499500
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

static const struct {
  const char *name;
  unsigned number;
} calls[] = {{"get_mempolicy", SYS_get_mempolicy},
             {"sched_setaffinity", SYS_sched_setaffinity},
             {"sched_getaffinity", SYS_sched_getaffinity},
             {"move_pages", SYS_move_pages},
             {"mbind", SYS_mbind},
             {"perf_event_open", SYS_perf_event_open}};

static unsigned number_of(const char *name) {
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    if (strcmp(calls[i].name, name) == 0)
      return calls[i].number;
  abort();
}

static int forbid(unsigned call, unsigned answer) {
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1), BPF_STMT(BPF_RET | BPF_K, answer),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static int sum(void) {
  enum { COUNT = 1 << 20 };
  int *numbers = malloc(COUNT * sizeof *numbers);
  long sum = 0;
#pragma omp parallel for
  for (int i = 0; i < COUNT; i++)
    numbers[i] = i < 1000 ? i : 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < COUNT; i++)
    sum += numbers[i];
  free(numbers);
  printf("sum %ld\n", sum);
  return 0;
}

int main(int count, char **arguments) {
  if (count == 1)
    return sum();
  unsigned answer =
      strcmp(arguments[1], "kill") == 0 ? SECCOMP_RET_KILL_PROCESS : SECCOMP_RET_ERRNO | 1;
  return forbid(number_of(arguments[2]), answer) || execv(arguments[3], arguments + 3);
}
