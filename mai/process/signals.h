/*===-- signals.h - handlers of ours that the program does not see *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A program asks how a signal is handled and decides by the answer: Python, for one, catches SIGINT
 * only where nobody else does.  So where the library has a handler, the program is told what it
 * would find without the library.
 */
#ifndef MAI_SIGNALS_H
#define MAI_SIGNALS_H

#include <signal.h>

/** The C library's sigaction(). */
int mai_signals_action(int signal, const struct sigaction *new, struct sigaction *old);

/** Let `handler` handle a signal that is handled by default; the program is told that it still is.
 *  One handler for all signals. */
void mai_signals_catch(int signal, void (*handler)(int));

#endif /* MAI_SIGNALS_H */
