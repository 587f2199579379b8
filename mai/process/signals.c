/*===-- signals.c - handlers of ours that the program does not see *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "signals.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "faults.h"
#include "interpose.h"

/* Ours; NULL: none. */
static void (*_Atomic ours)(int);
static _Atomic uint64_t caught; /* signals that it handles */

/* The functions behind ours: they may be called first in a handler, or under a lock, where nothing
   can be looked up. */
static struct {
  __typeof__(&sigaction) sigaction;
  __typeof__(&signal) signal;
  __typeof__(&pthread_sigmask) pthread_sigmask;
  __typeof__(&sigprocmask) sigprocmask;
} next;

/* Sanitizers call them before this library's constructors. */
#define NEXT(function)                                                                             \
  (__extension__({                                                                                 \
    if (!next.function)                                                                            \
      next.function = MAI_NEXT(function);                                                          \
    next.function;                                                                                 \
  }))

__attribute__((constructor(101))) static void find_next(void) {
  (void)NEXT(sigaction);
  (void)NEXT(signal);
  (void)NEXT(pthread_sigmask);
  (void)NEXT(sigprocmask);
}

int mai_signals_action(int signal, const struct sigaction *new, struct sigaction *old) {
  return NEXT(sigaction)(signal, new, old);
}

static bool is_ours(const struct sigaction *action) {
  void (*handler)(int) = atomic_load(&ours);
  return handler && !(action->sa_flags & SA_SIGINFO) && action->sa_handler == handler;
}

static bool is_default(const struct sigaction *action) {
  return !(action->sa_flags & SA_SIGINFO) && action->sa_handler == SIG_DFL;
}

static struct sigaction our_action(void) {
  struct sigaction action = {.sa_handler = atomic_load(&ours), .sa_flags = SA_ONSTACK};
  sigfillset(&action.sa_mask);
  sigdelset(&action.sa_mask, SIGSEGV);
  return action;
}

static bool is_caught(int signal) {
  return signal > 0 && signal < 64 && atomic_load(&caught) >> signal & 1;
}

void mai_signals_catch(int signal, void (*handler)(int)) {
  struct sigaction before;
  atomic_store(&ours, handler);
  atomic_fetch_or(&caught, UINT64_C(1) << signal);
  struct sigaction action = our_action();
  if (mai_signals_action(signal, NULL, &before) == 0 && is_default(&before))
    mai_signals_action(signal, &action, NULL);
}

/*===-- What the program calls ---------------------------------------------===*/

/* No handler blocks SIGSEGV once accesses are forbidden. */
static const struct sigaction *open_mask(const struct sigaction *action, struct sigaction *copy) {
  if (!action || !mai_faults_are_handled())
    return action;
  *copy = *action;
  sigdelset(&copy->sa_mask, SIGSEGV);
  return copy;
}

static int set_action(int signal, const struct sigaction *new, struct sigaction *old) {
  struct sigaction copy, own = our_action();
  new = new && is_default(new) && is_caught(signal) ? &own : open_mask(new, &copy);
  if (signal == SIGSEGV && mai_faults_set_own(new, old))
    return 0;
  int result = mai_signals_action(signal, new, old);
  if (result == 0 && old && is_ours(old))
    *old = (struct sigaction){.sa_handler = SIG_DFL};
  return result;
}

MAI_INTERPOSES int sigaction(int signal, const struct sigaction *new, struct sigaction *old) {
  return set_action(signal, new, old);
}

MAI_INTERPOSES sighandler_t signal(int number, sighandler_t handler) {
  struct sigaction old, new = {.sa_handler = handler, .sa_flags = SA_RESTART};
  if (!atomic_load(&ours) && !mai_faults_are_handled())
    return NEXT(signal)(number, handler);
  return set_action(number, &new, &old) == 0 ? old.sa_handler : SIG_ERR;
}

/* The set without SIGSEGV, where it is to be blocked. */
static const sigset_t *open_set(int how, const sigset_t *set, sigset_t *copy) {
  if (!set || how == SIG_UNBLOCK || !mai_faults_are_handled())
    return set;
  *copy = *set;
  sigdelset(copy, SIGSEGV);
  return copy;
}

MAI_INTERPOSES int pthread_sigmask(int how, const sigset_t *set, sigset_t *old) {
  sigset_t copy;
  return NEXT(pthread_sigmask)(how, open_set(how, set, &copy), old);
}

MAI_INTERPOSES int sigprocmask(int how, const sigset_t *set, sigset_t *old) {
  sigset_t copy;
  return NEXT(sigprocmask)(how, open_set(how, set, &copy), old);
}
