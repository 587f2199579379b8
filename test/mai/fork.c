/* Children of fork() go on using MAi, and only the parent writes the report.

   RUN: %{gcc} %s -o %t %{mai}
   RUN: env MAI_REPORT=1 %t 2>&1 | FileCheck %s
*/
#include <mai.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  char *array = mai_alloc_block(100, 4096);
  pid_t child = fork();
  if (child == 0) {
    char *own = mai_alloc_cyclic(100, 4096);
    memset(array, 1, 100 * 4096);
    memset(own, 1, 100 * 4096);
    return mai_free(array) != 0 || mai_free(own) != 0;
  }
  int status = -1;
  waitpid(child, &status, 0);
  // CHECK: child: 0
  fprintf(stderr, "child: %d\n", status);
  return mai_free(array);
}

/* CHECK: MAi report
   CHECK-NOT: MAi report
*/
