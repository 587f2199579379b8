/*===-- block_names.h - what regions and threads call blocks ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Where a block is allocated, the program rarely says what it is: a vector's elements are asked for
 * in the C++ library.  A parallel region has names for what it uses.  So when a thread opens a
 * region, its variables and the static ones are followed to the blocks that are known, each of
 * which gets the name that it is reached by: "domain.m_x", "mesh%rho".  A block that the user has a
 * policy for by that name is placed then.
 *
 * A thread that the program makes is to it what a region is, by what it begins with.
 *
 * That is done when a region is opened for the first times, and again after blocks have come, but
 * ever more rarely: it takes some tenths of a millisecond.
 */
#ifndef MAI_BLOCK_NAMES_H
#define MAI_BLOCK_NAMES_H

#include <stdbool.h>

#include "mai/arrays/executable.h"

/** Name blocks from now on, if there are tables for this program or its libraries: those that
 *  MAI_NAMES tells of, and those that they carry.  For mai-run's library, before main(). */
void mai_block_names_begin(void);

/** Whether blocks get names: then all are to be known. */
bool mai_block_names_wanted(void);

/** What the debug information of the program and its libraries says of static arrays. */
extern const struct mai_static_names mai_block_names_static;

#endif /* MAI_BLOCK_NAMES_H */
