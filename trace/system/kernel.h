/*===-- kernel.h - the system calls of the library ---------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * They are made here and not by the C library's functions: a program may have functions of its own
 * that are called read() or close(), and errno is the program's, in the middle of which the library
 * counts.  Each returns what the kernel does: where it fails, a negative errno.
 */
#ifndef MAI_TRACE_KERNEL_H
#define MAI_TRACE_KERNEL_H

#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>

#include "runtime/kernel_call.h"

static inline int kernel_open(const char *path, int flags, int mode) {
  return (int)minas_kernel_call(SYS_openat, AT_FDCWD, (long)path, flags | O_CLOEXEC, mode, 0, 0);
}

static inline ssize_t kernel_read(int file, void *bytes, size_t count) {
  return minas_kernel_call(SYS_read, file, (long)bytes, (long)count, 0, 0, 0);
}

static inline ssize_t kernel_write(int file, const void *bytes, size_t count) {
  return minas_kernel_call(SYS_write, file, (long)bytes, (long)count, 0, 0, 0);
}

static inline ssize_t kernel_pread(int file, void *bytes, size_t count, off_t offset) {
  return minas_kernel_call(SYS_pread64, file, (long)bytes, (long)count, offset, 0, 0);
}

static inline ssize_t kernel_pwrite(int file, const void *bytes, size_t count, off_t offset) {
  return minas_kernel_call(SYS_pwrite64, file, (long)bytes, (long)count, offset, 0, 0);
}

static inline int kernel_close(int file) {
  return (int)minas_kernel_call(SYS_close, file, 0, 0, 0, 0, 0);
}

static inline int kernel_rename(const char *from, const char *to) {
  return (int)minas_kernel_call(SYS_renameat2, AT_FDCWD, (long)from, AT_FDCWD, (long)to, 0, 0);
}

static inline int kernel_unlink(const char *path) {
  return (int)minas_kernel_call(SYS_unlinkat, AT_FDCWD, (long)path, 0, 0, 0, 0);
}

/** Of a symbolic link what it is itself. */
static inline int kernel_lstat(const char *path, struct stat *status) {
  return (int)minas_kernel_call(SYS_newfstatat, AT_FDCWD, (long)path, (long)status,
                                AT_SYMLINK_NOFOLLOW, 0, 0);
}

/** @return bytes of text, which has no 0 at its end */
static inline ssize_t kernel_readlink(const char *path, char *text, size_t size) {
  return minas_kernel_call(SYS_readlinkat, AT_FDCWD, (long)path, (long)text, (long)size, 0, 0);
}

static inline pid_t kernel_getpid(void) {
  return (pid_t)minas_kernel_call(SYS_getpid, 0, 0, 0, 0, 0, 0);
}

static inline pid_t kernel_gettid(void) {
  return (pid_t)minas_kernel_call(SYS_gettid, 0, 0, 0, 0, 0, 0);
}

/** @return the address, or a negative errno, which no address is */
static inline long kernel_mmap(void *start, size_t bytes, int protection, int flags, int file,
                               off_t offset) {
  return minas_kernel_call(SYS_mmap, (long)start, (long)bytes, protection, flags, file, offset);
}

static inline int kernel_munmap(void *start, size_t bytes) {
  return (int)minas_kernel_call(SYS_munmap, (long)start, (long)bytes, 0, 0, 0, 0);
}

static inline int kernel_madvise(void *start, size_t bytes, int advice) {
  return (int)minas_kernel_call(SYS_madvise, (long)start, (long)bytes, advice, 0, 0, 0);
}

/** Milliseconds since some moment. */
static inline int64_t kernel_now(void) {
  struct timespec now = {0, 0};
  minas_kernel_call(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&now, 0, 0, 0, 0);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static inline void kernel_sleep(int64_t milliseconds) {
  struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  minas_kernel_call(SYS_nanosleep, (long)&time, 0, 0, 0, 0, 0);
}

/** The signals that a thread has blocked. */
struct kernel_signals {
  uint64_t bits;
};

static inline void kernel_unblock_signals(struct kernel_signals before) {
  minas_kernel_call(SYS_rt_sigprocmask, 2 /* SIG_SETMASK */, (long)&before, 0, sizeof before, 0, 0);
}

/** Block all. @return what was blocked before */
static inline struct kernel_signals kernel_block_signals(void) {
  struct kernel_signals all = {~(uint64_t)0};
  struct kernel_signals before = {0};
  minas_kernel_call(SYS_rt_sigprocmask, 2, (long)&all, (long)&before, sizeof all, 0, 0);
  return before;
}

#endif /* MAI_TRACE_KERNEL_H */
