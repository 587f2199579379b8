/*===-- measure_buffer.c - memory on one node --------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The kernel is asked for the node, not told: told, it kills a process for which the node is too
 * full.  So it is asked afterwards where the pages are.
 */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <numaif.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "measure.h"

enum { BITS_PER_LONG = sizeof(unsigned long) * CHAR_BIT, BATCH = 1024 };
static const size_t HUGE_PAGE = (size_t)1 << 21;

static int complain(const char *what, uint32_t os_node) {
  fprintf(stderr, "numarch: node %" PRIu32 ": %s: %s\n", os_node, what, strerror(errno));
  return -1;
}

/* Memory that starts where a huge page may. */
static char *map_aligned(size_t size) {
  size_t whole = size + HUGE_PAGE;
  char *start = mmap(NULL, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED)
    return NULL;
  size_t before = (HUGE_PAGE - (uintptr_t)start % HUGE_PAGE) % HUGE_PAGE;
  if (before > 0)
    munmap(start, before);
  munmap(start + before + size, whole - before - size);
  return start + before;
}

static int prefer_node(const struct measure_buffer *buffer, uint32_t os_node) {
  unsigned long mask[NUMARCH_MEASURED_NODES / BITS_PER_LONG] = {0};
  if (os_node >= NUMARCH_MEASURED_NODES) {
    errno = EINVAL;
    return -1;
  }
  mask[os_node / BITS_PER_LONG] = 1UL << os_node % BITS_PER_LONG;
  return (int)mbind(buffer->start, buffer->size, MPOL_PREFERRED, mask, NUMARCH_MEASURED_NODES + 1UL,
                    0);
}

/* The nodes of up to BATCH pages, `step` bytes apart. @return how many are elsewhere, -1 with errno
 */
static int count_strays(char *first, unsigned long count, size_t step, uint32_t os_node) {
  void *pages[BATCH];
  int nodes[BATCH];
  int strays = 0;
  for (unsigned long i = 0; i < count; i++)
    pages[i] = first + i * step;
  if (move_pages(0, count, pages, NULL, nodes, 0) != 0)
    return -1;
  for (unsigned long i = 0; i < count; i++)
    strays += nodes[i] != (int)os_node;
  return strays;
}

/* Ask for every page, or where there are many for BATCH of them all over the memory. */
static int verify_node(const struct measure_buffer *buffer, uint32_t os_node) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  size_t pages = buffer->size / page;
  size_t stride = pages > BATCH ? pages / BATCH : 1;
  unsigned long count = pages > BATCH ? BATCH : pages;
  int strays = count_strays(buffer->start, count, stride * page, os_node);
  if (strays < 0)
    return complain("the kernel does not tell where memory is", os_node);
  if (strays == 0)
    return 0;
  fprintf(stderr,
          "numarch: node %" PRIu32 ": %d of %lu pages came from other nodes: free some of its "
          "memory, or measure less with --measure-bytes\n",
          os_node, strays, count);
  return -1;
}

/* The amount that a line such as "AnonHugePages:  2048 kB" tells, in bytes. */
static size_t field_bytes(const char *line, const char *field) {
  size_t length = strlen(field);
  return strncmp(line, field, length) == 0 ? strtoul(line + length, NULL, 10) * 1024 : 0;
}

/* How much of the mapping of an address lies in huge pages, by /proc/self/smaps. */
static size_t huge_bytes(const char *address) {
  FILE *maps = fopen("/proc/self/smaps", "re");
  char line[512];
  bool inside = false;
  size_t bytes = 0;
  while (maps && fgets(line, sizeof line, maps)) {
    char *end = NULL;
    uintptr_t first = strtoul(line, &end, 16);
    if (*end == '-' && end != line)
      inside = first <= (uintptr_t)address && (uintptr_t)address < strtoul(end + 1, NULL, 16);
    else if (inside)
      bytes += field_bytes(line, "AnonHugePages:");
  }
  if (maps)
    fclose(maps);
  return bytes;
}

static int fill(struct measure_buffer *buffer, uint32_t os_node, bool verify) {
  if (verify && prefer_node(buffer, os_node) != 0)
    return complain("memory cannot be bound to it", os_node);
  /* Where the kernel has none, times of address translation are in what is measured. */
  (void)madvise(buffer->start, buffer->size, MADV_HUGEPAGE);
  memset(buffer->start, 1, buffer->size);
  buffer->huge_pages = huge_bytes(buffer->start) >= buffer->size / 2;
  return verify ? verify_node(buffer, os_node) : 0;
}

int measure_buffer_get(struct measure_buffer *buffer, size_t size, uint32_t os_node, bool verify) {
  *buffer = (struct measure_buffer){.start = map_aligned(size), .size = size};
  if (!buffer->start)
    return complain("no memory", os_node);
  if (fill(buffer, os_node, verify) == 0)
    return 0;
  measure_buffer_free(buffer);
  return -1;
}

void measure_buffer_free(struct measure_buffer *buffer) {
  munmap(buffer->start, buffer->size);
  *buffer = (struct measure_buffer){0};
}
