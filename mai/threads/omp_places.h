/*===-- omp_places.h - where the user has threads bound ---------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Where the user has the run-time bind threads, they are known to be when they have been seen.
 * Before that, arrays are divided by where they are to be expected: libgomp tells its places
 * (OMP_PLACES and the like) at any time.  LLVM's run-time would have to start for that, and is not
 * asked: what OMP_PLACES says is read here, where it names CPUs.
 */
#ifndef MAI_OMP_PLACES_H
#define MAI_OMP_PLACES_H

#include <stdint.h>

#include "numarch.h"

/** Find out the places of the program's run-time. Called once. */
void mai_omp_places_read(const numarch_t *machine);

/** The node (logical index) of a thread of a team of this size; NUMARCH_NONE when nothing is known,
 *  or the thread's place has CPUs of several. */
uint32_t mai_omp_places_node(unsigned thread, unsigned team_size);

#endif /* MAI_OMP_PLACES_H */
