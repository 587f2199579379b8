/*===-- next_touch.c - pages follow the thread that touches them next *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * After Goglin and Furmento (2009): a region loses the right of access; the thread that faults on a
 * chunk of it gives the right back and moves the chunk's pages to its own node.
 *
 * What runs in the signal handler allocates nothing and needs little stack.
 */
#include "next_touch.h"

#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

#include "mai/memory/kernel.h"
#include "mai/process/faults.h"
#include "runtime/heap.h"
#include "runtime/lock.h"
#include "runtime/maps.h"
#include "runtime/system.h"

enum { LEAST_CHUNK = 64 << 10, MOST_CHUNKS = 8192, MOVE_BATCH = 64 };

enum chunk_state { WAITING, MOVING, DONE };

struct region {
  struct region *next;
  uintptr_t start;
  size_t bytes;
  size_t page_size;
  size_t chunk;    /* bytes */
  uint16_t *meant; /* for each page the node on which it belongs, which the array's placement has */
  uint32_t process; /* whose handlers `users` counts */
  _Atomic size_t moved_pages;
  _Atomic unsigned users; /* handlers at work */
  _Atomic unsigned char states[];
};

static struct {
  struct minas_lock lock;
  struct region *regions;
  _Atomic unsigned long ended; /* regions so far */
} waiting = {.lock = MINAS_LOCK_INITIALISER};

static void lock(void) { minas_lock(&waiting.lock); }
static void unlock(void) { minas_unlock(&waiting.lock); }

/* While locked: handlers that were at work in the parent are not in a child of fork(). */
static void take_over_in_child(struct region *region) {
  uint32_t process = minas_process();
  if (region->process == process)
    return;
  region->process = process;
  atomic_store(&region->users, 0);
  for (size_t chunk = 0; chunk <= region->bytes / region->chunk; chunk++)
    if (atomic_load(&region->states[chunk]) == MOVING)
      atomic_store(&region->states[chunk], WAITING);
}

/*===-- In the handler -----------------------------------------------------===*/

static struct region *hold_region_around(uintptr_t address) {
  lock();
  struct region *region = waiting.regions;
  while (region && address - region->start >= region->bytes)
    region = region->next;
  if (region) {
    take_over_in_child(region);
    atomic_fetch_add(&region->users, 1);
  }
  unlock();
  return region;
}

/* How many pages are on a node. */
static size_t count_pages_on(const struct region *region, uintptr_t start, size_t pages, int node) {
  int nodes[MOVE_BATCH];
  size_t found = 0;
  for (size_t done = 0; done < pages; done += MOVE_BATCH) {
    size_t batch = pages - done < MOVE_BATCH ? pages - done : MOVE_BATCH;
    if (mai_kernel_where(start + done * region->page_size, region->page_size, batch, nodes) != 0)
      return found;
    for (size_t i = 0; i < batch; i++)
      found += nodes[i] == node;
  }
  return found;
}

static void move_pages_here(const struct region *region, uintptr_t start, size_t pages, int node) {
  void *addresses[MOVE_BATCH];
  int nodes[MOVE_BATCH];
  int status[MOVE_BATCH];
  size_t count = 0;
  if (mai_kernel_where(start, region->page_size, pages, nodes) != 0)
    return;
  for (size_t i = 0; i < pages; i++)
    if (nodes[i] >= 0 && nodes[i] != node)
      addresses[count++] = (void *)(start + i * region->page_size);
  for (size_t i = 0; i < count; i++)
    nodes[i] = node;
  if (count)
    mai_kernel_move(addresses, nodes, status, count);
}

/* From now on these pages belong on the node. */
static void mean(const struct region *region, uintptr_t start, size_t pages, unsigned node) {
  uint16_t *meant = region->meant + (start - region->start) / region->page_size;
  for (size_t page = 0; page < pages; page++)
    __atomic_store_n(&meant[page], (uint16_t)node, __ATOMIC_RELAXED);
}

/* Pages are counted before and after: a huge page is moved whole by its first one. */
static void move_chunk_here(struct region *region, uintptr_t start, size_t bytes) {
  unsigned node;
  if (getcpu(NULL, &node) != 0)
    return;
  size_t pages = bytes / region->page_size;
  mean(region, start, pages, node);
  size_t before = count_pages_on(region, start, pages, (int)node);
  for (size_t done = 0; done < pages; done += MOVE_BATCH) {
    size_t left = pages - done;
    move_pages_here(region, start + done * region->page_size, left < MOVE_BATCH ? left : MOVE_BATCH,
                    (int)node);
  }
  size_t after = count_pages_on(region, start, pages, (int)node);
  if (after > before)
    atomic_fetch_add_explicit(&region->moved_pages, after - before, memory_order_relaxed);
}

static void allow_access(struct region *region, uintptr_t start, size_t bytes) {
  if (mprotect((void *)start, bytes, PROT_READ | PROT_WRITE) == 0)
    return;
  /* Too many pieces of address space: the whole region is one again, and waits no longer. */
  mprotect((void *)region->start, region->bytes, PROT_READ | PROT_WRITE);
}

/* Another thread may be at the same chunk: its work is waited for.  Access comes first: Linux 6.1
   neither tells nor moves pages that nobody may access.
   @return whether there was something to do: else it may be the program that has taken the right */
static bool serve_chunk(struct region *region, size_t chunk) {
  unsigned char state = WAITING;
  uintptr_t start = region->start + chunk * region->chunk;
  size_t left = region->start + region->bytes - start;
  size_t bytes = left < region->chunk ? left : region->chunk;
  if (atomic_compare_exchange_strong(&region->states[chunk], &state, MOVING)) {
    allow_access(region, start, bytes);
    move_chunk_here(region, start, bytes);
    atomic_store(&region->states[chunk], DONE);
  }
  while (atomic_load(&region->states[chunk]) != DONE)
    sched_yield();
  return state != DONE;
}

static bool serve(uintptr_t address) {
  struct region *region = hold_region_around(address);
  if (!region)
    return false;
  bool served = serve_chunk(region, (address - region->start) / region->chunk);
  atomic_fetch_sub(&region->users, 1);
  return served;
}

/* Whether a thread tries once more: the chunk around the address may have been served, or its
   region have ended, between the fault and now, and then the access is right.  When it fails again
   though no region has ended since, it is not. */
static bool try_again(uintptr_t address) {
  static _Thread_local struct {
    uintptr_t address;
    unsigned long ended;
  } tried __attribute__((tls_model("initial-exec")));
  unsigned long ended = atomic_load(&waiting.ended);
  if (tried.address == address && tried.ended == ended)
    return false;
  tried.address = address;
  tried.ended = ended;
  return true;
}

static bool handle(uintptr_t address) { return serve(address) || try_again(address); }

/*===-- Regions ------------------------------------------------------------===*/

/* Huge pages are moved whole; that the kernel would give them out does not mean that there are
   any. */
static bool has_huge_pages(const struct mai_array *array, uintptr_t start, size_t bytes) {
  return array->pages.huge && bytes >= array->pages.huge &&
         minas_maps_sum_kib(start, start + bytes, "AnonHugePages") > 0;
}

static size_t chunk_bytes(const struct mai_array *array, uintptr_t start, size_t bytes) {
  size_t chunk = has_huge_pages(array, start, bytes) ? array->pages.huge : LEAST_CHUNK;
  if (chunk < array->pages.page)
    chunk = array->pages.page;
  while (bytes / chunk >= MOST_CHUNKS)
    chunk *= 2;
  return chunk;
}

/* The placement must have a list of nodes for pages. */
static struct region *new_region(const struct mai_array *array, uintptr_t start, size_t bytes) {
  size_t chunk = chunk_bytes(array, start, bytes);
  struct region *region = minas_alloc(sizeof *region + bytes / chunk + 1);
  if (!region)
    return NULL;
  region->start = start;
  region->bytes = bytes;
  region->page_size = array->pages.page;
  region->chunk = chunk;
  region->process = minas_process();
  region->meant =
      array->placement.moved + (start - array->placement.start) / array->placement.page_size;
  return region;
}

/* Pages of an array.  Another's regions may lie at the same addresses: those of one whose memory
   was unmapped and is this one's now. */
struct part {
  const struct mai_placement *of;
  size_t first;
  size_t pages;
};

static struct part whole(const struct mai_array *array) {
  return (struct part){&array->placement, 0, array->placement.pages};
}

/* Whether the region is the array's and has pages of the part. */
static bool has_of(const struct region *region, const struct part *part) {
  const uint16_t *first = part->of->moved;
  if (!first || region->meant < first || region->meant >= first + part->of->pages)
    return false;
  size_t begin = (size_t)(region->meant - first);
  size_t end = begin + region->bytes / region->page_size;
  return begin < part->first + part->pages && part->first < end;
}

static void give_access(uintptr_t start, uintptr_t end) {
  mprotect((void *)start, end - start, PROT_READ | PROT_WRITE);
}

/* While locked: what no other array waits for. */
static void give_access_but_where_others_wait(const struct region *own, uintptr_t start,
                                              uintptr_t end) {
  while (start < end) {
    uintptr_t behind = start, next = end;
    for (const struct region *other = waiting.regions; other; other = other->next) {
      uintptr_t other_end = other->start + other->bytes;
      if (other == own || other_end <= start)
        continue;
      if (other->start > start)
        next = other->start < next ? other->start : next;
      else
        behind = other_end;
    }
    if (behind == start)
      give_access(start, behind = next);
    start = behind;
  }
}

/* While locked: some of the region's memory was unmapped, and may be another's.  What is left still
   has the policy that waiting gives, and the program cannot know why it may not access it. */
static void give_access_to_remains(const struct region *region) {
  struct minas_maps maps;
  struct minas_mapping mapping;
  uintptr_t end = region->start + region->bytes;
  if (minas_maps_open_from(&maps, region->start) != 0)
    return;
  while (minas_maps_next(&maps, &mapping) && mapping.begin < end) {
    uintptr_t from = mapping.begin > region->start ? mapping.begin : region->start;
    if (!mapping.readable && !mapping.writable && mai_kernel_has_policy(from))
      give_access_but_where_others_wait(region, from, mapping.end < end ? mapping.end : end);
  }
  minas_maps_close(&maps);
}

/* Access comes back before the region goes: who finds none then need only try again. */
static struct region *take_region(const struct part *part, bool is_whole) {
  lock();
  struct region **link = &waiting.regions;
  while (*link && !has_of(*link, part))
    link = &(*link)->next;
  struct region *region = *link;
  if (region) {
    take_over_in_child(region);
    if (is_whole)
      give_access(region->start, region->start + region->bytes);
    else
      give_access_to_remains(region);
    *link = region->next;
    atomic_fetch_add(&waiting.ended, 1);
  }
  unlock();
  return region;
}

static void end(struct part part, bool is_whole, size_t *moved_pages) {
  struct region *region;
  int error = errno;
  while ((region = take_region(&part, is_whole))) {
    while (atomic_load(&region->users))
      sched_yield();
    if (moved_pages)
      *moved_pages += atomic_load(&region->moved_pages);
    minas_free(region);
  }
  errno = error;
}

void mai_array_end_next_touch(struct mai_array *array) {
  end(whole(array), true, &array->moved_pages);
}

void mai_next_touch_abandon(const struct mai_array *array) { end(whole(array), false, NULL); }

size_t mai_next_touch_moved(const struct mai_array *array) {
  const struct part part = whole(array);
  size_t moved = 0;
  lock();
  for (const struct region *region = waiting.regions; region; region = region->next)
    if (has_of(region, &part))
      moved += atomic_load(&region->moved_pages);
  unlock();
  return moved;
}

static void add_region(struct region *region) {
  lock();
  region->next = waiting.regions;
  waiting.regions = region;
  unlock();
}

static int begin(struct mai_array *array, size_t first, size_t pages) {
  struct mai_placement *placement = &array->placement;
  uintptr_t start = placement->start + first * placement->page_size;
  size_t bytes = pages * placement->page_size;
  const struct part part = {placement, first, pages};
  end(part, true, &array->moved_pages);
  if (mai_faults_handle(handle) != 0 ||
      mai_placement_move(placement, first, pages, MAI_ANY_NODE) != 0)
    return -1;
  struct region *region = new_region(array, start, bytes);
  if (!region)
    return -1;
  if (mai_kernel_set_range(start, bytes, MAI_MODE_LOCAL, NULL, 0) != 0) {
    minas_free(region);
    return -1;
  }
  mai_array_note_cut(array);
  add_region(region);
  if (mprotect((void *)start, bytes, PROT_NONE) == 0)
    return 0;
  int error = errno;
  end(part, true, NULL);
  errno = error;
  return -1;
}

int mai_next_touch_begin(struct mai_array *array, size_t offset, size_t bytes) {
  const struct mai_placement *placement = &array->placement;
  size_t size = placement->page_size;
  uintptr_t from = array->shape.start + offset;
  uintptr_t end = bytes ? from + bytes : array->shape.start + array->shape.bytes;
  size_t first = from > placement->start ? (from - placement->start + size - 1) / size : 0;
  size_t last = end > placement->start ? (end - placement->start) / size : 0;
  if (end == array->shape.start + array->shape.bytes)
    last = placement->pages;
  return last > first ? begin(array, first, last - first) : 0;
}
