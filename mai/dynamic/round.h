/*===-- round.h - looks once at what threads access --------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MAI_ROUND_H
#define MAI_ROUND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "costs.h"

/** What a round needs to know. */
struct mai_round {
  double begun; /**< when the first array got the policy */
  bool (*is_to_end)(void);
  bool sees_writes;  /**< the kernel lets pages be watched */
  size_t most_pages; /**< that may be watched */
  const struct mai_costs *costs;
  uint64_t sample_period; /**< of a thread's time, in nanoseconds */
  uint64_t first_period;  /**< the same for the first look, where threads were not sampled before */
  bool at_random;         /**< decide by lot */
  bool news;              /**< regions run that the last rounds have not seen: all arrays are looked
                               at, whether it is their turn or not */
};

/** Watch those arrays whose turn it is, and move those for which that pays.
 *  @param cost receives the seconds that watching has cost the program's threads, at most
 *  @return how many seconds from now the next round is due; negative: there is nothing to watch */
double mai_round_run(const struct mai_round *round, double *cost);

#endif /* MAI_ROUND_H */
