/*===-- known.c - what is known of the functions of tasks -------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "known.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { FUNCTIONS = 128, LEVELS = 12, MOST_SURPRISES = 8 };

/* An argument that points into arrays. */
struct argument {
  atomic_int moves;             /* above zero: most tasks get another one; see below */
  _Atomic uintptr_t next_after; /* the fewest bytes behind it that the next was; 0: not known */
};

struct level {
  atomic_bool known;
  _Atomic intptr_t offsets[MAI_POINTERS];
  struct mai_index indices[MAI_POINTERS]; /* where offsets differ */
  struct argument arguments[MAI_COMPARED_POINTERS];
};

/* Functions that are not here are in nobody's way. */
static struct mai_known {
  const void *_Atomic function;
  atomic_uint surprises; /* offsets that were not as before */
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

/*===-- Arguments ----------------------------------------------------------===*/

/* One move is worth two tasks that get the same: blocks of a matrix are used in several. */
enum { A_MOVE = 2, MOST_MOVES = 8 };

/* What is deep is alike. */
static unsigned level_of(unsigned level) { return level < LEVELS ? level : LEVELS - 1; }

struct mai_last_task *mai_known_last(const struct mai_known *known, unsigned level,
                                     struct mai_last_tasks *last) {
  if (!known || !last)
    return NULL;
  const struct level *kind = &known->levels[level_of(level)];
  size_t place = (size_t)(known - functions) * LEVELS + level_of(level);
  struct mai_last_task *task = &last->tasks[place % MAI_COMPARED_KINDS];
  if (task->kind != kind)
    *task = (struct mai_last_task){.kind = kind, .batch = last->batch - 1};
  task->is_sibling = task->batch == last->batch;
  task->batch = last->batch;
  return task;
}

/* Once it is clear nothing is written: all threads read it. */
static void add_moves(struct argument *argument, int more) {
  int moves = atomic_load_explicit(&argument->moves, memory_order_relaxed);
  int then = moves + more;
  then = then > MOST_MOVES ? MOST_MOVES : then < -MOST_MOVES ? -MOST_MOVES : then;
  if (then != moves)
    atomic_store_explicit(&argument->moves, then, memory_order_relaxed);
}

/* Back goes who begins anew. */
static void note_next(struct argument *argument, uintptr_t before, uintptr_t word) {
  uintptr_t known = atomic_load_explicit(&argument->next_after, memory_order_relaxed);
  uintptr_t distance = word - before;
  if (word > before && (known == 0 || distance < known))
    atomic_store_explicit(&argument->next_after, distance, memory_order_relaxed);
}

void mai_known_note_pointer(struct mai_known *known, unsigned level, struct mai_last_task *last,
                            unsigned pointer, uintptr_t word, uintptr_t array, size_t bytes) {
  if (!known || !last || pointer >= MAI_COMPARED_POINTERS)
    return;
  struct argument *argument = &known->levels[level_of(level)].arguments[pointer];
  uintptr_t before = last->words[pointer];
  last->words[pointer] = word;
  if (before - array >= bytes || (before == word && !last->is_sibling))
    return;
  add_moves(argument, before == word ? -1 : A_MOVE);
  note_next(argument, before, word);
}

static bool is_first_of_siblings(struct mai_last_tasks *last, unsigned pointer, uintptr_t word) {
  struct mai_sibling *sibling = &last->siblings[pointer];
  bool is_first = sibling->batch != last->batch || sibling->word != word;
  *sibling = (struct mai_sibling){last->batch, word};
  return is_first;
}

bool mai_known_may_begin(const struct mai_known *known, unsigned level, unsigned pointer,
                         uintptr_t word, struct mai_last_tasks *last) {
  if (!known || !last || pointer >= MAI_COMPARED_POINTERS)
    return false;
  const struct argument *argument = &known->levels[level_of(level)].arguments[pointer];
  return is_first_of_siblings(last, pointer, word) &&
         atomic_load_explicit(&argument->moves, memory_order_relaxed) == 0;
}

/*===-- Offsets ------------------------------------------------------------===*/

static bool is_known(const struct mai_known *known, unsigned level) {
  return level < LEVELS && atomic_load_explicit(&known->levels[level].known, memory_order_relaxed);
}

static intptr_t offset_on(const struct mai_known *known, unsigned level, unsigned pointer) {
  return atomic_load_explicit(&known->levels[level].offsets[pointer], memory_order_relaxed);
}

/* Where data are not divided alike nothing can be predicted. */
static bool is_regular(const struct mai_known *known) {
  return atomic_load_explicit(&known->surprises, memory_order_relaxed) < MOST_SURPRISES;
}

bool mai_known_makes_tasks(const struct mai_known *known, unsigned level) {
  return known && is_known(known, level);
}

static intptr_t usual_offset(const struct mai_known *known, unsigned level, unsigned pointer) {
  if (!is_regular(known))
    return 0;
  if (is_known(known, level))
    return offset_on(known, level, pointer);
  return level > 0 && is_known(known, level - 1) ? offset_on(known, level - 1, pointer) / 2 : 0;
}

bool mai_known_offset(const struct mai_known *known, unsigned level, unsigned pointer,
                      const struct mai_numbers *numbers, intptr_t *offset) {
  *offset = 0;
  if (!known || pointer >= MAI_POINTERS)
    return false;
  if (level < LEVELS && mai_index_predicts(&known->levels[level].indices[pointer], numbers, offset))
    return true;
  *offset = usual_offset(known, level, pointer);
  return *offset != 0;
}

static bool are_alike(intptr_t a, intptr_t b) { return labs(a - b) <= labs(b) / 8; }

static void note_offset(struct mai_known *known, unsigned level, unsigned pointer,
                        intptr_t offset) {
  if (is_known(known, level) && !are_alike(offset, offset_on(known, level, pointer)))
    atomic_fetch_add_explicit(&known->surprises, 1, memory_order_relaxed);
  atomic_store_explicit(&known->levels[level].offsets[pointer], offset, memory_order_relaxed);
}

static void note_beginning(struct mai_known *known, unsigned level, unsigned pointer,
                           const struct mai_numbers *numbers, intptr_t offset) {
  mai_index_note(&known->levels[level].indices[pointer], numbers, offset);
  if (is_regular(known))
    note_offset(known, level, pointer, offset);
}

void mai_known_note_made(struct mai_known *known, unsigned level, const struct mai_pointers *own,
                         const struct mai_pointers *made) {
  if (!known || level >= LEVELS)
    return;
  for (unsigned i = 0; i < MAI_POINTERS; i++)
    if (own->words[i] && own->arrays[i] == made->arrays[i])
      note_beginning(known, level, i, &own->numbers, (intptr_t)(made->words[i] - own->words[i]));
  if (!is_known(known, level))
    atomic_store_explicit(&known->levels[level].known, true, memory_order_relaxed);
}

/*===-- Extents ------------------------------------------------------------===*/

/* Those of a level, by what they have made. */
static bool are_known_to_begin(const struct mai_known *known, unsigned level) {
  return is_known(known, level) && is_regular(known);
}

size_t mai_known_extent(const struct mai_known *known, unsigned level, unsigned pointer,
                        uintptr_t word, uintptr_t array) {
  if (!known || pointer >= MAI_COMPARED_POINTERS)
    return word != array;
  const struct argument *argument = &known->levels[level_of(level)].arguments[pointer];
  int moves = atomic_load_explicit(&argument->moves, memory_order_relaxed);
  if (moves > 0 || (moves == 0 && (word != array || are_known_to_begin(known, level))))
    return 1;
  return atomic_load_explicit(&argument->next_after, memory_order_relaxed);
}
