/*===-- page_cells.c - on which nodes an array's pages are ------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * What mai-picture draws.  A cell stands for one page, or for several of a large array, so that the
 * report stays small.
 */
#include "page_cells.h"

#include <inttypes.h>

#include "mai/arrays/lifetime.h"
#include "mai/memory/kernel.h"
#include "runtime/heap.h"

enum { MOST_CELLS = 4096, LEAST_CELLS = 16, CELLS_IN_ALL = 1 << 20, LOOK_BATCH = 1024 };

/* States of a page: unknown, untouched, on node 0, on node 1, ... */
enum {
  STATE_UNKNOWN = 0,
  STATE_UNTOUCHED = 1,
  STATE_NODE_0 = 2,
  STATES = STATE_NODE_0 + MAI_MOST_NODES
};

struct cell {
  uint16_t state; /* that of most of its pages */
  bool mixed;     /* its pages are not all in one state */
  bool spilled;   /* one of them is not where it belongs */
};

size_t mai_page_cells_most(const struct mai_summaries *summaries) {
  size_t most = CELLS_IN_ALL / (summaries->count ? summaries->count : 1);
  return most > MOST_CELLS ? MOST_CELLS : most < LEAST_CELLS ? LEAST_CELLS : most;
}

size_t mai_page_cells_pages(const struct mai_summary *array, size_t most) {
  return array->own_pages > most ? (array->own_pages + most - 1) / most : 1;
}

/*===-- From pages to cells ------------------------------------------------===*/

/* How many pages of a cell are in each state. */
struct tally {
  uint32_t counts[STATES];
  unsigned lowest; /* state that was seen */
  unsigned highest;
  bool spilled;
};

static void tally_begin(struct tally *tally) {
  tally->lowest = STATES;
  tally->highest = 0;
  tally->spilled = false;
}

static void tally_add(struct tally *tally, int node, bool right) {
  unsigned state = (unsigned)(node - MAI_PAGE_UNKNOWN);
  if (node < MAI_PAGE_UNKNOWN || state >= STATES)
    state = STATE_UNKNOWN;
  tally->counts[state]++;
  tally->lowest = state < tally->lowest ? state : tally->lowest;
  tally->highest = state > tally->highest ? state : tally->highest;
  tally->spilled |= !right;
}
_Static_assert(MAI_PAGE_UNKNOWN + STATE_UNTOUCHED == MAI_PAGE_UNTOUCHED &&
                   MAI_PAGE_UNKNOWN + STATE_NODE_0 == 0,
               "states follow the nodes that mai_kernel_where() gives");

static struct cell tally_end(struct tally *tally) {
  struct cell cell = {.mixed = tally->lowest < tally->highest, .spilled = tally->spilled};
  uint32_t most = 0;
  for (unsigned state = tally->lowest; state <= tally->highest && state < STATES; state++) {
    if (tally->counts[state] > most) {
      most = tally->counts[state];
      cell.state = (uint16_t)state;
    }
    tally->counts[state] = 0;
  }
  return cell;
}

static long look_at(const struct mai_placement *placement, size_t first, int *nodes, bool *right) {
  size_t left = placement->pages - first;
  size_t count = left < LOOK_BATCH ? left : LOOK_BATCH;
  if (mai_kernel_where(placement->start + first * placement->page_size, placement->page_size, count,
                       nodes) != 0)
    return -1;
  for (size_t i = 0; i < count; i++)
    right[i] = nodes[i] < 0 || mai_placement_accepts(placement, first + i, (uint32_t)nodes[i]);
  return (long)count;
}

/* Where pages are, and whether they belong there.  The array may have been freed since it was
   listed. @return how many, or -1 */
static long look(const struct mai_summary *summary, size_t first, int *nodes, bool *right) {
  struct mai_array *array = mai_lifetime_hold(summary->start, MAI_TO_LOOK);
  if (!array)
    return -1;
  long count = -1;
  if (array->placement.pages > first)
    count = look_at(&array->placement, first, nodes, right);
  mai_registry_release(array);
  return count;
}

/*===-- As text ------------------------------------------------------------===*/

/* Cells that are alike are written once, with their number. */
struct run {
  struct cell cell;
  size_t length;
};

static void write_run(struct minas_text *out, const struct run *run, bool first) {
  if (!first)
    minas_text_add_char(out, ' ');
  if (run->cell.state >= STATE_NODE_0)
    minas_text_add(out, "%u", run->cell.state - STATE_NODE_0);
  else
    minas_text_add_char(out, run->cell.state == STATE_UNTOUCHED ? '-' : '?');
  minas_text_add(out, "%s%s", run->cell.mixed ? "~" : "", run->cell.spilled ? "!" : "");
  if (run->length > 1)
    minas_text_add(out, "*%zu", run->length);
}

static void add_cell(struct minas_text *out, struct run *run, struct cell cell, size_t number) {
  if (number && run->cell.state == cell.state && run->cell.mixed == cell.mixed &&
      run->cell.spilled == cell.spilled) {
    run->length++;
    return;
  }
  if (number)
    write_run(out, run, number == run->length);
  *run = (struct run){cell, 1};
}

static void write_cells(struct minas_text *out, const struct mai_summary *array, size_t each,
                        struct tally *tally) {
  int nodes[LOOK_BATCH];
  bool right[LOOK_BATCH];
  struct run run = {.length = 0};
  size_t cells = 0;
  long got = 1;
  tally_begin(tally);
  for (size_t page = 0; page < array->own_pages && got > 0; page += (size_t)got) {
    got = look(array, page, nodes, right);
    for (long i = 0; i < got; i++) {
      tally_add(tally, nodes[i], right[i]);
      size_t next = page + (size_t)i + 1;
      if (next % each == 0 || next == array->own_pages) {
        add_cell(out, &run, tally_end(tally), cells++);
        tally_begin(tally);
      }
    }
  }
  if (cells)
    write_run(out, &run, cells == run.length);
}

void mai_page_cells_write(struct minas_text *out, const struct mai_summary *array,
                          size_t pages_a_cell) {
  struct tally *tally = array->freed ? NULL : minas_alloc_list(1, sizeof *tally);
  if (tally)
    write_cells(out, array, pages_a_cell, tally);
  minas_free(tally);
}
