/*===-- machine.h - the machine, for the profile -----------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * numArch would tell more, but brings other libraries into the program, which call functions that
 * the program may have defined itself.
 */
#ifndef MAI_TRACE_MACHINE_H
#define MAI_TRACE_MACHINE_H

#include "output.h"

/** Write section MACH: what the kernel tells of nodes and CPUs; nothing where it tells nothing. */
void trace_machine_write(struct trace_output *output);

#endif /* MAI_TRACE_MACHINE_H */
