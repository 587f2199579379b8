/*===-- opened.h - which parallel region was open when ----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Samples are read some milliseconds after they were taken, when other regions may be open.
 */
#ifndef MAI_OPENED_H
#define MAI_OPENED_H

#include "phases.h"

/** A region is opened, by any thread. @param now by minas_now() */
void mai_opened_note(uint32_t region, double now);

/** The region that has been opened last; 0: none yet. */
uint32_t mai_opened_last(void);

/** The one that had been opened last then; of what is too long ago, the first that is known. */
uint32_t mai_opened_at(double when);

/** All that are known to have been opened since then, or to have been open then. */
void mai_opened_since(double when, struct mai_region_list *regions);

#endif /* MAI_OPENED_H */
