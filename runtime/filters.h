/*===-- filters.h - when a program forbids itself system calls ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Defines the functions by which a program installs filters (seccomp(2)), for a library that stands
 * in front of the C library's.  Behind one of these any system call may end the program.  Included
 * once, by a source that defines before: FILTERS_INTERPOSE, which marks a definition that stands in
 * front of another's, and FILTERS_NEXT(function), that other one; and after it filter_comes().
 */
#include <linux/seccomp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/prctl.h>

#include "system.h"

/* Strict mode allows still less than a filter. */
static void filter_comes(void);

FILTERS_INTERPOSE int prctl(int option, ...) {
  unsigned long a[4];
  va_list list;
  va_start(list, option);
  for (size_t i = 0; i < sizeof a / sizeof *a; i++)
    a[i] = va_arg(list, unsigned long);
  va_end(list);
  if (option == PR_SET_SECCOMP)
    filter_comes();
  return FILTERS_NEXT(prctl)(option, a[0], a[1], a[2], a[3]);
}

#if defined __x86_64__ || defined __aarch64__
static bool is_filter(long number, long first) {
  return (number == SYS_prctl && first == PR_SET_SECCOMP) ||
         (number == SYS_seccomp &&
          (first == SECCOMP_SET_MODE_STRICT || first == SECCOMP_SET_MODE_FILTER));
}

/* The C library has no function for seccomp() before glibc 2.40. */
FILTERS_INTERPOSE long syscall(long number, ...) {
  long a[6];
  va_list list;
  va_start(list, number);
  for (size_t i = 0; i < sizeof a / sizeof *a; i++)
    a[i] = va_arg(list, long);
  va_end(list);
  if (is_filter(number, a[0]))
    filter_comes();
  return minas_system(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
#endif
