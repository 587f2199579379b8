/*===-- omp_place_list.h - OMP_PLACES, and who is where ---------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MAI_OMP_PLACE_LIST_H
#define MAI_OMP_PLACE_LIST_H

#include <stdbool.h>

#include "mai/process/affinity.h"

/** Read a list of places that names their CPUs, such as {0,1},{2:4:-1},{8}:3:2, up to the first of
 * what it leaves out (!).  CPUs that are not in `usable` count as not there, and places without
 * any.
 *  @param visit gets each place; where it returns false nothing more is read
 *  @return whether the text is such a list: else places may have been visited */
bool mai_omp_place_list_read(const char *text, const struct mai_cpu_mask *usable,
                             bool (*visit)(const struct mai_cpu_mask *place, void *context),
                             void *context);

enum mai_omp_bind { MAI_OMP_PRIMARY, MAI_OMP_CLOSE, MAI_OMP_SPREAD };

/** How a run-time distributes a team over places. */
struct mai_omp_team {
  unsigned threads;
  unsigned places;
  enum mai_omp_bind bind;
  bool is_llvm;
};

/** The place of a thread of a team whose first thread is in the first place, as libgomp 12 and
 *  libomp 19 distribute them. */
unsigned mai_omp_place_of(unsigned thread, const struct mai_omp_team *team);

#endif /* MAI_OMP_PLACE_LIST_H */
