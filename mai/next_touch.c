/*===-- next_touch.c - pages follow the thread that touches them next *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * After Goglin and Furmento (2009): a region loses the right of access; the thread that faults on a
 * chunk of it gives the right back and moves the chunk's pages to its own node.
 *
 * What runs in the signal handler takes no lock that is ever held while memory of a program is
 * touched, allocates nothing and needs little stack.
 */
#include "next_touch.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "kernel.h"
#include "mai.h"

enum { LEAST_CHUNK = 64 << 10, MOST_CHUNKS = 8192, MOVE_BATCH = 64 };

enum chunk_state { WAITING, MOVING, DONE };

struct region {
  struct region *next;
  uintptr_t start;
  size_t bytes;
  size_t page_size;
  size_t chunk; /* bytes */
  _Atomic size_t moved_pages;
  _Atomic unsigned users; /* handlers at work */
  _Atomic unsigned char states[];
};

static struct {
  atomic_flag lock;
  struct region *regions;
  _Atomic unsigned long ended; /* regions so far */
  struct sigaction before;     /* what handled SIGSEGV before us */
} waiting = {.lock = ATOMIC_FLAG_INIT};

static void lock(void) {
  while (atomic_flag_test_and_set_explicit(&waiting.lock, memory_order_acquire))
    sched_yield();
}

static void unlock(void) { atomic_flag_clear_explicit(&waiting.lock, memory_order_release); }

__attribute__((constructor)) static void survive_fork(void) {
  pthread_atfork(lock, unlock, unlock);
}

/*===-- In the handler -----------------------------------------------------===*/

static struct region *hold_region_around(uintptr_t address) {
  lock();
  struct region *region = waiting.regions;
  while (region && address - region->start >= region->bytes)
    region = region->next;
  if (region)
    atomic_fetch_add(&region->users, 1);
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

/* Pages are counted before and after: a huge page is moved whole by its first one. */
static void move_chunk_here(struct region *region, uintptr_t start, size_t bytes) {
  unsigned node;
  if (getcpu(NULL, &node) != 0)
    return;
  size_t pages = bytes / region->page_size;
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
   neither tells nor moves pages that nobody may access. */
static void serve_chunk(struct region *region, size_t chunk) {
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
}

static bool serve(uintptr_t address) {
  struct region *region = hold_region_around(address);
  if (!region)
    return false;
  serve_chunk(region, (address - region->start) / region->chunk);
  atomic_fetch_sub(&region->users, 1);
  return true;
}

/* Whether a thread tries once more: the region around the address may have ended between the fault
   and now, and then the access is right.  When it fails again though no region has ended since, it
   is not. */
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

/* By default a fault ends the program when it happens again, a signal that was sent when it is sent
   again. */
static void handle_by_default(int signal, const siginfo_t *info) {
  sigaction(signal, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
  if (info->si_code <= 0)
    raise(signal);
}

/* The fault is not ours: let it be handled as it was before us. */
static void pass_on(int signal, siginfo_t *info, void *context) {
  const struct sigaction *before = &waiting.before;
  bool sent = info->si_code <= 0;
  if (before->sa_flags & SA_SIGINFO)
    before->sa_sigaction(signal, info, context);
  else if (before->sa_handler == SIG_DFL || (before->sa_handler == SIG_IGN && !sent))
    handle_by_default(signal, info);
  else if (before->sa_handler != SIG_IGN)
    before->sa_handler(signal);
}

static void handle(int signal, siginfo_t *info, void *context) {
  int error = errno;
  uintptr_t address = (uintptr_t)info->si_addr;
  bool forbidden = info->si_code == SEGV_ACCERR;
  if (!forbidden || (!serve(address) && !try_again(address)))
    pass_on(signal, info, context);
  errno = error;
}

/* A handler that the program has set since is passed on to from now on.  Ours blocks what that one
   blocks, and may be left by a jump as that one may. */
static int install_handler(void) {
  struct sigaction now;
  if (sigaction(SIGSEGV, NULL, &now) != 0)
    return -1;
  if (now.sa_flags & SA_SIGINFO && now.sa_sigaction == handle)
    return 0;
  struct sigaction ours = {.sa_sigaction = handle,
                           .sa_mask = now.sa_mask,
                           .sa_flags = SA_SIGINFO | SA_ONSTACK |
                                       (now.sa_flags & (SA_NODEFER | SA_RESTART))};
  waiting.before = now;
  return sigaction(SIGSEGV, &ours, NULL);
}

/*===-- Regions ------------------------------------------------------------===*/

static size_t chunk_bytes(const struct mai_array *array, size_t bytes) {
  bool has_huge = array->pages.huge && bytes >= array->pages.huge;
  size_t chunk = has_huge ? array->pages.huge : LEAST_CHUNK;
  if (chunk < array->pages.page)
    chunk = array->pages.page;
  while (bytes / chunk >= MOST_CHUNKS)
    chunk *= 2;
  return chunk;
}

static struct region *new_region(const struct mai_array *array, uintptr_t start, size_t bytes) {
  size_t chunk = chunk_bytes(array, bytes);
  struct region *region = calloc(1, sizeof *region + bytes / chunk + 1);
  if (!region)
    return NULL;
  region->start = start;
  region->bytes = bytes;
  region->page_size = array->pages.page;
  region->chunk = chunk;
  return region;
}

/* Whether the region has pages of [start, start + bytes). */
static bool overlaps(const struct region *region, uintptr_t start, size_t bytes) {
  return region->start < start + bytes && start < region->start + region->bytes;
}

/* Access comes back before the region goes: who finds none then need only try again. */
static struct region *take_region(uintptr_t start, size_t bytes) {
  lock();
  struct region **link = &waiting.regions;
  while (*link && !overlaps(*link, start, bytes))
    link = &(*link)->next;
  struct region *region = *link;
  if (region) {
    mprotect((void *)region->start, region->bytes, PROT_READ | PROT_WRITE);
    *link = region->next;
    atomic_fetch_add(&waiting.ended, 1);
  }
  unlock();
  return region;
}

void mai_next_touch_end(uintptr_t start, size_t bytes, size_t *moved_pages) {
  struct region *region;
  int error = errno;
  while ((region = take_region(start, bytes))) {
    while (atomic_load(&region->users))
      sched_yield();
    if (moved_pages)
      *moved_pages += atomic_load(&region->moved_pages);
    free(region);
  }
  errno = error;
}

size_t mai_next_touch_moved(uintptr_t start, size_t bytes) {
  size_t moved = 0;
  lock();
  for (const struct region *region = waiting.regions; region; region = region->next)
    if (overlaps(region, start, bytes))
      moved += atomic_load(&region->moved_pages);
  unlock();
  return moved;
}

static int begin(struct mai_array *array, size_t first, size_t pages) {
  struct mai_placement *placement = &array->placement;
  uintptr_t start = placement->start + first * placement->page_size;
  size_t bytes = pages * placement->page_size;
  mai_next_touch_end(start, bytes, &array->moved_pages);
  struct region *region = new_region(array, start, bytes);
  if (!region)
    return -1;
  if (install_handler() != 0 || mai_placement_move(placement, first, pages, MAI_ANY_NODE) != 0 ||
      mai_kernel_set_range(start, bytes, MAI_MODE_LOCAL, NULL, 0) != 0) {
    free(region);
    return -1;
  }
  lock();
  region->next = waiting.regions;
  waiting.regions = region;
  unlock();
  if (mprotect((void *)start, bytes, PROT_NONE) == 0)
    return 0;
  int error = errno;
  mai_next_touch_end(start, bytes, NULL);
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

int mai_next_touch(void *start, size_t offset, size_t bytes) {
  const struct mai_machine *machine = mai_machine(); /* may add to the registry */
  int error = 0;
  if (!machine)
    return -1;
  mai_registry_lock();
  struct mai_array *array = mai_registry_find(start);
  if (!array || array->origin == MAI_WATCHED || array->replicas || offset > array->shape.bytes ||
      bytes > array->shape.bytes - offset)
    error = EINVAL;
  else if (machine->placement_error)
    error = machine->placement_error;
  else if (mai_machine_places(machine) && mai_next_touch_begin(array, offset, bytes) != 0)
    error = errno;
  mai_registry_unlock();
  errno = error;
  return error ? -1 : 0;
}
