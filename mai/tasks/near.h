/*===-- near.h - whether tasks go where their data is -*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * MAI_TASKS=near.  Decided once, when the library starts; it may end later, but does not begin
 * again.
 *
 * Tasks go to nodes that have CPUs, which are counted here from 0: the *homes* of tasks.
 */
#ifndef MAI_NEAR_H
#define MAI_NEAR_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "mai/memory/machine.h"

enum {
  MAI_MOST_HOMES = 64,
  MAI_NO_HOME = MAI_MOST_HOMES /**< of a task of which it is not known where its data is */
};

enum mai_near { MAI_NEAR_UNDECIDED, MAI_NEAR_OFF, MAI_NEAR_ON };

extern _Atomic enum mai_near mai_near_state __attribute__((visibility("hidden")));

/** Called once, when the library starts. */
void mai_near_start(const struct mai_machine *machine);

/** For mai_near(): starts the library. */
bool mai_near_decide(void);

/** Whether tasks go where their data is. */
static inline bool mai_near(void) {
  enum mai_near state = atomic_load_explicit(&mai_near_state, memory_order_acquire);
  return state != MAI_NEAR_OFF && (state == MAI_NEAR_ON || mai_near_decide());
}

/** All tasks that are made from now on are the run-time's, because of `reason`. */
void mai_near_end(const char *reason);

/** How many homes there are; 0 where tasks never went near their data. */
unsigned mai_home_count(void);

/** The OS index of the node that a home is. */
uint32_t mai_home_node(unsigned home);

/** The home that is nearest to the node with this OS index; MAI_NO_HOME when there is no such node.
 */
unsigned mai_home_of_node(uint32_t node);

/** The home on which the calling thread runs now. */
unsigned mai_home_here(void);

/** Home number `rank` by its distance from `home`, which is number 0. */
unsigned mai_home_by_distance(unsigned home, unsigned rank);

/** Whether no third home is nearer to `home` than `other` is. */
bool mai_home_is_nearest(unsigned home, unsigned other);

/** Count the threads of the program's teams that belong on each home, as far as that is known. */
void mai_home_count_threads(unsigned counts[MAI_MOST_HOMES]);

#endif /* MAI_NEAR_H */
