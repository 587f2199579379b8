/*===-- observation.h - what threads are seen to access in a round -*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The threads of the team are sampled while a round looks, and between rounds, too; or, where they
 * cannot be, some of the pages are watched.  What is seen stands in the entries of the arrays.
 */
#ifndef MAI_OBSERVATION_H
#define MAI_OBSERVATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "inference.h"
#include "mai/arrays/registry.h"
#include "round.h"
#include "watch.h"

/** The most arrays that are looked at in a round. */
enum { MAI_MOST_ARRAYS = 64 };

/** Sampled accesses of a thread to a page. */
struct mai_hit {
  size_t unit;
  unsigned thread;
  uint32_t region; /**< of the first */
  uint32_t count;
};

/** An array whose turn it is, as it was when it was looked at. */
struct mai_entry {
  struct mai_shape shape;
  struct mai_page_sizes pages;
  uintptr_t begin; /* its placed pages */
  uintptr_t end;
  size_t page_size;
  size_t unit;         /* bytes that are watched as one */
  size_t enough;       /* accesses of it, each page once for each thread, that may say something */
  size_t first, count; /* its pages in the sample */
  size_t sampled;      /* accesses */
  double samples;      /* that these are part of; of one in several arrays each has a part */
  size_t hit_count;    /* of them, each page once for each thread */
  struct mai_hit *hits;
};

/** The arrays of a round, in the order of their addresses. */
struct mai_turn {
  double now; /* infinite: it is the turn of all */
  double due; /* of the next array whose turn it is not yet; 0: none */
  uintptr_t behind;
  struct mai_entry *entries;
  size_t count;
};

/** The team as it is now: the node of each of its threads, by OS index.  Nothing is learnt of
   threads that nobody keeps on a node. */
struct mai_team {
  unsigned threads;
  uint32_t nodes[MAI_MOST_TOUCHING];
  uint32_t numbers[MAI_MOST_TOUCHING]; /* that the kernel has for them */
};

/** Pages that are watched. */
struct mai_watched_sample {
  struct mai_watched *pages;
  uint32_t *nodes; /* where each of them is */
  size_t count;
};

/** What has been seen in a round. */
struct mai_observation {
  struct mai_watched_sample sample;
  struct mai_hit *hits; /* of all arrays */
  double seconds;       /* for which threads were looked at */
  double busy_each;     /* seconds a second of threads that a sample stands for; 0: none */
  double cost;          /* of it, to the program: seconds of its threads at most */
  double cost_each;     /* the part of each array */
};

/** @return false where nothing can be learnt: threads are not kept on nodes, or are too many */
bool mai_team_find(struct mai_team *team);

/** How many units an array has, and one of them. */
size_t mai_entry_units(const struct mai_entry *entry);
struct mai_watched mai_entry_unit(const struct mai_entry *entry, size_t index);

/** Look at the threads until enough has been seen of the arrays.
 *  @param observation to be ended in any case
 *  @return whether anything can have been seen */
bool mai_observation_take(const struct mai_round *round, const struct mai_team *team,
                          struct mai_turn *turn, struct mai_observation *observation);

/** Free what was seen, and forget what came while it was judged. */
void mai_observation_end(struct mai_observation *observation);

/** Between two rounds: to be called every few milliseconds, so that the next one knows what threads
 *  did. */
void mai_observation_rest(void);

/** Whether a parallel region is known from the last rounds. */
bool mai_observation_knows(uint32_t region);

/** How many seconds a second the team's threads have run since the last round; between two rounds.
 */
double mai_observation_busy(const struct mai_team *team);

/** The thread that calls looks no more. */
void mai_observations_end(void);

/** Any number, another one each time. */
size_t mai_draw(size_t below);

#endif /* MAI_OBSERVATION_H */
