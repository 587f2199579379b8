/*===-- phases.h - where an array belongs while a region runs ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A program may use an array by rows for a while, then by columns, then by rows again.  A phase is
 * known by the parallel region that runs in it, and by the pattern that is seen, as one region may
 * do both.  Where the array was moved to in a phase, and how long that lasted, is remembered: when
 * a region runs again that has had one pattern, nothing has to be learnt; when a pattern is seen
 * again, whether to move pays is known before anything is lost.
 *
 * Pure functions; nobody's clock is asked.
 */
#ifndef MAI_PHASES_H
#define MAI_PHASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decision.h"
#include "inference.h"

enum { MAI_MOST_PHASES = 8 };

/** A phase in which an array has been moved. */
struct mai_phase {
  uint32_t region;
  enum mai_pattern_kind kind; /**< where to */
  size_t chunk;
  double saves;  /**< what that saves a second, by the model */
  double wrong;  /**< the part of the pages that it moves */
  double lasted; /**< the last time, as far as it was seen: seconds */
};

/** What is remembered of an array.  All zero: nothing. */
struct mai_phases {
  struct mai_phase seen;  /**< last; its region is 0: none yet */
  double since;           /**< it was seen each time */
  struct mai_phase place; /**< where the array has been moved to; unknown: nowhere that counts */
  struct mai_phase list[MAI_MOST_PHASES];
  size_t count; /**< in all; the newest are in the list */
};

enum { MAI_MOST_REGIONS = 16 };

/** Which ran, or whose accesses were seen, in a round; one more than there is room for: any. */
struct mai_region_list {
  uint32_t list[MAI_MOST_REGIONS];
  size_t count;
};

void mai_region_list_add(struct mai_region_list *list, uint32_t region);

bool mai_region_list_has(const struct mai_region_list *list, uint32_t region);

/** The regions of the last round, and of the one before.  All zero: none yet. */
struct mai_regions {
  struct mai_region_list last, before;
};

/** A round begins. */
void mai_regions_next(struct mai_regions *regions);

/** It ran, or an access of it was seen. */
void mai_regions_note(struct mai_regions *regions, uint32_t region);

/** Whether a region runs that the last two rounds have seen, as far as that is known: of one that
 *  began to run in the last round a phase may have begun. */
bool mai_regions_know(const struct mai_regions *regions, uint32_t region);

/** How long regions run that are new.  All zero: none yet. */
struct mai_news {
  double looked;  /**< the last time */
  double seconds; /**< thrice those of new regions, less those of others */
};

/** A region is open.
 *  @return whether a new one is, and new ones have run for 40 ms, or for more than a quarter of a
 *  longer time: another phase may have begun */
bool mai_news_look(struct mai_news *news, bool is_new, double now);

/** Of a region, where it is known well enough: the one that has three of four touches.
 *  @return 0 where none has */
uint32_t mai_phases_region(const struct mai_touch *touches, size_t count);

/** An array has been seen to be used by a region, in a pattern as far as that is known. */
void mai_phases_see(struct mai_phases *phases, const struct mai_phase *seen, double now);

/** The array is moved, to where what is seen says, or what was recalled.
 *  @param phase its region may be 0: not known until one is seen that has this pattern */
void mai_phases_move(struct mai_phases *phases, const struct mai_phase *phase, double now);

/** The array is moved back: where it was moved to in this phase is forgotten. */
void mai_phases_leave(struct mai_phases *phases);

/** The move that was told last has been given up: some pages are elsewhere. */
void mai_phases_give_up(struct mai_phases *phases);

/** A region runs.
 *  @param seen it, and its pattern: too little seen where nothing is known of that yet
 *  @param move_seconds what it costs to move all pages
 *  @return where the array is to be moved now; NULL: it stays for this time */
const struct mai_phase *mai_phases_recall(const struct mai_phases *phases,
                                          const struct mai_phase *seen,
                                          const struct mai_rental *decision, double move_seconds);

#endif /* MAI_PHASES_H */
