/*===-- watch.h - what is done while the program runs ------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Where the settings ask for something at certain times, a thread of the library does it.  It gets
 * no signals of the program's, is not counted, and does not keep the process when all other threads
 * have ended.
 */
#ifndef MAI_TRACE_WATCH_H
#define MAI_TRACE_WATCH_H

#include "trace/system/settings.h"

void trace_watch_start(const struct trace_settings *settings);

#endif /* MAI_TRACE_WATCH_H */
