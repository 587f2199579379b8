/*===-- pads.h - blocks that begin with a page ------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * An allocator that is asked for a block at a page gives back what lies in front of it and behind.
 * It writes to what is free, which programs would see that read what they forgot to write: these
 * pads are taken out of its hands, and kept.  That may be done for few blocks only.
 */
#ifndef RUN_PADS_H
#define RUN_PADS_H

#include <stddef.h>

/** Before main() begins: see whether the allocator behind malloc() can be asked. */
void run_pads_begin(void);

/** Of matrices there are many rows, which leave blocks theirs. */
enum run_pad_kind { RUN_PADS_OF_BLOCK, RUN_PADS_OF_ROW, RUN_PAD_KINDS };

/** A block of malloc()'s allocator at the begin of a page; NULL: the allocator is to be asked as
 *  the program does. */
void *run_pads_ask(size_t bytes, size_t page_size, enum run_pad_kind kind);

#endif /* RUN_PADS_H */
