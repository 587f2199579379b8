/*===-- evidence.h - touches of an array that have not said anything yet *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Touches are kept until there are enough of them to show a pattern.  Then they say what moving
 * would save, too.
 *
 * Pure functions of times in seconds; nobody's clock is asked.
 */
#ifndef MAI_EVIDENCE_H
#define MAI_EVIDENCE_H

#include "decision.h"
#include "inference.h"

enum { MAI_MOST_KEPT = 256 };

/** Unequal parts that touches have shown. */
struct mai_parts {
  unsigned long shares[MAI_MOST_TOUCHING];
  size_t found_by; /**< so many touches; 0: none were shown yet */
  size_t before;   /**< of those that are kept, so many came before */
  double seconds;  /**< for how long they had been looked for */
  double when;     /**< they were found */
};

/** All zero: there is none. */
struct mai_evidence {
  size_t count;
  struct mai_touch touches[MAI_MOST_KEPT];
  uint32_t from[MAI_MOST_KEPT];   /**< the node of who touched, ... */
  uint32_t at[MAI_MOST_KEPT];     /**< ... and of the page */
  uint32_t counts[MAI_MOST_KEPT]; /**< accesses that each stands for */
  uint32_t left_out;              /**< of touches, so many for each that is kept */
  uint32_t lot;                   /**< decides which */
  struct mai_parts parts;         /**< that were seen last */
  double since;                   /**< the first of them was looked for; 0: none was */
  double seconds;                 /**< in which threads have been looked at since then, ... */
  double used;                    /**< ... and those of their time that the array has taken */
};

/** How many touches more may say something. */
size_t mai_evidence_wanted(const struct mai_evidence *evidence);

/** A page at the node `at` was touched from the node `from`, by so many accesses.  Where there is
 *  no room, half of the touches are forgotten, and of those that come later. */
void mai_evidence_add(struct mai_evidence *evidence, struct mai_touch touch, uint32_t from,
                      uint32_t at, uint32_t count);

/** Threads have been looked at until now for so many seconds, of which the array took `used`. */
void mai_evidence_look(struct mai_evidence *evidence, double seconds, double used, double now);

/** Which pattern the touches show: too few, where that may be chance.
 *  @param touched the array and its team, without touches */
void mai_evidence_infer(struct mai_evidence *evidence, struct mai_touched touched, double now,
                        struct mai_pattern *pattern);

/** What moving would change.
 *  @param then of each touch, the node that would have its page
 *  @param back the one that had it before the last move
 *  @param nodes how many there are
 *  @param prospect what touches tell of it is set */
void mai_evidence_weigh(const struct mai_evidence *evidence, const uint32_t *then,
                        const uint32_t *back, uint32_t nodes, double now,
                        struct mai_prospect *prospect);

/** A pattern has been shown, or none: what is not needed any more is forgotten. */
void mai_evidence_end(struct mai_evidence *evidence, enum mai_pattern_kind shown);

/** Pages have been moved: touches do not tell any more where they are. */
void mai_evidence_forget(struct mai_evidence *evidence);

#endif /* MAI_EVIDENCE_H */
