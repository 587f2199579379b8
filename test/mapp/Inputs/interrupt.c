/*
 * Ends a program, or has a call fail, at the call of number INTERRUPT_AT of those that change files.  INTERRUPT_BY is
 * `kill` or the errno that the call fails with; half of what is to be written is written before.  Loaded by LD_PRELOAD.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int is_next(void) {
  static int calls;
  const char *at = getenv("INTERRUPT_AT");
  return at && ++calls == atoi(at);
}

static int interrupt(void) {
  const char *by = getenv("INTERRUPT_BY");
  if (strcmp(by, "kill") == 0)
    raise(SIGKILL);
  errno = atoi(by);
  return -1;
}

#define NEXT(function) ((__typeof__(&(function)))dlsym(RTLD_NEXT, #function))

ssize_t write(int file, const void *bytes, size_t count) {
  if (file > 2 && is_next()) {
    (void)!NEXT(write)(file, bytes, count / 2);
    return interrupt();
  }
  return NEXT(write)(file, bytes, count);
}

#define OPEN(name)                                                                                                     \
  int name(const char *path, int flags, ...) {                                                                         \
    va_list rest;                                                                                                      \
    va_start(rest, flags);                                                                                             \
    mode_t mode = va_arg(rest, mode_t);                                                                                \
    va_end(rest);                                                                                                      \
    return flags & O_CREAT && is_next() ? interrupt() : NEXT(name)(path, flags, mode);                                 \
  }
OPEN(open)
OPEN(open64)

int rename(const char *old, const char *new) { return is_next() ? interrupt() : NEXT(rename)(old, new); }
int fsync(int file) { return is_next() ? interrupt() : NEXT(fsync)(file); }
int fchmod(int file, mode_t mode) { return is_next() ? interrupt() : NEXT(fchmod)(file, mode); }

/* Only the end of a program keeps it from tidying up. */
static int kills(void) {
  const char *by = getenv("INTERRUPT_BY");
  return by && strcmp(by, "kill") == 0 && is_next();
}

int unlink(const char *path) { return kills() ? interrupt() : NEXT(unlink)(path); }
int remove(const char *path) { return kills() ? interrupt() : NEXT(remove)(path); }
