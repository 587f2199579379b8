/*===-- policies.c - policies made at random --------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "policies.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "calls.h"
#include "machine.h"

struct extents extents_of(const struct array *array) {
  return (struct extents){array->dimensions, array->extents};
}

__attribute__((format(printf, 2, 3))) static void add(struct policy *policy, const char *format,
                                                      ...) {
  size_t length = strlen(policy->text);
  va_list list;
  va_start(list, format);
  vsnprintf(policy->text + length, sizeof policy->text - length, format, list);
  va_end(list);
}

static unsigned any_node(struct worker *worker) {
  return machine.nodes[draw(worker, machine.node_count)];
}

static unsigned most_listed(void) { return machine.node_count < 8 ? machine.node_count : 8; }

/* Some nodes, from one downwards. */
static unsigned draw_nodes(struct worker *worker, const char *before, struct policy *policy) {
  unsigned count = 1 + (unsigned)draw(worker, most_listed());
  unsigned first = (unsigned)draw(worker, machine.node_count);
  for (unsigned i = 0; i < count; i++)
    add(policy, "%s%u", i ? "," : before,
        machine.nodes[(first + machine.node_count - i) % machine.node_count]);
  return count;
}

static void draw_numbers(struct worker *worker, const char *before, unsigned count,
                         struct policy *policy) {
  unsigned not_zero = (unsigned)draw(worker, count);
  for (unsigned i = 0; i < count; i++)
    add(policy, "%s%zu", i ? "," : before, draw(worker, 6) + (i == not_zero));
}

/* What is distributed: the dimension whose indices are; -1 for pages and blocks. */
struct unit {
  int dimension;
  char text[100];
};

static struct unit draw_unit(struct worker *worker, struct extents array) {
  struct unit unit = {.dimension = 0, .text = ""};
  size_t kind = one_in(worker, 2) ? draw(worker, array.dimensions <= 3 ? 4 : 3) : 0;
  if (kind == 0)
    return unit;
  unit.dimension = kind == 1 ? (int)draw(worker, array.dimensions) : -1;
  if (kind == 1 && unit.dimension < 2)
    strcpy(unit.text, unit.dimension ? " by columns" : " by rows");
  else if (kind == 1)
    snprintf(unit.text, sizeof unit.text, " by dimension %d", unit.dimension);
  else if (kind == 2)
    strcpy(unit.text, " by pages");
  else
    strcpy(unit.text, " by blocks");
  for (unsigned i = 0; kind == 3 && i < array.dimensions; i++) {
    size_t length = strlen(unit.text);
    snprintf(unit.text + length, sizeof unit.text - length, "%s%zu", i ? "x" : " ",
             1 + draw(worker, array.extents[i] + 2));
  }
  return unit;
}

/* The range of a loop, where the number of units is known. */
static void draw_range(struct worker *worker, struct extents array, const struct unit *unit,
                       struct policy *policy) {
  if (unit->dimension < 0 || one_in(worker, 2))
    return;
  size_t units = array.extents[unit->dimension];
  size_t first = draw(worker, units);
  size_t count = draw(worker, units - first + 1);
  if (count)
    add(policy, " %zu..%zu", first, first + count - 1);
  else if (first)
    add(policy, " %zu..", first);
}

/* What a policy says behind its refinements of every kind. */
struct tail {
  bool along;
  bool filled;
  bool reversed;
};

static struct tail draw_block(struct worker *worker, struct extents array, const struct unit *unit,
                              struct policy *policy) {
  struct tail tail = {false, false, one_in(worker, 4)};
  add(policy, "block");
  draw_range(worker, array, unit, policy);
  if (one_in(worker, 4))
    draw_numbers(worker, " shares ", 1 + (unsigned)draw(worker, 8), policy);
  else if (unit->dimension == 0 && one_in(worker, 8))
    tail.filled = true;
  else if (unit->dimension == 0 && one_in(worker, 8))
    tail = (struct tail){.along = true};
  return tail;
}

static bool draw_on_nodes(struct worker *worker, struct policy *policy) {
  if (!one_in(worker, 3))
    return false;
  draw_nodes(worker, " on ", policy);
  return true;
}

static void draw_place(struct worker *worker, struct policy *policy) {
  if (!draw_on_nodes(worker, policy) && one_in(worker, 5))
    add(policy, " on threads");
}

static void draw_flags(struct worker *worker, bool may_be_strict, const struct tail *tail,
                       struct policy *policy) {
  if (tail->along)
    add(policy, " along nowhere");
  policy->strict = may_be_strict && one_in(worker, 12);
  if (policy->strict)
    add(policy, " strict");
  if (one_in(worker, 5))
    add(policy, " populate");
  if (tail->filled)
    add(policy, " filled");
  if (tail->reversed)
    add(policy, " reversed");
}

static void draw_team(struct worker *worker, struct policy *policy) {
  size_t threads = one_in(worker, 3) ? 1 + draw(worker, 9) : 0;
  if (threads)
    add(policy, " for %zu thread%s", threads, threads > 1 ? "s" : "");
}

/* What goes to nodes as pages. */
static void draw_paged(struct worker *worker, struct policy *policy) {
  static const char *const tiers[] = {"fastest", "largest", "latency"};
  switch (draw(worker, 6)) {
  case 0:
    add(policy, "first-touch");
    break;
  case 1:
    draw_nodes(worker, "bind ", policy);
    return;
  case 2:
    add(policy, "local");
    break;
  case 3:
    add(policy, "next-touch");
    break;
  case 4:
    add(policy, "replicate");
    policy->replicates = true;
    break;
  default:
    add(policy, "tier %s", tiers[draw(worker, 3)]);
  }
  draw_place(worker, policy);
}

/* As many numbers as there are nodes to distribute to. */
static void draw_weighted(struct worker *worker, const struct unit *unit, struct policy *policy) {
  struct policy place = {.text = ""};
  unsigned count = one_in(worker, 3) ? draw_nodes(worker, " on ", &place) : machine.node_count;
  bool irregular = one_in(worker, 2);
  add(policy, irregular ? "irregular" : "weighted");
  if (irregular)
    draw_numbers(worker, " ", 1 + (unsigned)draw(worker, count < 8 ? count : 8), policy);
  else if (count <= 8 && one_in(worker, 2))
    draw_numbers(worker, " ", count, policy);
  add(policy, "%s%s", unit->text, place.text);
}

static void draw_dealt(struct worker *worker, const struct unit *unit, struct policy *policy) {
  static const unsigned primes[] = {17, 19, 101, 65537};
  switch (draw(worker, 5)) {
  case 0:
    add(policy, "cyclic");
    break;
  case 1:
    add(policy, "skew");
    break;
  case 2:
    add(policy, "prime %u", primes[draw(worker, 4)]);
    break;
  case 3:
    add(policy, "random %zu", draw(worker, 1000));
    break;
  default:
    draw_weighted(worker, unit, policy);
    return;
  }
  add(policy, "%s", unit->text);
  draw_place(worker, policy);
}

void draw_policy(struct worker *worker, struct extents array, bool may_be_strict,
                 struct policy *policy) {
  struct unit unit = draw_unit(worker, array);
  struct tail tail = {false, false, false};
  *policy = (struct policy){.text = ""};
  switch (draw(worker, 4)) {
  case 0:
    draw_paged(worker, policy);
    break;
  case 1:
    draw_dealt(worker, &unit, policy);
    break;
  case 2:
    tail = draw_block(worker, array, &unit, policy);
    add(policy, "%s", unit.text);
    draw_place(worker, policy);
    draw_team(worker, policy);
    break;
  default:
    tail.reversed = one_in(worker, 4);
    add(policy, "block-cyclic %zu", 1 + draw(worker, 40));
    draw_range(worker, array, &unit, policy);
    add(policy, "%s", unit.text);
    draw_place(worker, policy);
    draw_team(worker, policy);
  }
  draw_flags(worker, may_be_strict, &tail, policy);
}

/*===-- Wrong ones ---------------------------------------------------------===*/

static int bad_nodes(struct worker *worker, struct policy *policy) {
  bool twice = one_in(worker, 2);
  unsigned node = any_node(worker);
  add(policy, "cyclic on %u,%u", node, twice ? node : 700 + (unsigned)draw(worker, 300));
  return twice ? EINVAL : ENODEV;
}

static int bad_number(struct worker *worker, struct policy *policy) {
  switch (draw(worker, 6)) {
  case 0:
    add(policy, "prime %zu", 4 * draw(worker, 100));
    break;
  case 1:
    add(policy, "tier %zu", draw(worker, 100));
    break;
  case 2:
    add(policy, "block-cyclic");
    break;
  case 3:
    add(policy, "irregular");
    break;
  case 4:
    add(policy, "block for %zu threads", (1U << 20) + 1 + draw(worker, 1000));
    break;
  default:
    add(policy, one_in(worker, 2) ? "cyclic filled" : "cyclic reversed");
  }
  return EINVAL;
}

/* What the array has not. */
static int beyond(struct worker *worker, struct extents array, struct policy *policy) {
  switch (draw(worker, 3)) {
  case 0:
    add(policy, "block by dimension %zu", array.dimensions + draw(worker, 3));
    break;
  case 1:
    add(policy, "block %zu..", array.extents[0] + 1 + draw(worker, 10));
    break;
  default:
    add(policy, "block 0..%zu", array.extents[0] + draw(worker, 10));
  }
  return EINVAL;
}

static int bad_weights(struct worker *worker, struct policy *policy) {
  bool zero = one_in(worker, 2);
  for (unsigned i = 0; i < most_listed(); i++)
    add(policy, "%s%s", i ? "," : "weighted ", zero || i ? "0" : "4294967296");
  return EINVAL;
}

int draw_bad_policy(struct worker *worker, struct extents array, struct policy *policy) {
  *policy = (struct policy){.text = ""};
  switch (draw(worker, 4)) {
  case 0:
    return bad_nodes(worker, policy);
  case 1:
    return bad_number(worker, policy);
  case 2:
    return beyond(worker, array, policy);
  default:
    return bad_weights(worker, policy);
  }
}
