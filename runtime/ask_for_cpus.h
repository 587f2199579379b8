/*===-- ask_for_cpus.h - whether the kernel tells the process's CPUs *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * hwloc asks for the CPUs to which a process is bound with larger and larger sets until the kernel
 * answers, which it never does where a filter of system calls forbids that.
 */
#ifndef MINAS_ASK_FOR_CPUS_H
#define MINAS_ASK_FOR_CPUS_H

#include <errno.h>
#include <stdbool.h>
#include <sys/syscall.h>

#include "kernel_call.h"

/** Whether the kernel answers who asks for the process's CPUs, be it that the set is too small. */
static inline bool minas_may_ask_for_cpus(void) {
  unsigned long set[16];
  const long answer = minas_kernel_call(SYS_sched_getaffinity, 0, sizeof set, (long)set, 0, 0, 0);
  return answer > 0 || answer == -EINVAL;
}

#endif /* MINAS_ASK_FOR_CPUS_H */
