/*===-- quick.h - reads an ordinary machine without hwloc -------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef NUMARCH_QUICK_H
#define NUMARCH_QUICK_H

#include "machine.h"

/** Read what this process may use of the running machine, without hwloc: for NUMARCH_QUICK.
 *  @return the machine, equal to what hwloc tells; NULL where that has to be asked */
numarch_t *numarch_read_quickly(void);

#endif /* NUMARCH_QUICK_H */
