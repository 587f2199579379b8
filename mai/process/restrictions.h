/*===-- restrictions.h - system calls that would end the program *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A program that shuts itself in (seccomp) lists the system calls that it makes itself; for another
 * the kernel ends it.  Nothing can be asked then: to ask is a system call.  So from the moment on
 * that the program installs a filter the library makes none for it any more: memory and threads
 * stay where they are.
 */
#ifndef MAI_RESTRICTIONS_H
#define MAI_RESTRICTIONS_H

#include <stdbool.h>

/** Whether the program has installed a filter of system calls. */
bool mai_is_restricted(void);

/** Have `stop` called before a filter is installed, when mai_is_restricted() says so already: it
 *  returns when no thread of the library's calls the kernel any more. */
void mai_restrictions_stop_by(void (*stop)(void));

/** System calls that belong together. */
enum mai_calls {
  MAI_CALLS_OF_START,   /**< read the machine and pin threads */
  MAI_CALLS_OF_PLACING, /**< place memory, tell where it is, watch it and claim CPUs */
  MAI_CALLS_OF_SAMPLING /**< sample what threads access */
};

/** Whether the process survives them, where a filter was there before it began. */
bool mai_survives(enum mai_calls calls);

/** From now on the library makes no system call for the program. */
void mai_restrict(void);

#endif /* MAI_RESTRICTIONS_H */
