/*===-- lock.c - locks for a library that runs inside any program *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "lock.h"

#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "system.h"

/* A thread's number is below 2^30. */
enum { WAITED_FOR = 1 << 30, SPINS = 100 };

/*===-- Signals ------------------------------------------------------------===*/

static uint64_t bit_of(int signal) { return UINT64_C(1) << (signal - 1); }

/* The C library's own two signals (32 and 33) are not ours to block either: setuid() and
   pthread_cancel() wait for all threads to take them. */
static uint64_t signals_that_can_wait(void) {
  static const int others[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT, 32, 33};
  uint64_t mask = UINT64_MAX;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    mask &= ~bit_of(others[i]);
  return mask;
}

static uint64_t change_mask(int how, uint64_t mask) {
  uint64_t before = 0;
  int error = errno;
  minas_system(SYS_rt_sigprocmask, how, (long)&mask, (long)&before, sizeof mask, 0, 0);
  errno = error;
  return before;
}

uint64_t minas_signals_block(void) { return change_mask(SIG_BLOCK, signals_that_can_wait()); }

void minas_signals_restore(uint64_t before) { change_mask(SIG_SETMASK, before); }

/*===-- Checking that none is held -----------------------------------------===*/

static _Thread_local unsigned held __attribute__((tls_model("initial-exec")));

unsigned minas_locks_held(void) { return held; }

#ifdef MINAS_LOCK_CHECKS
/* ThreadSanitizer calls functions that stand in front of others before it has started. */
__attribute__((no_sanitize_thread)) void minas_locks_check(const char *file, int line) {
  char text[256];
  if (held == 0)
    return;
  int length = snprintf(text, sizeof text, "minas: %s:%d: other code is called with a lock held\n",
                        file, line);
  minas_write_all(STDERR_FILENO, text, (size_t)length);
  abort();
}
#endif

/*===-- Threads ------------------------------------------------------------===*/

/* How often this process and those before it were forked. */
static _Atomic uint32_t forks;

static _Thread_local struct {
  uint32_t number; /* 0: not asked for */
  uint32_t forks;
} self __attribute__((tls_model("initial-exec")));

static void count_fork(void) { atomic_fetch_add(&forks, 1); }

__attribute__((constructor)) static void watch_forks(void) {
  pthread_atfork(NULL, NULL, count_fork);
}

bool minas_thread_exists(uint32_t thread) {
  int error = errno;
  bool exists = minas_system(SYS_tgkill, minas_process(), thread, 0, 0, 0, 0) == 0;
  errno = error;
  return exists;
}

/* The calling thread's number, which is asked for once in each process. */
uint32_t minas_own_number(void) {
  if (self.number && self.forks == atomic_load_explicit(&forks, memory_order_relaxed))
    return self.number;
  self.forks = atomic_load_explicit(&forks, memory_order_relaxed);
  self.number = minas_thread();
  return self.number;
}

static bool take_if(struct minas_lock *lock, uint32_t expected, uint32_t owner) {
  return atomic_compare_exchange_strong_explicit(&lock->owner, &expected, owner,
                                                 memory_order_acquire, memory_order_relaxed);
}

/* Not for ever: the owner may have been a thread of the process that this one was forked from. */
static void sleep_while(struct minas_lock *lock, uint32_t owner) {
  struct timespec limit = {.tv_nsec = 20L * 1000 * 1000};
  minas_system(SYS_futex, (long)&lock->owner, FUTEX_WAIT_PRIVATE, owner, (long)&limit, 0, 0);
}

static bool try_to_spin(struct minas_lock *lock, uint32_t owner) {
  for (int i = 0; i < SPINS; i++)
    if (atomic_load_explicit(&lock->owner, memory_order_relaxed) == 0 && take_if(lock, 0, owner))
      return true;
  return false;
}

static void wait_for(struct minas_lock *lock, uint32_t number) {
  int error = errno;
  while (!try_to_spin(lock, number)) {
    uint32_t owner = atomic_load_explicit(&lock->owner, memory_order_relaxed);
    if (owner == 0)
      continue;
    if (!minas_thread_exists(owner & ~(uint32_t)WAITED_FOR)) {
      if (take_if(lock, owner, number | WAITED_FOR))
        break;
      continue;
    }
    if (owner & WAITED_FOR || take_if(lock, owner, owner | WAITED_FOR))
      sleep_while(lock, owner | WAITED_FOR);
    number |= WAITED_FOR; /* others may wait as well, and nobody counts them */
  }
  errno = error;
}

static void note_taken(struct minas_lock *lock, uint64_t signals) {
  lock->signals = signals;
  held++;
}

void minas_lock(struct minas_lock *lock) {
  uint64_t signals = minas_signals_block();
  uint32_t number = minas_own_number();
  if (!take_if(lock, 0, number))
    wait_for(lock, number);
  note_taken(lock, signals);
}

void minas_unlock(struct minas_lock *lock) {
  uint64_t signals = lock->signals;
  held--;
  uint32_t owner = atomic_exchange_explicit(&lock->owner, 0, memory_order_release);
  if (owner & WAITED_FOR) {
    int error = errno;
    minas_system(SYS_futex, (long)&lock->owner, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
    errno = error;
  }
  minas_signals_restore(signals);
}
