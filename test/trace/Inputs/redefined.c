/* Has functions of its own that are called as some of the C library are. What libraries in the process
   call them, before main() or after it, is a mistake: they are for main() only. */
#include <stdarg.h>
#include <stddef.h>
#include <sys/types.h>
#include <sys/wait.h>

int printf(const char *, ...);
void *malloc(size_t);
void *memalign(size_t, size_t);
void free(void *);
_Noreturn void __assert_fail(const char *, const char *, unsigned, const char *);

static int in_main;
static int calls;

static long own(const char *name) {
  if (!in_main)
    __assert_fail(name, "a library", 0, "outside of main()");
  return calls++;
}

#define OWN(type, name, parameters)                                                                \
  type name parameters { return (type)own(#name); }

OWN(int, open, (const char *path, int flags, ...))
OWN(int, openat, (int folder, const char *path, int flags, ...))
OWN(int, close, (int file))
OWN(ssize_t, read, (int file, void *bytes, size_t count))
OWN(ssize_t, write, (int file, const void *bytes, size_t count))
OWN(ssize_t, pread, (int file, void *bytes, size_t count, off_t offset))
OWN(ssize_t, pwrite, (int file, const void *bytes, size_t count, off_t offset))
OWN(int, rename, (const char *from, const char *to))
OWN(int, unlink, (const char *path))
OWN(ssize_t, readlink, (const char *path, char *text, size_t size))
OWN(char *, getcwd, (char *text, size_t size))
OWN(pid_t, getpid, (void))
OWN(pid_t, getppid, (void))
OWN(int, gethostname, (char *name, size_t size))
OWN(long, syscall, (long number, ...))
OWN(long, sysconf, (int name))
OWN(int, sched_getcpu, (void))
OWN(int, madvise, (void *start, size_t bytes, int advice))
OWN(int, raise, (int signal))
OWN(int, snprintf, (char *text, size_t size, const char *format, ...))
OWN(int, vsnprintf, (char *text, size_t size, const char *format, va_list list))
OWN(int, sscanf, (const char *text, const char *format, ...))
OWN(char *, getenv, (const char *name))
OWN(char *, strerror, (int error))
OWN(size_t, strlen, (const char *text))
OWN(int, strcmp, (const char *left, const char *right))
OWN(char *, strchr, (const char *text, int byte))
OWN(char *, strrchr, (const char *text, int byte))
OWN(long, strtol, (const char *text, char **end, int base))
OWN(unsigned long, strtoul, (const char *text, char **end, int base))
OWN(unsigned long long, strtoull, (const char *text, char **end, int base))
OWN(time_t, time, (time_t *now))
OWN(void *, memcpy, (void *to, const void *from, size_t count))
OWN(void *, memmove, (void *to, const void *from, size_t count))
OWN(void *, memset, (void *to, int byte, size_t count))
OWN(int, memcmp, (const void *left, const void *right, size_t count))
OWN(int, usleep, (unsigned time))
OWN(void *, opendir, (const char *name))
OWN(void *, fopen, (const char *name, const char *mode))
OWN(void *, bsearch, (const void *key, const void *base, size_t count, size_t size, void *compare))
OWN(int, access, (const char *path, int mode))
OWN(int, index, (int i))
OWN(int, error, (int i))
OWN(int, hash, (int i))

_Alignas(64) static volatile double fresh[1 << 12];

int main(void) {
  in_main = 1;
  double *volatile block = malloc(1 << 16);
  for (int i = 0; i < 1 << 12; i++)
    fresh[i] = block[i] = i;
  free(block);
  printf("%d calls\n", calls);
  calls += open("x", 0) + close(3) + (int)strlen("abc");
  printf("%d calls\n", calls);
  in_main = 0;
  return 0;
}
