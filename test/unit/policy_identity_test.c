/*===-- policy_identity_test.c - policies made at random, as text -*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Whatever a policy says, its text is read as the same policy, and that is written as the same text.
 * The policies are the same in every run.
 */
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mai/policy/placement.h"
#include "mai/policy/policy.h"

enum { POLICIES = 100000, MOST_LISTED = 12 };

struct generated {
  mai_policy_t policy;
  unsigned nodes[MOST_LISTED];
  unsigned long shares[MOST_LISTED];
};

static uint64_t state = 1;

static unsigned long draw_bits(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

static unsigned draw(unsigned below) { return (unsigned)(draw_bits() % below); }

static bool one_in(unsigned times) { return draw(times) == 0; }

/* Often small, at times of any length. */
static unsigned long draw_number(unsigned long most) {
  unsigned long number = draw_bits() >> draw(64);
  return most == ULONG_MAX ? number : number % (most + 1);
}

static void draw_nodes(struct generated *made, unsigned least) {
  unsigned count = least + draw(MOST_LISTED - least + 1);
  unsigned step = 1 + draw(3);
  for (unsigned i = 0; i < count; i++)
    made->nodes[i] = (7 + i * step) % 1024;
  if (one_in(2))
    made->nodes[0] = 1023;
  made->policy.nodes = made->nodes;
  made->policy.node_count = count;
}

static void draw_shares(struct generated *made, unsigned long most) {
  made->policy.share_count = 1 + draw(MOST_LISTED);
  for (unsigned i = 0; i < made->policy.share_count; i++)
    made->shares[i] = draw_number(most);
  made->policy.shares = made->shares;
}

static void draw_range(mai_policy_t *policy) {
  if (one_in(2))
    policy->first = draw_number(1UL << 62);
  if (one_in(2))
    policy->count = 1 + draw_number(1UL << 62);
}

static void draw_along(mai_policy_t *policy) {
  static const char *const names[] = {"start", "rows[i]", "a row", "it's",
                                      "9*x",   "'",       "p->a",  "3d"};
  policy->along = names[draw(sizeof names / sizeof *names)];
  policy->value = one_in(2) ? 2 + draw_number(1000) : 0;
}

static void draw_kind(struct generated *made) {
  static const unsigned long primes[] = {2, 17, 65537, 4294967291};
  mai_policy_t *policy = &made->policy;
  policy->kind = draw(MAI_POLICY_TIER + 1);
  switch (policy->kind) {
  case MAI_POLICY_BIND:
    if (one_in(2))
      draw_nodes(made, 2);
    else
      policy->node = draw(MAI_MOST_NODES);
    break;
  case MAI_POLICY_BLOCK:
    draw_range(policy);
    if (one_in(3))
      draw_shares(made, UINT32_MAX);
    if (one_in(3))
      draw_along(policy);
    break;
  case MAI_POLICY_BLOCK_CYCLIC:
    policy->value = 1 + draw_number(ULONG_MAX - 1);
    draw_range(policy);
    break;
  case MAI_POLICY_PRIME:
    policy->value = primes[draw(4)];
    break;
  case MAI_POLICY_RANDOM:
    policy->value = draw_number(ULONG_MAX);
    break;
  case MAI_POLICY_WEIGHTED:
    if (one_in(2))
      draw_shares(made, UINT32_MAX);
    break;
  case MAI_POLICY_IRREGULAR:
    draw_shares(made, ULONG_MAX);
    break;
  case MAI_POLICY_TIER:
    policy->value = draw(3);
    break;
  default:
    break;
  }
}

/* Of pages several at a time. */
static void draw_piece(mai_policy_t *policy) {
  bool distributed = policy->kind == MAI_POLICY_CYCLIC || policy->kind == MAI_POLICY_SKEW ||
                     policy->kind == MAI_POLICY_PRIME || policy->kind == MAI_POLICY_RANDOM ||
                     policy->kind == MAI_POLICY_WEIGHTED;
  if (distributed && one_in(3))
    policy->piece = one_in(2) ? 1 + draw_number((1UL << 40) - 1) : 1UL << draw(41);
}

static void draw_unit(mai_policy_t *policy) {
  policy->unit = draw(MAI_UNIT_BLOCKS + 1);
  if (policy->unit == MAI_UNIT_DIMENSION)
    policy->dimension = draw(MAI_MOST_DIMENSIONS);
  for (unsigned i = 0; policy->unit == MAI_UNIT_BLOCKS && i < 3 && (i == 0 || one_in(2)); i++)
    policy->block[i] = 1 + draw_number(ULONG_MAX - 1);
  if (!policy->block[1])
    policy->block[2] = 0;
}

static void draw_policy(struct generated *made) {
  memset(made, 0, sizeof *made);
  draw_kind(made);
  draw_piece(&made->policy);
  if (!made->policy.piece)
    draw_unit(&made->policy);
  if (made->policy.kind != MAI_POLICY_BIND && one_in(2))
    draw_nodes(made, 1);
  if (one_in(3))
    made->policy.threads = 1 + (unsigned)draw_number(UINT_MAX - 1);
  made->policy.flags = draw(16);
  if (made->policy.kind == MAI_POLICY_BLOCK || made->policy.kind == MAI_POLICY_BLOCK_CYCLIC)
    made->policy.flags |= one_in(2) ? MAI_REVERSED : 0;
}

static bool names_equal(const char *a, const char *b) {
  return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool policies_equal(const mai_policy_t *a, const mai_policy_t *b) {
  return a->kind == b->kind && a->flags == b->flags && a->node == b->node &&
         a->threads == b->threads && a->first == b->first && a->count == b->count &&
         a->unit == b->unit && a->dimension == b->dimension && a->value == b->value &&
         a->piece == b->piece && a->node_count == b->node_count &&
         a->share_count == b->share_count && memcmp(a->block, b->block, sizeof a->block) == 0 &&
         names_equal(a->along, b->along) &&
         (!a->node_count || memcmp(a->nodes, b->nodes, a->node_count * sizeof *a->nodes) == 0) &&
         (!a->share_count || memcmp(a->shares, b->shares, a->share_count * sizeof *a->shares) == 0);
}

/* Whether the policy is the same after it was written and read. */
static bool check(const mai_policy_t *policy) {
  char text[2048];
  char again[2048];
  struct mai_policy_error error;
  mai_policy_t read;
  mai_policy_format(policy, text, sizeof text);
  if (mai_policy_read(text, &read, &error) != 0) {
    mai_policy_explain(text, &error, again, sizeof again);
    printf("%s\n", again);
    return false;
  }
  mai_policy_format(&read, again, sizeof again);
  bool same = policies_equal(policy, &read) && strcmp(text, again) == 0;
  if (!same)
    printf("'%s' is read as '%s'\n", text, again);
  mai_policy_release(&read);
  return same;
}

int main(void) {
  unsigned failures = 0;
  for (unsigned i = 0; i < POLICIES && failures < 10; i++) {
    struct generated made;
    draw_policy(&made);
    failures += !check(&made.policy);
  }
  printf("%u failures\n", failures);
  return failures != 0;
}
