/*===-- known.c - what is known of the functions of tasks -------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "known.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { FUNCTIONS = 128, LEVELS = 12, MOST_SURPRISES = 8 };

struct level {
  atomic_bool known;
  _Atomic intptr_t offsets[MAI_POINTERS];
};

/* Functions that are not here are in nobody's way. */
static struct mai_known {
  const void *_Atomic function;
  _Atomic uint64_t moving; /* words of its arguments */
  atomic_uint surprises;   /* offsets that were not as before */
  struct level levels[LEVELS];
} functions[FUNCTIONS];

/* NULL when another function has its place. */
struct mai_known *mai_known_of(const void *function) {
  struct mai_known *known = &functions[(uintptr_t)function >> 4 & (FUNCTIONS - 1)];
  const void *now = atomic_load_explicit(&known->function, memory_order_relaxed);
  if (!now)
    atomic_compare_exchange_strong(&known->function, &now, function);
  return !now || now == function ? known : NULL;
}

/*===-- Words --------------------------------------------------------------===*/

static uint64_t bit_of(size_t end) {
  return end / sizeof(uint64_t) < 64 ? UINT64_C(1) << end / sizeof(uint64_t) : 0;
}

bool mai_known_moves(const struct mai_known *known, size_t end) {
  return known && atomic_load_explicit(&known->moving, memory_order_relaxed) & bit_of(end);
}

void mai_known_note_moves(struct mai_known *known, size_t end) {
  if (known && !mai_known_moves(known, end))
    atomic_fetch_or_explicit(&known->moving, bit_of(end), memory_order_relaxed);
}

/*===-- Offsets ------------------------------------------------------------===*/

static bool is_known(const struct mai_known *known, unsigned level) {
  return level < LEVELS && atomic_load_explicit(&known->levels[level].known, memory_order_relaxed);
}

static intptr_t offset_on(const struct mai_known *known, unsigned level, unsigned pointer) {
  return atomic_load_explicit(&known->levels[level].offsets[pointer], memory_order_relaxed);
}

/* Where data are not divided alike nothing can be foreseen. */
static bool is_regular(const struct mai_known *known) {
  return atomic_load_explicit(&known->surprises, memory_order_relaxed) < MOST_SURPRISES;
}

intptr_t mai_known_offset(const struct mai_known *known, unsigned level, unsigned pointer) {
  if (!known || pointer >= MAI_POINTERS || !is_regular(known))
    return 0;
  if (is_known(known, level))
    return offset_on(known, level, pointer);
  return level > 0 && is_known(known, level - 1) ? offset_on(known, level - 1, pointer) / 2 : 0;
}

static bool are_alike(intptr_t a, intptr_t b) { return labs(a - b) <= labs(b) / 8; }

static void note_offset(struct mai_known *known, unsigned level, unsigned pointer,
                        intptr_t offset) {
  if (is_known(known, level) && !are_alike(offset, offset_on(known, level, pointer)))
    atomic_fetch_add_explicit(&known->surprises, 1, memory_order_relaxed);
  atomic_store_explicit(&known->levels[level].offsets[pointer], offset, memory_order_relaxed);
}

void mai_known_note_made(struct mai_known *known, unsigned level, const struct mai_pointers *own,
                         const struct mai_pointers *made) {
  if (!known || level >= LEVELS || !is_regular(known))
    return;
  for (unsigned i = 0; i < MAI_POINTERS; i++)
    if (own->words[i] && own->arrays[i] == made->arrays[i])
      note_offset(known, level, i, (intptr_t)(made->words[i] - own->words[i]));
  atomic_store_explicit(&known->levels[level].known, true, memory_order_relaxed);
}
