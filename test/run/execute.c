/* What a program starts gets no library of ours that it does not take, by whichever function it is started: AddressSanitizer
   would end it, and so would the dynamic linker of another C library.
   REQUIRES: samples
   RUN: %{gcc} -D_GNU_SOURCE %s -o %t
   RUN: %{gcc} -fsanitize=address -DCHILD %s -o %t.address
   RUN: %{clang-program} -fsanitize=memory -DCHILD %s -o %t.memory
   RUN: bash -c 'cp $(ldd %t | grep -o "/[^ ]*ld-linux[^ ]*") %t-other.so'
   RUN: %{gcc} -DCHILD -Wl,--dynamic-linker=%t-other.so %s -o %t.other
   RUN: printf '#!%t.other\n' > %t.script && chmod +x %t.script
   RUN: bash -c 'for child in address memory other script; do for before in "" "mai-run -q" "mai-run -q -p *:cyclic -s 1" "mai-trace record -q -o %t.maiprof"; do \
   RUN:   $before %t %t.$child; done; done' > %t.out 2>&1
   RUN: FileCheck %s < %t.out --implicit-check-not=ASan
   CHECK-COUNT-176: preloaded: nothing, ended with 3
   What the user has preloaded it gets:
   RUN: bash -c 'LD_PRELOAD=libdl.so.2 mai-run -q %t %t.other' | FileCheck --check-prefix=OTHERS %s
   OTHERS-COUNT-11: preloaded: libdl.so.2, ended with 3
   What takes our libraries has them:
   RUN: %{gcc} -DCHILD %s -o %t.plain
   RUN: mai-run -q %t %t.plain | FileCheck --check-prefix=PLAIN %s
   PLAIN-COUNT-11: preloaded: {{.+}}libmai-run.so:{{.+}}, ended with 3
   Where they are not, as behind chroot(), nobody complains:
   RUN: bash -c 'mai-run -q sh -c "LD_PRELOAD=/nowhere/libmai.so.0 %t.plain || true"' 2>&1 | FileCheck --check-prefix=GONE %s --implicit-check-not=ERROR
   GONE: preloaded: nothing
   The run-time of a sanitizer that mai-run puts in front for a program is not in what that starts, be it by a shell:
   RUN: %{gcc} -D_GNU_SOURCE -fsanitize=address %s -o %t.sanitized
   RUN: mai-run -q %t.sanitized %t.plain | FileCheck --check-prefix=PLAIN %s --implicit-check-not=libasan
   RUN: mai-run -q %t.sanitized | FileCheck --check-prefix=SHELL %s --implicit-check-not=libasan
   SHELL: in the shell: {{.+}}libmai-run.so:
*/
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef CHILD

int main(void) {
  const char *preloaded = getenv("LD_PRELOAD");
  printf("preloaded: %s", preloaded ? preloaded : "nothing");
  fflush(stdout);
  return 3;
}

#else

enum { EXECUTING = 9, WAYS = EXECUTING + 2 };

static void execute(int way, const char *file, char **arguments) {
  switch (way) {
  case 0:
    execv(file, arguments);
    break;
  case 1:
    execve(file, arguments, environ);
    break;
  case 2:
    execvp(file, arguments);
    break;
  case 3:
    execvpe(file, arguments, environ);
    break;
  case 4:
    execl(file, arguments[0], (char *)NULL);
    break;
  case 5:
    execle(file, arguments[0], (char *)NULL, environ);
    break;
  case 6:
    execlp(file, arguments[0], (char *)NULL);
    break;
  case 7:
    fexecve(open(file, O_RDONLY), arguments, environ);
    break;
  case 8:
    execveat(AT_FDCWD, file, arguments, environ, 0);
    break;
  }
  _exit(127);
}

static pid_t start(int way, const char *file, char **arguments) {
  pid_t child = -1;
  if (way == EXECUTING)
    posix_spawn(&child, file, NULL, NULL, arguments, environ);
  else if (way == EXECUTING + 1)
    posix_spawnp(&child, file, NULL, NULL, arguments, environ);
  else if ((child = way % 2 ? vfork() : fork()) == 0)
    execute(way, file, arguments);
  return child;
}

int main(int count, char **arguments) {
  if (count == 1)
    return system(
        "echo in the shell: $LD_PRELOAD; ! grep -q libasan /proc/self/maps /proc/$$/maps");
  for (int way = 0; way < WAYS; way++) {
    int status = 0;
    waitpid(start(way, arguments[1], arguments + 1), &status, 0);
    printf(", ended with %d\n", WEXITSTATUS(status));
    fflush(stdout);
  }
  return 0;
}

#endif
