/*===-- rows.c - the blocks of a site as the rows of a matrix ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Rows wait in a list, in the order in which they came.  One that is freed is found there by a
 * table of places in it, by addresses.
 */
#include "rows.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>

#include "mai/arrays/blocks.h"
#include "mai/process/call.h"
#include "mai/process/restrictions.h"
#include "mai/threads/regions.h"
#include "mai_types.h"
#include "recycle.h"
#include "runtime/heap.h"
#include "runtime/lock.h"

struct row {
  uintptr_t block; /* 0: it is free again */
  size_t bytes;
  struct run_site *site;
};

/* The table has twice as many places as the list, so that half of it stays free. */
struct waiting {
  struct row *list;
  size_t count, room;
  uint32_t *table; /* of each place: a place in the list, from 1; 0: nothing */
};

enum { FIRST_ROOM = 1 << 10, MOST_ROWS = 1 << 24 };

static struct waiting waiting;
static struct minas_lock lock = MINAS_LOCK_INITIALISER;
atomic_size_t run_rows_waiting;

/*===-- The list -----------------------------------------------------------===*/

/* The place in the table of a row, or where it would be. */
static uint32_t *find(const struct waiting *in, uintptr_t block) {
  size_t places = 2 * in->room;
  size_t at = (size_t)((block >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 32) % places;
  while (in->table[at] && in->list[in->table[at] - 1].block != block)
    at = (at + 1) % places;
  return &in->table[at];
}

static void append(struct waiting *to, const struct row *row) {
  *find(to, row->block) = (uint32_t)(to->count + 1);
  to->list[to->count++] = *row;
}

static void drop(struct waiting *all) {
  minas_free(all->list);
  minas_free(all->table);
  *all = (struct waiting){0};
}

static bool allocate(struct waiting *all, size_t rows) {
  all->room = FIRST_ROOM;
  while (all->room < 2 * rows)
    all->room *= 2;
  all->list = minas_alloc_list(all->room, sizeof *all->list);
  all->table = minas_alloc_list(2 * all->room, sizeof *all->table);
  return all->list && all->table;
}

/* Those that are free again stay behind. */
static bool make_room(void) {
  struct waiting larger = {0};
  size_t rows = atomic_load_explicit(&run_rows_waiting, memory_order_relaxed);
  if (rows >= MOST_ROWS || !allocate(&larger, rows)) {
    drop(&larger);
    return false;
  }
  for (size_t i = 0; i < waiting.count; i++)
    if (waiting.list[i].block)
      append(&larger, &waiting.list[i]);
  drop(&waiting);
  waiting = larger;
  return true;
}

/*===-- When a region is opened --------------------------------------------===*/

static struct waiting take_all(void) {
  minas_lock(&lock);
  struct waiting all = waiting;
  waiting = (struct waiting){0};
  atomic_store_explicit(&run_rows_waiting, 0, memory_order_relaxed);
  minas_unlock(&lock);
  return all;
}

static void count(const struct waiting *all) {
  for (size_t i = 0; i < all->count; i++)
    all->list[i].site->matrix = (struct run_matrix){0};
  for (size_t i = 0; i < all->count; i++)
    all->list[i].site->matrix.rows += all->list[i].block != 0;
}

static void place(const struct row *row) {
  struct run_matrix *matrix = &row->site->matrix;
  const struct mai_block how = {
      .name = row->site->site.key, .file = "mai-run", .policy = row->site->row_policy};
  mai_place_row((void *)row->block, row->bytes, matrix->placed++, matrix->rows, &how);
}

/* A row alone is no matrix. */
static void place_rows(const struct waiting *all) {
  count(all);
  for (size_t i = 0; i < all->count; i++)
    if (all->list[i].block && all->list[i].site->matrix.rows > 1)
      place(&all->list[i]);
}

static void see_region(const void *body, const void *base) {
  static atomic_bool placing;
  (void)body, (void)base;
  if (!run_rows_wait() || mai_call_is_inside() || mai_is_restricted() ||
      atomic_exchange(&placing, true))
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
static void add(const struct row *row) {
  bool has_room = waiting.count < waiting.room || make_room();
  if (!has_room || *find(&waiting, row->block))
    return;
  append(&waiting, row);
  run_recycle_filter_add(row->block);
  atomic_fetch_add_explicit(&run_rows_waiting, 1, memory_order_relaxed);
}

/* Regions are watched as soon as there is a row. */
void run_rows_add(struct run_site *site, void *block, size_t bytes) {
  MAI_CALL;
  static bool watching;
  const struct row row = {(uintptr_t)block, bytes, site};
  int error = errno;
  mai_expect_row(block, bytes);
  minas_lock(&lock);
  if (!watching)
    mai_regions_watch(see_region);
  watching = true;
  add(&row);
  minas_unlock(&lock);
  errno = error;
}

static void forget(uintptr_t block) {
  uint32_t known = waiting.room ? *find(&waiting, block) : 0;
  if (!known)
    return;
  waiting.list[known - 1].block = 0;
  atomic_fetch_sub_explicit(&run_rows_waiting, 1, memory_order_relaxed);
}

void run_rows_forget(const void *block) {
  MAI_CALL;
  int error = errno;
  minas_lock(&lock);
  forget((uintptr_t)block);
  minas_unlock(&lock);
  errno = error;
}
