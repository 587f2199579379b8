/*===-- faults.h - accesses that the library has forbidden ------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The library takes the right of access from pages to see who touches them.  The kernel tells by
 * SIGSEGV, and ends the process at once when the thread blocks that signal.  So from the first time
 * on SIGSEGV stays in nobody's mask, and the program's own handler is called by ours.
 */
#ifndef MAI_FAULTS_H
#define MAI_FAULTS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/** Whether a forbidden access to this address has been seen to, so that it can be tried again. */
typedef bool mai_fault_handler(uintptr_t address);

/**
 * From now on let `handler` look at every forbidden access.  May be called again, with the same
 * handler.
 *
 * @return 0, or -1 with errno EBUSY (a thread of the program blocks SIGSEGV)
 */
int mai_faults_handle(mai_fault_handler *handler);

/** Whether mai_faults_handle() has been called. */
bool mai_faults_are_handled(void);

/** The program sets or asks for its own handling of SIGSEGV, as by sigaction().
 *  @return false where ours does not stand before it: then the kernel is to be told */
bool mai_faults_set_own(const struct sigaction *new, struct sigaction *old);

#endif /* MAI_FAULTS_H */
