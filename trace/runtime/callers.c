/*===-- callers.c - who asked for memory -------------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "callers.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "callers/key.h"
#include "memory.h"

#define SLOTS ((size_t)2 * TRACE_CHAINS_MAX)

enum { RANKS_MAX = 1 << 13 };

/* Ranks that an owner's blocks have given back: a bit for each. */
struct free_ranks {
  struct free_ranks *next;
  uint16_t owner;
  uint64_t set[RANKS_MAX / 64];
};

/* Chain 0 stands for all chains that have no number. */
static struct {
  struct chain {
    struct minas_callers callers;
    unsigned
        turn; /* when they first asked for a block that counts in the order of sites; 0: never */
    unsigned ranks; /* that blocks have had */
    struct free_ranks *free;
  } *chains;
  unsigned count;
  unsigned turns;
  uint16_t by_hash[SLOTS];
  struct key {
    uint64_t hash; /* without the order */
    bool is_whole; /* the text has it */
    char text[MINAS_KEY_BYTES + 16];
  } *keys; /* those that are known */
} state;
_Static_assert(TRACE_CHAINS_MAX <= UINT16_MAX, "numbers fit into the table");

void trace_callers_find(uintptr_t site, struct minas_callers *found) {
  minas_callers_find((const void *)site, found);
}

static bool are_same(const struct minas_callers *left, const struct minas_callers *right) {
  return left->count == right->count &&
         memcmp(left->code, right->code, left->count * sizeof *left->code) == 0;
}

unsigned trace_callers_number(const struct minas_callers *chain) {
  size_t at = minas_callers_hash(chain) % SLOTS;
  if (!state.chains && !(state.chains = trace_memory(TRACE_CHAINS_MAX * sizeof *state.chains)))
    return 0;
  for (; state.by_hash[at]; at = (at + 1) % SLOTS)
    if (are_same(&state.chains[state.by_hash[at]].callers, chain))
      return state.by_hash[at];
  if (state.count + 1 == TRACE_CHAINS_MAX)
    return 0;
  state.chains[++state.count].callers = *chain;
  state.by_hash[at] = (uint16_t)state.count;
  return state.count;
}

const struct minas_callers *trace_callers_at(unsigned number) {
  return number > 0 && number <= state.count ? &state.chains[number].callers : NULL;
}

/*===-- Keys ----------------------------------------------------------------===*/

void trace_callers_count(unsigned number, size_t bytes) {
  struct chain *chain = number > 0 && number <= state.count ? &state.chains[number] : NULL;
  if (chain && !chain->turn && bytes >= MINAS_SITE_BYTES)
    chain->turn = ++state.turns;
}

static void make_key(unsigned number) {
  struct key *key = &state.keys[number];
  if (key->text[0])
    return;
  minas_key_make(&state.chains[number].callers, key->text, MINAS_KEY_BYTES);
  key->hash = minas_key_hash(key->text);
}

/* Of the sites with a key, which one this is; 0: it has asked for small blocks alone. */
static unsigned order_of(unsigned number) {
  unsigned turn = state.chains[number].turn;
  unsigned order = turn > 0;
  for (unsigned other = 1; other <= state.count; other++) {
    make_key(other);
    order += state.keys[other].hash == state.keys[number].hash && state.chains[other].turn > 0 &&
             state.chains[other].turn < turn;
  }
  return order;
}

const char *trace_callers_key(unsigned number) {
  if (!state.keys && !(state.keys = trace_memory(TRACE_CHAINS_MAX * sizeof *state.keys)))
    return "";
  struct key *key = &state.keys[number];
  make_key(number);
  if (!key->is_whole)
    minas_key_add_order(order_of(number), key->text, sizeof key->text);
  key->is_whole = true;
  return key->text;
}

/*===-- Ranks ---------------------------------------------------------------===*/

/* @return NULL without memory */
static struct free_ranks *free_ranks_of(struct chain *chain, uint16_t owner) {
  struct free_ranks *ranks = chain->free;
  while (ranks && ranks->owner != owner)
    ranks = ranks->next;
  if (!ranks && (ranks = trace_memory(sizeof *ranks))) {
    ranks->owner = owner;
    ranks->next = chain->free;
    chain->free = ranks;
  }
  return ranks;
}

/* @return RANKS_MAX where there is none */
static unsigned least_of(struct free_ranks *ranks) {
  for (unsigned word = 0; ranks && word < RANKS_MAX / 64; word++)
    if (ranks->set[word])
      return word * 64 + (unsigned)__builtin_ctzll(ranks->set[word]);
  return RANKS_MAX;
}

static bool has_ranks(unsigned number) { return number > 0 && number <= state.count; }

unsigned trace_callers_take_rank(unsigned number, uint16_t owner) {
  struct chain *chain = has_ranks(number) ? &state.chains[number] : NULL;
  struct free_ranks *ranks = chain ? free_ranks_of(chain, owner) : NULL;
  unsigned least = least_of(ranks);
  if (least < RANKS_MAX) {
    ranks->set[least / 64] &= ~((uint64_t)1 << (least % 64));
    return least;
  }
  return chain && chain->ranks < RANKS_MAX ? chain->ranks++ : 0;
}

void trace_callers_give_rank(unsigned number, uint16_t owner, unsigned rank) {
  struct free_ranks *ranks = has_ranks(number) ? free_ranks_of(&state.chains[number], owner) : NULL;
  if (ranks)
    ranks->set[rank / 64] |= (uint64_t)1 << (rank % 64);
}
