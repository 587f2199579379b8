/*===-- evidence_test.c - touches are kept until they say something *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Eight threads, two on a node, use 4,096 pages in unequal parts: thread t has t + 1 of 36.
 */
#include "mai/dynamic/evidence.h"

#include <stdio.h>

#include "check.h"

enum { PAGES = 4096, THREADS = 8, ALL = THREADS * (THREADS + 1) / 2 };

static const uint32_t nodes[THREADS] = {0, 0, 1, 1, 2, 2, 3, 3};

static const struct mai_touched team = {.pages = PAGES, .threads = THREADS, .nodes = nodes};

static size_t begin_of(unsigned thread) { return (size_t)PAGES * thread * (thread + 1) / 2 / ALL; }

static void touch(struct mai_evidence *evidence, size_t page, unsigned thread) {
  mai_evidence_add(evidence, (struct mai_touch){page, thread, 1}, nodes[thread], 0, 1);
}

/* So many touches of each thread, in this part of its pages. */
static void touch_parts(struct mai_evidence *evidence, unsigned count, double from, double to) {
  for (unsigned i = 0; i < count; i++)
    for (unsigned thread = 0; thread < THREADS; thread++) {
      double pages = (double)(begin_of(thread + 1) - begin_of(thread));
      double part = from + (to - from) * (i + 0.5) / count;
      touch(evidence, begin_of(thread) + (size_t)(pages * part), thread);
    }
}

static enum mai_pattern_kind infer(struct mai_evidence *evidence, double now) {
  struct mai_pattern pattern;
  mai_evidence_infer(evidence, team, now, &pattern);
  return pattern.kind;
}

/* Parts that one look has found are said when the next one finds them, too. */
static void parts_are_seen_twice(void) {
  struct mai_evidence evidence = {0};
  mai_evidence_look(&evidence, 1, 8, 1);
  touch_parts(&evidence, 16, 0, 1);
  CHECK(infer(&evidence, 1) == MAI_PATTERN_TOO_FEW);
  touch_parts(&evidence, 15, 0, 1);
  CHECK(infer(&evidence, 1.4) == MAI_PATTERN_TOO_FEW); /* too soon */
  CHECK(infer(&evidence, 1.6) == MAI_PATTERN_SHARES);
}

/* While a long pass goes on only a piece of each part has been touched. */
static void pieces_are_no_parts(void) {
  struct mai_evidence evidence = {0};
  mai_evidence_look(&evidence, 1, 8, 1);
  touch_parts(&evidence, 16, 0.1, 0.4);
  CHECK(infer(&evidence, 1) == MAI_PATTERN_TOO_FEW);
  CHECK(evidence.count == 16 * THREADS);
  touch_parts(&evidence, 16, 0.4, 0.7);
  CHECK(infer(&evidence, 1) == MAI_PATTERN_TOO_FEW);
}

/* What is kept is of a longer time when there is no room, and never only the last of it. */
static void thins_out(void) {
  struct mai_evidence evidence = {0};
  size_t first = 0;
  for (size_t page = 0; page < 2048; page++)
    touch(&evidence, page, 0);
  for (size_t i = 0; i < evidence.count; i++)
    first += evidence.touches[i].page < 1024;
  CHECK(evidence.count >= MAI_MOST_KEPT / 4 && evidence.count <= MAI_MOST_KEPT);
  CHECK(first >= evidence.count / 4 && first <= evidence.count * 3 / 4);
}

/* At the end of a pass a few threads may be left. */
static void few_threads_say_nothing(void) {
  struct mai_evidence evidence = {0};
  mai_evidence_look(&evidence, 1, 8, 1);
  for (size_t i = 0; i < 32; i++)
    touch(&evidence, PAGES * 5 / 8 + i * 40,
          (unsigned)((PAGES * 5 / 8 + i * 40) * THREADS / PAGES));
  CHECK(infer(&evidence, 1) == MAI_PATTERN_TOO_FEW);
}

/* What was shown is not shown again; what shows nothing waits for more. */
static void ends(void) {
  struct mai_evidence evidence = {0};
  mai_evidence_look(&evidence, 1, 8, 1);
  touch(&evidence, 1, 0);
  mai_evidence_end(&evidence, MAI_PATTERN_TOO_FEW);
  CHECK(evidence.count == 1 && evidence.since > -1 && evidence.seconds > 0);
  mai_evidence_end(&evidence, MAI_PATTERN_UNKNOWN);
  CHECK(evidence.count == 1 && evidence.seconds <= 0);
  mai_evidence_forget(&evidence);
  CHECK(evidence.count == 0);
  touch(&evidence, 1, 0);
  mai_evidence_end(&evidence, MAI_PATTERN_BLOCK);
  CHECK(evidence.count == 0);
}

int main(void) {
  parts_are_seen_twice();
  pieces_are_no_parts();
  thins_out();
  few_threads_say_nothing();
  ends();
  printf(failures ? "%d wrong\n" : "all right\n", failures);
  return failures != 0;
}
