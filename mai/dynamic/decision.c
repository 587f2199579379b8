/*===-- decision.c - whether to move pays, and when to watch ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "decision.h"

#include "mai/policy/placement.h"

/* An array is watched so often at first, and so seldom at last. */
static const double SHORTEST_REST = 0.05, LONGEST_REST = 10;

/* To move has to save that part of what accesses cost at best: touches are few, and by chance more
   of them seem to be remote than are. */
static const double LEAST_GAIN = 0.1;

static const double LINE_BYTES = 64;

/* Moves that were followed by another pattern make moving again wait longer. */
static const double MOST_PATIENCE = 64;

/*===-- How touches are served ---------------------------------------------===*/

struct mai_service mai_service_of(const uint32_t *from, const uint32_t *to, size_t count,
                                  uint32_t nodes) {
  size_t served[MAI_MOST_NODES] = {0};
  struct mai_service service = {0, 1};
  size_t remote = 0, most = 0;
  for (size_t i = 0; i < count; i++) {
    remote += from[i] != to[i];
    if (to[i] < MAI_MOST_NODES && ++served[to[i]] > most)
      most = served[to[i]];
  }
  if (count) {
    service.remote = (double)remote / (double)count;
    service.busiest = (double)most * nodes / (double)count;
  }
  return service;
}

double mai_service_price(const struct mai_service *service, double factor) {
  double queue = service->busiest < 1.1 ? 0 : service->busiest - 1;
  return service->remote * (factor - 1) + queue;
}

/*===-- Deciding -----------------------------------------------------------===*/

/* That one node touches an array may be a part of the program that is not parallel, and reads may
   not have been seen; where regions do not agree, or nothing is known, no place is better. */
static bool says_where(enum mai_pattern_kind kind) {
  return kind == MAI_PATTERN_BLOCK || kind == MAI_PATTERN_REVERSED || kind == MAI_PATTERN_COLUMNS ||
         kind == MAI_PATTERN_BLOCK_CYCLIC || kind == MAI_PATTERN_SHARES ||
         kind == MAI_PATTERN_EVERYONE;
}

/* Unequal parts are other ones each time they are measured. */
static bool is_the_same(const struct mai_rental *decision, enum mai_pattern_kind kind,
                        size_t chunk) {
  return decision->since > 0 && decision->kind == kind && decision->chunk == chunk;
}

static void begin(struct mai_rental *decision, enum mai_pattern_kind kind, size_t chunk,
                  double now) {
  decision->kind = kind;
  decision->chunk = chunk;
  decision->since = now;
  decision->lost = 0;
}

static double gain(const struct mai_prospect *prospect) {
  return mai_service_price(&prospect->now, prospect->factor) -
         mai_service_price(&prospect->then, prospect->factor);
}

/* By what threads are seen to do where that is known; else each touch is taken to read a whole
   page. */
static double saved_a_second(const struct mai_prospect *prospect) {
  if (prospect->busy > 0)
    return prospect->busy * gain(prospect) /
           (1 + mai_service_price(&prospect->now, prospect->factor));
  double lines = prospect->pages * prospect->page_bytes / LINE_BYTES;
  return lines * prospect->touches * prospect->line_seconds * gain(prospect);
}

bool mai_decide(struct mai_rental *decision, const struct mai_prospect *prospect, size_t chunk,
                double now) {
  if (decision->patience < 1)
    decision->patience = 1;
  if (!says_where(prospect->kind) || gain(prospect) < LEAST_GAIN) {
    decision->since = 0;
    decision->stable++;
    return false;
  }
  decision->stable = 0;
  decision->saves = saved_a_second(prospect);
  if (!is_the_same(decision, prospect->kind, chunk)) {
    begin(decision, prospect->kind, chunk, now);
    return false;
  }
  decision->lost += decision->saves * (now - decision->since);
  decision->since = now;
  double cost = prospect->pages * prospect->wrong * prospect->move_seconds;
  return decision->lost >= cost * decision->patience;
}

void mai_decision_moved(struct mai_rental *decision) {
  decision->since = 0;
  decision->lost = 0;
  if (decision->moves++ > 0 && decision->patience < MOST_PATIENCE)
    decision->patience *= 2;
}

/*===-- Watching -----------------------------------------------------------===*/

double mai_decision_rest(const struct mai_rental *decision, double budget, double cost) {
  double rest = SHORTEST_REST;
  for (unsigned i = 1; i < decision->stable && rest < LONGEST_REST; i++)
    rest *= 2;
  if (rest < cost / budget)
    rest = cost / budget;
  return rest < LONGEST_REST ? rest : LONGEST_REST;
}

size_t mai_decision_pages(double elapsed, double budget, double spent, double fault) {
  double left = elapsed * budget - spent;
  return left > 0 && fault > 0 ? (size_t)(left / fault) : 0;
}
