/*===-- callers.c - who asked for memory -------------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "callers.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <unwind.h>

#include "memory.h"

#define SLOTS ((size_t)2 * TRACE_CHAINS_MAX)

/* Chain 0 stands for all chains that have no number. */
static struct {
  struct chain {
    struct trace_callers callers;
    unsigned blocks;
  } *chains;
  unsigned count;
  uint16_t by_hash[SLOTS];
} state;
_Static_assert(TRACE_CHAINS_MAX <= UINT16_MAX, "numbers fit into the table");

/*===-- The stack -----------------------------------------------------------===*/

struct walk {
  uintptr_t site;
  struct trace_callers *found;
  unsigned count;
};

static _Unwind_Reason_Code see_frame(struct _Unwind_Context *frame, void *argument) {
  struct walk *walk = argument;
  uintptr_t code = _Unwind_GetIP(frame);
  bool is_wanted = walk->count > 0 || code == walk->site;
  if (is_wanted && code)
    walk->found->code[walk->count++] = code;
  return walk->count == TRACE_CALLERS_SEEN ? _URC_END_OF_STACK : _URC_NO_REASON;
}

void trace_callers_find(uintptr_t site, struct trace_callers *found) {
  *found = (struct trace_callers){{0}};
  struct walk walk = {site, found, 0};
  _Unwind_Backtrace(see_frame, &walk);
  if (walk.count == 0)
    found->code[0] = site;
}

/*===-- The chains ----------------------------------------------------------===*/

static size_t hash(const struct trace_callers *chain) {
  uint64_t value = 0;
  for (size_t i = 0; i < TRACE_CALLERS_SEEN; i++)
    value = (value ^ chain->code[i]) * 0x9e3779b97f4a7c15U;
  return (size_t)(value >> 32) % SLOTS;
}

unsigned trace_callers_number(const struct trace_callers *chain) {
  size_t at = hash(chain);
  if (!state.chains && !(state.chains = trace_memory(TRACE_CHAINS_MAX * sizeof *state.chains)))
    return 0;
  for (; state.by_hash[at]; at = (at + 1) % SLOTS)
    if (memcmp(&state.chains[state.by_hash[at]].callers, chain, sizeof *chain) == 0)
      return state.by_hash[at];
  if (state.count + 1 == TRACE_CHAINS_MAX)
    return 0;
  state.chains[++state.count].callers = *chain;
  state.by_hash[at] = (uint16_t)state.count;
  return state.count;
}

const struct trace_callers *trace_callers_at(unsigned number) {
  return number > 0 && number <= state.count ? &state.chains[number].callers : NULL;
}

unsigned *trace_callers_blocks(unsigned number) {
  static unsigned none;
  return state.chains ? &state.chains[number].blocks : &none;
}
