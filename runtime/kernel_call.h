/*===-- kernel_call.h - calls the kernel, and nothing else -------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MINAS_KERNEL_CALL_H
#define MINAS_KERNEL_CALL_H

#include <stdbool.h>

#if !defined(__x86_64__) && !defined(__aarch64__)
#include <errno.h>
#include <unistd.h>
#endif

/** @return what the kernel does: where it fails, a negative errno. errno itself stays */
static inline long minas_kernel_call(long number, long a, long b, long c, long d, long e, long f) {
#if defined(__x86_64__)
  long result;
  register long fourth __asm__("r10") = d;
  register long fifth __asm__("r8") = e;
  register long sixth __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "0"(number), "D"(a), "S"(b), "d"(c), "r"(fourth), "r"(fifth), "r"(sixth)
                   : "rcx", "r11", "memory");
  return result;
#elif defined(__aarch64__)
  register long which __asm__("x8") = number;
  register long first __asm__("x0") = a;
  register long second __asm__("x1") = b;
  register long third __asm__("x2") = c;
  register long fourth __asm__("x3") = d;
  register long fifth __asm__("x4") = e;
  register long sixth __asm__("x5") = f;
  __asm__ volatile("svc 0"
                   : "+r"(first)
                   : "r"(which), "r"(second), "r"(third), "r"(fourth), "r"(fifth), "r"(sixth)
                   : "memory");
  return first;
#else
  int saved = errno;
  long result = syscall(number, a, b, c, d, e, f);
  result = result == -1 ? -errno : result;
  errno = saved;
  return result;
#endif
}

/** Whether a result is a negative errno. */
static inline bool minas_kernel_failed(long result) { return result < 0 && result >= -4095; }

#endif /* MINAS_KERNEL_CALL_H */
