/*===-- named_maps.h - which thread belongs on which CPU ------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A thread map is a list of CPUs: thread i belongs on the i-th, and where there are more threads
 * than entries, on entry i mod n.  Named maps are computed from the topology alone.
 */
#ifndef MAI_NAMED_MAPS_H
#define MAI_NAMED_MAPS_H

#include <stdbool.h>
#include <stdint.h>

#include "numarch.h"

/** CPUs by OS index. */
struct mai_cpu_list {
  uint32_t *cpus;
  uint32_t count;
};

/** Free the list's memory; the list is empty then. */
void mai_cpu_list_free(struct mai_cpu_list *list);

/** The entry of a CPU in a list in ascending order, or NULL. */
const uint32_t *mai_cpu_list_find(const struct mai_cpu_list *list, uint32_t cpu);

/** All CPUs of the machine, ascending. @return 0, or -1 with errno ENOMEM */
int mai_cpu_list_all(const numarch_t *machine, struct mai_cpu_list *list);

/** The thread maps that have names. */
enum mai_named_map {
  MAI_NAMED_MAP_COMPACT, /**< side by side in the order of the topology */
  MAI_NAMED_MAP_SCATTER, /**< as far apart as possible: to the packages in turn, within each to its
                            nodes, within those to the last-level caches, then to the cores */
  MAI_NAMED_MAP_PER_CACHE, /**< to the last-level caches in turn */
  MAI_NAMED_MAP_PER_NODE   /**< to the nodes in turn */
};

/** What the user calls them: "compact", "scatter", "per-cache", "per-node". */
const char *mai_named_map_name(enum mai_named_map map);

/** Find a map by its name. @return whether there is one */
bool mai_named_map_by_name(const char *name, enum mai_named_map *map);

/**
 * Make a map of all CPUs.  In each, no core has a second thread before every core has one.  Of
 * the compact one, the first `threads` entries are such a team; those after them are the CPUs that
 * are left, for teams that are larger.
 *
 * @return 0, or -1 with errno ENOMEM
 */
int mai_named_map_make(const numarch_t *machine, enum mai_named_map map, unsigned threads,
                       struct mai_cpu_list *list);

#endif /* MAI_NAMED_MAPS_H */
