/*===-- ends.c - the ends of a process --------------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "ends.h"

#include <signal.h>
#include <stddef.h>
#include <stdlib.h>

#include "mai/arrays/overrides.h"
#include "mai/process/interpose.h"
#include "mai/process/restrictions.h"
#include "mai/arrays/registry.h"
#include "report.h"
#include "runtime/lock.h"
#include "runtime/stack.h"
#include "mai/process/signals.h"

/* By which users, terminals and batch systems end a program, and its own faults. */
static const int deadly[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGTERM, SIGXCPU, SIGUSR1,
                             SIGUSR2, SIGABRT, SIGSEGV, SIGBUS,  SIGFPE,  SIGILL};

static struct minas_stack stack;

static void report(void *unused) {
  (void)unused;
  mai_report_at_end();
}

/* When this handler returns the process ends by the signal, as it would have without us: a fault
   happens again, another signal waits until then.  A program may be on a small stack, where there
   is no room for a report.  A fault in the library itself would find it locked. */
static void die(int signal) {
  if (!minas_locks_held() && !mai_registry_is_holding() && !mai_is_restricted())
    minas_call_on_stack(&stack, report, NULL);
  mai_signals_action(signal, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
  raise(signal);
}

/* The calls of a report may be such as a program that has shut itself in is ended for. */
static void tell_at_end(void) {
  if (mai_is_restricted())
    return;
  mai_report_at_end();
  mai_overrides_tell_unused();
}

void mai_ends_watch(void) {
  if (minas_stack_make(&stack) != 0)
    return;
  for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++)
    mai_signals_catch(deadly[i], die);
  at_quick_exit(tell_at_end);
}

__attribute__((destructor)) static void end_by_exit(void) { tell_at_end(); }

MAI_INTERPOSES void _exit(int status) {
  tell_at_end();
  MAI_NEXT(_exit)(status);
  __builtin_unreachable();
}

MAI_INTERPOSES void _Exit(int status) { _exit(status); }
