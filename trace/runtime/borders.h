/*===-- borders.h - lines in which arrays begin or end -----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A counter is a line's, and a line may have the end of one array and the beginning of another.
 * Such a line is cut where they meet, and its parts are counted by themselves (parts.h).
 */
#ifndef MAI_TRACE_BORDERS_H
#define MAI_TRACE_BORDERS_H

#include <stdint.h>

#include "hooks.h"

/** Cut lines where static arrays begin or end beside something else. */
void trace_borders_start(void);

/** An array begins or ends at this address from now on; not any more. */
void trace_border_add(uintptr_t address);
void trace_border_remove(uintptr_t address);

/** A bit for each byte of an address's line where a part begins; 0 where the line is not cut. */
MAI_TRACE_GENERAL_REGISTERS uint64_t trace_border_cuts(uintptr_t address);

/** In a child of fork(). */
void trace_borders_in_child(void);

#endif /* MAI_TRACE_BORDERS_H */
