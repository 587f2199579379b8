/* A user whose threads cannot be sampled, and whose pages cannot be watched, is told so, and the kernel's automatic balancing
   stays: the memory keeps the kernel's policy. Root's does not.

   REQUIRES: guest
   RUN: %{gcc} -D_GNU_SOURCE %s -o %t
   RUN: %{guest} --topology 2x1 --env OMP_NUM_THREADS=2 --file %{build}/mai/libmai-run.so --file %{build}/bin/mai-run --file %t \
   RUN:   -- %t %{build}/bin/mai-run --dynamic %t 2>&1 | FileCheck %s
   CHECK-DAG: root: local
   CHECK-DAG: user: default
   CHECK-DAG: mai: the kernel lets neither threads be sampled {{.*}}: arrays are left to the kernel
*/
#include <linux/mempolicy.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BYTES = 4 << 20, NOBODY = 65534, PASSES = 2 };

static void fill(char *block, int pass) {
#pragma omp parallel for schedule(static)
  for (size_t i = 0; i < BYTES; i += 4096)
    block[i] = (char)pass;
}

static void tell(void) {
  char *block = malloc(BYTES);
  int mode = -1;
  memset(block, 1, BYTES);
  syscall(SYS_get_mempolicy, &mode, NULL, 0UL, block + BYTES / 2, MPOL_F_ADDR);
  printf("%s: %s\n", getuid() == 0 ? "root" : "user",
         mode == MPOL_LOCAL     ? "local"
         : mode == MPOL_DEFAULT ? "default"
                                : "another");
  fflush(stdout);
  for (int pass = 0; pass < PASSES; pass++)
    fill(block, pass);
}

static int start(char **arguments, uid_t user) {
  int status = 1;
  if (fork() == 0) {
    if (setresgid(user, user, user) == 0 && setresuid(user, user, user) == 0)
      execv(arguments[0], arguments);
    _exit(127);
  }
  wait(&status);
  return status;
}

/* With a command: runs it, by root and by nobody. */
int main(int count, char **arguments) {
  if (count > 1)
    return start(arguments + 1, 0) || start(arguments + 1, NOBODY);
  tell();
}
