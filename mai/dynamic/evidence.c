/*===-- evidence.c - touches of an array that have not said anything yet *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "evidence.h"

#include <string.h>

/* What is beyond doubt may be seen at any time; all else is said of so many touches, and of so many
   seconds, as which threads run in less is chance. */
enum { ENOUGH_TOUCHES = 24, MORE_TOUCHES = 8 };
static const double ENOUGH_SECONDS = 0.1;

size_t mai_evidence_wanted(const struct mai_evidence *evidence) {
  return evidence->count < MAI_LEAST_TOUCHES ? MAI_LEAST_TOUCHES - evidence->count : MORE_TOUCHES;
}

/* Only the newest stay. */
static void forget_older(struct mai_evidence *evidence) {
  const size_t most = MAI_MOST_KEPT / 2;
  if (evidence->count <= most)
    return;
  size_t older = evidence->count - most;
  memmove(evidence->touches, evidence->touches + older, most * sizeof *evidence->touches);
  memmove(evidence->from, evidence->from + older, most * sizeof *evidence->from);
  memmove(evidence->at, evidence->at + older, most * sizeof *evidence->at);
  memmove(evidence->counts, evidence->counts + older, most * sizeof *evidence->counts);
  evidence->count = most;
}

void mai_evidence_add(struct mai_evidence *evidence, struct mai_touch touch, uint32_t from,
                      uint32_t at, uint32_t count) {
  if (evidence->count == MAI_MOST_KEPT)
    forget_older(evidence);
  evidence->touches[evidence->count] = touch;
  evidence->from[evidence->count] = from;
  evidence->counts[evidence->count] = count;
  evidence->at[evidence->count++] = at;
}

void mai_evidence_look(struct mai_evidence *evidence, double seconds, double used, double now) {
  if (evidence->since <= 0)
    evidence->since = now - seconds;
  evidence->seconds += seconds;
  evidence->used += used;
}

void mai_evidence_infer(const struct mai_evidence *evidence, struct mai_touched touched, double now,
                        struct mai_pattern *pattern) {
  touched.touches = evidence->touches;
  touched.count = evidence->count;
  mai_infer(&touched, pattern);
  bool enough = evidence->count >= ENOUGH_TOUCHES && now - evidence->since >= ENOUGH_SECONDS;
  if (!enough && !pattern->clear)
    pattern->kind = MAI_PATTERN_TOO_FEW;
}

/* @param to which nodes have the pages of the touches */
static struct mai_served served_by(const struct mai_evidence *evidence, const uint32_t *to,
                                   uint32_t nodes) {
  return (struct mai_served){.touches = evidence->touches,
                             .from = evidence->from,
                             .to = to,
                             .counts = evidence->counts,
                             .count = evidence->count,
                             .nodes = nodes};
}

/* The part of the touches whose pages are elsewhere. */
static double part_elsewhere(const struct mai_evidence *evidence, const uint32_t *to) {
  size_t elsewhere = 0;
  for (size_t i = 0; i < evidence->count; i++)
    elsewhere += to[i] != evidence->at[i];
  return evidence->count ? (double)elsewhere / (double)evidence->count : 0;
}

void mai_evidence_weigh(const struct mai_evidence *evidence, const uint32_t *then,
                        const uint32_t *back, uint32_t nodes, double now,
                        struct mai_prospect *prospect) {
  const struct mai_served served_now = served_by(evidence, evidence->at, nodes);
  const struct mai_served served_then = served_by(evidence, then, nodes);
  const struct mai_served served_back = served_by(evidence, back, nodes);
  prospect->seconds = now - evidence->since;
  prospect->now = mai_service_of(&served_now);
  prospect->then = mai_service_of(&served_then);
  prospect->back = mai_service_of(&served_back);
  prospect->error = mai_service_error(&served_now, then);
  prospect->error_back = mai_service_error(&served_now, back);
  prospect->wrong = part_elsewhere(evidence, then);
  prospect->wrong_back = part_elsewhere(evidence, back);
  prospect->busy = evidence->seconds > 0 ? evidence->used / evidence->seconds : 0;
}

/* Touches that have said nothing stay until there are others. */
void mai_evidence_end(struct mai_evidence *evidence, enum mai_pattern_kind shown) {
  if (shown == MAI_PATTERN_TOO_FEW)
    return;
  evidence->since = evidence->seconds = evidence->used = 0;
  if (shown == MAI_PATTERN_UNKNOWN)
    forget_older(evidence);
  else
    evidence->count = 0;
}
