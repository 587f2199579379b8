/* A program may have functions with the names of POSIX, which ISO C leaves to it: the library does not call them.

   RUN: %{gcc} %s -o %t %{mai}
   RUN: env MAI_REPORT=1 MAI_POLICY=u:cyclic %t 2>&1 | FileCheck %s
   CHECK-NOT: the program's own
   CHECK: MAi report
   CHECK: u {{.*}} cyclic
   CHECK-NOT: the program's own
*/
#include <mai.h>
#include <mai_static.h>
#include <string.h>

static void called(const char *name) {
  printf("the program's own %s() was called\n", name);
  fflush(stdout);
}

#define OWN(name)                                                                                  \
  int own_##name(void) __asm__(#name);                                                             \
  int own_##name(void) {                                                                           \
    called(#name);                                                                                 \
    return -1;                                                                                     \
  }

OWN(getline);
OWN(open);
OWN(openat);
OWN(read);
OWN(close);
OWN(pread);
OWN(access);
OWN(fstat);
OWN(getpid);
OWN(fdopen);
OWN(strdup);
OWN(strndup);
OWN(asprintf);
OWN(index);
OWN(error);
OWN(getenv);
OWN(setenv);
OWN(gettid);
OWN(usleep);
OWN(sleep);
OWN(nanosleep);
OWN(raise);
OWN(kill);
OWN(fnmatch);
OWN(tsearch);
OWN(tfind);
OWN(mbind);
OWN(set_mempolicy);
OWN(get_mempolicy);
OWN(move_pages);
OWN(getcwd);
OWN(strtoull);
OWN(sscanf);
OWN(time);
OWN(sem_init);
OWN(fcntl);
OWN(ioctl);
OWN(opendir);
OWN(readdir);

static double u[100000];
MAI_STATIC(u, "block");

int main(void) {
  struct mai_pages pages;
  char *array = mai_alloc_cyclic(100, 4096);
  memset(array, 1, 100 * 4096);
  u[1] = 1;
  mai_verify(array, &pages, NULL, 0);
  mai_replace_all(NULL);
  mai_report(stdout, MAI_REPORT_JSON);
  return mai_free(array);
}
