/*===-- inference_test.c - which policy touches speak for ------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Each row of the table has touches that a rule makes up, some of them by anybody, and the pattern
 * that is to be found in them.
 */
#include "mai/dynamic/inference.h"

#include <stdbool.h>
#include <stdio.h>

enum { PAGES = 1024, THREADS = 8, ROW = 32, MOST = 256 };

static const uint32_t nodes[THREADS] = {0, 0, 1, 1, 2, 2, 3, 3};

/* The same numbers in every run. */
static uint64_t seed;
static unsigned draw(unsigned below) {
  seed = seed * 6364136223846793005U + 1442695040888963407U;
  return (unsigned)(seed >> 33) % below;
}

typedef unsigned owner_t(size_t page, unsigned region);

static unsigned block(size_t page, unsigned region) {
  (void)region;
  return (unsigned)(page * THREADS / PAGES);
}
static unsigned reversed(size_t page, unsigned region) { return 7 - block(page, region); }
static unsigned columns(size_t page, unsigned region) {
  (void)region;
  return (unsigned)(page % ROW * THREADS / ROW);
}
static unsigned by_five(size_t page, unsigned region) {
  (void)region;
  return (unsigned)(page / 5 % THREADS);
}
static unsigned single_pages(size_t page, unsigned region) {
  (void)region;
  return (unsigned)(page % THREADS);
}
static unsigned first_thread(size_t page, unsigned region) {
  (void)page;
  (void)region;
  return 0;
}
static unsigned third_node(size_t page, unsigned region) {
  (void)page;
  (void)region;
  return 4 + draw(2);
}
static unsigned anybody(size_t page, unsigned region) {
  (void)page;
  (void)region;
  return draw(THREADS);
}
/* The first thread has half of the pages, the others have the rest. */
static unsigned unequal(size_t page, unsigned region) {
  (void)region;
  return page < PAGES / 2 ? 0 : 1 + (unsigned)((page - PAGES / 2) * 7 / (PAGES / 2));
}
/* In three slices of 500, 300 and 224 pages; of the last one anybody's, or each region's own. */
static const size_t ends[] = {500, 800, PAGES};
static unsigned slices(size_t page, unsigned region) {
  (void)region;
  size_t begin = page < ends[0] ? 0 : page < ends[1] ? ends[0] : ends[1];
  size_t end = page < ends[0] ? ends[0] : page < ends[1] ? ends[1] : ends[2];
  return (unsigned)((page - begin) * THREADS / (end - begin));
}
static unsigned slices_and_table(size_t page, unsigned region) {
  return page < ends[1] ? slices(page, region) : draw(THREADS);
}
/* Pieces of no order. */
static unsigned pieces(size_t page, unsigned region) {
  static const unsigned owners[16] = {3, 0, 6, 1, 7, 2, 5, 0, 4, 6, 1, 3, 7, 5, 2, 4};
  (void)region;
  return owners[page * 16 / PAGES];
}
static unsigned alternating(size_t page, unsigned region) {
  return region ? columns(page, 0) : block(page, 0);
}
static unsigned mostly_block(size_t page, unsigned region) {
  return region < 2 ? block(page, 0) : columns(page, 0);
}
static unsigned three_ways(size_t page, unsigned region) {
  return region == 0 ? block(page, 0) : region == 1 ? reversed(page, 0) : single_pages(page, 0);
}
static unsigned mixed(size_t page, unsigned region) {
  return region ? draw(THREADS) : columns(page, 0);
}
static unsigned mixed_but_for_the_last(size_t page, unsigned region) {
  return region == 2 ? block(page, 0) : draw(THREADS);
}
static unsigned same_in_both(size_t page, unsigned region) {
  (void)region;
  return block(page, 0);
}
/* All but the last two threads' nodes. */
static unsigned most_nodes(size_t page, unsigned region) {
  (void)page;
  (void)region;
  return draw(5);
}

static const struct row {
  const char *what;
  owner_t *owner;
  unsigned touches;
  unsigned noise; /* of ten touches */
  unsigned regions;
  bool knows_rows;
  enum mai_pattern_kind kind;
  size_t chunk;
  uint32_t node;
  bool differs;
} rows[] = {
    {"block", block, 64, 0, 1, false, MAI_PATTERN_BLOCK, 0, 0, false},
    {"block with noise", block, 128, 1, 1, false, MAI_PATTERN_BLOCK, 0, 0, false},
    {"block by few touches", block, 16, 0, 1, false, MAI_PATTERN_BLOCK, 0, 0, false},
    {"fewer touches say nothing", block, 15, 0, 1, false, MAI_PATTERN_TOO_FEW, 0, 0, false},
    {"reversed", reversed, 64, 0, 1, false, MAI_PATTERN_REVERSED, 0, 0, false},
    {"columns", columns, 128, 0, 1, true, MAI_PATTERN_COLUMNS, 0, 0, false},
    {"columns of unknown rows are chunks", columns, 128, 0, 1, false, MAI_PATTERN_BLOCK_CYCLIC,
     ROW / THREADS, 0, false},
    {"chunks of five", by_five, 128, 0, 1, false, MAI_PATTERN_BLOCK_CYCLIC, 5, 0, false},
    {"chunks of one", single_pages, 128, 1, 1, false, MAI_PATTERN_BLOCK_CYCLIC, 1, 0, false},
    {"unequal parts", unequal, 128, 0, 1, false, MAI_PATTERN_SHARES, 0, 0, false},
    {"slices", slices, 128, 0, 1, false, MAI_PATTERN_SLICES, 0, 0, false},
    {"slices with noise", slices, 192, 1, 1, false, MAI_PATTERN_SLICES, 0, 0, false},
    {"slices and a table of all", slices_and_table, 128, 0, 1, false, MAI_PATTERN_SLICES, 0, 0,
     false},
    {"slices of several regions", slices, 192, 0, 3, false, MAI_PATTERN_SLICES, 0, 0, false},
    {"one thread", first_thread, 64, 0, 1, false, MAI_PATTERN_ONE_NODE, 0, 0, false},
    {"one node", third_node, 64, 1, 1, false, MAI_PATTERN_ONE_NODE, 0, 2, false},
    {"everyone", anybody, 128, 0, 1, false, MAI_PATTERN_EVERYONE, 0, 0, false},
    {"some nodes only", most_nodes, 128, 0, 1, false, MAI_PATTERN_UNKNOWN, 0, 0, false},
    {"pieces of no order", pieces, 128, 0, 1, false, MAI_PATTERN_UNKNOWN, 0, 0, false},
    {"half of it noise", block, 128, 5, 1, false, MAI_PATTERN_UNKNOWN, 0, 0, false},
    {"regions that differ", alternating, 128, 0, 2, true, MAI_PATTERN_BLOCK, 0, 0, true},
    {"regions that differ by few touches", three_ways, 30, 0, 3, true, MAI_PATTERN_UNKNOWN, 0, 0,
     false},
    {"one of three regions by columns", mixed, 96, 0, 3, true, MAI_PATTERN_COLUMNS, 0, 0, true},
    {"the last of three regions by rows", mixed_but_for_the_last, 96, 0, 3, true, MAI_PATTERN_BLOCK,
     0, 0, true},
    {"two of three regions by rows", mostly_block, 128, 0, 3, true, MAI_PATTERN_BLOCK, 0, 0, false},
    {"regions that agree", same_in_both, 128, 0, 2, true, MAI_PATTERN_BLOCK, 0, 0, false},
};

static void make(const struct row *row, struct mai_touch *touches) {
  seed = 1;
  for (unsigned i = 0; i < row->touches; i++) {
    size_t page = ((size_t)i * PAGES + draw(PAGES)) / row->touches;
    unsigned region = i % row->regions;
    unsigned thread =
        row->noise && draw(10) < row->noise ? draw(THREADS) : row->owner(page, region);
    touches[i] = (struct mai_touch){page, thread, region};
  }
}

static bool has_shares(const struct mai_pattern *pattern) {
  size_t sum = 0;
  for (unsigned i = 0; i < THREADS; i++)
    sum += pattern->shares[i];
  return sum == PAGES && pattern->shares[0] > 500 && pattern->shares[0] < 524;
}

/* Bounds are found up to the pages between two touches. */
static bool has_slices(const struct mai_pattern *pattern) {
  size_t end = 0;
  bool near = pattern->slices == 3;
  for (unsigned i = 0; near && i < 3; i++) {
    end += pattern->shares[i];
    near = end + 16 > ends[i] && end < ends[i] + 16;
  }
  return near && end == PAGES;
}

static bool check(const struct row *row) {
  struct mai_touch touches[MOST];
  struct mai_pattern pattern;
  struct mai_touched touched = {.touches = touches,
                                .count = row->touches,
                                .pages = PAGES,
                                .row_pages = row->knows_rows ? ROW : 0,
                                .threads = THREADS,
                                .nodes = nodes};
  make(row, touches);
  mai_infer(&touched, &pattern);
  if (pattern.kind == row->kind && pattern.chunk == row->chunk && pattern.node == row->node &&
      pattern.differs == row->differs &&
      (row->kind != MAI_PATTERN_SHARES || has_shares(&pattern)) &&
      (row->kind != MAI_PATTERN_SLICES || has_slices(&pattern)))
    return true;
  printf("%s: expected %s, found %s (chunk %zu, node %u, fit %.2f, confidence %.2f)\n", row->what,
         mai_pattern_name(&(struct mai_pattern){.kind = row->kind}), mai_pattern_name(&pattern),
         pattern.chunk, pattern.node, pattern.fit, pattern.confidence);
  return false;
}

/* Every confidence is one, and what is inferred is nearly sure. */
static bool is_confident(void) {
  struct mai_touch touches[MOST];
  struct mai_pattern pattern;
  make(&rows[0], touches);
  mai_infer(&(struct mai_touched){touches, rows[0].touches, PAGES, 0, THREADS, nodes, 0}, &pattern);
  return pattern.confidence > 0.99 && pattern.confidence <= 1 && pattern.fit == 1;
}

/* What one look shows beyond doubt: who has which part; not that everyone has any, nor a pattern that
   some touches speak against. */
static bool is_clear(owner_t *owner, unsigned noise) {
  struct mai_touch touches[MOST];
  struct mai_pattern pattern;
  make(&(struct row){.owner = owner, .touches = 64, .noise = noise, .regions = 1}, touches);
  mai_infer(&(struct mai_touched){touches, 64, PAGES, 0, THREADS, nodes, 0}, &pattern);
  return pattern.clear;
}

/* Parts that all end a little before equal ones do, as the last pages are nobody's yet, are equal or
   unequal by chance: neither makes the other doubtful. */
static unsigned parts_of_most(const struct mai_touch *touch, size_t used) {
  size_t owner = touch->page * THREADS / used;
  return owner < THREADS ? (unsigned)owner : THREADS - 1;
}

/* The first thread has half of the pages; of the others only the last one is seen. */
static bool guesses_parts_of_unseen(void) {
  struct mai_touch touches[MOST];
  struct mai_pattern pattern;
  make(&(struct row){.owner = unequal, .touches = 128, .regions = 1}, touches);
  unsigned count = 0;
  for (unsigned i = 0; i < 128; i++)
    if (touches[i].thread == 0 || touches[i].thread == THREADS - 1)
      touches[count++] = touches[i];
  mai_infer(&(struct mai_touched){touches, count, PAGES, 0, THREADS, nodes, 0}, &pattern);
  return pattern.kind == MAI_PATTERN_SHARES;
}

static bool are_parts(size_t used) {
  struct mai_touch touches[MOST];
  struct mai_pattern pattern;
  make(&(struct row){.owner = block, .touches = 24, .regions = 1}, touches);
  for (unsigned i = 0; i < 24; i++)
    touches[i].thread = parts_of_most(&touches[i], used);
  mai_infer(&(struct mai_touched){touches, 24, PAGES, 0, THREADS, nodes, 0}, &pattern);
  return pattern.kind == MAI_PATTERN_BLOCK || pattern.kind == MAI_PATTERN_SHARES;
}

/* Where it is known that the last pages are not in use, these parts are equal, and few touches tell
   exactly where they end. */
static bool are_equal_parts_of_most(size_t used) {
  struct mai_touch touches[MOST];
  struct mai_pattern pattern;
  make(&(struct row){.owner = block, .touches = 24, .regions = 1}, touches);
  for (unsigned i = 0; i < 24; i++) {
    touches[i].page = touches[i].page * used / PAGES;
    touches[i].thread = parts_of_most(&touches[i], used);
  }
  mai_infer(&(struct mai_touched){touches, 24, PAGES, 0, THREADS, nodes, used}, &pattern);
  unsigned long each = used / THREADS, last = pattern.shares[THREADS - 1];
  return pattern.kind == MAI_PATTERN_BLOCK && pattern.clear && pattern.ends_early &&
         pattern.shares[0] == each && pattern.shares[THREADS - 2] == each &&
         last == PAGES - (THREADS - 1) * each;
}

static unsigned doubtful_parts(void) {
  unsigned doubtful = 0;
  for (size_t used = PAGES / 2; used <= PAGES; used++)
    doubtful += !are_parts(used);
  return doubtful;
}

/* A team larger than is understood, and an array with fewer pages than threads. */
static bool refuses(void) {
  struct mai_touch touches[MOST];
  struct mai_pattern pattern;
  make(&rows[0], touches);
  mai_infer(&(struct mai_touched){touches, 64, 4, 0, THREADS, nodes, 0}, &pattern);
  bool few_pages = pattern.kind == MAI_PATTERN_UNKNOWN;
  mai_infer(&(struct mai_touched){touches, 64, PAGES, 0, 1, nodes, 0}, &pattern);
  return few_pages && pattern.kind == MAI_PATTERN_UNKNOWN;
}

int main(void) {
  unsigned failed = 0;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    failed += !check(&rows[i]);
  failed += !is_confident();
  failed += !are_equal_parts_of_most(PAGES * 3 / 4);
  failed +=
      !is_clear(block, 0) || !is_clear(unequal, 0) || is_clear(anybody, 0) || is_clear(block, 4);
  failed += doubtful_parts();
  failed += guesses_parts_of_unseen();
  failed += !refuses();
  printf(failed ? "%u wrong\n" : "all right\n", failed);
  return failed != 0;
}
