/*===-- signals.h - signals that end the program -----------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Where the program leaves a signal to the system, which ends the process, a handler of the library
 * writes the profile first; then the process ends just so.  Of that handler the program learns
 * nothing: it sees SIG_DFL, also when it or a library of its language sets that later.
 */
#ifndef MAI_TRACE_SIGNALS_H
#define MAI_TRACE_SIGNALS_H

/** @param finish what is to be done before the process ends by a signal */
void trace_signals_start(void (*finish)(int signal));

#endif /* MAI_TRACE_SIGNALS_H */
