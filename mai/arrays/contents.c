/*===-- contents.c - how far arrays are filled ------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * What is in an array tells how far it is filled; which pages have been touched does not, as a huge
 * page reaches beyond.  Pages that nobody has touched are not looked into: that would populate
 * them.
 */
#include "contents.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "mai/memory/kernel.h"
#include "mai/memory/machine.h"
#include "mai/memory/memory.h"
#include "mai/threads/team_cache.h"
#include "runtime/own_memory.h"
#include "runtime/system.h"

enum { BATCH = 512, PIECE = 4096 };

/* How many arrays wait; freed ones may be counted still. */
static atomic_uint waiting;

bool mai_contents_awaited(const struct mai_array *array) {
  if (!mai_machine_places(mai_machine()))
    return false;
  return array->policy.flags & MAI_FILLED || (array->policy.along && !array->rows_found);
}

void mai_contents_await(void) {
  atomic_fetch_add(&waiting, 1);
  mai_team_cache_clear();
}

unsigned mai_contents_waiting(void) { return atomic_load_explicit(&waiting, memory_order_relaxed); }

bool mai_contents_came(unsigned arrays) { return atomic_fetch_sub(&waiting, arrays) > arrays; }

/* How many bytes there are up to the last that is not zero. */
static size_t length(const char *bytes, size_t count) {
  if (bytes[0] == 0 && memcmp(bytes, bytes + 1, count - 1) == 0)
    return 0;
  while (bytes[count - 1] == 0)
    count--;
  return count;
}

/* The end of what is not zero in [start, end); `start` where all is, or nothing can be read. */
static uintptr_t end_of_contents(int memory, uintptr_t start, uintptr_t end) {
  char piece[PIECE];
  while (end > start) {
    size_t bytes = end - start < PIECE ? end - start : PIECE;
    if (!minas_own_memory_read(memory, end - bytes, piece, bytes))
      return start;
    end -= bytes;
    size_t filled = length(piece, bytes);
    if (filled)
      return end + filled;
  }
  return start;
}

static size_t count_bytes(const struct mai_array *array, int memory) {
  int nodes[BATCH];
  size_t size = array->pages.page;
  uintptr_t first = array->shape.start;
  uintptr_t end = first + array->shape.bytes;
  uintptr_t base = first / size * size;
  size_t pages = (end - base + size - 1) / size;
  while (pages > 0) {
    size_t batch = (pages - 1) % BATCH + 1;
    if (mai_kernel_where(base + (pages - batch) * size, size, batch, nodes) != 0)
      return array->shape.bytes;
    for (; batch > 0; batch--, pages--) {
      uintptr_t page = base + (pages - 1) * size;
      uintptr_t from = page > first ? page : first;
      uintptr_t to = page + size < end ? page + size : end;
      uintptr_t last =
          nodes[batch - 1] == MAI_PAGE_UNTOUCHED ? from : end_of_contents(memory, from, to);
      if (last > from)
        return last - first;
    }
  }
  return 0;
}

size_t mai_contents_bytes(const struct mai_array *array) {
  int memory = minas_own_memory_open();
  if (memory < 0)
    return array->shape.bytes;
  size_t bytes = count_bytes(array, memory);
  minas_close(memory);
  return bytes;
}

bool mai_contents_are_touched(const struct mai_array *array, size_t offset) {
  size_t size = array->pages.page;
  uintptr_t ends[] = {array->shape.start, array->shape.start + offset};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    int node;
    if (mai_kernel_where(ends[i] / size * size, size, 1, &node) != 0 || node == MAI_PAGE_UNTOUCHED)
      return false;
  }
  return true;
}

/*===-- Pages that hold nothing ---------------------------------------------===*/

/* Pages one behind the other, of which it is known that they are all zero. */
struct empty_run {
  uintptr_t start;
  uintptr_t end;
};

static void give_back(struct empty_run *run) {
  if (run->end > run->start)
    mai_kernel_give_back(run->start, run->end - run->start);
  run->start = run->end;
}

static bool is_empty(int memory, uintptr_t page, size_t size) {
  return end_of_contents(memory, page, page + size) == page;
}

static void add_page(struct empty_run *run, uintptr_t page, size_t size) {
  if (page != run->end) {
    give_back(run);
    run->start = page;
  }
  run->end = page + size;
}

/* @return how many pages were in memory */
static size_t give_back_empty(const struct mai_placement *placement, int memory) {
  int nodes[BATCH];
  size_t size = placement->page_size;
  size_t touched = 0;
  struct empty_run run = {0};
  for (size_t done = 0; done < placement->pages; done += BATCH) {
    size_t batch = placement->pages - done < BATCH ? placement->pages - done : BATCH;
    uintptr_t start = placement->start + done * size;
    if (mai_kernel_where(start, size, batch, nodes) != 0)
      break;
    for (size_t page = 0; page < batch; page++) {
      if (nodes[page] < 0)
        continue;
      touched++;
      if (is_empty(memory, start + page * size, size))
        add_page(&run, start + page * size, size);
    }
  }
  give_back(&run);
  return touched;
}

/* Of a file's memory the file would come back, and what is locked stays in memory. */
static bool can_be_given_back(const struct mai_array *array) {
  const struct mai_placement *placement = &array->placement;
  struct mai_range range = {.begin = placement->start,
                            .end = placement->start + placement->pages * placement->page_size,
                            .own = array->origin == MAI_ALLOCATED};
  struct mai_memory_kind kind = mai_memory_kind(range.begin, range.end);
  return kind.replaceable && !kind.from_file && mai_memory_is_plain(&range);
}

bool mai_contents_give_back(const struct mai_array *array) {
  int memory = minas_own_memory_open();
  if (memory < 0 || array->placement.pages == 0 || !can_be_given_back(array)) {
    if (memory >= 0)
      minas_close(memory);
    return true;
  }
  size_t touched = give_back_empty(&array->placement, memory);
  minas_close(memory);
  return touched > 0;
}
