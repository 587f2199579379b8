/*===-- machine.h - the machine, for the profile -----------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MAI_TRACE_MACHINE_H
#define MAI_TRACE_MACHINE_H

#include "output.h"

/** Read the machine, while allocation is still allowed. */
void trace_machine_read(void);

/** Write the section MACH. */
void trace_machine_write(struct trace_output *output);

#endif /* MAI_TRACE_MACHINE_H */
