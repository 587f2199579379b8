/*===-- lock.h - locks of the library ----------------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Nothing is called with one held but what works on the library's own memory.
 */
#ifndef MAI_TRACE_LOCK_H
#define MAI_TRACE_LOCK_H

#include <linux/futex.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "kernel.h"

/** 0: free; 1: held; 2: held, and somebody waits. */
typedef atomic_int trace_lock_t;

static inline bool trace_trylock(trace_lock_t *lock) {
  int free = 0;
  return atomic_compare_exchange_strong(lock, &free, 1);
}

static inline void trace_lock(trace_lock_t *lock) {
  if (trace_trylock(lock))
    return;
  while (atomic_exchange(lock, 2) != 0)
    minas_kernel_call(SYS_futex, (long)lock, FUTEX_WAIT_PRIVATE, 2, 0, 0, 0);
}

static inline void trace_unlock(trace_lock_t *lock) {
  if (atomic_exchange(lock, 0) == 2)
    minas_kernel_call(SYS_futex, (long)lock, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
}

#endif /* MAI_TRACE_LOCK_H */
