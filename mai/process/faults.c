/*===-- faults.c - accesses that the library has forbidden ------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "faults.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "runtime/fail.h"
#include "runtime/folder.h"
#include "runtime/lines.h"
#include "runtime/lock.h"
#include "runtime/system.h"
#include "signals.h"

static struct {
  struct minas_lock lock;
  mai_fault_handler *_Atomic handler; /* NULL: nothing has been forbidden yet */
  struct sigaction before;            /* what handles SIGSEGV for the program */
} faults = {.lock = MINAS_LOCK_INITIALISER};

/*===-- Handling -----------------------------------------------------------===*/

static bool is_function(const struct sigaction *action) {
  return action->sa_flags & SA_SIGINFO ||
         (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN);
}

/* By default a fault ends the program when it happens again, a signal that was sent when it is sent
   again. */
static void handle_by_default(int signal, const siginfo_t *info) {
  mai_signals_action(signal, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
  if (info->si_code <= 0)
    raise(signal);
}

/* Block what is blocked while the kernel runs a handler of the program's.  MAi's own
   pthread_sigmask() would leave SIGSEGV open. */
static void block_as_for(const struct sigaction *action, int signal,
                         const ucontext_t *interrupted) {
  sigset_t mask;
  sigorset(&mask, &interrupted->uc_sigmask, &action->sa_mask);
  if (!(action->sa_flags & SA_NODEFER))
    sigaddset(&mask, signal);
  minas_system(SYS_rt_sigprocmask, SIG_SETMASK, (long)&mask, 0, sizeof(uint64_t), 0, 0);
}

/* The fault is not ours: let it be handled as the program wants. */
static void pass_on(int signal, siginfo_t *info, void *context) {
  const struct sigaction *before = &faults.before;
  if (is_function(before))
    block_as_for(before, signal, context);
  bool sent = info->si_code <= 0;
  if (before->sa_flags & SA_SIGINFO)
    before->sa_sigaction(signal, info, context);
  else if (before->sa_handler == SIG_DFL || (before->sa_handler == SIG_IGN && !sent))
    handle_by_default(signal, info);
  else if (before->sa_handler != SIG_IGN)
    before->sa_handler(signal);
}

static void handle(int signal, siginfo_t *info, void *context) {
  int error = errno;
  bool forbidden = info->si_code == SEGV_ACCERR;
  if (!forbidden || !atomic_load(&faults.handler)((uintptr_t)info->si_addr))
    pass_on(signal, info, context);
  errno = error;
}

/*===-- Nobody blocks SIGSEGV ----------------------------------------------===*/

/* A handler of another signal may touch such pages. */
static void open_masks_of_handlers(void) {
  for (int signal = 1; signal <= SIGRTMAX; signal++) {
    struct sigaction action;
    if (mai_signals_action(signal, NULL, &action) != 0 || !is_function(&action) ||
        sigismember(&action.sa_mask, SIGSEGV) != 1)
      continue;
    sigdelset(&action.sa_mask, SIGSEGV);
    mai_signals_action(signal, &action, NULL);
  }
}

static bool has_signal(uint64_t mask, int signal) { return mask >> (signal - 1) & 1; }

/* The first signal that the C library keeps for itself: no program can block it.  A thread that
   does is within the C library, being made or ending, or in our handler. */
enum { INTERNAL_SIGNAL = 32 };

/* Whether a line of a thread's status says that the program has it block SIGSEGV. */
static bool says_blocked(const char *line) {
  static const char name[] = "SigBlk:\t";
  uint64_t mask;
  if (strncmp(line, name, strlen(name)) != 0)
    return false;
  line += strlen(name);
  return minas_scan_number(&line, 16, &mask) && has_signal(mask, SIGSEGV) &&
         !has_signal(mask, INTERNAL_SIGNAL);
}

static bool thread_blocks(const char *thread) {
  char path[64];
  struct minas_lines lines;
  bool blocks = false;
  const char *line;
  snprintf(path, sizeof path, "/proc/self/task/%.20s/status", thread);
  if (minas_lines_open(&lines, path) != 0)
    return false;
  while (!blocks && (line = minas_lines_next(&lines)))
    blocks = says_blocked(line);
  minas_lines_close(&lines);
  return blocks;
}

#ifdef MAI_THREAD_SANITIZER /* which has a thread of its own that does, and touches no arrays */
#define IS_SANITIZED true
#else
#define IS_SANITIZED false
#endif

static bool any_thread_blocks(void) {
  return !IS_SANITIZED && minas_folder_has("/proc/self/task", thread_blocks) == 1;
}

/*===-- Beginning ----------------------------------------------------------===*/

/* Ours blocks all signals, the C library's own, too: a handler that touches such pages, too, while
   a fault is handled, would end the program, or wait for what it has interrupted. */
static void install(void) {
  struct sigaction now = {0};
  if (mai_signals_action(SIGSEGV, NULL, &now) != 0 ||
      (now.sa_flags & SA_SIGINFO && now.sa_sigaction == handle))
    return;
  struct sigaction ours = {.sa_sigaction = handle,
                           .sa_flags = SA_SIGINFO | SA_ONSTACK | (now.sa_flags & SA_RESTART)};
  memset(&ours.sa_mask, 0xff, sizeof ours.sa_mask);
  faults.before = now;
  mai_signals_action(SIGSEGV, &ours, NULL);
}

/* A program may block all signals for a moment, as when it makes threads. */
static bool some_thread_keeps_blocking(void) {
  for (int tries = 0; tries < 50; tries++) {
    if (!any_thread_blocks())
      return false;
    minas_sleep(1000);
  }
  return true;
}

int mai_faults_handle(mai_fault_handler *handler) {
  MINAS_CALLS_OUT();
  if (some_thread_keeps_blocking())
    return fail(EBUSY);
  minas_lock(&faults.lock);
  atomic_store(&faults.handler, handler);
  install();
  open_masks_of_handlers();
  minas_unlock(&faults.lock);
  return 0;
}

/*===-- What the program sets and blocks -----------------------------------===*/

bool mai_faults_set_own(const struct sigaction *new, struct sigaction *old) {
  if (!mai_faults_are_handled())
    return false;
  minas_lock(&faults.lock);
  struct sigaction before = faults.before;
  if (new)
    faults.before = *new;
  if (old)
    *old = before;
  minas_unlock(&faults.lock);
  return true;
}

bool mai_faults_are_handled(void) {
  return atomic_load_explicit(&faults.handler, memory_order_acquire);
}
