/*===-- look.c - says where the pages of arrays are ------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include <errno.h>
#include <limits.h>

#include "kernel.h"
#include "mai.h"
#include "memory.h"
#include "next_touch.h"
#include "registry.h"

int mai_verify(const void *start, struct mai_pages *pages, size_t *per_node, unsigned nodes) {
  return mai_registry_verify(start, pages, per_node, nodes);
}

int mai_node_meant(const void *address) { return mai_registry_node_meant(address); }

int mai_where(const void *address) {
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
  mai_registry_lock();
  const struct mai_array *array = mai_registry_find(start);
  long pages = -1;
  if (array)
    pages = map_pages(array, first, count, nodes);
  else
    errno = EINVAL;
  mai_registry_unlock();
  return pages;
}

void mai_array_statistics(const struct mai_array *array, const struct mai_mapping_list *mappings,
                          struct mai_statistics *statistics) {
  const struct mai_placement *placement = &array->placement;
  size_t bytes = placement->pages * placement->page_size;
  uintptr_t end = placement->start + bytes;
  *statistics = (struct mai_statistics){
      .bytes = array->shape.bytes,
      .page_size = placement->page_size,
      .mappings = mappings ? mai_memory_count_mappings(mappings, placement->start, end)
                           : mai_memory_kind(placement->start, end).mappings,
      .moved_pages = array->moved_pages + mai_next_touch_moved(placement->start, bytes),
      .placing_seconds = array->placing_seconds};
}

int mai_get_statistics(const void *start, struct mai_statistics *statistics) {
  mai_registry_lock();
  const struct mai_array *array = mai_registry_find(start);
  if (array)
    mai_array_statistics(array, NULL, statistics);
  else
    errno = EINVAL;
  mai_registry_unlock();
  return array ? 0 : -1;
}
