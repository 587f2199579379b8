/*===-- look.c - says where the pages of arrays are ------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include <errno.h>
#include <limits.h>

#include "mai/policy/policy.h"
#include "mai/process/call.h"
#include "mai/memory/kernel.h"
#include "lifetime.h"
#include "mai/memory/machine.h"
#include "mai.h"
#include "summary.h"

int mai_verify(const void *start, struct mai_pages *pages, size_t *per_node, unsigned nodes) {
  MAI_CALL;
  struct mai_array *array = mai_lifetime_hold(start, MAI_TO_LOOK);
  if (!array)
    return -1;
  int result = mai_summary_look(array, pages, per_node, per_node ? nodes : 0);
  mai_registry_release(array);
  return result;
}

/* The page of an address, and the node on which it belongs. */
struct page {
  uintptr_t address;
  uint32_t node;
};

/* While nobody can change the array. */
static bool find_node_meant(const struct mai_array *array, void *context) {
  struct page *page = context;
  const struct mai_placement *placement = &array->placement;
  size_t offset = page->address - placement->start;
  if (page->address < placement->start ||
      page->address - array->shape.start >= array->shape.bytes ||
      offset >= placement->pages * placement->page_size)
    return false;
  page->node = mai_placement_node(placement, offset / placement->page_size);
  return page->node != MAI_ANY_NODE;
}

int mai_node_meant(const void *address) {
  MAI_CALL;
  struct page page = {.address = (uintptr_t)address};
  if (mai_registry_look(page.address, page.address + 1, find_node_meant, &page))
    return (int)page.node;
  errno = EINVAL;
  return -1;
}

int mai_where(const void *address) {
  MAI_CALL;
  const struct mai_machine *machine = mai_machine();
  if (!machine)
    return -1;
  int node;
  uintptr_t page = (uintptr_t)address & ~(uintptr_t)(machine->page_size - 1);
  if (mai_kernel_where(page, machine->page_size, 1, &node) != 0)
    return -1;
  if (node < 0)
    errno = node == MAI_PAGE_UNTOUCHED ? ENOENT : EFAULT;
  return node < 0 ? -1 : node;
}

static long map_pages(const struct mai_array *array, size_t first, size_t count, int *nodes) {
  const struct mai_placement *placement = &array->placement;
  size_t left = first < placement->pages ? placement->pages - first : 0;
  size_t pages = count < left ? count : left;
  if (pages > LONG_MAX)
    pages = LONG_MAX;
  uintptr_t start = placement->start + first * placement->page_size;
  return mai_kernel_where(start, placement->page_size, pages, nodes) == 0 ? (long)pages : -1;
}

long mai_page_map(const void *start, size_t first, size_t count, int *nodes) {
  MAI_CALL;
  struct mai_array *array = mai_lifetime_hold(start, MAI_TO_LOOK);
  if (!array)
    return -1;
  long pages = map_pages(array, first, count, nodes);
  mai_registry_release(array);
  return pages;
}

int mai_get_statistics(const void *start, struct mai_statistics *statistics) {
  MAI_CALL;
  struct mai_array *array = mai_lifetime_hold(start, MAI_TO_LOOK);
  if (!array)
    return -1;
  mai_summary_statistics(array, NULL, statistics);
  mai_registry_release(array);
  return 0;
}

int mai_policy_of(const void *start, char *text, size_t size) {
  MAI_CALL;
  struct mai_array *array = mai_registry_hold(start);
  if (!array)
    return -1;
  int length = mai_policy_format(&array->policy, text, size);
  mai_registry_release(array);
  return length;
}

/* An address, and the array around it. */
struct around {
  uintptr_t address;
  void *start;
  size_t bytes;
};

/* While nobody can change the array. */
static bool find_around(const struct mai_array *array, void *context) {
  struct around *around = context;
  around->start = (void *)array->shape.start;
  around->bytes = array->shape.bytes;
  return around->address - array->shape.start < array->shape.bytes;
}

void *mai_array_around(const void *address, size_t *bytes) {
  MAI_CALL;
  struct around around = {.address = (uintptr_t)address};
  if (!mai_registry_look(around.address, around.address + 1, find_around, &around)) {
    errno = EINVAL;
    return NULL;
  }
  if (bytes)
    *bytes = around.bytes;
  return around.start;
}

/*===-- The machine --------------------------------------------------------===*/

int mai_list_nodes(unsigned *nodes, unsigned most) {
  MAI_CALL;
  const struct mai_machine *machine = mai_machine();
  if (!machine)
    return -1;
  for (uint32_t i = 0; i < machine->node_count && i < most; i++)
    nodes[i] = machine->nodes[i];
  return (int)machine->node_count;
}

const struct numarch *mai_topology(void) {
  MAI_CALL;
  const struct mai_machine *machine = mai_machine();
  return machine ? machine->topology : NULL;
}
