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

/* Chain 0 stands for all chains that have no number. */
static struct {
  struct chain {
    struct minas_callers callers;
    unsigned blocks;
  } *chains;
  unsigned count;
  uint16_t by_hash[SLOTS];
  struct key {
    uint64_t hash; /* without the order */
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

/* Of the sites with a key, which one this is. */
static unsigned order_of(unsigned number) {
  unsigned order = 1;
  for (unsigned before = 1; before < number; before++)
    order += state.keys[before].hash == state.keys[number].hash;
  return order;
}

const char *trace_callers_key(unsigned number) {
  if (!state.keys && !(state.keys = trace_memory(TRACE_CHAINS_MAX * sizeof *state.keys)))
    return "";
  struct key *key = &state.keys[number];
  if (!key->text[0]) {
    minas_key_make(&state.chains[number].callers, key->text, MINAS_KEY_BYTES);
    key->hash = minas_key_hash(key->text);
    minas_key_add_order(order_of(number), key->text, sizeof key->text);
  }
  return key->text;
}

unsigned *trace_callers_blocks(unsigned number) {
  static unsigned none;
  return state.chains ? &state.chains[number].blocks : &none;
}
