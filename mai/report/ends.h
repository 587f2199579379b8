/*===-- ends.h - the ends of a process --------------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A process ends by exit(), which runs the library's destructor, by _exit() or quick_exit(), which
 * run none, or by a signal.
 */
#ifndef MAI_ENDS_H
#define MAI_ENDS_H

/** Have mai_report_at_end() called however the process ends, where that can be told: not by
 *  SIGKILL, nor by a signal for which the program has a handler of its own. */
void mai_ends_watch(void);

#endif /* MAI_ENDS_H */
