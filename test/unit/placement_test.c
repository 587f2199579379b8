/*===-- placement_test.c - tables of what placement must come out as *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Each row names a policy, an array and a machine, and the nodes of its pages as runs "pages*node",
 * worked out by hand.  Below the tables, properties that hold for any array, and a second
 * implementation, as plain and slow as the definitions in policy.h, with which random policies
 * of random arrays are compared.
 *
 * With an argument: reads from that file which thread ran each iteration of loops of an OpenMP
 * program, as test/mai/Inputs/schedule.c prints it, and checks that block and block-cyclic are
 * divided so.
 */
#include "mai/policy/placement.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096, HUGE = 2 << 20, MOST_NODES = 128 };

static int failures;

static void describe(const struct mai_placement *placement, char *text, size_t size) {
  size_t used = 0;
  text[0] = '\0';
  for (size_t page = 0, length; page < placement->pages; page += length) {
    uint32_t node = mai_placement_node(placement, page);
    for (length = 1; page + length < placement->pages; length++)
      if (mai_placement_node(placement, page + length) != node)
        break;
    char name[16] = "any";
    if (node != MAI_ANY_NODE)
      snprintf(name, sizeof name, "%u", node);
    used += (size_t)snprintf(text + used, size - used, "%s%zu*%s", page ? " " : "", length, name);
    if (used >= size)
      return;
  }
}

struct row {
  const char *what;
  mai_policy_t policy;
  struct mai_shape shape;
  size_t part;
  const char *nodes;        /* that are distributed to */
  const char *thread_nodes; /* of threads 0, 1, ... */
  const char *expected;
};

static uint32_t parse_list(const char *text, uint32_t *list) {
  uint32_t count = 0;
  char *end;
  for (unsigned long value = strtoul(text, &end, 10); end != text;
       value = strtoul(text, &end, 10)) {
    list[count++] = (uint32_t)value;
    text = end;
  }
  return count;
}

static void check_row(const struct row *row) {
  uint32_t nodes[MOST_NODES];
  uint32_t thread_nodes[MOST_NODES];
  struct mai_targets targets = {.page_size = PAGE,
                                .part_size = row->part,
                                .part_mask = SIZE_MAX,
                                .nodes = nodes,
                                .thread_nodes = thread_nodes,
                                .node_count = parse_list(row->nodes, nodes),
                                .weights = row->policy.shares,
                                .thread_count = parse_list(row->thread_nodes, thread_nodes)};
  struct mai_placement placement;
  char text[4096] = "error";
  if (mai_placement_compute(&row->policy, &row->shape, &targets, &placement) == 0) {
    describe(&placement, text, sizeof text);
    mai_placement_free(&placement);
  }
  if (strcmp(text, row->expected) != 0) {
    printf("%s:\n  expected %s\n  got      %s\n", row->what, row->expected, text);
    failures++;
  }
}

/* A policy that distributes `unit`, with what else it needs. */
#define BY(kind_, value_, unit_, dimension_)                                                       \
  {.kind = MAI_POLICY_##kind_,                                                                     \
   .value = (value_),                                                                              \
   .unit = MAI_UNIT_##unit_,                                                                       \
   .dimension = (dimension_)}
#define PAGES_OF(kind_, value_) BY(kind_, value_, PAGES, 0)
#define ROWS_OF(kind_, value_) BY(kind_, value_, DIMENSION, 0)
#define COLUMNS_OF(kind_, value_) BY(kind_, value_, DIMENSION, 1)
#define BLOCKS_OF(kind_, value_, a, b, c)                                                          \
  {                                                                                                \
    .kind = MAI_POLICY_##kind_, .value = (value_), .unit = MAI_UNIT_BLOCKS, .block = {             \
      (a),                                                                                         \
      (b),                                                                                         \
      (c)                                                                                          \
    }                                                                                              \
  }
#define SHARES_OF(kind_, unit_, list)                                                              \
  {.kind = MAI_POLICY_##kind_,                                                                     \
   .unit = MAI_UNIT_##unit_,                                                                       \
   .shares = (list),                                                                               \
   .share_count = sizeof(list) / sizeof *(list)}

static const unsigned long weights_3_1[] = {3, 1};
static const unsigned long weights_0_2_1[] = {0, 2, 1};
static const unsigned long weights_0_0[] = {0, 0};
static const unsigned long sizes_1_4[] = {1, 4};
static const unsigned long sizes_2_0_3[] = {2, 0, 3};
static const unsigned long sizes_200_60_400[] = {200, 60, 400};
static const unsigned long sizes_400_200_1500[] = {400, 200, 1500};
static const unsigned long shares_1_3_5_7[] = {1, 3, 5, 7};
static const unsigned long shares_0_0[] = {0, 0};
static const unsigned long shares_large[] = {1UL << 32, 1};
static const unsigned long sizes_5[] = {5};
static const unsigned long sizes_huge[] = {1, ~0UL};

#define BASE 0x10000000UL /* a multiple of 64 huge pages */
#define SHAPE(start, bytes, unit) {start, bytes, 1, {unit}, false}
#define SHAPE_2D(start, bytes, row, unit) {start, bytes, 2, {row, unit}, false}
#define PAGES(n) SHAPE(BASE, (n) * (size_t)PAGE, 8)
#define WHOLE(start, bytes, unit) {start, bytes, 1, {unit}, MAI_ENDS_OWN}
#define BY_MIDDLE(start, bytes, unit) {start, bytes, 1, {unit}, MAI_ENDS_BY_MIDDLE}
/* Rows of two pages, of 8 columns of 1024 bytes. */
#define MATRIX(rows) {BASE, (rows) * 2 * (size_t)PAGE, 2, {2 * PAGE, 1024}, MAI_ENDS_OWN}
/* Rows of 6 pages, of 3 columns of 2 pages. */
#define WIDE(rows) {BASE, (rows) * 6 * (size_t)PAGE, 2, {6 * PAGE, 2 * PAGE}, MAI_ENDS_OWN}
/* 2 x 2 x 4 x 2 elements of half a page. */
#define FOUR_D {BASE, 16 * (size_t)PAGE, 4, {8 * PAGE, 4 * PAGE, PAGE, PAGE / 2}, MAI_ENDS_OWN}
/* 4 x 4 x 4 elements of a page. */
#define CUBE {BASE, 64 * (size_t)PAGE, 3, {16 * PAGE, 4 * PAGE, PAGE}, MAI_ENDS_OWN}
#define FOUR "0 1 2 3"

#define BLOCK_RANGE(from, units) {.kind = MAI_POLICY_BLOCK, .first = (from), .count = (units)}
#define PRIME(p) {.kind = MAI_POLICY_PRIME, .value = (p)}
#define SLICES_OF(n)                                                                               \
  {                                                                                                \
    .kind = MAI_POLICY_BLOCK, .unit = MAI_UNIT_SLICES, .block = { n }                              \
  }
#define RANDOM(seed) {.kind = MAI_POLICY_RANDOM, .value = (seed)}

static const struct row rows[] = {
    /* Bind. */
    {"bind: every page on the node", MAI_BIND(2), PAGES(5), PAGE, "2", "0", "5*2"},
    {"bind: a machine with one node", MAI_BIND(0), PAGES(3), PAGE, "0", "0", "3*0"},
    {"bind: OS indices with gaps", MAI_BIND(17), PAGES(2), PAGE, "17", "0", "2*17"},
    {"bind: no whole page inside", MAI_BIND(1), SHAPE(BASE + 1, PAGE, 1), PAGE, FOUR, "0", ""},
    {"bind: pages wholly inside only", MAI_BIND(1), SHAPE(BASE + 1, 3 * PAGE, 1), PAGE, "1", "0",
     "2*1"},

    /* Block: shares as schedule(static) makes them. */
    {"block: a page a thread", MAI_BLOCK, PAGES(4), PAGE, FOUR, "0 1 2 3", "1*0 1*1 1*2 1*3"},
    {"block: neighbours on one node are one run", MAI_BLOCK, PAGES(16), PAGE, FOUR,
     "0 0 1 1 2 2 3 3", "4*0 4*1 4*2 4*3"},
    {"block: the first threads get the extra units", MAI_BLOCK, SHAPE(BASE, 10 * PAGE, PAGE), PAGE,
     FOUR, "0 1 2 3", "3*0 3*1 2*2 2*3"},
    {"block: scattered threads", MAI_BLOCK, PAGES(8), PAGE, FOUR, "0 1 2 3 0 1 2 3",
     "1*0 1*1 1*2 1*3 1*0 1*1 1*2 1*3"},
    {"block: data follow a scrambled map", MAI_BLOCK, PAGES(8), PAGE, FOUR, "3 1 0 2",
     "2*3 2*1 2*0 2*2"},
    {"block: 8 nodes x 2 CPUs", MAI_BLOCK, PAGES(32), PAGE, "0 1 2 3 4 5 6 7",
     "0 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7", "4*0 4*1 4*2 4*3 4*4 4*5 4*6 4*7"},
    {"block: more threads than units", MAI_BLOCK, SHAPE(BASE, 2 * PAGE, PAGE), PAGE, FOUR,
     "3 2 1 0", "1*3 1*2"},
    {"block: a page goes to the one who has its middle", MAI_BLOCK, SHAPE(BASE, 3 * PAGE, 8), PAGE,
     "0 1", "0 1", "1*0 2*1"},
    {"block: a team of one", MAI_BLOCK, PAGES(7), PAGE, FOUR, "2", "7*2"},
    {"block: an array that starts inside a page", MAI_BLOCK, SHAPE(BASE + 2048, 8 * PAGE, 8), PAGE,
     "0 1", "0 1", "3*0 4*1"},
    {"block: rows larger than a page", MAI_BLOCK, SHAPE(BASE, 4 * 3 * PAGE, 3 * PAGE), PAGE, "0 1",
     "0 1", "6*0 6*1"},
    {"block: shares smaller than a page", MAI_BLOCK, SHAPE(BASE, PAGE, 8), PAGE, FOUR, "1 2 3 0",
     "1*3"},

    /* Block over the range that the loop really runs over. */
    {"range: outside goes with the first and the last share", BLOCK_RANGE(2, 4),
     SHAPE(BASE, 8 * PAGE, PAGE), PAGE, "0 1", "0 1", "4*0 4*1"},
    {"range: to the end", BLOCK_RANGE(4, 0), SHAPE(BASE, 8 * PAGE, PAGE), PAGE, "0 1", "0 1",
     "6*0 2*1"},
    {"range: past the end is an error", BLOCK_RANGE(4, 5), SHAPE(BASE, 8 * PAGE, PAGE), PAGE, "0 1",
     "0 1", "error"},
    {"range: wrapping around is an error", BLOCK_RANGE(4, ~0UL), SHAPE(BASE, 8 * PAGE, PAGE), PAGE,
     "0 1", "0 1", "error"},

    /* Block by shares: the curve that they draw is cut where the threads' parts of the team end. */
    {"shares: a thread each", SHARES_OF(BLOCK, DEFAULT, shares_1_3_5_7),
     SHAPE(BASE, 16 * PAGE, PAGE), PAGE, FOUR, "0 1 2 3", "1*0 3*1 5*2 7*3"},
    {"shares: half of the threads", SHARES_OF(BLOCK, DEFAULT, shares_1_3_5_7),
     SHAPE(BASE, 16 * PAGE, PAGE), PAGE, FOUR, "0 1", "4*0 12*1"},
    {"shares: twice the threads", SHARES_OF(BLOCK, DEFAULT, shares_1_3_5_7),
     SHAPE(BASE, 32 * PAGE, PAGE), PAGE, "0 1 2 3 4 5 6 7", "0 1 2 3 4 5 6 7",
     "1*0 1*1 3*2 3*3 5*4 5*5 7*6 7*7"},
    {"shares: a team that they do not divide", SHARES_OF(BLOCK, DEFAULT, shares_1_3_5_7),
     SHAPE(BASE, 48 * PAGE, PAGE), PAGE, FOUR, "0 1 2", "6*0 16*1 26*2"},
    {"shares: one thread", SHARES_OF(BLOCK, DEFAULT, shares_1_3_5_7), PAGES(7), PAGE, FOUR, "2",
     "7*2"},
    {"shares: nothing for one", SHARES_OF(BLOCK, PAGES, sizes_2_0_3), PAGES(10), PAGE, "0 1 2",
     "0 1 2", "4*0 6*2"},
    {"shares: of a range, outside goes with the first and the last",
     {.kind = MAI_POLICY_BLOCK, .first = 4, .count = 8, .shares = weights_3_1, .share_count = 2},
     SHAPE(BASE, 16 * PAGE, PAGE),
     PAGE,
     "0 1",
     "0 1",
     "10*0 6*1"},
    {"reversed: the first thread has the last units, and of those left over one",
     {.kind = MAI_POLICY_BLOCK, .flags = MAI_REVERSED},
     SHAPE(BASE, 10 * PAGE, PAGE),
     PAGE,
     FOUR,
     FOUR,
     "2*3 2*2 3*1 3*0"},
    {"reversed: of a range, outside goes with the last and the first",
     {.kind = MAI_POLICY_BLOCK, .flags = MAI_REVERSED, .first = 4, .count = 8},
     SHAPE(BASE, 16 * PAGE, PAGE),
     PAGE,
     FOUR,
     "0 1",
     "8*1 8*0"},
    {"reversed: shares, of which the first thread has the last",
     {.kind = MAI_POLICY_BLOCK, .flags = MAI_REVERSED, .shares = shares_1_3_5_7, .share_count = 4},
     SHAPE(BASE, 16 * PAGE, PAGE),
     PAGE,
     FOUR,
     FOUR,
     "7*3 5*2 3*1 1*0"},
    {"reversed: chunks, the last of which are distributed first",
     {.kind = MAI_POLICY_BLOCK_CYCLIC, .flags = MAI_REVERSED, .value = 2},
     SHAPE(BASE, 7 * PAGE, PAGE),
     PAGE,
     FOUR,
     "0 1",
     "1*1 2*0 2*1 2*0"},
    {"shares: by columns", SHARES_OF(BLOCK, DIMENSION, weights_3_1), MATRIX(4), PAGE, "0 1", "0 1",
     "6*0 2*1"},
    {"shares: none at all", SHARES_OF(BLOCK, DEFAULT, shares_0_0), PAGES(4), PAGE, "0 1", "0 1",
     "error"},
    {"shares: one beyond 32 bits", SHARES_OF(BLOCK, DEFAULT, shares_large), PAGES(4), PAGE, "0 1",
     "0 1", "error"},

    /* Cyclic. */
    {"cyclic: page by page", MAI_CYCLIC, PAGES(6), PAGE, FOUR, "0", "1*0 1*1 1*2 1*3 1*0 1*1"},
    {"cyclic: in pieces of pages",
     {.kind = MAI_POLICY_CYCLIC, .piece = 2 * PAGE - 1},
     PAGES(7),
     PAGE,
     "0 1 2",
     "0",
     "2*0 2*1 2*2 1*0"},
    {"cyclic: pieces begin at multiples of their size",
     {.kind = MAI_POLICY_CYCLIC, .piece = 4 * PAGE},
     SHAPE(BASE + 3 * PAGE, 6 * (size_t)PAGE, 8),
     PAGE,
     "0 1",
     "0",
     "1*0 4*1 1*0"},
    {"skew: in pieces",
     {.kind = MAI_POLICY_SKEW, .piece = 2 * PAGE},
     PAGES(6),
     PAGE,
     "0 1",
     "0",
     "2*1 4*0"},
    {"cyclic: nodes with gaps", MAI_CYCLIC, PAGES(4), PAGE, "0 4 9 64", "0", "1*0 1*4 1*9 1*64"},
    {"cyclic: one node", MAI_CYCLIC, PAGES(4), PAGE, "5", "0", "4*5"},
    {"cyclic: the phase follows the address", MAI_CYCLIC, SHAPE(BASE + PAGE + 8, 5 * PAGE, 8), PAGE,
     FOUR, "0", "1*2 1*3 1*0 1*1"},
    {"cyclic: by huge pages", MAI_CYCLIC, SHAPE(BASE, 3 * (size_t)HUGE, 8), HUGE, "0 1", "0",
     "512*0 512*1 512*0"},
    {"cyclic: incomplete huge pages at both ends", MAI_CYCLIC,
     SHAPE(BASE + HUGE - PAGE, (size_t)HUGE + 2 * PAGE, 8), HUGE, "0 1", "0", "1*0 512*1 1*0"},

    /* Pages at the ends that are the array's own. */
    {"whole pages: both ends count", MAI_CYCLIC, WHOLE(BASE + 100, 2 * PAGE, 1), PAGE, FOUR, "0",
     "1*0 1*1 1*2"},
    {"whole pages: a few bytes", MAI_BIND(3), WHOLE(BASE + 100, 1, 1), PAGE, "3", "0", "1*3"},
    {"whole pages: the first and last units reach to the ends", MAI_BLOCK,
     WHOLE(BASE + 4000, 3 * PAGE, 3 * PAGE / 2), PAGE, FOUR, "0 1", "2*0 2*1"},
    {"pages by their middle: it is in the array at both ends", MAI_BIND(3),
     BY_MIDDLE(BASE + PAGE / 2, PAGE + 1, 1), PAGE, "3", "0", "2*3"},
    {"pages by their middle: it is a byte beside the array at both ends", MAI_BIND(3),
     BY_MIDDLE(BASE + PAGE / 2 + 1, 2 * PAGE - 1, 1), PAGE, "3", "0", "1*3"},
    {"pages by their middle: it is in no page", MAI_BIND(3),
     BY_MIDDLE(BASE + PAGE / 2 + 1, PAGE - 1, 1), PAGE, "3", "0", ""},
    {"pages by their middle: the first unit reaches to the end", MAI_BLOCK,
     BY_MIDDLE(BASE + 100, 2 * PAGE, PAGE), PAGE, FOUR, "0 1", "1*0 1*1"},
    {"inside pages: nothing inside",
     {.kind = MAI_POLICY_SKEW},
     SHAPE(BASE + 1, 2 * PAGE - 2, 1),
     PAGE,
     FOUR,
     "0",
     ""},

    /* A set of nodes. */
    {"bind to a set: anywhere on it", PAGES_OF(BIND, 0), PAGES(3), PAGE, "1 3", "0", "3*any"},
    {"tier: as bind", PAGES_OF(TIER, 0), PAGES(2), PAGE, "5", "0", "2*5"},
    {"first touch: anywhere", MAI_FIRST_TOUCH, PAGES(2), PAGE, FOUR, "0", "2*any"},
    {"local: anywhere", MAI_LOCAL, PAGES(2), PAGE, FOUR, "0", "2*any"},
    {"next touch: anywhere", {.kind = MAI_POLICY_NEXT_TOUCH}, PAGES(2), PAGE, FOUR, "0", "2*any"},
    {"replicate: anywhere", {.kind = MAI_POLICY_REPLICATE}, PAGES(2), PAGE, FOUR, "0", "2*any"},

    /* Block by other units. */
    {"block by pages: the odd page goes with the first", PAGES_OF(BLOCK, 0), PAGES(5), PAGE, FOUR,
     "0 1", "3*0 2*1"},
    {"block by columns: every row alike", COLUMNS_OF(BLOCK, 0), MATRIX(2), PAGE, FOUR, "0 1",
     "1*0 1*1 1*0 1*1"},
    {"block by slices: every slice alike", SLICES_OF(2), PAGES(8), PAGE, FOUR, "0 1",
     "2*0 2*1 2*0 2*1"},
    {"block by slices that do not end with pages", SLICES_OF(3), PAGES(10), PAGE, FOUR, "0 1",
     "2*0 1*1 2*0 2*1 1*0 2*1"},
    {"block by slices of several lengths", SHARES_OF(BLOCK, SLICES, weights_3_1), PAGES(16), PAGE,
     FOUR, "0 1", "6*0 6*1 2*0 2*1"},
    {"block by slices, one of which has nothing", SHARES_OF(BLOCK, SLICES, sizes_2_0_3), PAGES(10),
     PAGE, FOUR, "0 1", "2*0 2*1 3*0 3*1"},
    {"block by slices of several lengths that are none", SHARES_OF(BLOCK, SLICES, weights_0_0),
     PAGES(4), PAGE, FOUR, "0", "error"},
    {"block by the third of four dimensions", BY(BLOCK, 0, DIMENSION, 2), FOUR_D, PAGE, FOUR, "0 1",
     "2*0 2*1 2*0 2*1 2*0 2*1 2*0 2*1"},
    {"block by the first of four dimensions", BY(BLOCK, 0, DIMENSION, 0), FOUR_D, PAGE, FOUR, "0 1",
     "8*0 8*1"},
    {"block by blocks: 8 blocks in two shares", BLOCKS_OF(BLOCK, 0, 2, 2, 2), CUBE, PAGE, FOUR,
     "0 1", "32*0 32*1"},
    {"block by huge pages", PAGES_OF(BLOCK, 0), SHAPE(BASE, 4 * (size_t)HUGE, 8), HUGE, FOUR, "0 1",
     "1024*0 1024*1"},
    {"block: a dimension that is not there", BY(BLOCK, 0, DIMENSION, 1), PAGES(4), PAGE, FOUR, "0",
     "error"},
    {"block: an unknown unit",
     {.kind = MAI_POLICY_BLOCK, .unit = 9},
     PAGES(4),
     PAGE,
     FOUR,
     "0",
     "error"},
    {"block: blocks of more dimensions than the array has", BLOCKS_OF(BLOCK, 0, 1, 2, 0), PAGES(4),
     PAGE, FOUR, "0", "error"},
    {"block: blocks of nothing", BLOCKS_OF(BLOCK, 0, 2, 0, 2), CUBE, PAGE, FOUR, "0", "error"},
    {"range: begins at the end", BLOCK_RANGE(8, 0), SHAPE(BASE, 8 * PAGE, PAGE), PAGE, "0 1", "0 1",
     "8*0"},

    /* Block-cyclic: chunks distributed to threads. */
    {"block-cyclic: one by one", ROWS_OF(BLOCK_CYCLIC, 1), SHAPE(BASE, 5 * PAGE, PAGE), PAGE, FOUR,
     "0 1 2", "1*0 1*1 1*2 1*0 1*1"},
    {"block-cyclic: two by two, the last is short", ROWS_OF(BLOCK_CYCLIC, 2),
     SHAPE(BASE, 7 * PAGE, PAGE), PAGE, FOUR, "0 1", "2*0 2*1 2*0 1*1"},
    {"block-cyclic: threads of one node follow each other", ROWS_OF(BLOCK_CYCLIC, 1),
     SHAPE(BASE, 8 * PAGE, PAGE), PAGE, FOUR, "0 0 1 1", "2*0 2*1 2*0 2*1"},
    {"block-cyclic: over a range",
     {.kind = MAI_POLICY_BLOCK_CYCLIC, .value = 2, .first = 3, .count = 4},
     SHAPE(BASE, 10 * PAGE, PAGE),
     PAGE,
     FOUR,
     "0 1",
     "5*0 5*1"},
    {"block-cyclic: chunks larger than the array", ROWS_OF(BLOCK_CYCLIC, ~0UL), PAGES(3), PAGE,
     FOUR, "2 1", "3*2"},
    {"block-cyclic: by pages", PAGES_OF(BLOCK_CYCLIC, 3), PAGES(7), PAGE, FOUR, "0 1",
     "3*0 3*1 1*0"},
    {"block-cyclic: by columns", COLUMNS_OF(BLOCK_CYCLIC, 4), MATRIX(2), PAGE, FOUR, "3 1",
     "1*3 1*1 1*3 1*1"},
    {"block-cyclic: chunks of nothing",
     {.kind = MAI_POLICY_BLOCK_CYCLIC},
     PAGES(3),
     PAGE,
     FOUR,
     "0",
     "error"},

    /* Cyclic by other units, and on a subset. */
    {"cyclic on a subset, in the order given", MAI_CYCLIC, PAGES(4), PAGE, "3 1", "0",
     "1*3 1*1 1*3 1*1"},
    {"cyclic by rows", ROWS_OF(CYCLIC, 0), MATRIX(3), PAGE, "0 1", "0", "2*0 2*1 2*0"},
    {"cyclic by columns", COLUMNS_OF(CYCLIC, 0), WIDE(2), PAGE, "0 1 2", "0",
     "2*0 2*1 2*2 2*0 2*1 2*2"},
    {"cyclic by blocks", BLOCKS_OF(CYCLIC, 0, 4, 2, 4), CUBE, PAGE, "0 1", "0",
     "8*0 8*1 8*0 8*1 8*0 8*1 8*0 8*1"},
    {"cyclic by blocks that do not divide the array", BLOCKS_OF(CYCLIC, 0, 4, 3, 4), CUBE, PAGE,
     "0 1", "0", "12*0 4*1 12*0 4*1 12*0 4*1 12*0 4*1"},
    {"cyclic by rows: the phase does not follow the address", ROWS_OF(CYCLIC, 0),
     SHAPE(BASE + PAGE, 3 * PAGE, PAGE), PAGE, FOUR, "0", "1*0 1*1 1*2"},

    /* Skew: (i + floor(i / N) + 1) mod N. */
    {"skew: each round begins one further",
     {.kind = MAI_POLICY_SKEW},
     PAGES(9),
     PAGE,
     "0 1 2",
     "0",
     "1*1 1*2 1*0 1*2 1*0 1*1 1*0 1*1 1*2"},
    {"skew: two nodes", {.kind = MAI_POLICY_SKEW}, PAGES(6), PAGE, "0 1", "0", "1*1 2*0 2*1 1*0"},
    {"skew: one node", {.kind = MAI_POLICY_SKEW}, PAGES(3), PAGE, "2", "0", "3*2"},
    {"skew: counts from the array's first page",
     {.kind = MAI_POLICY_SKEW},
     SHAPE(BASE + 3 * PAGE, 4 * PAGE, 8),
     PAGE,
     FOUR,
     "0",
     "1*1 1*2 1*3 1*0"},
    {"skew: gaps in numbering",
     {.kind = MAI_POLICY_SKEW},
     PAGES(4),
     PAGE,
     "0 2 7",
     "0",
     "1*2 1*7 1*0 1*7"},
    {"skew by rows", ROWS_OF(SKEW, 0), MATRIX(4), PAGE, "0 1 2", "0", "2*1 2*2 2*0 2*2"},
    {"skew by columns", COLUMNS_OF(SKEW, 0), WIDE(1), PAGE, "0 1", "0", "2*1 4*0"},
    {"skew by the second of four dimensions", BY(SKEW, 0, DIMENSION, 1), FOUR_D, PAGE, "0 1", "0",
     "4*1 4*0 4*1 4*0"},
    {"skew by blocks", BLOCKS_OF(SKEW, 0, 2, 4, 4), CUBE, PAGE, "0 1 2", "0", "32*1 32*2"},
    {"skew by huge pages",
     {.kind = MAI_POLICY_SKEW},
     SHAPE(BASE, 3 * (size_t)HUGE, 8),
     HUGE,
     "0 1",
     "0",
     "512*1 1024*0"},

    /* Prime: pages 3 and 4 of every 5 are left over by 3 nodes; renumbered 0, 1, 2, ... they are
       distributed again: those numbered 3 and 4 (pages 9 -> 3, 13 -> 4) are left over once more. */
    {"prime: the prime is the number of nodes", PRIME(3), PAGES(4), PAGE, "0 1 2", "0",
     "1*0 1*1 1*2 1*0"},
    {"prime: left over twice", PRIME(5), PAGES(20), PAGE, "0 1 2", "0",
     "1*0 1*1 1*2 1*0 1*1 1*0 1*1 2*2 2*0 1*1 1*2 1*1 2*0 1*1 1*2 1*1 1*2"},
    {"prime: much larger than the array, its units end up distributed in turn", PRIME(4294967291),
     PAGES(7), PAGE, "0 1 2", "0", "1*0 1*1 1*2 1*0 1*1 1*2 1*0"},
    {"prime by rows", ROWS_OF(PRIME, 3), MATRIX(5), PAGE, "0 1", "0", "2*0 2*1 4*0 2*1"},
    {"prime by columns", COLUMNS_OF(PRIME, 3), WIDE(1), PAGE, "0 1", "0", "2*0 2*1 2*0"},
    {"prime: no prime", PRIME(9), PAGES(4), PAGE, FOUR, "0", "error"},
    {"prime: one is none", PRIME(1), PAGES(4), PAGE, "0", "0", "error"},
    {"prime: less than there are nodes", PRIME(3), PAGES(4), PAGE, FOUR, "0", "error"},
    {"prime: beyond 32 bits", PRIME(4294967311), PAGES(4), PAGE, FOUR, "0", "error"},

    /* Random: what SplitMix64's sequence of the seed gives; here that it is one node's alone. */
    {"random: one node", RANDOM(7), PAGES(4), PAGE, "6", "0", "4*6"},

    /* Weighted. */
    {"weighted: three to one", SHARES_OF(WEIGHTED, PAGES, weights_3_1), PAGES(6), PAGE, "0 1", "0",
     "3*0 1*1 2*0"},
    {"weighted: nothing for the first", SHARES_OF(WEIGHTED, PAGES, weights_0_2_1), PAGES(4), PAGE,
     "0 1 2", "0", "1*1 1*2 2*1"},
    {"weighted by rows", SHARES_OF(WEIGHTED, DIMENSION, weights_3_1), MATRIX(5), PAGE, "4 2", "0",
     "6*4 2*2 2*4"},
    {"weighted by pages follows the address", SHARES_OF(WEIGHTED, PAGES, weights_3_1),
     SHAPE(BASE + 3 * PAGE, 3 * PAGE, 8), PAGE, "0 1", "0", "1*1 2*0"},
    {"weighted: no weight at all", SHARES_OF(WEIGHTED, PAGES, weights_0_0), PAGES(4), PAGE, "0 1",
     "0", "error"},
    {"weighted: no weights", PAGES_OF(WEIGHTED, 0), PAGES(4), PAGE, "0 1", "0", "error"},

    /* Irregular. */
    {"irregular: by rows, the rest with the last", SHARES_OF(IRREGULAR, DEFAULT, sizes_1_4),
     MATRIX(6), PAGE, "0 1", "0", "2*0 10*1"},
    {"irregular: a node without units", SHARES_OF(IRREGULAR, PAGES, sizes_2_0_3), PAGES(5), PAGE,
     "0 1 2", "0", "2*0 3*2"},
    {"irregular: fewer sizes than nodes", SHARES_OF(IRREGULAR, PAGES, sizes_5), PAGES(7), PAGE,
     FOUR, "0", "7*0"},
    {"irregular: more sizes than nodes", SHARES_OF(IRREGULAR, PAGES, sizes_2_0_3), PAGES(5), PAGE,
     "0 1", "0", "error"},
    {"irregular: sizes that overflow", SHARES_OF(IRREGULAR, PAGES, sizes_huge), PAGES(5), PAGE,
     "0 1", "0", "error"},
    {"irregular: no sizes", PAGES_OF(IRREGULAR, 0), PAGES(5), PAGE, "0 1", "0", "error"},
    {"irregular: what has only the middle of a page",
     SHARES_OF(IRREGULAR, DEFAULT, sizes_200_60_400), SHAPE(BASE, 2 * PAGE, 8), PAGE, "0 1 2", "0",
     "2*2"},
    {"irregular: small parts before large ones", SHARES_OF(IRREGULAR, DEFAULT, sizes_200_60_400),
     SHAPE(BASE, 300 * PAGE, PAGE / 2), PAGE, "0 1 2", "0", "100*0 30*1 170*2"},
    {"irregular: the pages behind small parts", SHARES_OF(IRREGULAR, DEFAULT, sizes_400_200_1500),
     SHAPE(BASE, 6 * PAGE, 8), PAGE, "3 2 1 0", "0", "1*3 5*1"},
    {"irregular, one row and the rest", SHARES_OF(IRREGULAR, DIMENSION, sizes_1_4), MATRIX(2), PAGE,
     "0 1", "0", "2*0 2*1"},

    /* Units smaller than pages: what is distributed to nodes is distributed by pages instead. */
    {"cyclic by rows, 8 a page", ROWS_OF(CYCLIC, 0), SHAPE(BASE, 5 * PAGE, 512), PAGE, "0 1", "0",
     "1*0 1*1 1*0 1*1 1*0"},
    {"cyclic by rows of almost a page", ROWS_OF(CYCLIC, 0), SHAPE(BASE, 4 * 4000, 4000), PAGE,
     "0 1", "0", "1*0 1*1 1*0"},
    {"cyclic by columns of a quarter of a page", COLUMNS_OF(CYCLIC, 0), MATRIX(2), PAGE, "0 1", "0",
     "1*0 1*1 1*0 1*1"},
    {"cyclic by one column, which is in one piece", COLUMNS_OF(CYCLIC, 0),
     SHAPE_2D(BASE, 3 * PAGE, 512, 512), PAGE, "0 1", "0", "3*0"},
    {"skew by columns of a quarter of a page", COLUMNS_OF(SKEW, 0), MATRIX(2), PAGE, "0 1", "0",
     "1*1 2*0 1*1"},
    {"prime by rows of half a page", ROWS_OF(PRIME, 3), SHAPE(BASE, 5 * PAGE, 2048), PAGE, "0 1",
     "0", "1*0 1*1 2*0 1*1"},
    {"weighted by rows of half a page", SHARES_OF(WEIGHTED, DIMENSION, weights_3_1),
     SHAPE(BASE, 5 * PAGE, 2048), PAGE, "0 1", "0", "3*0 1*1 1*0"},
    {"cyclic by blocks whose rows are a quarter of a page", BLOCKS_OF(CYCLIC, 0, 1, 128, 0),
     SHAPE_2D(BASE, 4 * PAGE, 2 * PAGE, 8), PAGE, "0 1", "0", "1*0 1*1 1*0 1*1"},
    {"cyclic by blocks of whole rows", BLOCKS_OF(CYCLIC, 0, 1, 1024, 0),
     SHAPE_2D(BASE, 4 * PAGE, 2 * PAGE, 8), PAGE, "0 1", "0", "2*0 2*1"},
    {"cyclic by columns, by huge pages", COLUMNS_OF(CYCLIC, 0),
     SHAPE_2D(BASE, 3 * (size_t)HUGE, 2 * PAGE, 1024), HUGE, "0 1", "0", "512*0 512*1 512*0"},

    /* What goes to threads in smaller pieces: a page goes to the node that has most of it. */
    {"block-cyclic: chunks of a page have its middle's", ROWS_OF(BLOCK_CYCLIC, 8),
     SHAPE(BASE, 4 * PAGE, 512), PAGE, FOUR, "0 1 2", "1*0 1*1 1*2 1*0"},
    {"block-cyclic: both threads of a page are on its node", ROWS_OF(BLOCK_CYCLIC, 1),
     SHAPE(BASE, 6 * PAGE, 2048), PAGE, FOUR, "0 0 1 1", "1*0 1*1 1*0 1*1 1*0 1*1"},
    {"block-cyclic: chunks of two thirds of a page", ROWS_OF(BLOCK_CYCLIC, 1),
     SHAPE(BASE, 4 * PAGE, 2720), PAGE, "0 1", "0 1", "2*0 2*1"},
    {"block by columns: of a row of a page the first five eighths", COLUMNS_OF(BLOCK, 0),
     SHAPE_2D(BASE, 3 * PAGE, PAGE, 512), PAGE, FOUR, "1 1 0 2 3", "3*1"},
    {"block by rows is in one piece, and a page has its middle's row", ROWS_OF(BLOCK, 0),
     SHAPE(BASE, 2 * PAGE, 512), PAGE, FOUR, "0 1 2 3 4 5 6 7", "1*2 1*6"},

    {"an unknown policy is an error", {.kind = 99}, PAGES(4), PAGE, FOUR, "0", "error"},
};

/* The thread that runs iteration `i` of `count` under schedule(static), by interleaving them out. */
static size_t owner(size_t count, size_t threads, size_t i) {
  size_t begin = 0;
  for (size_t thread = 0;; thread++) {
    size_t share = count / threads + (thread < count % threads);
    if (i < begin + share)
      return thread;
    begin += share;
  }
}

/* With units of a page each, the page of unit i belongs to the thread that runs iteration i. */
static void check_block_is_schedule_static(size_t count, uint32_t threads) {
  uint32_t thread_nodes[MOST_NODES];
  for (uint32_t i = 0; i < threads; i++)
    thread_nodes[i] = i * 7 % 31;
  struct mai_shape shape = SHAPE(BASE, count * PAGE, PAGE);
  struct mai_targets targets = {.page_size = PAGE,
                                .part_size = PAGE,
                                .part_mask = SIZE_MAX,
                                .node_count = 1,
                                .nodes = thread_nodes,
                                .thread_count = threads,
                                .thread_nodes = thread_nodes};
  struct mai_placement placement;
  mai_policy_t block = MAI_BLOCK;
  if (mai_placement_compute(&block, &shape, &targets, &placement) != 0)
    abort();
  for (size_t i = 0; i < count; i++)
    if (mai_placement_node(&placement, i) != thread_nodes[owner(count, threads, i)]) {
      printf("block of %zu units among %u threads: unit %zu is on the wrong node\n", count, threads,
             i);
      failures++;
      break;
    }
  mai_placement_free(&placement);
}

/* Some kernels look at the low 32 bits of a page's number: with 3 nodes that is another phase. */
static void check_part_mask(size_t mask, const char *expected) {
  const uint32_t nodes[] = {0, 1, 2};
  struct mai_shape shape = SHAPE(0x7f0000000000, 4 * PAGE, 8);
  struct mai_targets targets = {.page_size = PAGE,
                                .part_size = PAGE,
                                .part_mask = mask,
                                .node_count = 3,
                                .nodes = nodes,
                                .thread_count = 1,
                                .thread_nodes = nodes};
  struct mai_placement placement;
  mai_policy_t cyclic = MAI_CYCLIC;
  char text[64];
  if (mai_placement_compute(&cyclic, &shape, &targets, &placement) != 0)
    abort();
  describe(&placement, text, sizeof text);
  mai_placement_free(&placement);
  if (strcmp(text, expected) != 0) {
    printf("cyclic with mask %zx:\n  expected %s\n  got      %s\n", mask, expected, text);
    failures++;
  }
}

/*===-- The definitions again, plainly -------------------------------------===*/

enum { MOST_UNITS = 4096, MOST_PAGES = 512 };

static unsigned long long random_state = 1;

/* A number in [0, below) from Knuth's generator for 64 bits; its high bits are the random ones. */
static unsigned long any_below(unsigned long below) {
  random_state = random_state * 6364136223846793005 + 1442695040888963407;
  return (unsigned long)(random_state >> 33) % below;
}

static unsigned long any_of(const unsigned long *list, size_t count) {
  return list[any_below(count)];
}

struct question {
  mai_policy_t policy;
  struct mai_shape shape;
  struct mai_targets targets;
  uint32_t nodes[16];
  uint32_t thread_nodes[16];
  unsigned long shares[16];
};

static size_t extent_of(const struct mai_shape *shape, unsigned dimension) {
  return (dimension ? shape->strides[dimension - 1] : shape->bytes) / shape->strides[dimension];
}

/* Bytes of a unit without bytes of others between them. */
static size_t unit_in_one_piece(const struct question *question) {
  const struct mai_shape *shape = &question->shape;
  const mai_policy_t *policy = &question->policy;
  unsigned last = shape->dimensions < 3 ? shape->dimensions : 3;
  if (policy->unit != MAI_UNIT_BLOCKS)
    return extent_of(shape, policy->dimension) == 1 ? shape->bytes
                                                    : shape->strides[policy->dimension];
  while (last > 0 && policy->block[last - 1] >= extent_of(shape, last - 1))
    last--;
  return last ? policy->block[last - 1] * shape->strides[last - 1] : shape->bytes;
}

static enum mai_unit unit_meant(const struct question *question) {
  const mai_policy_t *policy = &question->policy;
  bool to_threads = policy->kind == MAI_POLICY_BLOCK || policy->kind == MAI_POLICY_BLOCK_CYCLIC;
  bool distributed = !to_threads && policy->kind != MAI_POLICY_IRREGULAR;
  if (policy->unit == MAI_UNIT_DEFAULT)
    return distributed ? MAI_UNIT_PAGES : MAI_UNIT_DIMENSION;
  return distributed && unit_in_one_piece(question) < PAGE ? MAI_UNIT_PAGES : policy->unit;
}

/* The indices of the element that holds the byte at `offset`. */
static void indices_at(const struct mai_shape *shape, size_t offset, size_t *indices) {
  for (unsigned i = 0; i < shape->dimensions; i++) {
    indices[i] = offset / shape->strides[i];
    offset -= indices[i] * shape->strides[i];
  }
}

/* The number of the block, found by going through all of them. */
static size_t block_number(const struct question *question, const size_t *indices) {
  const struct mai_shape *shape = &question->shape;
  size_t begin[3] = {0, 0, 0};
  size_t number = 0;
  unsigned last = (shape->dimensions < 3 ? shape->dimensions : 3) - 1;
  for (;; number++) {
    bool inside = true;
    for (unsigned i = 0; i <= last; i++)
      inside =
          inside && indices[i] >= begin[i] && indices[i] < begin[i] + question->policy.block[i];
    if (inside)
      return number;
    unsigned i = last;
    while ((begin[i] += question->policy.block[i]) >= extent_of(shape, i))
      begin[i--] = 0;
  }
}

static size_t count_all_units(const struct question *question, size_t pages, uintptr_t start) {
  const struct mai_shape *shape = &question->shape;
  size_t last[MAI_MOST_DIMENSIONS];
  size_t part = question->targets.part_size;
  switch (unit_meant(question)) {
  case MAI_UNIT_PAGES:
    return pages ? (start + pages * PAGE - 1) / part - start / part + 1 : 0;
  case MAI_UNIT_DIMENSION:
    return extent_of(shape, question->policy.dimension);
  default:
    for (unsigned i = 0; i < shape->dimensions; i++)
      last[i] = extent_of(shape, i) - 1;
    return block_number(question, last) + 1;
  }
}

/* How many units of a row belong together at least, as threads or shares divide them. */
static size_t count_together(const struct question *question, size_t units) {
  const mai_policy_t *policy = &question->policy;
  switch (policy->kind) {
  case MAI_POLICY_BLOCK:
    return units / question->targets.thread_count;
  case MAI_POLICY_IRREGULAR:
    return units / policy->share_count;
  case MAI_POLICY_BLOCK_CYCLIC:
    return policy->value;
  default:
    return 1;
  }
}

/* Whether the units come in memory in one order, each once. */
static bool units_are_in_order(const struct question *question) {
  const struct mai_shape *shape = &question->shape;
  unsigned dimension = question->policy.dimension;
  if (unit_meant(question) == MAI_UNIT_BLOCKS)
    return shape->dimensions == 1;
  return shape->strides[dimension] * extent_of(shape, dimension) == shape->bytes;
}

/* Whether memory goes from place to place, again and again, within less than a page. */
static bool changes_within_pages(const struct question *question) {
  unsigned kind = question->policy.kind;
  bool divided = kind == MAI_POLICY_BLOCK || kind == MAI_POLICY_IRREGULAR;
  if (unit_meant(question) == MAI_UNIT_PAGES)
    return false;
  if (divided && units_are_in_order(question)) /* equal parts have their pages' middles only */
    return kind == MAI_POLICY_IRREGULAR || question->policy.share_count;
  size_t together = count_together(question, count_all_units(question, 1, 0));
  return unit_in_one_piece(question) * (together ? together : 1) < PAGE;
}

/* The unit of a byte of a page, with pages counted from the array's first. */
static size_t unit_at(const struct question *question, uintptr_t start, size_t page,
                      size_t within) {
  const struct mai_shape *shape = &question->shape;
  size_t indices[MAI_MOST_DIMENSIONS];
  uintptr_t address = start + page * PAGE;
  size_t part = question->targets.part_size;
  uintptr_t byte = address + within;
  if (unit_meant(question) == MAI_UNIT_PAGES)
    return address / part - start / part;
  if (byte < shape->start)
    byte = shape->start;
  if (byte >= shape->start + shape->bytes)
    byte = shape->start + shape->bytes - 1;
  indices_at(shape, byte - shape->start, indices);
  return unit_meant(question) == MAI_UNIT_DIMENSION ? indices[question->policy.dimension]
                                                    : block_number(question, indices);
}

/* Whether a node may have a page: it has its middle or, where places change within pages, some of its
   bytes, of which no other node has almost all. */
static bool may_have(const struct question *question, const uint32_t *nodes, uintptr_t start,
                     size_t page, uint32_t node) {
  enum { SAMPLES = 300 };
  size_t counts[1024] = {0};
  size_t most = 0;
  if (!changes_within_pages(question))
    return node == nodes[unit_at(question, start, page, PAGE / 2)];
  for (int i = 0; i < SAMPLES; i++) {
    size_t count = ++counts[nodes[unit_at(question, start, page, any_below(PAGE))]];
    most = count > most ? count : most;
  }
  return counts[node] && (counts[node] == most || most < SAMPLES * 7 / 8);
}

/* Threads take their shares of a loop over `count` one after the other. */
static void run_static(uint32_t *owners, size_t count, uint32_t threads) {
  size_t next = 0;
  for (uint32_t thread = 0; thread < threads; thread++)
    for (size_t i = 0; i < count / threads + (thread < count % threads); i++)
      owners[next++] = thread;
}

/* Each share in as many pieces as there are threads, of which each takes as many as there are
   shares; in whole units. */
static void run_by_shares(const struct question *question, uint32_t *owners, size_t count) {
  const mai_policy_t *policy = &question->policy;
  uint32_t threads = question->targets.thread_count;
  uint64_t all = 0;
  uint64_t pieces = 0;
  size_t unit = 0;
  for (unsigned i = 0; i < policy->share_count; i++)
    all += policy->shares[i] * threads;
  for (uint32_t piece = 0; piece < threads * policy->share_count; piece++) {
    pieces += policy->shares[piece / threads];
    size_t end = (2 * count * pieces + all) / (2 * all);
    while (unit < end)
      owners[unit++] = piece / policy->share_count;
  }
}

/* Threads take chunks in turn. */
static void run_static_chunks(uint32_t *owners, size_t count, uint32_t threads, size_t chunk) {
  uint32_t thread = 0;
  for (size_t next = 0; next < count; thread = (thread + 1) % threads)
    for (size_t i = 0; i < chunk && next < count; i++)
      owners[next++] = thread;
}

static void distribute_to_threads(const struct question *question, uint32_t *nodes, size_t units) {
  static uint32_t owners[MOST_UNITS];
  const mai_policy_t *policy = &question->policy;
  uint32_t threads = question->targets.thread_count;
  size_t count = policy->count ? policy->count : units - policy->first;
  if (count == 0) {
    for (size_t unit = 0; unit < units; unit++)
      nodes[unit] = question->thread_nodes[0];
    return;
  }
  if (policy->kind == MAI_POLICY_BLOCK && policy->share_count)
    run_by_shares(question, owners, count);
  else if (policy->kind == MAI_POLICY_BLOCK)
    run_static(owners, count, threads);
  else
    run_static_chunks(owners, count, threads, policy->value);
  for (size_t unit = 0; unit < units; unit++) {
    size_t i = unit < policy->first ? 0 : unit - policy->first;
    i = i < count ? i : count - 1;
    nodes[unit] = question->thread_nodes[owners[policy->flags & MAI_REVERSED ? count - 1 - i : i]];
  }
}

/* Distribute, collect what is left, distribute again. */
static void distribute_by_prime(const struct question *question, uint32_t *nodes, size_t units) {
  static size_t left[MOST_UNITS];
  size_t count = units;
  for (size_t i = 0; i < units; i++)
    left[i] = i;
  while (count) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
      size_t rest = i % question->policy.value;
      if (rest < question->targets.node_count)
        nodes[left[i]] = question->nodes[rest];
      else
        left[kept++] = left[i];
    }
    count = kept;
  }
}

/* `before` units have been distributed already. */
static void distribute_by_weight(const struct question *question, uint32_t *nodes, size_t units,
                                 size_t before) {
  size_t unit = 0;
  for (uint32_t i = 0; unit < before + units; i = (i + 1) % question->targets.node_count)
    for (unsigned long k = 0; k < question->shares[i]; k++, unit++)
      if (unit >= before && unit < before + units)
        nodes[unit - before] = question->nodes[i];
}

static void distribute_irregularly(const struct question *question, uint32_t *nodes, size_t units) {
  size_t unit = 0;
  uint32_t last = question->policy.share_count - 1;
  for (uint32_t i = 0; i <= last; i++)
    for (unsigned long k = 0; (k < question->shares[i] || i == last) && unit < units; k++)
      nodes[unit++] = question->nodes[i];
}

/* The node of each unit. */
static void distribute(const struct question *question, uintptr_t start, uint32_t *nodes,
                       size_t units) {
  size_t count = question->targets.node_count;
  bool by_address = unit_meant(question) == MAI_UNIT_PAGES;
  size_t before = by_address ? start / question->targets.part_size : 0;
  size_t round = 0;
  switch (question->policy.kind) {
  case MAI_POLICY_BLOCK:
  case MAI_POLICY_BLOCK_CYCLIC:
    distribute_to_threads(question, nodes, units);
    return;
  case MAI_POLICY_PRIME:
    distribute_by_prime(question, nodes, units);
    return;
  case MAI_POLICY_WEIGHTED:
    for (uint32_t i = 0; i < count; i++)
      round += question->shares[i];
    distribute_by_weight(question, nodes, units, before % round);
    return;
  case MAI_POLICY_IRREGULAR:
    distribute_irregularly(question, nodes, units);
    return;
  default:
    for (size_t i = 0; i < units; i++)
      nodes[i] = question->policy.kind == MAI_POLICY_CYCLIC
                     ? question->nodes[(before + i) % count]
                     : question->nodes[(i + i / count + 1) % count];
  }
}

static void describe_question(const struct question *question) {
  const mai_policy_t *policy = &question->policy;
  printf("kind %u value %lu unit %u dimension %u first %lu count %lu, array 0x%zx + %zu of %u "
         "dimensions, %u nodes, %u threads, distributes of %zu:\n",
         policy->kind, policy->value, policy->unit, policy->dimension, policy->first, policy->count,
         (size_t)question->shape.start, question->shape.bytes, question->shape.dimensions,
         question->targets.node_count, question->targets.thread_count, question->targets.part_size);
}

static void complain(const struct question *question, const char *what, size_t page) {
  describe_question(question);
  printf("  page %zu: %s\n", page, what);
  failures++;
}

static bool is_allowed(const struct question *question, uint32_t node) {
  for (uint32_t i = 0; i < question->targets.node_count; i++)
    if (question->nodes[i] == node)
      return true;
  for (uint32_t i = 0; i < question->targets.thread_count; i++)
    if (question->thread_nodes[i] == node)
      return true;
  return false;
}

/* The runs cover each page once, with one node each, and are as long as they can be. */
static void check_runs(const struct question *question, const struct mai_placement *placement) {
  size_t runs = 0;
  uint32_t before = 0;
  for (size_t page = 0; page < placement->pages; runs++) {
    size_t end = mai_placement_run_end(placement, page);
    uint32_t node = mai_placement_node(placement, page);
    if (end <= page || end > placement->pages) {
      complain(question, "a run without end", page);
      return;
    }
    if (runs && node == before)
      complain(question, "two runs that are one", page);
    before = node;
    for (; page < end; page++)
      if (mai_placement_node(placement, page) != node)
        complain(question, "another node within a run", page);
  }
  if (mai_placement_count_runs(placement, SIZE_MAX - 1) != runs ||
      mai_placement_count_runs(placement, runs) != runs ||
      (runs > 1 && mai_placement_count_runs(placement, runs - 2) != runs - 1))
    complain(question, "runs are not counted right", runs);
}

/* Any part of the pages is listed with the nodes that each page has. */
static void check_list(const struct question *question, const struct mai_placement *placement) {
  static uint16_t nodes[MOST_PAGES + 1];
  enum { UNTOUCHED = 0x5555 };
  size_t first = any_below(placement->pages + 1);
  size_t count = any_below(placement->pages - first + 1);
  nodes[count] = UNTOUCHED;
  mai_placement_list_nodes(placement, first, count, nodes);
  for (size_t i = 0; i < count; i++)
    if (nodes[i] != (uint16_t)mai_placement_node(placement, first + i))
      complain(question, "listed with another node", first + i);
  if (nodes[count] != UNTOUCHED)
    complain(question, "more listed than asked", first + count);
}

/* A part that is moved is where it is moved to, and the rest where it was. */
static void check_moves(const struct question *question, struct mai_placement *placement) {
  static uint32_t before[MOST_PAGES];
  if (placement->pages == 0)
    return;
  size_t first = any_below(placement->pages);
  size_t count = any_below(placement->pages - first + 1);
  uint32_t node = any_below(3) ? (uint32_t)any_below(1024) : MAI_ANY_NODE;
  for (size_t page = 0; page < placement->pages; page++)
    before[page] = mai_placement_node(placement, page);
  if (mai_placement_move(placement, first, count, node) != 0)
    abort();
  for (size_t page = 0; page < placement->pages; page++) {
    bool moved = page >= first && page < first + count;
    if (mai_placement_node(placement, page) != (moved ? node : before[page]))
      complain(question, "moved to another node than asked", page);
    if (moved && node != MAI_ANY_NODE &&
        (!mai_placement_accepts(placement, page, node) ||
         mai_placement_accepts(placement, page, node + 1)))
      complain(question, "moved, and accepted elsewhere", page);
  }
  check_runs(question, placement);
  check_list(question, placement);
}

static void check_answer(const struct question *question, struct mai_placement *placement) {
  static uint32_t nodes[MOST_UNITS];
  uintptr_t start = placement->start;
  size_t units = count_all_units(question, placement->pages, start);
  bool random = question->policy.kind == MAI_POLICY_RANDOM;
  if (units > MOST_UNITS || placement->pages > MOST_PAGES)
    abort();
  if (!random)
    distribute(question, start, nodes, units);
  for (size_t page = 0; page < placement->pages; page++) {
    uint32_t node = mai_placement_node(placement, page);
    if (!random && !may_have(question, nodes, start, page, node))
      complain(question, "not the node of the definition", page);
    if (!is_allowed(question, node))
      complain(question, "a node that is not allowed", page);
  }
  check_runs(question, placement);
  check_list(question, placement);
  check_moves(question, placement);
}

/* Extents of up to 5 dimensions of which some are 1, in at most MOST_PAGES pages. */
static void ask_shape(struct mai_shape *shape) {
  static const unsigned long sizes[] = {1, 8, 24, 100, PAGE / 2, PAGE, 5000, 3 * PAGE};
  size_t bytes = any_of(sizes, 8);
  shape->dimensions = 1 + (unsigned)any_below(MAI_MOST_DIMENSIONS);
  for (unsigned i = shape->dimensions; i-- > 0;) {
    size_t room = (MOST_PAGES - 2) * (size_t)PAGE / bytes;
    size_t most = shape->dimensions == 1 ? MOST_UNITS : 9;
    shape->strides[i] = bytes;
    bytes *= 1 + any_below(room < most ? room : most);
  }
  shape->bytes = bytes;
  shape->ends = (enum mai_ends)any_below(3);
  shape->start = BASE + any_below(600) * PAGE + (any_below(2) ? any_below(PAGE) : 0);
}

static void ask_machine(struct question *question) {
  struct mai_targets *targets = &question->targets;
  *targets = (struct mai_targets){.page_size = PAGE,
                                  .part_size = any_below(4) ? PAGE : 16 * PAGE,
                                  .part_mask = SIZE_MAX,
                                  .node_count = 1 + (uint32_t)any_below(9),
                                  .nodes = question->nodes,
                                  .weights = question->shares,
                                  .thread_count = 1 + (uint32_t)any_below(16),
                                  .thread_nodes = question->thread_nodes};
  for (uint32_t i = 0; i < 16; i++) {
    question->nodes[i] = (i * 5 + 3) % 16 * 60; /* no order, gaps, and more than 64 */
    question->thread_nodes[i] = (uint32_t)any_below(4) * 3;
    question->shares[i] = any_below(5);
  }
  question->shares[0] += 1;
}

static void ask_policy(struct question *question) {
  static const unsigned kinds[] = {MAI_POLICY_BLOCK,    MAI_POLICY_BLOCK_CYCLIC, MAI_POLICY_CYCLIC,
                                   MAI_POLICY_SKEW,     MAI_POLICY_PRIME,        MAI_POLICY_RANDOM,
                                   MAI_POLICY_WEIGHTED, MAI_POLICY_IRREGULAR};
  static const unsigned long primes[] = {11, 13, 17, 31, 101, 1009, 1000003};
  mai_policy_t *policy = &question->policy;
  *policy = (mai_policy_t){.kind = kinds[any_below(8)], .shares = question->shares};
  policy->unit = (unsigned)any_below(4);
  policy->dimension = (unsigned)any_below(question->shape.dimensions);
  for (unsigned i = 0; i < 3 && i < question->shape.dimensions; i++)
    policy->block[i] = 1 + any_below(5);
  policy->value = policy->kind == MAI_POLICY_PRIME ? any_of(primes, 7) : 1 + any_below(9);
  policy->share_count = policy->kind == MAI_POLICY_IRREGULAR
                            ? 1 + (unsigned)any_below(question->targets.node_count)
                            : question->targets.node_count;
  if (policy->kind == MAI_POLICY_BLOCK && any_below(2))
    policy->share_count = 0;
  bool to_threads = policy->kind == MAI_POLICY_BLOCK || policy->kind == MAI_POLICY_BLOCK_CYCLIC;
  policy->flags = to_threads && any_below(3) == 0 ? MAI_REVERSED : 0;
}

/* A range within the units, of which the policy knows the number only now. */
static void ask_range(struct question *question, size_t units) {
  question->policy.first = any_below(units + 1);
  question->policy.count = any_below(units - question->policy.first + 1);
}

static void check_random_question(void) {
  struct question question = {0};
  struct mai_placement placement;
  ask_shape(&question.shape);
  ask_machine(&question);
  ask_policy(&question);
  question.policy.threads = 0;
  if (mai_placement_compute(&question.policy, &question.shape, &question.targets, &placement) != 0)
    abort();
  size_t units = count_all_units(&question, placement.pages, placement.start);
  if (units && any_below(2) && question.policy.kind <= MAI_POLICY_BLOCK_CYCLIC &&
      question.policy.kind != MAI_POLICY_CYCLIC) {
    mai_placement_free(&placement);
    ask_range(&question, units);
    if (mai_placement_compute(&question.policy, &question.shape, &question.targets, &placement) !=
        0)
      abort();
  }
  check_answer(&question, &placement);
  mai_placement_free(&placement);
}

/*===-- Pieces smaller than pages ------------------------------------------===*/

/* Units of at most half a page are distributed to as many threads as nodes, by rows and by the columns of a
   matrix: where nodes have as much of a page, each has its turn, and gets its part of the pages. */
static void check_parts(unsigned kind, size_t unit, size_t columns, uint32_t threads) {
  static const uint32_t nodes[] = {0, 1, 2, 3, 4, 5, 6, 7};
  enum { PAGES = 2000 };
  size_t row = columns ? columns * unit : unit;
  struct question question = {
      .policy = {.kind = kind, .value = 1, .unit = MAI_UNIT_DIMENSION, .dimension = columns > 0},
      .shape = {BASE, (size_t)PAGES * PAGE / row * row, columns ? 2 : 1, {row, unit}, MAI_ENDS_OWN},
      .targets = {.page_size = PAGE,
                  .part_size = PAGE,
                  .part_mask = SIZE_MAX,
                  .node_count = threads,
                  .nodes = nodes,
                  .thread_count = threads,
                  .thread_nodes = nodes}};
  struct mai_placement placement;
  size_t counts[8] = {0};
  if (mai_placement_compute(&question.policy, &question.shape, &question.targets, &placement) != 0)
    abort();
  for (size_t page = 0; page < placement.pages; page++)
    counts[mai_placement_node(&placement, page)]++;
  for (uint32_t i = 0; i < threads; i++)
    if (counts[i] * threads * 10 < placement.pages * 8 ||
        counts[i] * threads * 10 > placement.pages * 12)
      complain(&question, "so many pages only, or as many, are on one node", counts[i]);
  mai_placement_free(&placement);
}

static void check_all_parts(void) {
  static const size_t units[] = {8, 64, 512, 1000, 1024, 1360, 2048};
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    for (uint32_t threads = 2; threads <= 8; threads++) {
      check_parts(MAI_POLICY_BLOCK_CYCLIC, units[i], 0, threads);
      check_parts(MAI_POLICY_BLOCK_CYCLIC, units[i], threads, threads);
      check_parts(MAI_POLICY_BLOCK_CYCLIC, units[i], (size_t)16 * threads, threads);
      check_parts(MAI_POLICY_BLOCK, units[i], threads, threads);
    }
}

/*===-- What only holds for random -----------------------------------------===*/

/* All nodes get about as many pages, another seed draws others, the same seed the same. */
static void check_random_is_even(void) {
  static const uint32_t nodes[] = {0, 1, 2, 3, 4};
  enum { PAGES = 50000, NODES = 5 };
  struct mai_shape shape = PAGES(PAGES);
  struct mai_targets targets = {.page_size = PAGE,
                                .part_size = PAGE,
                                .part_mask = SIZE_MAX,
                                .node_count = NODES,
                                .nodes = nodes,
                                .thread_count = 1,
                                .thread_nodes = nodes};
  struct mai_placement drawn[3];
  size_t counts[NODES] = {0};
  size_t alike = 0;
  for (int i = 0; i < 3; i++) {
    mai_policy_t policy = RANDOM(i < 2 ? 12345UL : 12346UL);
    if (mai_placement_compute(&policy, &shape, &targets, &drawn[i]) != 0)
      abort();
  }
  for (size_t page = 0; page < PAGES; page++) {
    uint32_t node = mai_placement_node(&drawn[0], page);
    counts[node]++;
    failures += mai_placement_node(&drawn[1], page) != node;
    alike += mai_placement_node(&drawn[2], page) == node;
  }
  for (uint32_t i = 0; i < NODES; i++)
    if (counts[i] < PAGES / NODES * 9 / 10 || counts[i] > PAGES / NODES * 11 / 10)
      failures += printf("random: %zu of %d pages on node %u of %d\n", counts[i], PAGES, i, NODES);
  if (alike > PAGES / NODES * 11 / 10)
    failures += printf("random: %zu of %d pages alike with another seed\n", alike, PAGES);
  for (int i = 0; i < 3; i++)
    mai_placement_free(&drawn[i]);
}

/* Pages may be anywhere on a set, and nowhere else. */
static void check_set(void) {
  static const uint32_t nodes[] = {2, 5};
  struct mai_shape shape = PAGES(3);
  struct mai_targets targets = {.page_size = PAGE,
                                .part_size = PAGE,
                                .part_mask = SIZE_MAX,
                                .node_count = 2,
                                .nodes = nodes,
                                .thread_count = 1,
                                .thread_nodes = nodes};
  struct mai_placement placement;
  mai_policy_t policy = PAGES_OF(BIND, 0);
  if (mai_placement_compute(&policy, &shape, &targets, &placement) != 0)
    abort();
  if (!mai_placement_accepts(&placement, 1, 2) || !mai_placement_accepts(&placement, 1, 5) ||
      mai_placement_accepts(&placement, 1, 3))
    failures += printf("a set accepts other nodes than its own\n");
  mai_placement_free(&placement);
}

static void check_primes(void) {
  static const unsigned long primes[] = {2, 3, 5, 7, 65537, 4294967291};
  static const unsigned long others[] = {0, 1, 4, 9, 65536, 4294836225, 4294967295, 4294967311};
  for (size_t i = 0; i < sizeof primes / sizeof *primes; i++)
    if (!mai_is_prime(primes[i]))
      failures += printf("%lu is a prime\n", primes[i]);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (mai_is_prime(others[i]))
      failures += printf("%lu is no prime\n", others[i]);
}

/*===-- What OpenMP's run-times did ----------------------------------------===*/

/* A loop over [first, first + count) of an array of `units` units of a page, on node i what thread
   i runs. */
struct loop {
  unsigned threads, chunk, backwards;
  size_t units, first, count;
};

static int place_loop(const struct loop *loop, struct mai_placement *placement) {
  static uint32_t nodes[MOST_NODES];
  for (uint32_t i = 0; i < MOST_NODES; i++)
    nodes[i] = i;
  struct mai_shape shape = SHAPE(BASE, loop->units * PAGE, PAGE);
  struct mai_targets targets = {.page_size = PAGE,
                                .part_size = PAGE,
                                .part_mask = SIZE_MAX,
                                .node_count = 1,
                                .nodes = nodes,
                                .thread_count = loop->threads,
                                .thread_nodes = nodes};
  mai_policy_t policy = {.kind = loop->chunk ? MAI_POLICY_BLOCK_CYCLIC : MAI_POLICY_BLOCK,
                         .flags = loop->backwards ? MAI_REVERSED : 0,
                         .value = loop->chunk,
                         .first = loop->first,
                         .count = loop->count};
  return mai_placement_compute(&policy, &shape, &targets, placement);
}

/* Lines "threads chunk backwards units first count owner owner ..."; @return how many loops */
static int check_loops(FILE *file) {
  struct loop loop;
  int loops = 0;
  for (; fscanf(file, "%u %u %u %zu %zu %zu", &loop.threads, &loop.chunk, &loop.backwards,
                &loop.units, &loop.first, &loop.count) == 6;
       loops++) {
    struct mai_placement placement;
    if (place_loop(&loop, &placement) != 0)
      abort();
    for (size_t i = 0; i < loop.count; i++) {
      unsigned owner;
      if (fscanf(file, "%u", &owner) != 1)
        abort();
      if (mai_placement_node(&placement, loop.first + i) != owner)
        failures += printf("%u threads, chunks of %u, iteration %zu of %zu: thread %u, not %u\n",
                           loop.threads, loop.chunk, i, loop.count, owner,
                           mai_placement_node(&placement, loop.first + i));
    }
    mai_placement_free(&placement);
  }
  return loops;
}

static int check_loops_of(const char *path) {
  FILE *file = fopen(path, "r");
  int loops = file ? check_loops(file) : 0;
  if (file)
    fclose(file);
  printf("%d loops, %d failures\n", loops, failures);
  return failures != 0 || loops == 0;
}

int main(int argc, char **argv) {
  enum { QUESTIONS = 20000 };
  if (argc > 1)
    return check_loops_of(argv[1]);
  check_part_mask(SIZE_MAX, "1*1 1*2 1*0 1*1");
  check_part_mask(UINT32_MAX, "1*0 1*1 1*2 1*0");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    check_row(&rows[i]);
  for (size_t count = 1; count < 300; count += 7)
    for (uint32_t threads = 1; threads < MOST_NODES; threads += 3)
      check_block_is_schedule_static(count, threads);
  check_primes();
  check_set();
  check_random_is_even();
  check_all_parts();
  for (int i = 0; i < QUESTIONS && failures < 20; i++)
    check_random_question();
  printf("%d failures\n", failures);
  return failures != 0;
}
