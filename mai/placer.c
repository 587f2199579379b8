/*===-- placer.c - puts pages on nodes, and asks where they are *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "placer.h"

#include <errno.h>
#include <limits.h>
#include <numa.h>
#include <numaif.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#ifndef MADV_POPULATE_WRITE /* Linux 5.14 */
#define MADV_POPULATE_WRITE 23
#endif

enum { BITS = sizeof(unsigned long) * CHAR_BIT, QUERY_BATCH = 1024 };

/* A set of nodes as the system calls want it. */
struct node_mask {
  unsigned long *words;
  unsigned long bits; /* what the calls name maxnode: one more than they look at */
};

static int mask_create(struct node_mask *mask, const uint32_t *nodes, uint32_t count) {
  uint32_t highest = 0;
  for (uint32_t i = 0; i < count; i++)
    highest = nodes[i] > highest ? nodes[i] : highest;
  size_t words = highest / BITS + 1;
  mask->words = calloc(words, sizeof *mask->words);
  if (!mask->words)
    return -1;
  mask->bits = words * BITS + 1;
  for (uint32_t i = 0; i < count; i++)
    mask->words[nodes[i] / BITS] |= 1UL << nodes[i] % BITS;
  return 0;
}

static int set_range_policy(uintptr_t start, size_t bytes, int mode, const uint32_t *nodes,
                            uint32_t count) {
  struct node_mask mask;
  if (mask_create(&mask, nodes, count) != 0)
    return -1;
  long result = mbind((void *)start, bytes, mode, mask.words, mask.bits, 0);
  int error = errno;
  free(mask.words);
  errno = error;
  return result == 0 ? 0 : -1;
}

static int single_node_mode(const struct mai_placing *placing) {
  return placing->strict ? MPOL_BIND : MPOL_PREFERRED;
}

int mai_placer_probe(size_t page_size) {
  void *page = mmap(NULL, page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED)
    return errno;
  int error = mbind(page, page_size, MPOL_LOCAL, NULL, 0, 0) == 0 ? 0 : errno;
  munmap(page, page_size);
  return error;
}

size_t mai_placer_interleave_mask(size_t page_size, const uint32_t *nodes) {
  enum { NODES = MAI_INTERLEAVE_PROBE_NODES };
  int node = MAI_PAGE_UNKNOWN;
  char *page = mmap(NULL, page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED)
    return SIZE_MAX;
  size_t number = (uintptr_t)page / page_size;
  if (set_range_policy((uintptr_t)page, page_size, MPOL_INTERLEAVE, nodes, NODES) == 0) {
    *(volatile char *)page = 1;
    mai_placer_where((uintptr_t)page, page_size, 1, &node);
  }
  munmap(page, page_size);
  bool looks_at_all = node < 0 || (uint32_t)node == nodes[number % NODES];
  return looks_at_all ? SIZE_MAX : UINT32_MAX;
}

static uintptr_t page_address(const struct mai_placement *placement, size_t page) {
  return placement->start + page * placement->page_size;
}

static size_t run_end(const struct mai_placement *placement, uint32_t run) {
  return run + 1 < placement->count ? placement->runs[run + 1].first : placement->pages;
}

static size_t run_bytes(const struct mai_placement *placement, uint32_t run) {
  return (run_end(placement, run) - placement->runs[run].first) * placement->page_size;
}

/* Without the right to it (or in a kernel without huge pages) there is nothing to forbid. */
static void forbid_huge_pages(const struct mai_placement *placement) {
  madvise((void *)placement->start, placement->pages * placement->page_size, MADV_NOHUGEPAGE);
}

static int apply_runs(const struct mai_placement *placement, const struct mai_placing *placing) {
  for (uint32_t i = 0; i < placement->count; i++)
    if (set_range_policy(page_address(placement, placement->runs[i].first), run_bytes(placement, i),
                         single_node_mode(placing), &placement->runs[i].node, 1) != 0)
      return -1;
  return 0;
}

/* The node `page` belongs on is also that of the other pages of its huge page, up to `pages`. */
static int apply_part(const struct mai_placement *placement, const struct mai_placing *placing,
                      size_t page, size_t pages) {
  if (pages == 0)
    return 0;
  uint32_t node = mai_placement_node(placement, page);
  return set_range_policy(page_address(placement, page), pages * placement->page_size,
                          single_node_mode(placing), &node, 1);
}

/* Interleaving by the kernel deals huge pages only where a whole one fits: the incomplete ones at
   both ends are bound by themselves. */
static int apply_cyclic(const struct mai_placement *placement, const struct mai_placing *placing) {
  if (placing->huge_page_size && placement->deal == 1)
    forbid_huge_pages(placement);
  size_t first_number = placement->start / placement->page_size;
  size_t head = (placement->deal - first_number % placement->deal) % placement->deal;
  if (head > placement->pages)
    head = placement->pages;
  size_t tail = (placement->pages - head) % placement->deal;
  size_t middle = placement->pages - head - tail;
  if (apply_part(placement, placing, 0, head) != 0 ||
      apply_part(placement, placing, head + middle, tail) != 0)
    return -1;
  return middle == 0
             ? 0
             : set_range_policy(page_address(placement, head), middle * placement->page_size,
                                MPOL_INTERLEAVE, placement->nodes, placement->count);
}

static int bring_in(uintptr_t start, size_t bytes, size_t page_size) {
  if (madvise((void *)start, bytes, MADV_POPULATE_WRITE) == 0)
    return 0;
  if (errno != EINVAL) /* EINVAL: a kernel that does not know it */
    return -1;
  for (size_t offset = 0; offset < bytes; offset += page_size)
    *(volatile char *)(start + offset) = 0;
  return 0;
}

static int bring_in_runs_of_node(const struct mai_placement *placement, uint32_t node,
                                 const struct mai_placing *placing) {
  struct node_mask mask;
  if (mask_create(&mask, &node, 1) != 0)
    return -1;
  int result = set_mempolicy(single_node_mode(placing), mask.words, mask.bits) == 0 ? 0 : -1;
  free(mask.words);
  for (uint32_t i = 0; result == 0 && i < placement->count; i++)
    if (placement->runs[i].node == node)
      result = bring_in(page_address(placement, placement->runs[i].first), run_bytes(placement, i),
                        placement->page_size);
  return result;
}

static bool is_first_run_of_node(const struct mai_placement *placement, uint32_t run) {
  for (uint32_t i = 0; i < run; i++)
    if (placement->runs[i].node == placement->runs[run].node)
      return false;
  return true;
}

static size_t free_memory(void) {
  long long sum = 0;
  for (int node = 0; node <= numa_max_node(); node++) {
    long long bytes = 0;
    if (numa_bitmask_isbitset(numa_all_nodes_ptr, (unsigned)node) &&
        numa_node_size64(node, &bytes) >= 0)
      sum += bytes;
  }
  return (size_t)sum;
}

/* Many runs: the thread's own policy decides while each node's pages come in.  The explicit local
   policy at the end moves nothing and keeps automatic NUMA balancing away. */
static int populate(const struct mai_placement *placement, const struct mai_placing *placing) {
  size_t bytes = placement->pages * placement->page_size;
  if (bytes > free_memory()) {
    errno = ENOMEM;
    return -1;
  }
  struct bitmask *old_nodes = numa_allocate_nodemask();
  int old_mode = MPOL_DEFAULT;
  if (get_mempolicy(&old_mode, old_nodes->maskp, old_nodes->size + 1, NULL, 0) != 0) {
    numa_bitmask_free(old_nodes);
    return -1;
  }
  if (placing->huge_page_size)
    forbid_huge_pages(placement);
  int result = 0;
  for (uint32_t i = 0; result == 0 && i < placement->count; i++)
    if (is_first_run_of_node(placement, i))
      result = bring_in_runs_of_node(placement, placement->runs[i].node, placing);
  int error = errno;
  set_mempolicy(old_mode, old_nodes->maskp, old_nodes->size + 1);
  numa_bitmask_free(old_nodes);
  errno = error;
  return result == 0 ? (int)mbind((void *)placement->start, bytes, MPOL_LOCAL, NULL, 0, 0) : -1;
}

int mai_placer_apply(const struct mai_placement *placement, const struct mai_placing *placing) {
  if (placement->pages == 0 || placement->count == 0)
    return 0;
  if (placement->deal)
    return apply_cyclic(placement, placing);
  if (placement->count <= placing->node_count + 1)
    return apply_runs(placement, placing);
  return populate(placement, placing);
}

static int node_of_status(int status) {
  if (status >= 0)
    return status;
  /* EFAULT: the page of zeroes that stands for all that was read but never written. */
  return status == -ENOENT || status == -EFAULT ? MAI_PAGE_UNTOUCHED : MAI_PAGE_UNKNOWN;
}

int mai_placer_where(uintptr_t start, size_t page_size, size_t pages, int *nodes) {
  void *addresses[QUERY_BATCH];
  for (size_t done = 0; done < pages; done += QUERY_BATCH) {
    size_t batch = pages - done < QUERY_BATCH ? pages - done : QUERY_BATCH;
    for (size_t i = 0; i < batch; i++) {
      addresses[i] = (void *)(start + (done + i) * page_size);
      nodes[done + i] = -EIO; /* a status that the kernel did not write must not look like node 0 */
    }
    if (move_pages(0, batch, addresses, NULL, nodes + done, 0) != 0)
      return -1;
    for (size_t i = 0; i < batch; i++)
      nodes[done + i] = node_of_status(nodes[done + i]);
  }
  return 0;
}
