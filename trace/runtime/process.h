/*===-- process.h - the ends of a traced process -----------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The profile is written when the process ends: returns from main(), calls exit(), quick_exit() or
 * _exit(), or dies of a signal that it does not handle itself; and before, as often as the settings
 * say (watch.h).  A child of fork() forgets what
 * its parent counted, and writes a profile of its own if it has accesses to tell of.
 */
#ifndef MAI_TRACE_PROCESS_H
#define MAI_TRACE_PROCESS_H

#include "trace/system/settings.h"

void trace_process_start(const struct trace_settings *settings);

/** Write the profile of what has been counted so far; the process goes on. */
void trace_process_checkpoint(void);

#endif /* MAI_TRACE_PROCESS_H */
