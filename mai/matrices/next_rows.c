/*===-- next_rows.c - blocks that are the rows of a matrix ------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A loop allocates a row in each step: a vector of vectors, pointers to rows, a member of each of
 * many objects.  To which node the n-th of them belongs depends on how many there are.  So they
 * wait until a parallel region is opened: those of one place that have come since the last region
 * are a matrix, in their order, and are placed then, with what they hold already.
 *
 * Rows wait in a list, in the order in which they came.  One that is freed is found there by a
 * table of places in it, by addresses.  The matrices, which are the places that ask for rows, are
 * in short lists.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "mai/arrays/blocks.h"
#include "mai/arrays/heap_hooks.h"
#include "mai/memory/machine.h"
#include "mai/process/call.h"
#include "mai/process/restrictions.h"
#include "mai/threads/regions.h"
#include "mai_types.h"
#include "runtime/heap.h"
#include "runtime/lock.h"

struct matrix {
  struct matrix *next; /* of its list */
  struct mai_block how;
  unsigned long rows, placed;
};

struct row {
  uintptr_t block; /* 0: it is free again */
  size_t bytes;
  struct matrix *matrix;
};

enum { FIRST_ROOM = 1 << 10, MATRIX_LISTS = 1 << 8, MOST_ROWS = 1 << 24 };

/* The table has twice as many places as the list, so that half of it stays free. */
struct waiting {
  struct row *list;
  size_t count, room;
  uint32_t *table; /* of each place: a place in the list, from 1; 0: nothing */
  struct matrix *matrices[MATRIX_LISTS];
};

static struct waiting waiting;
static struct minas_lock lock = MINAS_LOCK_INITIALISER;
static atomic_size_t rows_waiting;

static size_t hash(uintptr_t value, size_t places) {
  return (size_t)((value >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 32) % places;
}

static void drop_list(struct matrix *matrix) {
  while (matrix) {
    struct matrix *next = matrix->next;
    minas_free(matrix);
    matrix = next;
  }
}

static void drop(struct waiting *all) {
  minas_free(all->list);
  minas_free(all->table);
  for (size_t i = 0; i < MATRIX_LISTS; i++)
    drop_list(all->matrices[i]);
  *all = (struct waiting){0};
}

/*===-- The matrices -------------------------------------------------------===*/

/* Texts that stay, so that their addresses tell. */
static bool is_of(const struct matrix *matrix, const struct mai_block *how) {
  return matrix->how.file == how->file && matrix->how.line == how->line &&
         matrix->how.name == how->name && matrix->how.policy == how->policy;
}

/* @return NULL without memory for it */
static struct matrix *matrix_of(struct waiting *in, const struct mai_block *how) {
  uintptr_t mixed = (uintptr_t)how->name ^ (uintptr_t)how->policy ^ (uintptr_t)how->line << 4;
  struct matrix **first = &in->matrices[hash(mixed, MATRIX_LISTS)];
  for (struct matrix *matrix = *first; matrix; matrix = matrix->next)
    if (is_of(matrix, how))
      return matrix;
  struct matrix *matrix = minas_alloc(sizeof *matrix);
  if (!matrix)
    return NULL;
  *matrix = (struct matrix){.next = *first, .how = *how};
  return *first = matrix;
}

/*===-- The list of rows ---------------------------------------------------===*/

/* The place in the table of a row, or where it would be. */
static uint32_t *find(const struct waiting *in, uintptr_t block) {
  size_t places = 2 * in->room;
  size_t at = hash(block, places);
  while (in->table[at] && in->list[in->table[at] - 1].block != block)
    at = (at + 1) % places;
  return &in->table[at];
}

static void append(struct waiting *to, const struct row *row) {
  *find(to, row->block) = (uint32_t)(to->count + 1);
  to->list[to->count++] = *row;
}

/* Those that are free again stay behind. */
static bool make_room(struct waiting *in) {
  size_t rows = atomic_load_explicit(&rows_waiting, memory_order_relaxed);
  struct waiting larger = {.room = FIRST_ROOM};
  while (larger.room < 2 * rows)
    larger.room *= 2;
  larger.list = minas_alloc_list(larger.room, sizeof *larger.list);
  larger.table = minas_alloc_list(2 * larger.room, sizeof *larger.table);
  if (rows >= MOST_ROWS || !larger.list || !larger.table) {
    drop(&larger);
    return false;
  }
  for (size_t i = 0; i < in->count; i++)
    if (in->list[i].block)
      append(&larger, &in->list[i]);
  minas_free(in->list);
  minas_free(in->table);
  in->list = larger.list;
  in->table = larger.table;
  in->count = larger.count;
  in->room = larger.room;
  return true;
}

/*===-- When a region is opened --------------------------------------------===*/

static struct waiting take_all(void) {
  minas_lock(&lock);
  struct waiting all = waiting;
  waiting = (struct waiting){0};
  atomic_store_explicit(&rows_waiting, 0, memory_order_relaxed);
  minas_unlock(&lock);
  return all;
}

/* No allocator begins a short block with a page by itself: it has been given pages of its own. */
static bool begins_with_page(const struct row *row) {
  const struct mai_machine *machine = mai_machine();
  return machine && row->block % machine->page_size == 0;
}

/* A row alone is no matrix: it is a block like others, where it is said what its policy counts. */
static void place(const struct row *row) {
  struct matrix *of = row->matrix;
  struct mai_block how = of->how;
  if (of->rows > 1) {
    how.strides[0] = 0;
    how.least = begins_with_page(row) ? MAI_LEAST_OF_OWN_PAGES : how.least;
    mai_place_row((void *)row->block, row->bytes, of->placed++, of->rows, &how);
  } else if (how.strides[0]) {
    mai_place_block((void *)row->block, row->bytes, &how);
  }
}

static void place_rows(const struct waiting *all) {
  for (size_t i = 0; i < all->count; i++)
    all->list[i].matrix->rows += all->list[i].block != 0;
  for (size_t i = 0; i < all->count; i++)
    if (all->list[i].block)
      place(&all->list[i]);
}

static void see_region(const void *body, const void *base) {
  static atomic_bool placing;
  (void)body, (void)base;
  if (!atomic_load_explicit(&rows_waiting, memory_order_relaxed) || mai_call_is_inside() ||
      mai_is_restricted() || atomic_exchange(&placing, true))
    return;
  MAI_CALL;
  int error = errno;
  struct waiting all = take_all();
  place_rows(&all);
  drop(&all);
  atomic_store(&placing, false);
  errno = error;
}

/*===-- Blocks come and go -------------------------------------------------===*/

/* A row that is known already has been freed behind our back. */
static void add(const struct row *row, const struct mai_block *how) {
  bool has_room = waiting.count < waiting.room || make_room(&waiting);
  struct matrix *matrix = matrix_of(&waiting, how);
  if (!has_room || !matrix || *find(&waiting, row->block))
    return;
  append(&waiting, &(struct row){row->block, row->bytes, matrix});
  atomic_fetch_add_explicit(&rows_waiting, 1, memory_order_relaxed);
}

static void forget(uintptr_t block) {
  uint32_t known = waiting.room ? *find(&waiting, block) : 0;
  if (!known)
    return;
  waiting.list[known - 1].block = 0;
  atomic_fetch_sub_explicit(&rows_waiting, 1, memory_order_relaxed);
}

/* A block is freed, or about to change its size. */
static void see_end(const void *block) {
  if (!atomic_load_explicit(&rows_waiting, memory_order_relaxed))
    return;
  MAI_CALL;
  int error = errno;
  minas_lock(&lock);
  forget((uintptr_t)block);
  minas_unlock(&lock);
  errno = error;
}

/* Regions and ends of blocks are watched as soon as there is a row. */
static void watch(void) {
  static bool watching;
  if (watching)
    return;
  watching = true;
  mai_regions_watch(see_region);
  mai_heap_hooks_watch(see_end);
}

void mai_place_next_row(void *block, unsigned long bytes, const struct mai_block *how) {
  MAI_CALL;
  int error = errno;
  const struct row row = {.block = (uintptr_t)block, .bytes = bytes};
  const struct mai_machine *machine = block && bytes ? mai_machine() : NULL;
  if (machine && mai_machine_places(machine) && mai_heap_hooks_hear_of_free()) {
    mai_expect_row(block, bytes);
    minas_lock(&lock);
    watch();
    add(&row, how);
    minas_unlock(&lock);
  }
  errno = error;
}
