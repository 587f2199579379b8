/*===-- kernel.c - the kernel's calls for memory on nodes ------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "kernel.h"

#include <errno.h>
#include <limits.h>
#include <numaif.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "mai/process/message.h"
#include "mai/process/restrictions.h"
#include "runtime/fail.h"
#include "runtime/lines.h"
#include "runtime/system.h"

#ifndef MADV_POPULATE_WRITE /* Linux 5.14 */
#define MADV_POPULATE_WRITE 23
#endif
#ifndef MPOL_PREFERRED_MANY /* Linux 5.15 */
#define MPOL_PREFERRED_MANY 5
#endif
#ifndef MPOL_WEIGHTED_INTERLEAVE /* Linux 6.9 */
#define MPOL_WEIGHTED_INTERLEAVE 6
#endif

enum { BITS = sizeof(unsigned long) * CHAR_BIT };

/*===-- The calls ----------------------------------------------------------===*/

/* What the calls name maxnode is one more than they look at.  Kernels that have fewer nodes take
   more, where all that is beyond is 0. */
enum { MASK_BITS = MAI_MOST_NODES + 1 };

static void mask_set(struct mai_node_mask *mask, const uint32_t *nodes, uint32_t count) {
  *mask = (struct mai_node_mask){0};
  for (uint32_t i = 0; i < count; i++)
    if (nodes[i] < MAI_MOST_NODES)
      mask->words[nodes[i] / BITS] |= 1UL << nodes[i] % BITS;
}

static int call_mbind(uintptr_t start, size_t bytes, int mode, const struct mai_node_mask *mask,
                      unsigned flags) {
  long result = minas_system(SYS_mbind, (long)start, (long)bytes, mode, (long)mask,
                             mask ? MASK_BITS : 0, flags);
  return result == 0 ? 0 : -1;
}

static int call_set_mempolicy(int mode, const struct mai_node_mask *mask) {
  long result = minas_system(SYS_set_mempolicy, mode, (long)mask, mask ? MASK_BITS : 0, 0, 0, 0);
  return result == 0 ? 0 : -1;
}

static int call_get_mempolicy(int *mode, struct mai_node_mask *mask, uintptr_t address,
                              unsigned flags) {
  long result = minas_system(SYS_get_mempolicy, (long)mode, (long)mask, mask ? MASK_BITS : 0,
                             (long)address, flags, 0);
  return result == 0 ? 0 : -1;
}

/* Where pages are is told of machines of one node, too, and where nothing is placed. */
static long call_move_pages(size_t count, void **pages, const int *nodes, int *status, int flags) {
  if (!mai_survives(MAI_CALLS_OF_PLACING))
    return fail(EPERM);
  return minas_system(SYS_move_pages, 0, (long)count, (long)pages, (long)nodes, (long)status,
                      flags);
}

/*===-- Policies of ranges -------------------------------------------------===*/

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

/* The nodes to which the user has bound the process (numactl --membind), found by the probe.  A
   local policy of a range or thread of its own would lead out of them. */
static struct {
  bool is_bound;
  struct mai_node_mask nodes;
} user;

static void find_binding(void) {
  enum { MODE_BITS = 0xff }; /* flags are above */
  int mode = MPOL_DEFAULT;
  if (call_get_mempolicy(&mode, &user.nodes, 0, 0) == 0)
    user.is_bound = (mode & MODE_BITS) == MPOL_BIND;
}

static int set_local_range(uintptr_t start, size_t bytes) {
  return user.is_bound ? call_mbind(start, bytes, MPOL_BIND, &user.nodes, 0)
                       : call_mbind(start, bytes, MPOL_LOCAL, NULL, 0);
}

static int set_masked_range(uintptr_t start, size_t bytes, int mode, const uint32_t *nodes,
                            uint32_t count, unsigned flags) {
  struct mai_node_mask mask;
  mask_set(&mask, nodes, count);
  return call_mbind(start, bytes, mode, &mask, flags);
}

static int set_range(uintptr_t start, size_t bytes, enum mai_mode mode, const uint32_t *nodes,
                     uint32_t count) {
  if (mode == MAI_MODE_LOCAL)
    return set_local_range(start, bytes);
  if (mode == MAI_MODE_DEFAULT)
    return call_mbind(start, bytes, MPOL_DEFAULT, NULL, 0);
  int kernel_mode = mode_of_kernel(mode, count);
  int result = set_masked_range(start, bytes, kernel_mode, nodes, count, 0);
  if (result != 0 && errno == EINVAL && kernel_mode == MPOL_PREFERRED_MANY)
    return set_masked_range(start, bytes, MPOL_PREFERRED, nodes, 1, 0); /* an older kernel */
  return result;
}

/* EFAULT: the memory is gone, which is the program's affair. */
int mai_kernel_set_range(uintptr_t start, size_t bytes, enum mai_mode mode, const uint32_t *nodes,
                         uint32_t count) {
  int result = set_range(start, bytes, mode, nodes, count);
  if (result != 0 && errno != EFAULT)
    MAI_REFUSED("mbind");
  return result;
}

bool mai_kernel_has_policy(uintptr_t address) {
  int mode = MPOL_DEFAULT;
  int error = errno;
  bool has = call_get_mempolicy(&mode, NULL, address, MPOL_F_ADDR) == 0 && mode != MPOL_DEFAULT;
  errno = error;
  return has;
}

bool mai_kernel_has_memory(uintptr_t address) {
  unsigned char ignored;
  uintptr_t page = address - address % (uintptr_t)sysconf(_SC_PAGESIZE);
  int error = errno;
  bool has =
      minas_system(SYS_mincore, (long)page, 1, (long)&ignored, 0, 0, 0) == 0 || errno != ENOMEM;
  errno = error;
  return has;
}

uint64_t mai_kernel_weight(uint32_t node) {
  char path[96];
  uint64_t weight;
  snprintf(path, sizeof path, "/sys/kernel/mm/mempolicy/weighted_interleave/node%u", node);
  return minas_read_number(path, &weight) ? weight : 0;
}

/* A page that nobody else uses; NULL when there is none. */
static char *map_page(size_t page_size) {
  void *page = mmap(NULL, page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return page == MAP_FAILED ? NULL : page;
}

int mai_kernel_probe(size_t page_size) {
  char *page = map_page(page_size);
  if (!page)
    return errno;
  int error = call_mbind((uintptr_t)page, page_size, MPOL_LOCAL, NULL, 0) == 0 ? 0 : errno;
  munmap(page, page_size);
  if (!error)
    find_binding();
  return error;
}

size_t mai_kernel_interleave_mask(size_t page_size, const uint32_t *nodes) {
  enum { NODES = MAI_INTERLEAVE_PROBE_NODES };
  int node = MAI_PAGE_UNKNOWN;
  char *page = map_page(page_size);
  if (!page)
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

bool mai_kernel_thread_has_policy(void) {
  int mode = MPOL_DEFAULT;
  int error = errno;
  bool has = call_get_mempolicy(&mode, NULL, 0, 0) == 0 && mode != MPOL_DEFAULT;
  errno = error;
  return has;
}

int mai_kernel_save_thread_policy(struct mai_thread_policy *saved) {
  return call_get_mempolicy(&saved->mode, &saved->nodes, 0, 0);
}

void mai_kernel_restore_thread_policy(const struct mai_thread_policy *saved) {
  int error = errno;
  bool has_nodes = saved->mode != MPOL_DEFAULT && saved->mode != MPOL_LOCAL;
  call_set_mempolicy(saved->mode, has_nodes ? &saved->nodes : NULL);
  errno = error;
}

int mai_kernel_set_thread_policy(enum mai_mode mode, const uint32_t *nodes, uint32_t count) {
  struct mai_node_mask mask;
  if (mode == MAI_MODE_LOCAL)
    return user.is_bound ? call_set_mempolicy(MPOL_BIND, &user.nodes)
                         : call_set_mempolicy(MPOL_LOCAL, NULL);
  int kernel_mode = mode_of_kernel(mode, count);
  mask_set(&mask, nodes, count);
  int result = call_set_mempolicy(kernel_mode, &mask);
  if (result != 0 && errno == EINVAL && kernel_mode == MPOL_PREFERRED_MANY)
    return mai_kernel_set_thread_policy(mode, nodes, 1); /* an older kernel */
  return result;
}

/* What a handler of a fault has on its stack is not to be much. */
enum { QUERY_BATCH = 64 };

/*===-- Pages --------------------------------------------------------------===*/

int mai_kernel_populate(uintptr_t start, size_t bytes, size_t page_size) {
  if (bytes > page_size) {
    if (madvise((void *)start, bytes, MADV_POPULATE_WRITE) == 0)
      return 0;
    if (errno != EINVAL) { /* a kernel that does not know it */
      MAI_REFUSED("madvise");
      return -1;
    }
  }
  for (size_t offset = 0; offset < bytes; offset += page_size) {
    /* Pages may hold something, and other threads may be writing to them. */
    char *byte = (char *)(start + offset);
    char zero = 0;
    __atomic_compare_exchange_n(byte, &zero, 0, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  }
  return 0;
}

int mai_kernel_give_back(uintptr_t start, size_t bytes) {
  return madvise((void *)start, bytes, MADV_DONTNEED);
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
  struct minas_lines lines;
  size_t kib = 0;
  const char *line;
  snprintf(path, sizeof path, "/sys/devices/system/node/node%u/meminfo", node);
  if (minas_lines_open(&lines, path) != 0)
    return SIZE_MAX;
  while ((line = minas_lines_next(&lines)))
    kib += free_in_line(line);
  minas_lines_close(&lines);
  return kib * 1024;
}

size_t mai_kernel_free_memory(const uint32_t *nodes, uint32_t count) {
  size_t sum = 0;
  for (uint32_t i = 0; i < count; i++) {
    size_t bytes = mai_kernel_free_on(nodes[i]);
    if (bytes == SIZE_MAX)
      return SIZE_MAX;
    sum += bytes;
  }
  return sum;
}

size_t mai_kernel_free_huge_on(uint32_t node, size_t page_size) {
  char path[128];
  uint64_t pages;
  snprintf(path, sizeof path,
           "/sys/devices/system/node/node%u/hugepages/hugepages-%zukB/free_hugepages", node,
           page_size / 1024);
  return minas_read_number(path, &pages) ? pages * page_size : 0;
}

/* The entry of the page table for a page, as /proc/self/pagemap shows it. */
enum { ENTRY_PRESENT = 63, ENTRY_SWAPPED = 62, ENTRY_BATCH = 64 };

/* What move_pages() says once the page has been looked at as a program would, which gives access
   back; the node seen then, where it is hidden again meanwhile.  It does not say what is swapped
   out. */
static int look_again(uintptr_t address, uint64_t entry) {
  int node = -EIO, status = -EIO;
  void *page = (void *)address;
  bool present = entry >> ENTRY_PRESENT & 1;
  if (present && call_get_mempolicy(&node, NULL, address, MPOL_F_NODE | MPOL_F_ADDR) == 0 &&
      call_move_pages(1, &page, NULL, &status, 0) == 0)
    return status == -ENOENT ? node : status;
  return -EIO;
}

static bool is_absent(int status) { return status == -ENOENT || status == -EFAULT; }

static void look_at_entries(int table, uintptr_t start, size_t pages, size_t page_size,
                            int *statuses) {
  uint64_t entries[ENTRY_BATCH] = {0};
  size_t bytes = pages * sizeof *entries;
  off_t offset = (off_t)(start / page_size * sizeof *entries);
  bool read = table >= 0 && minas_system(SYS_pread64, table, (long)entries, (long)bytes,
                                         (long)offset, 0, 0) == (long)bytes;
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
  int table = minas_open("/proc/self/pagemap");
  for (; first < pages; first += ENTRY_BATCH) {
    size_t count = pages - first < ENTRY_BATCH ? pages - first : ENTRY_BATCH;
    look_at_entries(table, start + first * page_size, count, page_size, statuses + first);
  }
  if (table >= 0)
    minas_close(table);
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
    if (call_move_pages(batch, addresses, NULL, nodes + done, 0) != 0)
      return -1;
    find_hidden(start + done * page_size, batch, page_size, nodes + done);
    for (size_t i = 0; i < batch; i++)
      nodes[done + i] = node_of_status(nodes[done + i]);
  }
  return 0;
}

bool mai_kernel_is_elsewhere(void **addresses, const int *nodes, size_t count) {
  int error = errno, found[MAI_MOST_ELSEWHERE];
  bool is_elsewhere = false;
  for (size_t i = 0; i < count; i++)
    found[i] = nodes[i];
  if (call_move_pages(count, addresses, NULL, found, 0) == 0)
    for (size_t i = 0; i < count; i++)
      is_elsewhere |= found[i] >= 0 && found[i] != nodes[i];
  errno = error;
  return is_elsewhere;
}

/* The kernel moves pages that follow each other in the list and go to one node together.  Where
   some of these stay it ends, and tells of none of them.
   @return the first entry behind them; `count` where there are none */
static size_t behind_failed(const int *nodes, int *status, size_t first, size_t count, int reason) {
  while (first < count && status[first] != MAI_NO_STATUS)
    first++;
  size_t end = first;
  for (; end < count && nodes[end] == nodes[first] && status[end] == MAI_NO_STATUS; end++)
    status[end] = reason;
  return end;
}

/* A positive result counts pages that stayed. */
static int move_some(void **addresses, const int *nodes, int *status, size_t count) {
  for (size_t done = 0; done < count;) {
    long stayed =
        call_move_pages(count - done, addresses + done, nodes + done, status + done, MPOL_MF_MOVE);
    if (stayed == 0)
      return 0;
    if (stayed < 0 && errno != ENOMEM) {
      MAI_REFUSED("move_pages");
      return -1;
    }
    done = behind_failed(nodes, status, done, count, stayed < 0 ? -ENOMEM : MAI_NO_STATUS);
  }
  return 0;
}

int mai_kernel_move(void **addresses, const int *nodes, int *status, size_t count) {
  for (size_t i = 0; i < count; i++)
    status[i] = MAI_NO_STATUS;
  for (size_t done = 0; done < count; done += QUERY_BATCH) {
    size_t batch = count - done < QUERY_BATCH ? count - done : QUERY_BATCH;
    if (move_some(addresses + done, nodes + done, status + done, batch) != 0)
      return -1;
  }
  return 0;
}
