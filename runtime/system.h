/*===-- system.h - system calls that nobody can stand in front of *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A program may define functions with the names of POSIX, such as read() or open(): then the
 * dynamic linker lets the calls of every library reach them.  Libraries that run inside any program
 * therefore call the kernel themselves.  None of these functions is a point of cancellation.
 */
#ifndef MINAS_SYSTEM_H
#define MINAS_SYSTEM_H

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "kernel_call.h"

/** Call the kernel. @return its result, or -1 with errno */
static inline long minas_system(long number, long a, long b, long c, long d, long e, long f) {
  long result = minas_kernel_call(number, a, b, c, d, e, f);
  if (!minas_kernel_failed(result))
    return result;
  errno = (int)-result;
  return -1;
}

/** Open a file to be read, closed when another program is executed. @return its number, or -1 with
 *  errno */
static inline int minas_open(const char *path) {
  return (int)minas_system(SYS_openat, AT_FDCWD, (long)path, O_RDONLY | O_CLOEXEC, 0, 0, 0);
}

/** The type and size of an open file (stx_mode, stx_size). @return 0, or -1 with errno */
static inline int minas_file_status(int file, struct statx *status) {
  return (int)minas_system(SYS_statx, file, (long)"", AT_EMPTY_PATH, STATX_TYPE | STATX_SIZE,
                           (long)status, 0);
}

static inline void minas_close(int file) {
  int error = errno;
  minas_system(SYS_close, file, 0, 0, 0, 0, 0);
  errno = error;
}

/** Sleep for less than a second, or until a signal comes. */
static inline void minas_sleep(long microseconds) {
  struct timespec time = {.tv_nsec = microseconds * 1000};
  minas_system(SYS_nanosleep, (long)&time, 0, 0, 0, 0, 0);
}

/** read() that is not ended by signals. @return as read() */
static inline long minas_read(int file, void *buffer, size_t bytes) {
  long result;
  do
    result = minas_system(SYS_read, file, (long)buffer, (long)bytes, 0, 0, 0);
  while (result < 0 && errno == EINTR);
  return result;
}

/** Write everything. @return 0, or -1 with errno */
static inline int minas_write_all(int file, const void *buffer, size_t bytes) {
  const char *left = buffer;
  while (bytes > 0) {
    long written = minas_system(SYS_write, file, (long)left, (long)bytes, 0, 0, 0);
    if (written < 0 && errno != EINTR)
      return -1;
    if (written > 0) {
      left += written;
      bytes -= (size_t)written;
    }
  }
  return 0;
}

static inline uint32_t minas_process(void) {
  return (uint32_t)minas_system(SYS_getpid, 0, 0, 0, 0, 0, 0);
}

static inline uint32_t minas_thread(void) {
  return (uint32_t)minas_system(SYS_gettid, 0, 0, 0, 0, 0, 0);
}

#endif /* MINAS_SYSTEM_H */
