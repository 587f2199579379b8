/*===-- touches.h - what touches are likely to come of ----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Likelihoods are compared by their logarithms in thousandths, which are counted: the C library's
 * functions of <math.h> are in another library.  Of ten touches one is taken to be anybody's.
 */
#ifndef MAI_TOUCHES_H
#define MAI_TOUCHES_H

#include "inference.h"

/** 1000 ln x, for numbers from 1 on. */
long mai_log(double x);

/** How likely touches are of which so many come from the threads that a pattern says, any of so
 *  many owners, while the rest are any other thread's. */
long mai_likelihood(size_t right, size_t count, unsigned owners, unsigned threads);

/** The same where each is any thread's. */
long mai_likelihood_of_anybody(size_t count, unsigned threads);

/** The thread whose part, of equal ones in order, has the middle of a page. */
unsigned mai_owner_in_parts(size_t page, size_t pages, unsigned threads);

/** Put them into the order of their pages. */
void mai_touches_sort(struct mai_touch *touches, size_t count);

#endif /* MAI_TOUCHES_H */
