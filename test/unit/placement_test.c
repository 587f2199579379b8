/*===-- placement_test.c - tables of what placement must come out as *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Each row names a policy, an array and a machine, and the nodes of its pages as runs "pages*node",
 * worked out by hand.  Below the tables, properties that hold for any array.
 */
#include "placement.h"

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
    used += (size_t)snprintf(text + used, size - used, "%s%zu*%u", page ? " " : "", length, node);
    if (used >= size)
      return;
  }
}

struct row {
  const char *what;
  mai_policy_t policy;
  struct mai_shape shape;
  size_t deal;
  const char *nodes;        /* of the machine, cyclic's */
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
  struct mai_terrain terrain = {.page_size = PAGE,
                                .deal_size = row->deal,
                                .deal_mask = SIZE_MAX,
                                .nodes = nodes,
                                .thread_nodes = thread_nodes,
                                .node_count = parse_list(row->nodes, nodes),
                                .thread_count = parse_list(row->thread_nodes, thread_nodes)};
  struct mai_placement placement;
  char text[4096] = "error";
  if (mai_placement_compute(&row->policy, &row->shape, &terrain, &placement) == 0) {
    describe(&placement, text, sizeof text);
    mai_placement_free(&placement);
  }
  if (strcmp(text, row->expected) != 0) {
    printf("%s:\n  expected %s\n  got      %s\n", row->what, row->expected, text);
    failures++;
  }
}

#define BASE 0x10000000UL /* a multiple of 64 huge pages */
#define SHAPE(start, bytes, unit) {start, bytes, 1, {unit}, false}
#define PAGES(n) SHAPE(BASE, (n) * (size_t)PAGE, 8)
#define FOUR "0 1 2 3"

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
    {"range: outside goes with the first and the last share", MAI_BLOCK_RANGE(2, 4),
     SHAPE(BASE, 8 * PAGE, PAGE), PAGE, "0 1", "0 1", "4*0 4*1"},
    {"range: to the end", MAI_BLOCK_RANGE(4, 0), SHAPE(BASE, 8 * PAGE, PAGE), PAGE, "0 1", "0 1",
     "6*0 2*1"},
    {"range: past the end is an error", MAI_BLOCK_RANGE(4, 5), SHAPE(BASE, 8 * PAGE, PAGE), PAGE,
     "0 1", "0 1", "error"},
    {"range: wrapping around is an error", MAI_BLOCK_RANGE(4, ~0UL), SHAPE(BASE, 8 * PAGE, PAGE),
     PAGE, "0 1", "0 1", "error"},

    /* Cyclic. */
    {"cyclic: page by page", MAI_CYCLIC, PAGES(6), PAGE, FOUR, "0", "1*0 1*1 1*2 1*3 1*0 1*1"},
    {"cyclic: nodes with gaps", MAI_CYCLIC, PAGES(4), PAGE, "0 4 9 64", "0", "1*0 1*4 1*9 1*64"},
    {"cyclic: one node", MAI_CYCLIC, PAGES(4), PAGE, "5", "0", "4*5"},
    {"cyclic: the phase follows the address", MAI_CYCLIC, SHAPE(BASE + PAGE + 8, 5 * PAGE, 8), PAGE,
     FOUR, "0", "1*2 1*3 1*0 1*1"},
    {"cyclic: by huge pages", MAI_CYCLIC, SHAPE(BASE, 3 * (size_t)HUGE, 8), HUGE, "0 1", "0",
     "512*0 512*1 512*0"},
    {"cyclic: incomplete huge pages at both ends", MAI_CYCLIC,
     SHAPE(BASE + HUGE - PAGE, (size_t)HUGE + 2 * PAGE, 8), HUGE, "0 1", "0", "1*0 512*1 1*0"},

    {"an unknown policy is an error", MAI_POLICY_OF(99, 0, 0, 0, 0, 0), PAGES(4), PAGE, FOUR, "0",
     "error"},
};

/* The thread that runs iteration `i` of `count` under schedule(static), by dealing them out. */
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
  struct mai_terrain terrain = {.page_size = PAGE,
                                .deal_size = PAGE,
                                .deal_mask = SIZE_MAX,
                                .node_count = 1,
                                .nodes = thread_nodes,
                                .thread_count = threads,
                                .thread_nodes = thread_nodes};
  struct mai_placement placement;
  mai_policy_t block = MAI_BLOCK;
  if (mai_placement_compute(&block, &shape, &terrain, &placement) != 0)
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
static void check_deal_mask(size_t mask, const char *expected) {
  const uint32_t nodes[] = {0, 1, 2};
  struct mai_shape shape = SHAPE(0x7f0000000000, 4 * PAGE, 8);
  struct mai_terrain terrain = {.page_size = PAGE,
                                .deal_size = PAGE,
                                .deal_mask = mask,
                                .node_count = 3,
                                .nodes = nodes,
                                .thread_count = 1,
                                .thread_nodes = nodes};
  struct mai_placement placement;
  mai_policy_t cyclic = MAI_CYCLIC;
  char text[64];
  if (mai_placement_compute(&cyclic, &shape, &terrain, &placement) != 0)
    abort();
  describe(&placement, text, sizeof text);
  mai_placement_free(&placement);
  if (strcmp(text, expected) != 0) {
    printf("cyclic with mask %zx:\n  expected %s\n  got      %s\n", mask, expected, text);
    failures++;
  }
}

int main(void) {
  check_deal_mask(SIZE_MAX, "1*1 1*2 1*0 1*1");
  check_deal_mask(UINT32_MAX, "1*0 1*1 1*2 1*0");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    check_row(&rows[i]);
  for (size_t count = 1; count < 300; count += 7)
    for (uint32_t threads = 1; threads < MOST_NODES; threads += 3)
      check_block_is_schedule_static(count, threads);
  printf("%d failures\n", failures);
  return failures != 0;
}
