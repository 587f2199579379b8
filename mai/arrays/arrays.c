/*===-- arrays.c - the steps of placing an array ----------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "arrays.h"

#include <errno.h>
#include <string.h>

#include "mai/memory/budget.h"
#include "runtime/fail.h"
#include "contents.h"
#include "dynamic_arrays.h"
#include "heap_hooks.h"
#include "mai/memory/kernel.h"
#include "mai.h"
#include "mai/process/message.h"
#include "next_touch.h"
#include "mai/arrays/overrides.h"
#include "rows.h"
#include "runtime/clock.h"
#include "runtime/heap.h"
#include "mai/process/settings.h"
#include "mai/threads/threads.h"

/*===-- Placing ------------------------------------------------------------===*/

/* The pages at both ends are a good part of a short block of the heap.  They hold what is others',
   too: nothing is done to them but to move them. */
static struct mai_shape shape_to_place(const struct mai_array *array) {
  struct mai_shape shape = array->shape;
  bool is_short = shape.bytes + 2 * array->pages.page <= MAI_FEW_BYTES;
  if (mai_array_is_of_heap(array) && is_short && !mai_policy_goes_by_use(&array->policy))
    shape.ends = MAI_ENDS_BY_MIDDLE;
  return shape;
}

int mai_array_plan(struct mai_array *array) {
  const struct mai_machine *machine = mai_machine();
  if (!machine)
    return -1;
  struct mai_shape shape = shape_to_place(array);
  struct mai_rows_shares rows;
  bool divided = array->rows_found && mai_rows_share(array, 0, &rows) == 0;
  const mai_policy_t *policy = divided ? &rows.policy : &array->policy;
  int result = mai_policy_place(machine, policy, &shape, &array->pages, &array->placement);
  if (divided)
    mai_rows_free(&rows);
  return result;
}

void mai_array_leave_alone(struct mai_array *array, const mai_policy_t *asked, int error) {
  static const mai_policy_t first_touch = MAI_FIRST_TOUCH;
  mai_placement_free(&array->placement);
  mai_policy_free(&array->policy);
  array->policy = first_touch;
  mai_array_plan(array);
  mai_policy_copy(asked, &array->policy);
  array->error = error;
}

int mai_array_plan_by(struct mai_array *array, const mai_policy_t *policy) {
  if (mai_policy_copy(policy, &array->policy) != 0)
    return -1;
  if (mai_array_plan(array) == 0) {
    if (policy->kind == MAI_POLICY_DYNAMIC)
      mai_dynamic_arrays_note();
    if (mai_contents_awaited(array))
      mai_contents_await();
    return 0;
  }
  int error = errno;
  mai_policy_free(&array->policy);
  return fail(error);
}

int mai_array_choose(struct mai_array *array, const mai_policy_t *asked) {
  const mai_policy_t *override = mai_override_for(array->name);
  if (override && mai_array_plan_by(array, override) == 0)
    return 0;
  if (override)
    mai_message("MAI_POLICY: the policy for '%s' does not suit it (%s): its own stays", array->name,
                strerrordesc_np(errno));
  return mai_array_plan_by(array, asked);
}

/* Neighbours in a pool have the same policy, and so it is where the budget is used up. */
static unsigned most_pieces(const struct mai_array *array, const struct mai_machine *machine) {
  if (array->pool)
    return 1;
  if (mai_array_is_of_heap(array) && !mai_heap_hooks_hear_of_free())
    return 0;
  if (mai_budget_allows())
    return machine->node_count + 1;
  return array->origin == MAI_ALLOCATED ? 1 : 0;
}

/* From automatic balancing, where the library's own placement is to take its place. */
static bool is_kept(const struct mai_array *array) {
  return array->policy.kind != MAI_POLICY_FIRST_TOUCH &&
         !(array->policy.kind == MAI_POLICY_DYNAMIC && mai_dynamic_arrays_are_left());
}

/* A huge page would go with the first of several threads, unless the array has many of them. */
static bool goes_by_page(const struct mai_array *array, const struct mai_machine *machine) {
  return array->policy.kind == MAI_POLICY_LOCAL && array->options.huge_pages == MAI_HUGE_DEFAULT &&
         mai_memory_part_size(machine, array->shape.bytes, &array->pages) == array->pages.page;
}

struct mai_placing mai_array_placing(const struct mai_array *array) {
  const struct mai_machine *machine = mai_machine();
  unsigned team = mai_threads_team_size();
  unsigned cpus = numarch_cpu_count(machine->topology);
  return (struct mai_placing){.strict = array->policy.flags & MAI_STRICT,
                              .local = is_kept(array),
                              .by_page = goes_by_page(array, machine),
                              .populate =
                                  array->policy.flags & MAI_POPULATE || mai_settings()->populate,
                              .own = array->origin == MAI_ALLOCATED,
                              .governed = array->governed,
                              .huge_pages = array->options.huge_pages,
                              .huge_page_size = array->pages.huge,
                              .most_pieces = most_pieces(array, machine),
                              .node_count = machine->node_count,
                              .nodes = machine->nodes,
                              .topology = machine->topology,
                              .workers = team < cpus ? team : cpus};
}

/* How many of the pages [page, end) are on nodes on which they belong. */
static size_t count_right(const struct mai_placement *placement, size_t page, size_t end) {
  enum { BATCH = 1024 };
  int nodes[BATCH];
  size_t right = 0;
  for (; page < end; page += BATCH) {
    size_t count = end - page < BATCH ? end - page : BATCH;
    uintptr_t start = placement->start + page * placement->page_size;
    if (mai_kernel_where(start, placement->page_size, count, nodes) != 0)
      return right;
    for (size_t i = 0; i < count; i++)
      right += nodes[i] >= 0 && mai_placement_accepts(placement, page + i, (uint32_t)nodes[i]);
  }
  return right;
}

static size_t free_bytes(const struct mai_array *array, uint32_t node) {
  return array->options.huge_pages == MAI_HUGE_EXPLICIT
             ? mai_kernel_free_huge_on(node, array->pages.page)
             : mai_kernel_free_on(node);
}

/* Whether `needed` pages find room on one of the nodes, or spread over them. */
static bool find_room(const struct mai_array *array, const uint32_t *nodes, uint32_t count,
                      size_t needed) {
  size_t pages = 0;
  for (uint32_t i = 0; i < count && pages < needed; i++) {
    size_t pages_there = free_bytes(array, nodes[i]) / array->placement.page_size;
    pages = pages_there < needed - pages ? pages + pages_there : needed;
  }
  return pages >= needed;
}

/* With MAI_STRICT a page that finds its node full would end the program later: find out now. */
static int check_room(const struct mai_array *array, bool has_contents) {
  const struct mai_placement *placement = &array->placement;
  size_t *needed = minas_alloc_list(MAI_MOST_NODES, sizeof *needed);
  size_t anywhere = 0;
  if (!needed)
    return -1;
  for (size_t page = 0; page < placement->pages;) {
    uint32_t node = mai_placement_node(placement, page);
    size_t end = mai_placement_run_end(placement, page);
    size_t pages = end - page - (has_contents ? count_right(placement, page, end) : 0);
    *(node < MAI_MOST_NODES ? &needed[node] : &anywhere) += pages;
    page = end;
  }
  bool fits = placement->rule != MAI_RULE_ANY_OF ||
              find_room(array, placement->nodes, placement->count, anywhere);
  for (uint32_t node = 0; fits && node < MAI_MOST_NODES; node++)
    fits = !needed[node] || find_room(array, &node, 1, needed[node]);
  minas_free(needed);
  return fits ? 0 : fail(ENOMEM);
}

/* Note what policies are there now. */
static void note_policies(struct mai_array *array, const struct mai_placing *placing) {
  size_t pieces = mai_placer_pieces(&array->placement, placing);
  pieces += pieces && !placing->own; /* of the program's memory there is more behind */
  mai_budget_change(array->pieces, pieces);
  array->pieces = pieces;
  array->governed = placing->most_pieces && placing->local && array->placement.pages;
}

static int place_new(struct mai_array *array) {
  struct mai_placing placing = mai_array_placing(array);
  placing.has_policy = array->pool;
  placing.fresh = array->origin == MAI_ALLOCATED && !array->pool;
  if (placing.strict && check_room(array, false) != 0)
    return -1;
  if (mai_placer_apply(&array->placement, &placing) == 0) {
    note_policies(array, &placing);
    return 0;
  }
  array->error = errno;
  return placing.strict || errno == ENOMEM ? -1 : 0;
}

/* Where there is nothing to place, pages may have to be populated all the same. */
static int leave_unplaced(struct mai_array *array) {
  struct mai_placing placing = mai_array_placing(array);
  array->error = mai_machine()->placement_error;
  if (!placing.populate || array->origin != MAI_ALLOCATED || mai_machine()->watch_only)
    return 0;
  return mai_placer_populate(&array->placement, &placing);
}

int mai_array_place(struct mai_array *array) {
  bool places = mai_machine_places(mai_machine());
  double begin = minas_now();
  int result = places ? place_new(array) : leave_unplaced(array);
  array->placing_seconds += minas_now() - begin;
  return result;
}

static int replace_contents(struct mai_array *array, bool from_file, struct mai_moves *moves) {
  struct mai_placing placing = mai_array_placing(array);
  if (placing.strict && check_room(array, true) != 0)
    return -1;
  if (mai_placer_replace(&array->placement, &placing, from_file, moves) != 0)
    return -1;
  note_policies(array, &placing);
  return 0;
}

int mai_array_replace(struct mai_array *array, bool from_file, struct mai_moves *moves) {
  if (!mai_machine_places(mai_machine())) {
    array->error = mai_machine()->placement_error;
    return 0;
  }
  double begin = minas_now();
  int result = replace_contents(array, from_file, moves);
  array->placing_seconds += minas_now() - begin;
  array->moved_pages += moves->moved;
  if (result == 0 && array->policy.kind == MAI_POLICY_NEXT_TOUCH)
    return mai_next_touch_begin(array, 0, 0);
  return result;
}

static int follow(struct mai_array *array, struct mai_moves *moves) {
  const struct mai_placement *placement = &array->placement;
  struct mai_placing placing = mai_array_placing(array);
  if (placing.strict && check_room(array, true) != 0)
    return -1;
  if (mai_placer_apply(placement, &placing) != 0)
    return -1;
  note_policies(array, &placing);
  return mai_placer_move(placement, &placing, 0, placement->pages, moves);
}

int mai_array_follow(struct mai_array *array, struct mai_moves *moves) {
  if (array->placement.pages == 0 || !mai_machine_places(mai_machine()))
    return 0;
  double begin = minas_now();
  int result = follow(array, moves);
  array->placing_seconds += minas_now() - begin;
  array->moved_pages += moves->moved;
  return result;
}
