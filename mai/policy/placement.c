/*===-- placement.c - which page belongs on which node ---------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "placement.h"

#include <errno.h>
#include <string.h>

#include "runtime/heap.h"

static int invalid(void) {
  errno = EINVAL;
  return -1;
}

size_t mai_shape_extent(const struct mai_shape *shape, unsigned dimension) {
  size_t whole = dimension ? shape->strides[dimension - 1] : shape->bytes;
  return whole / shape->strides[dimension];
}

static void set_pages(struct mai_placement *placement, const struct mai_shape *shape,
                      size_t page_size) {
  uintptr_t last = shape->start + shape->bytes;
  uintptr_t first = shape->start / page_size;
  uintptr_t end = last / page_size;
  switch (shape->ends) {
  case MAI_ENDS_LEFT:
    first += shape->start % page_size != 0;
    break;
  case MAI_ENDS_OWN:
    end += last % page_size != 0;
    break;
  case MAI_ENDS_BY_MIDDLE:
    first = mai_page_by_middle(shape->start, page_size);
    end = mai_page_by_middle(last, page_size);
    break;
  }
  placement->start = first * page_size;
  placement->page_size = page_size;
  placement->pages = end > first ? end - first : 0;
}

/* The number of the first page in the address space. */
static size_t first_number(const struct mai_placement *placement) {
  return placement->start / placement->page_size;
}

/*===-- From a page to its unit --------------------------------------------===*/

static enum mai_unit unit_of_policy(const mai_policy_t *policy) {
  if (policy->unit != MAI_UNIT_DEFAULT)
    return (enum mai_unit)policy->unit;
  bool rows = policy->kind == MAI_POLICY_BLOCK || policy->kind == MAI_POLICY_BLOCK_CYCLIC ||
              policy->kind == MAI_POLICY_IRREGULAR;
  return rows ? MAI_UNIT_DIMENSION : MAI_UNIT_PAGES;
}

/* What the kernel can interleave is counted as it counts: from address 0. `first` is the number of
   the array's first page. */
static void view_by_pages(const mai_policy_t *policy, const struct mai_targets *targets,
                          size_t first, struct mai_view *view) {
  view->by = MAI_BY_PAGES;
  size_t bytes = policy->piece ? policy->piece : targets->part_size;
  view->part = (bytes - 1) / targets->page_size + 1;
  view->by_kernel = view->part == targets->part_size / targets->page_size;
  bool by_address =
      view->by_kernel && (policy->kind == MAI_POLICY_CYCLIC || policy->kind == MAI_POLICY_WEIGHTED);
  view->origin = by_address ? 0 : first / view->part;
  view->part_mask =
      policy->kind == MAI_POLICY_CYCLIC && view->by_kernel ? targets->part_mask : SIZE_MAX;
}

static int view_by_dimension(const mai_policy_t *policy, const struct mai_shape *shape,
                             struct mai_view *view) {
  unsigned dimension = policy->dimension;
  if (dimension >= shape->dimensions)
    return invalid();
  view->by = MAI_BY_DIMENSION;
  view->strides[0] = shape->strides[dimension];
  view->outer = dimension ? shape->strides[dimension - 1] : shape->bytes;
  return 0;
}

/* The sum of the shares; 0, which is none, where one is too large. */
static uint64_t sum_of_shares(const mai_policy_t *policy) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < policy->share_count; i++) {
    if (policy->shares[i] > UINT32_MAX)
      return 0;
    sum += policy->shares[i];
  }
  return sum;
}

/* What is left behind the last slice goes with the begin of one. */
static int view_by_slices(const mai_policy_t *policy, const struct mai_shape *shape,
                          struct mai_view *view) {
  size_t element = shape->strides[shape->dimensions - 1];
  size_t elements = policy->block[0] ? shape->bytes / element / policy->block[0] : 0;
  if (elements == 0)
    return invalid();
  view->by = MAI_BY_DIMENSION;
  view->strides[0] = element;
  view->outer = elements * element;
  return 0;
}

/* In how many units slices of any length are counted. */
enum { SLICE_UNITS = 1 << 20 };

static int view_by_unequal_slices(const mai_policy_t *policy, const struct mai_shape *shape,
                                  struct mai_view *view) {
  uint64_t sum = sum_of_shares(policy);
  uint64_t before = 0;
  if (policy->kind != MAI_POLICY_BLOCK || policy->first || policy->count || sum == 0)
    return invalid();
  view->by = MAI_BY_SLICES;
  view->slices = policy->share_count;
  view->ends = minas_alloc_list(view->slices, sizeof *view->ends);
  if (!view->ends)
    return -1;
  for (unsigned i = 0; i < view->slices; i++) {
    before += policy->shares[i];
    view->ends[i] = (size_t)((__uint128_t)shape->bytes * before / sum);
  }
  return 0;
}

static int view_by_blocks(const mai_policy_t *policy, const struct mai_shape *shape,
                          struct mai_view *view) {
  for (unsigned i = shape->dimensions; i < 3; i++)
    if (policy->block[i] != 0)
      return invalid();
  view->by = MAI_BY_BLOCKS;
  view->dimensions = shape->dimensions < 3 ? shape->dimensions : 3;
  for (unsigned i = 0; i < view->dimensions; i++) {
    if (policy->block[i] == 0)
      return invalid();
    view->strides[i] = shape->strides[i];
    view->extents[i] = mai_shape_extent(shape, i);
    view->block[i] = policy->block[i];
  }
  return 0;
}

/* Bytes of a unit that follow each other in memory. */
static size_t unit_bytes(const struct mai_view *view) {
  if (view->by == MAI_BY_DIMENSION)
    return view->strides[0] < view->outer ? view->strides[0] : view->bytes;
  if (view->by == MAI_BY_SLICES)
    return view->bytes / view->slices / SLICE_UNITS + 1;
  for (unsigned i = view->dimensions; i-- > 0;)
    if (view->block[i] < view->extents[i])
      return view->block[i] * view->strides[i];
  return view->bytes;
}

static bool distributes_to_nodes(unsigned kind) {
  return kind == MAI_POLICY_CYCLIC || kind == MAI_POLICY_SKEW || kind == MAI_POLICY_PRIME ||
         kind == MAI_POLICY_RANDOM || kind == MAI_POLICY_WEIGHTED;
}

static int view_by_unit(const mai_policy_t *policy, const struct mai_shape *shape,
                        struct mai_view *view) {
  switch (unit_of_policy(policy)) {
  case MAI_UNIT_PAGES:
    return 0;
  case MAI_UNIT_DIMENSION:
    return view_by_dimension(policy, shape, view);
  case MAI_UNIT_BLOCKS:
    return view_by_blocks(policy, shape, view);
  case MAI_UNIT_SLICES:
    return mai_policy_has_unequal_slices(policy) ? view_by_unequal_slices(policy, shape, view)
                                                 : view_by_slices(policy, shape, view);
  default:
    return invalid();
  }
}

static int set_view(const mai_policy_t *policy, const struct mai_shape *shape,
                    const struct mai_targets *targets, struct mai_placement *placement) {
  struct mai_view *view = &placement->view;
  view->part_mask = SIZE_MAX;
  view->start = shape->start;
  view->bytes = shape->bytes;
  if (view_by_unit(policy, shape, view) != 0)
    return -1;
  if (view->by == MAI_BY_PAGES ||
      (distributes_to_nodes(policy->kind) && unit_bytes(view) < targets->page_size))
    view_by_pages(policy, targets, first_number(placement), view);
  return 0;
}

/* Offset in the array of a byte of a page; of the nearest one where that byte is outside. */
static size_t offset_of(const struct mai_placement *placement, size_t page, size_t within) {
  const struct mai_view *view = &placement->view;
  uintptr_t byte = placement->start + page * placement->page_size + within;
  if (byte <= view->start)
    return 0;
  size_t offset = byte - view->start;
  return offset < view->bytes ? offset : view->bytes - 1;
}

static size_t block_of(const struct mai_view *view, size_t offset) {
  size_t number = 0;
  for (unsigned i = 0; i < view->dimensions; i++) {
    size_t blocks = (view->extents[i] - 1) / view->block[i] + 1;
    size_t index = offset / view->strides[i] % view->extents[i];
    number = number * blocks + index / view->block[i];
  }
  return number;
}

/* How far in its slice an offset is. */
static size_t unit_in_slice(const struct mai_view *view, size_t offset) {
  size_t begin = 0;
  unsigned slice = 0;
  while (slice + 1 < view->slices && view->ends[slice] <= offset)
    begin = view->ends[slice++];
  return (size_t)((__uint128_t)(offset - begin) * SLICE_UNITS / (view->ends[slice] - begin));
}

/* The unit of a byte of a page, where units are not pages. */
static size_t unit_at(const struct mai_placement *placement, size_t page, size_t within) {
  const struct mai_view *view = &placement->view;
  size_t offset = offset_of(placement, page, within);
  if (view->by == MAI_BY_SLICES)
    return unit_in_slice(view, offset);
  return view->by == MAI_BY_DIMENSION ? offset % view->outer / view->strides[0]
                                      : block_of(view, offset);
}

static size_t unit_of(const struct mai_placement *placement, size_t page) {
  const struct mai_view *view = &placement->view;
  if (view->by == MAI_BY_PAGES)
    return (((first_number(placement) + page) / view->part) - view->origin) & view->part_mask;
  return unit_at(placement, page, placement->page_size / 2);
}

/* How many units an array has. */
static size_t count_units(const struct mai_placement *placement) {
  const struct mai_view *view = &placement->view;
  size_t blocks = 1;
  switch (view->by) {
  case MAI_BY_PAGES:
    return placement->pages ? unit_of(placement, placement->pages - 1) + 1 : 0;
  case MAI_BY_DIMENSION:
    return view->outer / view->strides[0];
  case MAI_BY_SLICES:
    return SLICE_UNITS;
  default:
    for (unsigned i = 0; i < view->dimensions; i++)
      blocks *= (view->extents[i] - 1) / view->block[i] + 1;
    return blocks;
  }
}

/* Whether a page's units are never below those of the pages before it. */
static bool units_follow_memory(const struct mai_view *view) {
  return view->by == MAI_BY_PAGES || view->dimensions == 1 ||
         (view->by == MAI_BY_DIMENSION && view->outer == view->bytes);
}

/* The first page behind `page`, of unit `unit`, whose unit is not below `end`, where units follow
   each other in memory. */
static size_t first_page_of(const struct mai_placement *placement, size_t page, size_t unit,
                            size_t end) {
  const struct mai_view *view = &placement->view;
  size_t size = placement->page_size;
  size_t left = placement->pages - page;
  size_t distance;
  if (view->by == MAI_BY_PAGES) {
    if (end - unit > left)
      return placement->pages;
    distance = (end - unit) * view->part - (first_number(placement) + page) % view->part;
  } else {
    uintptr_t middle = placement->start + page * size + size / 2;
    uintptr_t begin;
    if (__builtin_mul_overflow(end, unit_bytes(view), &begin) ||
        __builtin_add_overflow(begin, view->start, &begin))
      return placement->pages;
    distance = begin <= middle ? 1 : (begin - middle + size - 1) / size;
  }
  return page + (distance < left ? distance : left);
}

/*===-- From a unit to its node --------------------------------------------===*/

size_t mai_share_begin(size_t count, size_t threads, size_t thread) {
  size_t each = count / threads;
  size_t extra = count % threads;
  return thread * each + (thread < extra ? thread : extra);
}

/* The thread in whose share unit `unit` < `count` is. */
static size_t share_of(size_t count, size_t threads, size_t unit) {
  size_t each = count / threads;
  size_t extra = count % threads;
  size_t in_longer = extra * (each + 1);
  if (each == 0 || unit < in_longer)
    return unit / (each + 1);
  return extra + (unit - in_longer) / each;
}

/* The number within the loop's range of a unit; those outside go with its first and last. */
static size_t within_range(const struct mai_placement *placement, size_t unit) {
  if (unit < placement->first)
    return 0;
  size_t number = unit - placement->first;
  return number < placement->range ? number : placement->range - 1;
}

/* The unit that is as far from the other end of the range, where units are counted from there. */
static size_t counted_unit(const struct mai_placement *placement, size_t unit) {
  return placement->reversed
             ? placement->first + (placement->range - 1 - within_range(placement, unit))
             : unit;
}

/* Each round leaves prime - nodes of `prime` units over; of those below the prime it takes as
   many as there are nodes, so that they end up distributed in turn. */
static size_t distribute_by_prime(size_t unit, size_t prime, size_t nodes) {
  while (prime && unit >= prime) {
    size_t rest = unit % prime;
    if (rest < nodes)
      return rest;
    unit = unit / prime * (prime - nodes) + rest - nodes;
  }
  return unit % nodes;
}

/* A number in [0, nodes) that looks random: the finaliser of SplitMix64 (Steele et al., 2014). */
static size_t draw(uint64_t seed, uint64_t unit, uint64_t nodes) {
  uint64_t x = seed + (unit + 1) * 0x9e3779b97f4a7c15;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  x ^= x >> 31;
  return (x >> 32) * nodes >> 32;
}

/* Index of the first bound above `unit`, or of the last. */
static size_t bound_above(const struct mai_placement *placement, size_t unit) {
  uint32_t low = 0;
  uint32_t high = placement->count - 1;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (placement->bounds[middle] > unit)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/* Index into `nodes` for a unit. */
static size_t place_of(const struct mai_placement *placement, size_t unit) {
  size_t count = placement->count;
  unit = counted_unit(placement, unit);
  switch (placement->rule) {
  case MAI_RULE_BLOCK:
    return share_of(placement->range, count, within_range(placement, unit));
  case MAI_RULE_BLOCK_CYCLIC:
    return within_range(placement, unit) / placement->value % count;
  case MAI_RULE_CYCLIC:
    return unit % count;
  case MAI_RULE_SKEW:
    return (unit + unit / count + 1) % count;
  case MAI_RULE_PRIME:
    return distribute_by_prime(unit, placement->value, count);
  case MAI_RULE_RANDOM:
    return draw(placement->value, unit, count);
  case MAI_RULE_WEIGHTED:
    return bound_above(placement, unit % placement->bounds[count - 1]);
  case MAI_RULE_IRREGULAR:
    return bound_above(placement, unit);
  default:
    return 0;
  }
}

/* Where the units begin that have one place together with `unit`, the range not being reversed. */
static size_t place_begin(const struct mai_placement *placement, size_t unit) {
  size_t number = within_range(placement, unit);
  size_t place;
  switch (placement->rule) {
  case MAI_RULE_BLOCK:
    place = share_of(placement->range, placement->count, number);
    return placement->first + mai_share_begin(placement->range, placement->count, place);
  case MAI_RULE_BLOCK_CYCLIC:
    return placement->first + number / placement->value * placement->value;
  default: /* by shares */
    place = bound_above(placement, unit);
    return place ? placement->bounds[place - 1] : placement->first;
  }
}

/* What is counted first has the end of the range, and what is behind it. */
static size_t reversed_end(const struct mai_placement *placement, size_t unit) {
  size_t begin = place_begin(placement, counted_unit(placement, unit));
  return begin > placement->first ? placement->first + (placement->first + placement->range - begin)
                                  : SIZE_MAX;
}

/* The first unit after `unit` that may have another place; SIZE_MAX when there is none. */
static size_t place_end(const struct mai_placement *placement, size_t unit) {
  size_t count = placement->count;
  size_t place;
  size_t end;
  if (count == 1)
    return SIZE_MAX;
  if (placement->reversed)
    return reversed_end(placement, unit);
  switch (placement->rule) {
  case MAI_RULE_BLOCK:
    place = place_of(placement, unit);
    end = mai_share_begin(placement->range, count, place + 1);
    return end < placement->range ? placement->first + end : SIZE_MAX;
  case MAI_RULE_BLOCK_CYCLIC:
    end = (within_range(placement, unit) / placement->value + 1) * placement->value;
    return end < placement->range ? placement->first + end : SIZE_MAX;
  case MAI_RULE_WEIGHTED:
    place = unit % placement->bounds[count - 1];
    return unit - place + placement->bounds[bound_above(placement, place)];
  case MAI_RULE_IRREGULAR:
    place = bound_above(placement, unit);
    return place + 1 < count ? placement->bounds[place] : SIZE_MAX;
  default:
    return unit + 1;
  }
}

/*===-- The rule of a policy -----------------------------------------------===*/

static int set_nodes(struct mai_placement *placement, const uint32_t *nodes, uint32_t count) {
  placement->nodes = minas_alloc_list(count, sizeof *nodes);
  if (!placement->nodes)
    return -1;
  memcpy(placement->nodes, nodes, count * sizeof *nodes);
  placement->count = count;
  return 0;
}

static int distribute_to_nodes(const struct mai_targets *targets, enum mai_rule rule,
                               struct mai_placement *placement) {
  placement->rule = rule;
  return set_nodes(placement, targets->nodes, targets->node_count);
}

static int bind_to(const struct mai_targets *targets, struct mai_placement *placement) {
  return distribute_to_nodes(targets, targets->node_count == 1 ? MAI_RULE_ONE : MAI_RULE_ANY_OF,
                             placement);
}

static int divide_among_threads(const mai_policy_t *policy, const struct mai_targets *targets,
                                struct mai_placement *placement) {
  size_t units = count_units(placement);
  if (policy->first > units || policy->count > units - policy->first)
    return invalid();
  placement->first = policy->first;
  placement->range = policy->count ? policy->count : units - policy->first;
  placement->reversed = policy->flags & MAI_REVERSED;
  if (placement->range == 0) { /* the range begins at the end: all units are before it */
    placement->first = 0;
    placement->range = 1;
  }
  return set_nodes(placement, targets->thread_nodes, targets->thread_count);
}

/* Where each thread's part of the range ends, by shares.  Between the ends of two shares the units
   go on evenly.  What is outside of the range goes with its first and last unit. */
static int bound_shares(const mai_policy_t *policy, struct mai_placement *placement) {
  uint64_t sum = sum_of_shares(policy);
  uint64_t before = 0; /* of the shares in front of `share` */
  uint64_t whole;
  unsigned share = 0;
  if (sum == 0 || __builtin_mul_overflow(sum, placement->count, &whole))
    return invalid();
  placement->bounds = minas_alloc_list(placement->count, sizeof *placement->bounds);
  if (!placement->bounds)
    return -1;
  for (uint64_t thread = 0; thread < placement->count; thread++) {
    uint64_t position = (thread + 1) * policy->share_count;
    for (; share < position / placement->count; share++)
      before += policy->shares[share];
    uint64_t rest = position % placement->count;
    uint64_t part = before * placement->count + (rest ? rest * policy->shares[share] : 0);
    uint64_t end = (uint64_t)(((__uint128_t)placement->range * part + whole / 2) / whole);
    placement->bounds[thread] = end == 0                  ? 0
                                : end == placement->range ? UINT64_MAX
                                                          : placement->first + end;
  }
  return 0;
}

static int place_block(const mai_policy_t *policy, const struct mai_targets *targets,
                       struct mai_placement *placement) {
  bool by_shares = policy->share_count && !mai_policy_has_unequal_slices(policy) &&
                   policy->first < count_units(placement);
  placement->rule = by_shares ? MAI_RULE_IRREGULAR : MAI_RULE_BLOCK;
  if (divide_among_threads(policy, targets, placement) != 0)
    return -1;
  return by_shares ? bound_shares(policy, placement) : 0;
}

static int place_block_cyclic(const mai_policy_t *policy, const struct mai_targets *targets,
                              struct mai_placement *placement) {
  if (policy->value == 0)
    return invalid();
  placement->rule = MAI_RULE_BLOCK_CYCLIC;
  placement->value = policy->value;
  return divide_among_threads(policy, targets, placement);
}

bool mai_is_prime(unsigned long number) {
  if (number < 2 || number > UINT32_MAX)
    return false;
  for (unsigned long divisor = 2; divisor * divisor <= number; divisor++)
    if (number % divisor == 0)
      return false;
  return true;
}

static int place_prime(const mai_policy_t *policy, const struct mai_targets *targets,
                       struct mai_placement *placement) {
  if (!mai_is_prime(policy->value) || policy->value < targets->node_count)
    return invalid();
  placement->value = policy->value;
  return distribute_to_nodes(targets, MAI_RULE_PRIME, placement);
}

static int set_bounds(struct mai_placement *placement, const unsigned long *shares) {
  placement->bounds = minas_alloc_list(placement->count, sizeof *placement->bounds);
  if (!placement->bounds)
    return -1;
  uint64_t sum = 0;
  for (uint32_t i = 0; i < placement->count; i++) {
    if (__builtin_add_overflow(sum, shares[i], &sum))
      return invalid();
    placement->bounds[i] = sum;
  }
  return 0;
}

static int place_weighted(const struct mai_targets *targets, struct mai_placement *placement) {
  if (!targets->weights)
    return invalid();
  if (distribute_to_nodes(targets, MAI_RULE_WEIGHTED, placement) != 0 ||
      set_bounds(placement, targets->weights) != 0)
    return -1;
  return placement->bounds[placement->count - 1] ? 0 : invalid();
}

static int place_irregular(const mai_policy_t *policy, const struct mai_targets *targets,
                           struct mai_placement *placement) {
  if (policy->share_count == 0 || !policy->shares || policy->share_count > targets->node_count)
    return invalid();
  placement->rule = MAI_RULE_IRREGULAR;
  if (set_nodes(placement, targets->nodes, policy->share_count) != 0)
    return -1;
  return set_bounds(placement, policy->shares);
}

static int set_rule(const mai_policy_t *policy, const struct mai_targets *targets,
                    struct mai_placement *placement) {
  switch (policy->kind) {
  case MAI_POLICY_FIRST_TOUCH:
  case MAI_POLICY_LOCAL:
  case MAI_POLICY_NEXT_TOUCH:
  case MAI_POLICY_REPLICATE:
  case MAI_POLICY_DYNAMIC:
    return 0;
  case MAI_POLICY_BIND:
  case MAI_POLICY_TIER:
    return bind_to(targets, placement);
  case MAI_POLICY_BLOCK:
    return place_block(policy, targets, placement);
  case MAI_POLICY_CYCLIC:
    return distribute_to_nodes(targets, MAI_RULE_CYCLIC, placement);
  case MAI_POLICY_BLOCK_CYCLIC:
    return place_block_cyclic(policy, targets, placement);
  case MAI_POLICY_SKEW:
    return distribute_to_nodes(targets, MAI_RULE_SKEW, placement);
  case MAI_POLICY_PRIME:
    return place_prime(policy, targets, placement);
  case MAI_POLICY_RANDOM:
    placement->value = policy->value;
    return distribute_to_nodes(targets, MAI_RULE_RANDOM, placement);
  case MAI_POLICY_WEIGHTED:
    return place_weighted(targets, placement);
  case MAI_POLICY_IRREGULAR:
    return place_irregular(policy, targets, placement);
  default:
    return invalid();
  }
}

/*===-- Units smaller than pages -------------------------------------------===*/

/* Whether the rule gives each place units that follow each other, all at once. */
static bool divides(const struct mai_placement *placement) {
  return placement->rule == MAI_RULE_BLOCK || placement->rule == MAI_RULE_IRREGULAR;
}

/* How many units that follow each other go to one place. */
static size_t units_together(const struct mai_placement *placement) {
  size_t share = divides(placement) ? count_units(placement) / placement->count : 1;
  if (placement->rule == MAI_RULE_BLOCK_CYCLIC)
    return placement->value;
  return share ? share : 1;
}

/* Whether places come again and again along memory. */
static bool places_return(const struct mai_placement *placement) {
  return placement->rule > MAI_RULE_ONE &&
         !(divides(placement) && units_follow_memory(&placement->view));
}

static bool fits_in_page(const struct mai_placement *placement, size_t units) {
  return units <= (placement->page_size - 1) / unit_bytes(&placement->view);
}

/* Whether one of the parts of unequal size could have a page's middle and little else of it. */
static bool has_parts_in_pages(const struct mai_placement *placement) {
  uint64_t begin = 0;
  for (uint32_t i = 0; placement->rule == MAI_RULE_IRREGULAR && i < placement->count; i++) {
    uint64_t units = placement->bounds[i] - begin;
    if (units && fits_in_page(placement, units))
      return true;
    begin = placement->bounds[i];
  }
  return false;
}

static bool is_finer_than_pages(const struct mai_placement *placement) {
  if (placement->view.by == MAI_BY_PAGES)
    return false;
  return places_return(placement) ? fits_in_page(placement, units_together(placement))
                                  : has_parts_in_pages(placement);
}

enum { PAGE_PARTS = 16 };

/* Of [0, range) another number for each `turn`: multiples of the golden ratio fill it most evenly,
   and keep no step with any policy. */
static size_t in_turn(uint64_t turn, size_t range) {
  return (size_t)((__uint128_t)(turn * 0x9e3779b97f4a7c15) * range >> 64);
}

/* Which nodes a page's parts are for, each once, and for how many it is. */
struct votes {
  size_t count;
  uint32_t nodes[PAGE_PARTS];
  unsigned parts[PAGE_PARTS];
};

static void vote(struct votes *votes, uint32_t node) {
  size_t i = 0;
  while (i < votes->count && votes->nodes[i] != node)
    i++;
  if (i == votes->count) {
    votes->nodes[votes->count++] = node;
    votes->parts[i] = 0;
  }
  votes->parts[i]++;
}

static void keep_those_with_most(struct votes *votes) {
  unsigned most = 0;
  size_t kept = 0;
  for (size_t i = 0; i < votes->count; i++)
    most = votes->parts[i] > most ? votes->parts[i] : most;
  for (size_t i = 0; i < votes->count; i++)
    if (votes->parts[i] == most)
      votes->nodes[kept++] = votes->nodes[i];
  votes->count = kept;
}

/* The node that has most of a page; of several that have as much each in turn. */
static uint32_t node_with_most(const struct mai_placement *placement, size_t page) {
  struct votes votes = {.count = 0};
  size_t part = placement->page_size / PAGE_PARTS;
  for (size_t i = 0; i < PAGE_PARTS; i++) {
    size_t byte = i * part + in_turn(page * PAGE_PARTS + i, part);
    vote(&votes, placement->nodes[place_of(placement, unit_at(placement, page, byte))]);
  }
  keep_those_with_most(&votes);
  return votes.nodes[in_turn(page, votes.count)];
}

int mai_placement_compute(const mai_policy_t *policy, const struct mai_shape *shape,
                          const struct mai_targets *targets, struct mai_placement *placement) {
  memset(placement, 0, sizeof *placement);
  set_pages(placement, shape, targets->page_size);
  if (set_view(policy, shape, targets, placement) == 0 &&
      set_rule(policy, targets, placement) == 0) {
    placement->finer_than_pages = is_finer_than_pages(placement);
    return 0;
  }
  int error = errno;
  mai_placement_free(placement);
  errno = error;
  return -1;
}

void mai_placement_free(struct mai_placement *placement) {
  minas_free(placement->nodes);
  minas_free(placement->bounds);
  minas_free(placement->view.ends);
  minas_free(placement->moved);
  memset(placement, 0, sizeof *placement);
}

/*===-- Asking -------------------------------------------------------------===*/

static bool is_moved(const struct mai_placement *placement, size_t page) {
  return placement->moved && placement->moved[page] != MAI_NOT_MOVED;
}

uint32_t mai_placement_node(const struct mai_placement *placement, size_t page) {
  if (is_moved(placement, page))
    return placement->moved[page] == MAI_MOVED_ANYWHERE ? MAI_ANY_NODE : placement->moved[page];
  switch (placement->rule) {
  case MAI_RULE_ANYWHERE:
  case MAI_RULE_ANY_OF:
    return MAI_ANY_NODE;
  case MAI_RULE_ONE:
    return placement->nodes[0];
  default:
    return placement->finer_than_pages
               ? node_with_most(placement, page)
               : placement->nodes[place_of(placement, unit_of(placement, page))];
  }
}

bool mai_placement_accepts(const struct mai_placement *placement, size_t page, uint32_t node) {
  uint32_t meant = mai_placement_node(placement, page);
  if (meant != MAI_ANY_NODE)
    return meant == node;
  if (placement->rule != MAI_RULE_ANY_OF || is_moved(placement, page))
    return true;
  for (uint32_t i = 0; i < placement->count; i++)
    if (placement->nodes[i] == node)
      return true;
  return false;
}

/* The first page behind `page` that is not wholly in one part with all of it, where pages go to the
   node that has most of them. */
static size_t part_end(const struct mai_placement *placement, size_t page) {
  uintptr_t begin;
  size_t unit = unit_at(placement, page, placement->page_size - 1);
  if (places_return(placement) ||
      place_of(placement, unit_at(placement, page, 0)) != place_of(placement, unit))
    return page + 1;
  if (__builtin_mul_overflow(place_end(placement, unit), unit_bytes(&placement->view), &begin) ||
      __builtin_add_overflow(placement->view.start, begin, &begin))
    return placement->pages;
  size_t end = (begin - placement->start) / placement->page_size;
  return end > page ? end : page + 1;
}

/* A page behind `page`, before which nothing has another node by the rule. */
static size_t next_candidate(const struct mai_placement *placement, size_t page) {
  if (placement->moved)
    return page + 1;
  if (placement->rule <= MAI_RULE_ONE)
    return placement->pages;
  if (placement->finer_than_pages)
    return part_end(placement, page);
  if (!units_follow_memory(&placement->view))
    return page + 1;
  size_t unit = unit_of(placement, page);
  size_t end = place_end(placement, unit);
  return end == SIZE_MAX ? placement->pages : first_page_of(placement, page, unit, end);
}

size_t mai_placement_run_end(const struct mai_placement *placement, size_t page) {
  uint32_t node = mai_placement_node(placement, page);
  do
    page = next_candidate(placement, page);
  while (page < placement->pages && mai_placement_node(placement, page) == node);
  return page < placement->pages ? page : placement->pages;
}

void mai_placement_list_nodes(const struct mai_placement *placement, size_t first, size_t count,
                              uint16_t *nodes) {
  const struct mai_view *view = &placement->view;
  bool singly = view->by == MAI_BY_PAGES && view->part == 1;
  for (size_t i = 0; i < count;) {
    uint16_t node = (uint16_t)mai_placement_node(placement, first + i);
    size_t end = singly ? i + 1 : next_candidate(placement, first + i) - first;
    for (; i < end && i < count; i++)
      nodes[i] = node;
  }
}

size_t mai_placement_count_runs(const struct mai_placement *placement, size_t most) {
  size_t runs = 0;
  for (size_t page = 0; page < placement->pages && runs <= most; runs++)
    page = mai_placement_run_end(placement, page);
  return runs;
}

int mai_placement_move(struct mai_placement *placement, size_t first, size_t count, uint32_t node) {
  if (!placement->moved) {
    uint16_t *moved = minas_alloc(placement->pages * sizeof *moved);
    if (!moved)
      return -1;
    memset(moved, 0xff, placement->pages * sizeof *moved);
    placement->moved = moved; /* which others may look at */
  }
  for (size_t page = first; page < first + count; page++)
    placement->moved[page] = node == MAI_ANY_NODE ? MAI_MOVED_ANYWHERE : (uint16_t)node;
  return 0;
}
