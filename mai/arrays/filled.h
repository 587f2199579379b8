/*===-- filled.h - arrays that are placed once they are filled ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * What MAI_FILLED and MAI_BLOCK_ALONG ask for.  Programs declare arrays for the worst case, such as
 * the elements of a sparse matrix, and fill them up to where the data end: only then is it known
 * what the threads will divide among them.  Where each thread's rows begin is known once the row
 * pointers are there.  And what one thread has cleared goes with those that use it then.
 */
#ifndef MAI_FILLED_H
#define MAI_FILLED_H

#include <stdbool.h>

#include "openmp/openmp.h"
#include "registry.h"

/** Plan a new array along row pointers that are there already: then no page has to be moved later.
 */
void mai_filled_plan_early(struct mai_array *array);

/** Place the arrays that have been filled, if any wait for it.  The calling thread is about to
 * open a region.  Takes a glance at a number where none waits.
 *  @return whether some wait on: the next region has to come by, too */
bool mai_filled_place(const struct mai_openmp *openmp);

#endif /* MAI_FILLED_H */
