/*===-- callers.h - who asked for memory -------------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Many programs call malloc() in one function only, such as xmalloc(): what tells their blocks
 * apart is who called that.  A chain of calls is kept once and known by its number.
 */
#ifndef MAI_TRACE_CALLERS_H
#define MAI_TRACE_CALLERS_H

#include <stddef.h>
#include <stdint.h>

#include "callers/callers.h"

/* Of a chain the profile has so many, behind those in operator new, which may call itself. */
enum { TRACE_CALLERS_MAX = 24, TRACE_CHAINS_MAX = 4096 };

/** This thread's calls, from that on behind which is `site`; just that one where the others cannot
 *  be told. */
void trace_callers_find(uintptr_t site, struct minas_callers *found);

/** The number of a chain, from 1; 0 when there are too many.  One thread at a time. */
unsigned trace_callers_number(const struct minas_callers *chain);

/** The chain of that number; NULL where there is none. */
const struct minas_callers *trace_callers_at(unsigned number);

/** A chain has asked for a block: those of MINAS_SITE_BYTES or more count in the order of sites. */
void trace_callers_count(unsigned number, size_t bytes);

/** The key of a chain's site (callers/key.h), with the order in which sites of one key have first
 *  asked for blocks that count; "" without memory.  One thread at a time. */
const char *trace_callers_key(unsigned number);

/** Which one a new block is among those of its chain that are there, from 0: the least of the
 *  numbers that blocks of the same owner have given back, else the next.  So what threads allocate
 *  and free over and over stays apart.  0 too where there are too many.  One thread at a time.
 *  @param owner whoever allocates it, by any number */
unsigned trace_callers_take_rank(unsigned number, uint16_t owner);

/** A block is freed that had a rank of that owner.  One thread at a time. */
void trace_callers_give_rank(unsigned number, uint16_t owner, unsigned rank);

#endif /* MAI_TRACE_CALLERS_H */
