/*===-- decision.h - whether to move pays, and when to watch ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Ski rental (A. Karlin et al., "Competitive snoopy caching", 1988): an array is moved when as much
 * has been lost by not moving it as moving will cost.  Whatever comes then, no more than twice is
 * paid of what one would have paid who knew it before.
 *
 * What a move has brought is measured, too: what accesses would cost where the pages were before,
 * less what they cost now.  A move that has brought what it cost makes the next one come earlier;
 * one that has not makes it come later, each time twice, and is taken back when pages were better
 * placed before it.
 *
 * Pure functions of times in seconds; nobody's clock is asked.
 */
#ifndef MAI_DECISION_H
#define MAI_DECISION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "inference.h"

/** How the touches of an array are served by a placement. */
struct mai_service {
  double remote;  /**< the part of them that goes to another node */
  double busiest; /**< how many times its part the busiest node serves, at least; 1: all the same */
  double seen;    /**< by so many threads that were seen equally often; 0: for certain */
};

/** Sampled touches, and how pages are placed or would be. */
struct mai_served {
  const struct mai_touch *touches;
  const uint32_t *from;   /**< the node that touches */
  const uint32_t *to;     /**< the one that has the page */
  const uint32_t *counts; /**< accesses that the touch stands for */
  size_t count;
  uint32_t nodes; /**< how many nodes with memory there are, each below MAI_MOST_NODES */
};

struct mai_service mai_service_of(const struct mai_served *served);

/** By how much the part of accesses that another placement would save from going to another node
 *  is wrong by chance: its standard error.
 *  @param other the node that would have the page of each touch */
double mai_service_error(const struct mai_served *served, const uint32_t *other);

/** What it costs a thread that a line of memory is served so, as part of what a line costs at best:
 *  the price of docs/policies.md. */
double mai_service_price(const struct mai_service *service, double factor);

/** What is known when there may be something to decide.  Where too little has been seen nothing is
 *  decided. */
struct mai_prospect {
  enum mai_pattern_kind kind;
  bool open;                    /**< soon more will be known */
  bool clear;                   /**< what else was seen by chance looks another way */
  double seconds;               /**< in which that has been seen */
  struct mai_service now, then; /**< as pages lie, and as they would */
  struct mai_service back;      /**< as they lay before the last move */
  double factor;                /**< how much longer an access to another node takes */
  double touches;               /**< of a page, a second */
  double busy;                  /**< seconds a second that threads are at it; 0: not known */
  double line_seconds;          /**< what a line costs at best */
  double page_bytes;
  double pages;        /**< of the array */
  double wrong;        /**< the part of them that would be moved */
  double wrong_back;   /**< the part that would be moved back */
  double error;        /**< of what is saved by moving: mai_service_error() */
  double error_back;   /**< of what is saved by moving back */
  double move_seconds; /**< what it costs to move a page */
};

/** What is remembered of an array. */
struct mai_rental {
  enum mai_pattern_kind kind; /**< that is waited for */
  size_t chunk;               /**< and its chunks */
  bool goes_back;             /**< what is waited for is the placement before the last move */
  double since;               /**< it was seen first, and again each time; 0: there is none */
  double lost;                /**< by not moving, so far: seconds */
  double patience;            /**< how many times the costs are waited for; 0: not begun, 1; less
                                   than 1: moves have paid */
  unsigned stable;            /**< times that there was nothing to do */
  unsigned moves;             /**< so far */
  double saves;               /**< what moving saves a second, by the model */
  double looked;              /**< the last time, or when the last move ended; 0: never */
  double paid;                /**< for the last move: seconds */
  double earned;              /**< by it since then */
  double earned_in_all; /**< by all moves, as far as the array was looked at again after them */
};

enum mai_choice {
  MAI_CHOICE_STAY,
  MAI_CHOICE_MOVE,     /**< to where the pattern says */
  MAI_CHOICE_MOVE_BACK /**< to where the pages were before the last move */
};

/** A pattern has been seen at a time. @return what is to be done with the array now */
enum mai_choice mai_decide(struct mai_rental *decision, const struct mai_prospect *prospect,
                           size_t chunk, double now);

/** The array has been moved, or moved back, which took so many seconds, until now. */
void mai_decision_moved(struct mai_rental *decision, double seconds, double now);

/** What moves have cost.  All zero: there have been none. */
struct mai_moves_paid {
  double seconds;
  double pages;
};

/** One more has ended. */
void mai_decision_paid(struct mai_moves_paid *paid, double seconds, size_t pages);

/** @param known what a page is taken to cost where none has been moved
 *  @return seconds that a page will cost */
double mai_decision_page_seconds(const struct mai_moves_paid *paid, double known);

/** How long an array is left alone after it has been watched: longer the longer nothing has
 * changed.
 */
double mai_decision_rest(const struct mai_rental *decision);

/** Whether threads have been looked at for long enough.
 *  @param samples of `arrays` so far @param enough one of these may have enough to say something */
bool mai_decision_look_is_over(size_t samples, size_t arrays, bool enough, double seconds);

/** The longest look, in seconds. */
#define MAI_LONGEST_LOOK 0.3

/** How long nothing is watched `elapsed` seconds after the program's start, when `spent` seconds of
 *  its threads have been spent: until that is the part `budget` of the time.  What was not spent
 *  before is there to be spent. */
double mai_decision_pause(double elapsed, double budget, double spent);

/** How many pages may be watched at a time `elapsed` seconds after the program's start, when one
 *  costs `fault` seconds and `spent` seconds have been spent before: the part `budget` of the time.
 */
size_t mai_decision_pages(double elapsed, double budget, double spent, double fault);

/** Milliseconds of the first look at threads, in which may be spent what was not spent before. */
enum { MAI_FIRST_LOOK = 100 };

/** After how many nanoseconds of its time a thread is to be sampled, when that costs `cost`
 * seconds: the part `budget` of the time.
 *  @param unspent seconds before the first look, which this period is for; 0: it is for another */
uint64_t mai_decision_period(double budget, double cost, double unspent);

/** The same where so many threads run at a time: of more samples in less time those that are kept
 *  would be of a piece of a loop only. */
uint64_t mai_decision_spread(uint64_t period, double busy);

#endif /* MAI_DECISION_H */
