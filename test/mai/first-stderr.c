/* Messages and reports go to the standard error that the program began with, and never into a file that has got
   its number since.  Where that standard error is closed everywhere, nothing is said.

   RUN: %{gcc} %s -o %t %{mai}
   RUN: rm -f %t.data && env MAI_REPORT=1 MAI_MAP_FILE=/nonexistent %t %t.data 2>%t.err
   RUN: FileCheck --input-file=%t.err %s
   RUN: FileCheck --input-file=%t.data --check-prefix=DATA %s
   RUN: rm -f %t.data && env MAI_REPORT=1 MAI_MAP_FILE=/nonexistent %t %t.data all 2>%t.err
   RUN: FileCheck --input-file=%t.data --check-prefix=DATA %s
   RUN: count 0 <%t.err
   A child of fork() that closes what it was given does not keep a pipe open:
   RUN: sh -c 'MAI_REPORT=1 %t %t.data daemon 2>&1 | cat' | FileCheck --check-prefix=DAEMON %s

   CHECK: /nonexistent
   CHECK: MAi report
   DATA: data
   DATA-NOT: {{.}}
   DAEMON: MAi report
*/
#include <fcntl.h>
#include <mai.h>
#include <string.h>
#include <unistd.h>

static void be_a_daemon(void) {
  if (fork() != 0)
    return;
  for (int i = 0; i < 3; i++)
    close(i);
  sleep(600);
}

int main(int argc, char **argv) {
  int last = argc > 2 ? 1000 : 64;
  if (argc > 2 && strcmp(argv[2], "daemon") == 0) {
    mai_init();
    be_a_daemon();
    return 0;
  }
  for (int i = 0; i < last; i++)
    close(i);
  for (int i = 0; i < last; i++)
    open(argv[1], O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (write(2, "data\n", 5) != 5)
    return 1;
  mai_init();
  return mai_alloc_cyclic(10, 4096) ? 0 : 2;
}
