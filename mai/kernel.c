/*===-- kernel.c - the kernel's calls for memory on nodes ------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <numa.h>
#include <numaif.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MADV_POPULATE_WRITE /* Linux 5.14 */
#define MADV_POPULATE_WRITE 23
#endif
#ifndef MPOL_PREFERRED_MANY /* Linux 5.15 */
#define MPOL_PREFERRED_MANY 5
#endif
#ifndef MPOL_WEIGHTED_INTERLEAVE /* Linux 6.9 */
#define MPOL_WEIGHTED_INTERLEAVE 6
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

static int mode_of_kernel(enum mai_mode mode, uint32_t count) {
  switch (mode) {
  case MAI_MODE_PREFER:
    return count > 1 ? MPOL_PREFERRED_MANY : MPOL_PREFERRED;
  case MAI_MODE_BIND:
    return MPOL_BIND;
  case MAI_MODE_INTERLEAVE:
    return MPOL_INTERLEAVE;
  case MAI_MODE_WEIGHTED:
    return MPOL_WEIGHTED_INTERLEAVE;
  default:
    return MPOL_LOCAL;
  }
}

/* The nodes to which the user has bound the process (numactl --membind), found by the probe; NULL:
   none.  A local policy of a range or thread of its own would lead out of them. */
static struct bitmask *bound_to;

static void find_binding(void) {
  enum { MODE_BITS = 0xff }; /* flags are above */
  struct mai_thread_policy own;
  if (mai_kernel_save_thread_policy(&own) != 0)
    return;
  if ((own.mode & MODE_BITS) == MPOL_BIND)
    bound_to = own.nodes;
  else
    numa_bitmask_free(own.nodes);
}

static int set_local_range(uintptr_t start, size_t bytes) {
  long result = bound_to
                    ? mbind((void *)start, bytes, MPOL_BIND, bound_to->maskp, bound_to->size + 1, 0)
                    : mbind((void *)start, bytes, MPOL_LOCAL, NULL, 0, 0);
  return result == 0 ? 0 : -1;
}

static int set_masked_range(uintptr_t start, size_t bytes, int mode, const uint32_t *nodes,
                            uint32_t count, unsigned flags) {
  struct node_mask mask;
  if (mask_create(&mask, nodes, count) != 0)
    return -1;
  long result = mbind((void *)start, bytes, mode, mask.words, mask.bits, flags);
  int error = errno;
  free(mask.words);
  errno = error;
  return result == 0 ? 0 : -1;
}

int mai_kernel_set_range(uintptr_t start, size_t bytes, enum mai_mode mode, const uint32_t *nodes,
                         uint32_t count) {
  if (mode == MAI_MODE_LOCAL)
    return set_local_range(start, bytes);
  if (mode == MAI_MODE_DEFAULT)
    return mbind((void *)start, bytes, MPOL_DEFAULT, NULL, 0, 0) == 0 ? 0 : -1;
  int kernel_mode = mode_of_kernel(mode, count);
  int result = set_masked_range(start, bytes, kernel_mode, nodes, count, 0);
  if (result != 0 && errno == EINVAL && kernel_mode == MPOL_PREFERRED_MANY)
    return set_masked_range(start, bytes, MPOL_PREFERRED, nodes, 1, 0); /* an older kernel */
  return result;
}

int mai_kernel_draw_range(uintptr_t start, size_t bytes, uint32_t node) {
  return set_masked_range(start, bytes, MPOL_PREFERRED, &node, 1, MPOL_MF_MOVE);
}

uint64_t mai_kernel_weight(uint32_t node) {
  char path[96];
  unsigned weight = 0;
  snprintf(path, sizeof path, "/sys/kernel/mm/mempolicy/weighted_interleave/node%u", node);
  FILE *file = fopen(path, "re");
  if (!file)
    return 0;
  if (fscanf(file, "%3u", &weight) != 1)
    weight = 0;
  fclose(file);
  return weight;
}

int mai_kernel_probe(size_t page_size) {
  void *page = mmap(NULL, page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED)
    return errno;
  int error = mbind(page, page_size, MPOL_LOCAL, NULL, 0, 0) == 0 ? 0 : errno;
  munmap(page, page_size);
  if (!error)
    find_binding();
  return error;
}

size_t mai_kernel_interleave_mask(size_t page_size, const uint32_t *nodes) {
  enum { NODES = MAI_INTERLEAVE_PROBE_NODES };
  int node = MAI_PAGE_UNKNOWN;
  char *page = mmap(NULL, page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED)
    return SIZE_MAX;
  size_t number = (uintptr_t)page / page_size;
  if (mai_kernel_set_range((uintptr_t)page, page_size, MAI_MODE_INTERLEAVE, nodes, NODES) == 0) {
    *(volatile char *)page = 1;
    mai_kernel_where((uintptr_t)page, page_size, 1, &node);
  }
  munmap(page, page_size);
  /* A third node: the one meant is full, and nothing is known. */
  bool looks_at_few = node >= 0 && (uint32_t)node == nodes[(number & UINT32_MAX) % NODES] &&
                      (uint32_t)node != nodes[number % NODES];
  return looks_at_few ? UINT32_MAX : SIZE_MAX;
}

/*===-- A thread's own policy ----------------------------------------------===*/

int mai_kernel_save_thread_policy(struct mai_thread_policy *saved) {
  struct bitmask *nodes = numa_allocate_nodemask();
  if (get_mempolicy(&saved->mode, nodes->maskp, nodes->size + 1, NULL, 0) != 0) {
    numa_bitmask_free(nodes);
    return -1;
  }
  saved->nodes = nodes;
  return 0;
}

void mai_kernel_restore_thread_policy(struct mai_thread_policy *saved) {
  int error = errno;
  struct bitmask *nodes = saved->nodes;
  set_mempolicy(saved->mode, nodes->maskp, nodes->size + 1);
  numa_bitmask_free(nodes);
  errno = error;
}

int mai_kernel_set_thread_policy(enum mai_mode mode, const uint32_t *nodes, uint32_t count) {
  struct node_mask mask;
  if (mode == MAI_MODE_LOCAL && bound_to)
    return set_mempolicy(MPOL_BIND, bound_to->maskp, bound_to->size + 1) == 0 ? 0 : -1;
  if (mask_create(&mask, nodes, count) != 0)
    return -1;
  int kernel_mode = mode_of_kernel(mode, count);
  long result = set_mempolicy(kernel_mode, mask.words, mask.bits);
  if (result != 0 && errno == EINVAL && kernel_mode == MPOL_PREFERRED_MANY) {
    free(mask.words);
    return mai_kernel_set_thread_policy(mode, nodes, 1); /* an older kernel */
  }
  int error = errno;
  free(mask.words);
  errno = error;
  return result == 0 ? 0 : -1;
}

/*===-- Pages --------------------------------------------------------------===*/

int mai_kernel_bring_in(uintptr_t start, size_t bytes, size_t page_size) {
  if (bytes > page_size) {
    if (madvise((void *)start, bytes, MADV_POPULATE_WRITE) == 0)
      return 0;
    if (errno != EINVAL) /* EINVAL: a kernel that does not know it */
      return -1;
  }
  for (size_t offset = 0; offset < bytes; offset += page_size) {
    /* Pages may hold something, and other threads may be writing to them. */
    char *byte = (char *)(start + offset);
    char zero = 0;
    __atomic_compare_exchange_n(byte, &zero, 0, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  }
  return 0;
}

/* KiB of a line of a node's meminfo that are free, or that the kernel frees when they are asked
   for: what it keeps of files. */
static size_t free_in_line(const char *line) {
  static const char *const counted[] = {"MemFree", "Active(file)", "Inactive(file)",
                                        "SReclaimable"};
  char name[32];
  size_t kib = 0;
  if (sscanf(line, "Node %*u %31[^:]: %zu kB", name, &kib) != 2)
    return 0;
  for (size_t i = 0; i < sizeof counted / sizeof *counted; i++)
    if (strcmp(name, counted[i]) == 0)
      return kib;
  return 0;
}

size_t mai_kernel_free_on(uint32_t node) {
  char path[64];
  char line[128];
  size_t kib = 0;
  snprintf(path, sizeof path, "/sys/devices/system/node/node%u/meminfo", node);
  FILE *file = fopen(path, "re");
  if (!file)
    return SIZE_MAX;
  while (fgets(line, sizeof line, file))
    kib += free_in_line(line);
  fclose(file);
  return kib * 1024;
}

size_t mai_kernel_free_memory(void) {
  size_t sum = 0;
  for (int node = 0; node <= numa_max_node(); node++) {
    if (!numa_bitmask_isbitset(numa_all_nodes_ptr, (unsigned)node))
      continue;
    size_t bytes = mai_kernel_free_on((uint32_t)node);
    if (bytes == SIZE_MAX)
      return SIZE_MAX;
    sum += bytes;
  }
  return sum;
}

size_t mai_kernel_free_huge_on(uint32_t node, size_t page_size) {
  char path[128];
  size_t pages = 0;
  snprintf(path, sizeof path,
           "/sys/devices/system/node/node%u/hugepages/hugepages-%zukB/free_hugepages", node,
           page_size / 1024);
  FILE *file = fopen(path, "re");
  if (!file)
    return 0;
  if (fscanf(file, "%12zu", &pages) != 1)
    pages = 0;
  fclose(file);
  return pages * page_size;
}

/* The entry of the page table for a page, as /proc/self/pagemap shows it. */
enum { ENTRY_PRESENT = 63, ENTRY_SWAPPED = 62, ENTRY_BATCH = 128 };

/* What move_pages() says once the page has been looked at as a program would, which gives access
   back; the node seen then, where it is hidden again meanwhile.  It does not say what is swapped
   out. */
static int look_again(uintptr_t address, uint64_t entry) {
  int node = -EIO, status = -EIO;
  void *page = (void *)address;
  bool present = entry >> ENTRY_PRESENT & 1;
  if (present && get_mempolicy(&node, NULL, 0, page, MPOL_F_NODE | MPOL_F_ADDR) == 0 &&
      move_pages(0, 1, &page, NULL, &status, 0) == 0)
    return status == -ENOENT ? node : status;
  return -EIO;
}

static bool is_absent(int status) { return status == -ENOENT || status == -EFAULT; }

static void look_at_entries(int table, uintptr_t start, size_t pages, size_t page_size,
                            int *statuses) {
  uint64_t entries[ENTRY_BATCH];
  size_t bytes = pages * sizeof *entries;
  off_t offset = (off_t)(start / page_size * sizeof *entries);
  bool read = table >= 0 && pread(table, entries, bytes, offset) == (ssize_t)bytes;
  for (size_t i = 0; i < pages; i++) {
    if (!is_absent(statuses[i]))
      continue;
    if (!read)
      statuses[i] = -EIO;
    else if ((entries[i] >> ENTRY_PRESENT | entries[i] >> ENTRY_SWAPPED) & 1)
      statuses[i] = look_again(start + i * page_size, entries[i]);
  }
}

/* move_pages() takes for absent what is swapped out and, in Linux 6.1, what automatic balancing has
   made inaccessible to see who uses it.  Their contents must not be lost. */
static void find_hidden(uintptr_t start, size_t pages, size_t page_size, int *statuses) {
  size_t first = 0;
  while (first < pages && !is_absent(statuses[first]))
    first++;
  if (first == pages || page_size != (size_t)sysconf(_SC_PAGESIZE))
    return; /* explicit huge pages are neither swapped nor balanced */
  int table = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  for (; first < pages; first += ENTRY_BATCH) {
    size_t count = pages - first < ENTRY_BATCH ? pages - first : ENTRY_BATCH;
    look_at_entries(table, start + first * page_size, count, page_size, statuses + first);
  }
  if (table >= 0)
    close(table);
}

static int node_of_status(int status) {
  if (status >= 0)
    return status;
  /* EFAULT: the page of zeroes that stands for all that was read but never written. */
  return is_absent(status) ? MAI_PAGE_UNTOUCHED : MAI_PAGE_UNKNOWN;
}

int mai_kernel_where(uintptr_t start, size_t page_size, size_t pages, int *nodes) {
  void *addresses[QUERY_BATCH];
  for (size_t done = 0; done < pages; done += QUERY_BATCH) {
    size_t batch = pages - done < QUERY_BATCH ? pages - done : QUERY_BATCH;
    for (size_t i = 0; i < batch; i++) {
      addresses[i] = (void *)(start + (done + i) * page_size);
      nodes[done + i] = -EIO; /* a status that the kernel did not write must not look like node 0 */
    }
    if (move_pages(0, batch, addresses, NULL, nodes + done, 0) != 0)
      return -1;
    find_hidden(start + done * page_size, batch, page_size, nodes + done);
    for (size_t i = 0; i < batch; i++)
      nodes[done + i] = node_of_status(nodes[done + i]);
  }
  return 0;
}

int mai_kernel_move(void **addresses, const int *nodes, int *status, size_t count) {
  for (size_t i = 0; i < count; i++)
    status[i] = MAI_NO_STATUS;
  for (size_t done = 0; done < count; done += QUERY_BATCH) {
    size_t batch = count - done < QUERY_BATCH ? count - done : QUERY_BATCH;
    /* A positive result counts pages that stayed. */
    if (move_pages(0, batch, addresses + done, nodes + done, status + done, MPOL_MF_MOVE) < 0)
      return -1;
  }
  return 0;
}
