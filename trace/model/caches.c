/*===-- caches.c - where lines come from: a cache for each node ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "caches.h"

enum { LINE_SHIFT = 6, STATE_BITS = 2, STATE_MASK = (1 << STATE_BITS) - 1 };

struct model_shape model_shape_of(unsigned nodes, size_t bytes, unsigned ways) {
  size_t sets = (bytes >> LINE_SHIFT) / ways;
  return (struct model_shape){.nodes = nodes, .ways = ways, .sets = sets ? sets : 1};
}

size_t model_caches_bytes(const struct model_shape *shape) {
  return shape->sets * shape->nodes * shape->ways * sizeof(uint64_t);
}

void model_caches_init(struct model_caches *caches, const struct model_shape *shape, void *memory) {
  *caches = (struct model_caches){.shape = *shape, .ways = memory};
}

size_t model_set_of(const struct model_caches *caches, uintptr_t address) {
  return (address >> LINE_SHIFT) % caches->shape.sets;
}

static uint64_t *ways_of(const struct model_caches *caches, size_t set, unsigned node) {
  return caches->ways + (set * caches->shape.nodes + node) * caches->shape.ways;
}

static uint64_t with_state(uintptr_t address, enum model_state state) {
  return (uint64_t)(address >> LINE_SHIFT) << STATE_BITS | (uint64_t)state;
}

static enum model_state state_in(uint64_t way) { return (enum model_state)(way & STATE_MASK); }

static bool holds(uint64_t way, uintptr_t address) {
  return state_in(way) != MODEL_INVALID && way >> STATE_BITS == address >> LINE_SHIFT;
}

/* Where a node has a line in its set; the number of ways where it has not. */
static unsigned find(const struct model_caches *caches, const uint64_t *ways, uintptr_t address) {
  unsigned way = 0;
  while (way < caches->shape.ways && !holds(ways[way], address))
    way++;
  return way;
}

/* Lets the line in a way be the one used last; what was there before moves up. */
static void put_first(uint64_t *ways, unsigned way, uint64_t line) {
  for (; way > 0; way--)
    ways[way] = ways[way - 1];
  ways[0] = line;
}

/* A way that holds nothing, or the one used last longest ago. */
static unsigned victim(const struct model_caches *caches, const uint64_t *ways) {
  unsigned way = 0;
  while (way < caches->shape.ways - 1 && state_in(ways[way]) != MODEL_INVALID)
    way++;
  return way;
}

/* The others share the line with a node that reads it, and lose it to one that writes.
   @return whether any of them had it */
static bool take_from_others(struct model_caches *caches, size_t set, unsigned node,
                             uintptr_t address, bool writes) {
  bool found = false;
  for (unsigned other = 0; other < caches->shape.nodes; other++) {
    uint64_t *ways = ways_of(caches, set, other);
    unsigned way = other == node ? caches->shape.ways : find(caches, ways, address);
    if (way == caches->shape.ways)
      continue;
    found = true;
    ways[way] = with_state(address, writes ? MODEL_INVALID : MODEL_SHARED);
  }
  return found;
}

static enum model_source access_own(struct model_caches *caches, size_t set, unsigned node,
                                    unsigned way, uintptr_t address, bool writes) {
  uint64_t *ways = ways_of(caches, set, node);
  enum model_state state = state_in(ways[way]);
  if (writes && state == MODEL_SHARED)
    take_from_others(caches, set, node, address, true);
  put_first(ways, way, with_state(address, writes ? MODEL_MODIFIED : state));
  return MODEL_OWN_CACHE;
}

enum model_source model_caches_access(struct model_caches *caches, unsigned node, uintptr_t address,
                                      bool writes) {
  size_t set = model_set_of(caches, address);
  uint64_t *ways = ways_of(caches, set, node);
  unsigned way = find(caches, ways, address);
  if (way < caches->shape.ways)
    return access_own(caches, set, node, way, address, writes);
  bool found = take_from_others(caches, set, node, address, writes);
  enum model_state state = writes ? MODEL_MODIFIED : found ? MODEL_SHARED : MODEL_EXCLUSIVE;
  put_first(ways, victim(caches, ways), with_state(address, state));
  return found ? MODEL_OTHER_CACHE : MODEL_MEMORY;
}

enum model_state model_caches_state(const struct model_caches *caches, unsigned node,
                                    uintptr_t address) {
  const uint64_t *ways = ways_of(caches, model_set_of(caches, address), node);
  unsigned way = find(caches, ways, address);
  return way < caches->shape.ways ? state_in(ways[way]) : MODEL_INVALID;
}
