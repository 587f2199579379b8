/*===-- lock.h - locks for a library that runs inside any program *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A lock is held for some stores and loads, never while other code than ours runs: that code may
 * wait for a thread that waits for the lock.  MINAS_CALLS_OUT() stands where other code is called.
 *
 * Signals are blocked while a lock is held, as a handler of the program's may enter the library.
 *
 * fork() waits for no lock.  A child may find one held by a thread that it does not have: it takes
 * that lock over.  What a lock protects is therefore changed in such an order that it makes sense
 * after every single store.
 */
#ifndef MINAS_LOCK_H
#define MINAS_LOCK_H

#include <stdbool.h>
#include <stdint.h>

struct minas_lock {
  _Atomic uint32_t owner; /**< 0: it is free; else the thread that holds it, and whether others
                               wait */
  uint64_t signals;       /**< that were blocked before it was taken */
};

#define MINAS_LOCK_INITIALISER {0, 0}

/** Take a lock, which the calling thread does not hold. */
void minas_lock(struct minas_lock *lock);

void minas_unlock(struct minas_lock *lock);

/** The number that the kernel gives the calling thread. */
uint32_t minas_own_number(void);

/** Whether this process has a thread of this number. */
bool minas_thread_exists(uint32_t thread);

/** Block all signals that can wait: not those by which the kernel tells of a fault.
 *  @return those that were blocked before */
uint64_t minas_signals_block(void);
void minas_signals_restore(uint64_t before);

/** How many locks the calling thread holds. */
unsigned minas_locks_held(void);

/** Code of others is called here.  In builds with MINAS_LOCK_CHECKS the program is ended when the
 *  calling thread holds a lock. */
#ifdef MINAS_LOCK_CHECKS
#define MINAS_CALLS_OUT() minas_locks_check(__FILE__, __LINE__)
void minas_locks_check(const char *file, int line);
#else
#define MINAS_CALLS_OUT() ((void)0)
#endif

#endif /* MINAS_LOCK_H */
