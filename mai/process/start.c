/*===-- start.c - starts the library once -----------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "start.h"

#include <errno.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

#include "call.h"
#include "runtime/fail.h"
#include "runtime/lock.h"
#include "runtime/system.h"

static struct {
  int (*start)(void);
  _Atomic uint32_t done;    /* threads sleep on it until it is 1 */
  _Atomic uint32_t starter; /* the thread that starts the library; 0: none yet */
  int error;
} state;

void mai_start_by(int (*start)(void)) { state.start = start; }

static void sleep_while_starting(void) {
  struct timespec limit = {.tv_nsec = 20L * 1000 * 1000};
  minas_system(SYS_futex, (long)&state.done, FUTEX_WAIT_PRIVATE, 0, (long)&limit, 0, 0);
}

static bool is_done(void) { return atomic_load_explicit(&state.done, memory_order_acquire); }

/* Whether the calling thread is the one that starts the library; else another has done so.  No lock
   is held meanwhile: what starting calls may wait for other threads, and these may be forked. */
static bool take_start(uint32_t self) {
  uint32_t starter = 0;
  while (!is_done()) {
    if (atomic_compare_exchange_strong(&state.starter, &starter, self))
      return true;
    if (starter == self)
      return false;
    if (minas_thread_exists(starter)) {
      sleep_while_starting();
      starter = 0;
    }
  }
  return false;
}

static void start_once(void) {
  if (!state.start || !take_start(minas_thread()))
    return;
  state.error = state.start();
  atomic_store_explicit(&state.done, 1, memory_order_release);
  minas_system(SYS_futex, (long)&state.done, FUTEX_WAKE_PRIVATE, INT32_MAX, 0, 0, 0);
}

int mai_start(void) {
  if (!is_done()) {
    MAI_CALL;
    start_once();
  }
  int error = is_done() ? state.error : EAGAIN;
  return error ? fail(error) : 0;
}
