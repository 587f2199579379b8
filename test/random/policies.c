/*===-- policies.c - policies made at random --------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "policies.h"

#include <errno.h>
#include <string.h>

#include "calls.h"
#include "machine.h"

struct extents extents_of(const struct array *array) {
  return (struct extents){array->dimensions, array->extents};
}

static unsigned any_node(struct worker *worker) {
  return machine.nodes[draw(worker, machine.node_count)];
}

static unsigned most_listed(void) { return machine.node_count < 8 ? machine.node_count : 8; }

/* Some nodes, in any order. */
static void draw_nodes(struct worker *worker, struct policy *policy) {
  unsigned count = 1 + (unsigned)draw(worker, most_listed());
  unsigned first = (unsigned)draw(worker, machine.node_count);
  for (unsigned i = 0; i < count; i++)
    policy->nodes[i] = machine.nodes[(first + i) % machine.node_count];
  policy->value.nodes = policy->nodes;
  policy->value.node_count = count;
}

static unsigned nodes_used(const struct policy *policy) {
  return policy->value.node_count ? policy->value.node_count : machine.node_count;
}

static void draw_shares(struct worker *worker, struct policy *policy, unsigned count) {
  for (unsigned i = 0; i < count; i++)
    policy->shares[i] = draw(worker, 6);
  policy->shares[draw(worker, count)] += 1;
  policy->value.shares = policy->shares;
  policy->value.share_count = count;
}

static bool deals(unsigned kind) {
  return kind >= MAI_POLICY_BLOCK && kind <= MAI_POLICY_IRREGULAR;
}

static void draw_unit(struct worker *worker, struct extents array, mai_policy_t *policy) {
  policy->unit = (unsigned)draw(worker, array.dimensions <= 3 ? 4 : 3);
  policy->dimension =
      policy->unit == MAI_UNIT_DIMENSION ? (unsigned)draw(worker, array.dimensions) : 0;
  for (unsigned i = 0; policy->unit == MAI_UNIT_BLOCKS && i < array.dimensions; i++)
    policy->block[i] = 1 + draw(worker, array.extents[i] + 2);
}

/* The range of a loop, where the number of units is known. */
static void draw_range(struct worker *worker, struct extents array, mai_policy_t *policy) {
  if (policy->unit != MAI_UNIT_DIMENSION && policy->unit != MAI_UNIT_DEFAULT)
    return;
  size_t units = array.extents[policy->dimension];
  policy->first = draw(worker, units);
  policy->count = draw(worker, units - policy->first + 1);
}

static void draw_block(struct worker *worker, struct extents array, struct policy *policy) {
  mai_policy_t *value = &policy->value;
  value->threads = one_in(worker, 3) ? 1 + (unsigned)draw(worker, 9) : 0;
  if (one_in(worker, 2))
    draw_range(worker, array, value);
  if (value->kind == MAI_POLICY_BLOCK_CYCLIC) {
    value->value = 1 + draw(worker, 40);
    return;
  }
  bool by_rows =
      value->unit == MAI_UNIT_DEFAULT || (value->unit == MAI_UNIT_DIMENSION && !value->dimension);
  if (one_in(worker, 4))
    draw_shares(worker, policy, 1 + (unsigned)draw(worker, 8));
  else if (by_rows && one_in(worker, 8))
    value->flags |= MAI_FILLED;
  else if (by_rows && one_in(worker, 8))
    value->along = "nowhere";
}

static void draw_numbers(struct worker *worker, struct policy *policy) {
  static const unsigned long primes[] = {17, 19, 101, 65537};
  mai_policy_t *value = &policy->value;
  if (value->kind == MAI_POLICY_PRIME)
    value->value = primes[draw(worker, 4)];
  if (value->kind == MAI_POLICY_RANDOM)
    value->value = draw(worker, 1000);
  if (value->kind == MAI_POLICY_TIER)
    value->value = draw(worker, 3);
  if (value->kind == MAI_POLICY_WEIGHTED && nodes_used(policy) <= 8 && one_in(worker, 2))
    draw_shares(worker, policy, nodes_used(policy));
  if (value->kind == MAI_POLICY_IRREGULAR)
    draw_shares(worker, policy,
                1 + (unsigned)draw(worker, nodes_used(policy) < 8 ? nodes_used(policy) : 8));
}

void draw_policy(struct worker *worker, struct extents array, struct policy *policy) {
  memset(policy, 0, sizeof *policy);
  mai_policy_t *value = &policy->value;
  value->kind = (unsigned)draw(worker, MAI_POLICY_TIER + 1);
  if (one_in(worker, 3))
    draw_nodes(worker, policy);
  else if (value->kind == MAI_POLICY_BIND)
    value->node = any_node(worker);
  if (one_in(worker, 5))
    value->flags |= MAI_POPULATE;
  if (!value->node_count && one_in(worker, 5) && value->kind != MAI_POLICY_IRREGULAR &&
      value->kind != MAI_POLICY_WEIGHTED)
    value->flags |= MAI_THREAD_NODES;
  if (one_in(worker, 12))
    value->flags |= MAI_STRICT;
  if (deals(value->kind) && one_in(worker, 2))
    draw_unit(worker, array, value);
  if (value->kind == MAI_POLICY_BLOCK || value->kind == MAI_POLICY_BLOCK_CYCLIC)
    draw_block(worker, array, policy);
  draw_numbers(worker, policy);
  mai_policy_format(value, policy->text, sizeof policy->text);
}

/*===-- Wrong ones ---------------------------------------------------------===*/

static int no_such_node(struct worker *worker, struct policy *policy) {
  policy->value.kind = MAI_POLICY_CYCLIC;
  policy->nodes[0] = any_node(worker);
  policy->nodes[1] = 700 + (unsigned)draw(worker, 2000);
  policy->value.nodes = policy->nodes;
  policy->value.node_count = 2;
  return ENODEV;
}

static int a_node_twice(struct worker *worker, struct policy *policy) {
  policy->value.kind = MAI_POLICY_CYCLIC;
  policy->nodes[0] = policy->nodes[1] = any_node(worker);
  policy->value.nodes = policy->nodes;
  policy->value.node_count = 2;
  return EINVAL;
}

static int no_list(struct worker *worker, struct policy *policy) {
  policy->value.kind = MAI_POLICY_WEIGHTED;
  if (one_in(worker, 2))
    policy->value.node_count = 1 + (unsigned)draw(worker, 3000);
  else
    policy->value.share_count = 1 + (unsigned)draw(worker, 3000);
  return EINVAL;
}

static int unknown_number(struct worker *worker, struct policy *policy) {
  mai_policy_t *value = &policy->value;
  switch (draw(worker, 9)) {
  case 0:
    value->kind = MAI_POLICY_TIER + 1 + (unsigned)draw(worker, 100);
    break;
  case 1:
    value->unit = MAI_UNIT_BLOCKS + 1 + (unsigned)draw(worker, 100);
    break;
  case 2:
    value->flags = 16U << draw(worker, 10);
    break;
  case 3:
    value->kind = MAI_POLICY_PRIME;
    value->value = 4 * draw(worker, 100);
    break;
  case 4:
    value->kind = MAI_POLICY_TIER;
    value->value = 3 + draw(worker, 100);
    break;
  case 5:
    value->kind = MAI_POLICY_BLOCK_CYCLIC;
    break;
  case 6:
    value->kind = MAI_POLICY_IRREGULAR;
    break;
  case 7:
    value->kind = MAI_POLICY_BLOCK;
    value->threads = (1U << 20) + 1 + (unsigned)draw(worker, 1000);
    break;
  default:
    value->kind = MAI_POLICY_CYCLIC;
    value->flags = MAI_FILLED;
  }
  return EINVAL;
}

/* What the array has not. */
static int beyond(struct worker *worker, struct extents array, struct policy *policy) {
  mai_policy_t *value = &policy->value;
  value->kind = MAI_POLICY_BLOCK;
  switch (draw(worker, 3)) {
  case 0:
    value->unit = MAI_UNIT_DIMENSION;
    value->dimension = array.dimensions + (unsigned)draw(worker, 3);
    break;
  case 1:
    value->first = array.extents[0] + 1 + draw(worker, 10);
    break;
  default:
    value->count = array.extents[0] + 1 + draw(worker, 10);
  }
  return EINVAL;
}

static int wrong_shares(struct worker *worker, struct policy *policy) {
  policy->value.kind = MAI_POLICY_WEIGHTED;
  policy->value.shares = policy->shares;
  policy->value.share_count = most_listed();
  if (one_in(worker, 2)) /* else all are 0 */
    policy->shares[0] = 1UL << 32;
  return EINVAL;
}

int draw_bad_policy(struct worker *worker, struct extents array, struct policy *policy) {
  memset(policy, 0, sizeof *policy);
  switch (draw(worker, 6)) {
  case 0:
    return no_such_node(worker, policy);
  case 1:
    return a_node_twice(worker, policy);
  case 2:
    return no_list(worker, policy);
  case 3:
    return unknown_number(worker, policy);
  case 4:
    return beyond(worker, array, policy);
  default:
    return wrong_shares(worker, policy);
  }
}
