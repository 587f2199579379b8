/*===-- signals.c - signals that end the program -----------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "signals.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include "trace/system/kernel.h"
#include "next.h"

enum { SIGNALS = 65, OF_THREADS = 32, OF_USER_IDS = 33 /* of the C library itself */ };

typedef void (*handler_t)(int signal);

static struct {
  void (*finish)(int signal);
  struct sigaction told[SIGNALS]; /* what the program has set, where a handler of ours stands */
} state;

TRACE_INTERPOSES handler_t bsd_signal(int signal, handler_t handler);
TRACE_INTERPOSES handler_t of_system_v(int signal, handler_t handler) __asm__("__sysv_signal");

/* Whether the process ends by a signal that it leaves to the system. */
static bool is_deadly(int signal) {
  switch (signal) {
  case SIGKILL:
  case SIGSTOP:
  case SIGTSTP:
  case SIGTTIN:
  case SIGTTOU:
  case SIGCHLD:
  case SIGURG:
  case SIGWINCH:
  case SIGCONT:
  case OF_THREADS:
  case OF_USER_IDS:
    return false;
  default:
    return signal > 0 && signal < SIGNALS;
  }
}

/* The functions that those here stand in front of. */
enum function { SIGACTION, SIGNAL, BSD_SIGNAL, SYSV_SIGNAL, OF_SYSTEM_V, SIGSET, FUNCTIONS };
static const char *const names[FUNCTIONS] = {"sigaction",   "signal",        "bsd_signal",
                                             "sysv_signal", "__sysv_signal", "sigset"};
static void *_Atomic functions[FUNCTIONS];

static void *next_of(enum function function) {
  return trace_next(&functions[function], names[function]);
}

static int set(int signal, const struct sigaction *action, struct sigaction *old) {
  return ((__typeof__(&sigaction))next_of(SIGACTION))(signal, action, old);
}

static void leave_to_system(int signal) {
  struct sigaction action = {.sa_handler = SIG_DFL};
  set(signal, &action, NULL);
}

/*===-- Handlers ------------------------------------------------------------===*/

/* Whether the kernel itself has raised it, for what this thread's last instruction did. */
static bool is_fault(const siginfo_t *info) {
  switch (info->si_signo) {
  case SIGSEGV:
  case SIGBUS:
  case SIGFPE:
  case SIGILL:
  case SIGTRAP:
    return info->si_code > 0;
  default:
    return false;
  }
}

static void unblock(int signal) {
  uint64_t bit = (uint64_t)1 << (signal - 1);
  minas_kernel_call(SYS_rt_sigprocmask, SIG_UNBLOCK, (long)&bit, 0, sizeof bit, 0, 0);
}

static void send(int signal, siginfo_t *info) {
  long process = kernel_getpid();
  long thread = kernel_gettid();
  if (!info ||
      minas_kernel_call(SYS_rt_tgsigqueueinfo, process, thread, signal, (long)info, 0, 0) != 0)
    minas_kernel_call(SYS_tgkill, process, thread, signal, 0, 0, 0);
}

/* All signals are blocked meanwhile.  A fault comes again when the handler has returned, so that
   the core is of where it was. */
static void die(int signal, siginfo_t *info, void *context) {
  (void)context;
  /* The kernel keeps what is sent to the first process of a container from one that leaves it to
     the system. */
  if (kernel_getpid() == 1 && !is_fault(info))
    return;
  state.finish(signal);
  leave_to_system(signal);
  send(signal, info);
  if (!is_fault(info))
    unblock(signal);
}

static void settle(int signal);

/* In front of a handler that is called once: for the next signal there is none. */
static void call_once(int signal, siginfo_t *info, void *context) {
  struct sigaction action = state.told[signal];
  struct sigaction next = action;
  next.sa_handler = SIG_DFL;
  set(signal, &next, NULL);
  settle(signal);
  if (action.sa_flags & SA_SIGINFO)
    action.sa_sigaction(signal, info, context);
  else
    action.sa_handler(signal);
}

/*===-- What the program sets -----------------------------------------------===*/

static bool is_ours(const struct sigaction *action) {
  return action->sa_sigaction == die || action->sa_sigaction == call_once;
}

/* Puts our handlers where the program has left a signal to the system, or will have when its own
   has been called. */
static void settle(int signal) {
  struct sigaction action;
  if (!is_deadly(signal) || set(signal, NULL, &action) != 0 || is_ours(&action))
    return;
  state.told[signal] = action;
  if (action.sa_handler == SIG_DFL) {
    action.sa_sigaction = die;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigfillset(&action.sa_mask);
  } else if (action.sa_handler != SIG_IGN && (action.sa_flags & (int)SA_RESETHAND)) {
    action.sa_sigaction = call_once;
    action.sa_flags = (action.sa_flags & ~(int)SA_RESETHAND) | SA_SIGINFO;
  } else
    return;
  set(signal, &action, NULL);
}

int sigaction(int signal, const struct sigaction *action, struct sigaction *old) {
  struct sigaction told = {.sa_handler = SIG_DFL};
  if (signal > 0 && signal < SIGNALS)
    told = state.told[signal];
  bool sets = action != NULL; /* `old` may be the same */
  int result = set(signal, action, old);
  if (result != 0 || !state.finish)
    return result;
  if (sets)
    settle(signal);
  if (old && is_ours(old))
    *old = told;
  return 0;
}

/* The older functions, which return the handler only. */
#define DEFINE_SIGNAL(name, function)                                                              \
  TRACE_INTERPOSES handler_t name(int signal, handler_t handler) {                                 \
    handler_t told = signal > 0 && signal < SIGNALS ? state.told[signal].sa_handler : SIG_DFL;     \
    handler_t old = ((handler_t(*)(int, handler_t))next_of(function))(signal, handler);            \
    if (old == SIG_ERR || !state.finish)                                                           \
      return old;                                                                                  \
    settle(signal);                                                                                \
    return is_ours(&(struct sigaction){.sa_handler = old}) ? told : old;                           \
  }

DEFINE_SIGNAL(signal, SIGNAL)
DEFINE_SIGNAL(bsd_signal, BSD_SIGNAL)
DEFINE_SIGNAL(sysv_signal, SYSV_SIGNAL)
DEFINE_SIGNAL(of_system_v, OF_SYSTEM_V)
DEFINE_SIGNAL(sigset, SIGSET)

/* A handler that returns, or none, does not keep the process; the C library would not say so. */
void abort(void) {
  unblock(SIGABRT);
  send(SIGABRT, NULL);
  if (state.finish)
    state.finish(SIGABRT);
  leave_to_system(SIGABRT);
  send(SIGABRT, NULL);
  __builtin_trap();
}

void trace_signals_start(void (*finish)(int signal)) {
  for (enum function function = 0; function < FUNCTIONS; function++)
    trace_find_next(&functions[function], names[function]);
  state.finish = finish;
  for (int signal = 1; signal < SIGNALS; signal++)
    settle(signal);
}
