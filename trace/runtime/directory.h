/*===-- directory.h - where a thread's counters are --------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MAI_TRACE_DIRECTORY_H
#define MAI_TRACE_DIRECTORY_H

#include <stdbool.h>

#include "hooks.h"

/** Whether this object's references to others can be used: not while the dynamic linker resolves
 *  them, when functions may run that choose implementations (ifunc). */
extern bool mai_trace_ready __attribute__((visibility("hidden")));

#endif /* MAI_TRACE_DIRECTORY_H */
