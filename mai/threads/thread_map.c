/*===-- thread_map.c - the CPU of each thread --------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "thread_map.h"

#include <errno.h>
#include <stdatomic.h>

#include "runtime/heap.h"
#include "team_cache.h"

/* Maps are never freed; each knows the one before it. */
struct map {
  struct map *before;
  char *origin;
  struct mai_cpu_list list;
  unsigned pinned;
};

static struct map *_Atomic newest; /* a thread may still look at an older one */

static const struct map *current_map(void) {
  return atomic_load_explicit(&newest, memory_order_acquire);
}

int mai_thread_map_use(const char *origin, struct mai_cpu_list *list, unsigned pinned) {
  struct map *map = minas_alloc(sizeof *map);
  char *copy = minas_copy_text(origin);
  if (!map || !copy) {
    minas_free(map);
    minas_free(copy);
    mai_cpu_list_free(list);
    errno = ENOMEM;
    return -1;
  }
  *map = (struct map){atomic_load(&newest), copy, *list, pinned};
  while (!atomic_compare_exchange_weak(&newest, &map->before, map))
    ;
  mai_team_cache_clear();
  return 0;
}

uint32_t mai_thread_map_cpu(unsigned entry) {
  const struct mai_cpu_list *list = &current_map()->list;
  bool is_listed = entry < list->count || list->count == 0; /* no map is empty */
  return list->cpus[is_listed ? entry : entry % list->count];
}

bool mai_thread_map_is_cpu(unsigned entry) { return entry < current_map()->pinned; }

unsigned mai_thread_map_count(void) { return current_map()->list.count; }

const char *mai_thread_map_origin(void) { return current_map()->origin; }
