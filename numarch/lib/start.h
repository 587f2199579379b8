/*===-- start.h - what a start needs, from the kernel's files -----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef NUMARCH_START_H
#define NUMARCH_START_H

#include "machine.h"

/** Fill in an ordinary machine, all but its details, as hwloc would.
 *  @param folder the kernel's, /sys/devices/system
 *  @param whole also what this process may not use
 *  @return whether it was; if not, `machine` stays and hwloc is to be asked; errno stays */
bool numarch_build_start(struct numarch *machine, const char *folder, bool whole);

#endif /* NUMARCH_START_H */
