/*===-- placement.c - which page belongs on which node ---------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "placement.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void set_pages(struct mai_placement *placement, const struct mai_shape *shape,
                      size_t page_size) {
  uintptr_t first = (shape->start + page_size - 1) / page_size;
  uintptr_t end = (shape->start + shape->bytes) / page_size;
  placement->start = first * page_size;
  placement->page_size = page_size;
  placement->pages = end > first ? end - first : 0;
}

/* The last run always reaches to the end, so a run that adds nothing is left out. */
static void append_run(struct mai_placement *placement, size_t first, uint32_t node) {
  struct mai_run *last = placement->count ? &placement->runs[placement->count - 1] : NULL;
  if (last && last->node == node)
    return;
  if (last && last->first == first) {
    last->node = node;
    if (placement->count > 1 && last[-1].node == node)
      placement->count--;
    return;
  }
  placement->runs[placement->count++] = (struct mai_run){first, node};
}

static int place_bind(const mai_policy_t *policy, struct mai_placement *placement) {
  placement->runs = malloc(sizeof *placement->runs);
  if (!placement->runs)
    return -1;
  placement->runs[0] = (struct mai_run){0, policy->node};
  placement->count = 1;
  return 0;
}

/* First unit of thread `thread`'s share of `count` units, as schedule(static) divides a loop. */
static size_t share_begin(size_t count, size_t threads, size_t thread) {
  size_t each = count / threads;
  size_t extra = count % threads;
  return thread * each + (thread < extra ? thread : extra);
}

/* The first page of the share that begins at byte `offset` of the array: the first whose middle is
   not before it. */
static size_t nearest_page(const struct mai_placement *placement, const struct mai_shape *shape,
                           size_t offset) {
  uintptr_t address = shape->start + offset;
  if (address <= placement->start)
    return 0;
  size_t distance = address - placement->start;
  size_t page = distance / placement->page_size;
  if (distance % placement->page_size > placement->page_size / 2)
    page++;
  return page < placement->pages ? page : placement->pages;
}

static int place_block(const mai_policy_t *policy, const struct mai_shape *shape,
                       const struct mai_terrain *terrain, struct mai_placement *placement) {
  size_t units = shape->bytes / shape->unit;
  if (policy->first > units || policy->count > units - policy->first) {
    errno = EINVAL;
    return -1;
  }
  size_t count = policy->count ? policy->count : units - policy->first;
  placement->runs = calloc(terrain->thread_count, sizeof *placement->runs);
  if (!placement->runs)
    return -1;
  append_run(placement, 0, terrain->thread_nodes[0]);
  for (uint32_t thread = 1; thread < terrain->thread_count; thread++) {
    size_t unit = policy->first + share_begin(count, terrain->thread_count, thread);
    if (unit >= policy->first + count)
      break; /* more threads than units: the rest have no share */
    size_t page = nearest_page(placement, shape, unit * shape->unit);
    if (page < placement->pages)
      append_run(placement, page, terrain->thread_nodes[thread]);
  }
  return 0;
}

static int place_cyclic(const struct mai_terrain *terrain, struct mai_placement *placement) {
  placement->nodes = calloc(terrain->node_count, sizeof *placement->nodes);
  if (!placement->nodes)
    return -1;
  memcpy(placement->nodes, terrain->nodes, terrain->node_count * sizeof *placement->nodes);
  placement->deal = terrain->deal_size / terrain->page_size;
  placement->deal_mask = terrain->deal_mask;
  placement->count = terrain->node_count;
  return 0;
}

int mai_placement_compute(const mai_policy_t *policy, const struct mai_shape *shape,
                          const struct mai_terrain *terrain, struct mai_placement *placement) {
  memset(placement, 0, sizeof *placement);
  set_pages(placement, shape, terrain->page_size);
  switch (policy->kind) {
  case MAI_POLICY_NONE:
    return 0;
  case MAI_POLICY_BIND:
    return place_bind(policy, placement);
  case MAI_POLICY_BLOCK:
    return place_block(policy, shape, terrain, placement);
  case MAI_POLICY_CYCLIC:
    return place_cyclic(terrain, placement);
  default:
    errno = EINVAL;
    return -1;
  }
}

void mai_placement_free(struct mai_placement *placement) {
  free(placement->deal ? (void *)placement->nodes : (void *)placement->runs);
  memset(placement, 0, sizeof *placement);
}

static uint32_t node_of_run(const struct mai_placement *placement, size_t page) {
  uint32_t low = 0;
  uint32_t high = placement->count;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (placement->runs[middle].first <= page)
      low = middle;
    else
      high = middle;
  }
  return placement->runs[low].node;
}

uint32_t mai_placement_node(const struct mai_placement *placement, size_t page) {
  if (placement->count == 0)
    return MAI_ANY_NODE;
  if (!placement->deal)
    return node_of_run(placement, page);
  size_t number = placement->start / placement->page_size + page;
  return placement->nodes[(number / placement->deal & placement->deal_mask) % placement->count];
}
