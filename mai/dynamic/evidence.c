/*===-- evidence.c - touches of an array that have not said anything yet *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "evidence.h"

#include <string.h>

/* What is beyond doubt may be seen at any time; all else is said of so many touches, and of so many
   seconds, as which threads run in less is chance. */
enum { ENOUGH_TOUCHES = 24, MORE_TOUCHES = 8, MOST_LEFT_OUT = 15 };
static const double ENOUGH_SECONDS = 0.1;

size_t mai_evidence_wanted(const struct mai_evidence *evidence) {
  return evidence->count < MAI_LEAST_TOUCHES ? MAI_LEAST_TOUCHES - evidence->count : MORE_TOUCHES;
}

static void copy(struct mai_evidence *evidence, size_t to, size_t from) {
  evidence->touches[to] = evidence->touches[from];
  evidence->from[to] = evidence->from[from];
  evidence->at[to] = evidence->at[from];
  evidence->counts[to] = evidence->counts[from];
}

static void forget_first(struct mai_evidence *evidence, size_t older) {
  evidence->count -= older;
  for (size_t i = 0; i < evidence->count; i++)
    copy(evidence, i, i + older);
  evidence->parts.before -= evidence->parts.before < older ? evidence->parts.before : older;
}

/* By a linear congruential generator (D. Knuth, The Art of Computer Programming 2, 3.3.4). */
static bool is_drawn(struct mai_evidence *evidence) {
  evidence->lot = evidence->lot * 1664525 + 1013904223;
  return (evidence->lot >> 16) % (evidence->left_out + 1) == 0;
}

/* One of two stays, of those that come later, too: so all that is kept is of twice the time.  A
   pass of the program may be as long as that. */
static void thin_out(struct mai_evidence *evidence) {
  evidence->count /= 2;
  for (size_t i = 0; i < evidence->count; i++)
    copy(evidence, i, 2 * i + 1);
  evidence->parts.before /= 2;
  evidence->left_out = 2 * evidence->left_out + 1;
}

static void make_room(struct mai_evidence *evidence) {
  if (evidence->left_out < MOST_LEFT_OUT)
    thin_out(evidence);
  else
    forget_first(evidence, evidence->count / 2);
}

void mai_evidence_add(struct mai_evidence *evidence, struct mai_touch touch, uint32_t from,
                      uint32_t at, uint32_t count) {
  if (!is_drawn(evidence))
    return;
  if (evidence->count == MAI_MOST_KEPT)
    make_room(evidence);
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

void mai_evidence_forget(struct mai_evidence *evidence) {
  evidence->count = evidence->left_out = 0;
  evidence->parts.before = 0;
  evidence->since = evidence->seconds = evidence->used = 0;
}

/* Those of them that parts explain. */
static size_t explained(const struct mai_parts *parts, const struct mai_touch *touches,
                        size_t count) {
  size_t right = 0;
  for (size_t i = 0; i < count; i++) {
    unsigned owner = touches[i].thread;
    size_t begin = mai_part_begin(parts->shares, owner);
    right += touches[i].page >= begin && touches[i].page < begin + parts->shares[owner];
  }
  return right;
}

/* Whether touches that came later speak for the same parts.  Where these were found by few, each of
   their bounds is known up to the pages between two of them, half of which may be wrong. */
static bool agree(const struct mai_evidence *evidence, unsigned threads, double fit) {
  static const double MOST_MISFIT = 0.1;
  const struct mai_parts *parts = &evidence->parts;
  size_t count = evidence->count - parts->before;
  double bounds = (double)(threads - 1) / (2 * (double)parts->found_by);
  double right = (double)explained(parts, evidence->touches + parts->before, count);
  return right >= (fit - MOST_MISFIT - bounds) * (double)count;
}

/* At the end of a pass some threads may be left that have more to do. */
static unsigned threads_seen(const struct mai_touched *touched) {
  bool seen[MAI_MOST_TOUCHING] = {false};
  unsigned threads = 0;
  for (size_t i = 0; i < touched->count; i++) {
    bool *thread = &seen[touched->touches[i].thread];
    threads += !*thread;
    *thread = true;
  }
  return threads;
}

/* What is not beyond doubt is said of enough touches, and nothing of few threads. */
static enum mai_pattern_kind kind_of(const struct mai_evidence *evidence,
                                     const struct mai_touched *touched,
                                     const struct mai_pattern *pattern, double now) {
  bool enough = evidence->count >= ENOUGH_TOUCHES && now - evidence->since >= ENOUGH_SECONDS;
  if (2 * threads_seen(touched) < touched->threads)
    return evidence->count < MAI_MOST_KEPT / 2 ? MAI_PATTERN_TOO_FEW : MAI_PATTERN_UNKNOWN;
  if (pattern->kind == MAI_PATTERN_TOO_FEW && evidence->left_out >= MOST_LEFT_OUT)
    return MAI_PATTERN_UNKNOWN;
  return enough || pattern->clear ? pattern->kind : MAI_PATTERN_TOO_FEW;
}

static bool are_later(const struct mai_evidence *evidence, double now) {
  static const double PART = 0.5;
  const struct mai_parts *parts = &evidence->parts;
  return evidence->count - parts->before >= MORE_TOUCHES &&
         now - parts->when >= PART * parts->seconds;
}

static void set_parts(struct mai_evidence *evidence, const unsigned long *shares, double now) {
  struct mai_parts *parts = &evidence->parts;
  parts->found_by = parts->before = evidence->count;
  parts->seconds = now - evidence->since;
  parts->when = now;
  memcpy(parts->shares, shares, sizeof parts->shares);
}

static void forget_before_parts(struct mai_evidence *evidence) {
  forget_first(evidence, evidence->parts.before);
  evidence->since = evidence->parts.when;
}

/* Where parts end is found by the touches that it is to explain, which may be those of a piece of a
   pass: it is believed where others agree, of half as much time later.  Where they do not, these
   count. */
static void check_parts(struct mai_evidence *evidence, unsigned threads, double now,
                        struct mai_pattern *pattern) {
  bool first = evidence->parts.found_by == 0;
  bool later = !first && are_later(evidence, now);
  bool same = later && agree(evidence, threads, pattern->fit);
  pattern->open = !same;
  pattern->kind = same ? pattern->kind : MAI_PATTERN_TOO_FEW;
  if (later && !same)
    forget_before_parts(evidence);
  if (first || later)
    set_parts(evidence, pattern->shares, now);
}

void mai_evidence_infer(struct mai_evidence *evidence, struct mai_touched touched, double now,
                        struct mai_pattern *pattern) {
  touched.touches = evidence->touches;
  touched.count = evidence->count;
  mai_infer(&touched, pattern);
  pattern->kind = kind_of(evidence, &touched, pattern, now);
  if (pattern->kind == MAI_PATTERN_SHARES)
    check_parts(evidence, touched.threads, now, pattern);
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
  if (shown == MAI_PATTERN_UNKNOWN)
    evidence->since = evidence->seconds = evidence->used = 0;
  else
    mai_evidence_forget(evidence);
}
