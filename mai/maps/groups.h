/*===-- groups.h - the objects of the machine that hold a CPU ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Cores, caches, nodes and packages as groups of CPUs.  A group has a number; two CPUs are in the
 * same group of a kind when their numbers are equal.  CPUs are named by logical index.
 */
#ifndef MAI_GROUPS_H
#define MAI_GROUPS_H

#include <stdint.h>

#include "numarch.h"

enum mai_group {
  MAI_GROUP_CPU,
  MAI_GROUP_CORE,
  MAI_GROUP_CACHE_1, /**< of level 1, for data; those of the next levels follow */
  MAI_GROUP_CACHE_2,
  MAI_GROUP_CACHE_3,
  MAI_GROUP_CACHE_4,
  MAI_GROUP_LAST_CACHE, /**< the cache of the highest level; the core where there is none */
  MAI_GROUP_NODE,
  MAI_GROUP_PACKAGE
};

/** The number of the CPU's group of this kind, or NUMARCH_NONE when it has none. */
uint32_t mai_group_of(const numarch_t *machine, enum mai_group kind, uint32_t cpu);

/** The groups of all CPUs, looked up once. */
struct mai_group_table {
  const numarch_t *machine;
  uint32_t *groups[MAI_GROUP_PACKAGE + 1]; /**< by kind; NULL: not looked up yet */
};

/** The group of this kind of each CPU, by logical index; NULL with errno ENOMEM.  The table starts
 *  with its machine and all else 0, and is freed by mai_group_table_free(). */
const uint32_t *mai_group_table_get(struct mai_group_table *table, enum mai_group kind);
void mai_group_table_free(struct mai_group_table *table);

/**
 * For each CPU the rank of its `inner` group among those that have their first CPU in the same
 * `outer` group, in the order of the topology.
 *
 * @return an array to be freed, or NULL with errno ENOMEM
 */
uint32_t *mai_group_ranks(const numarch_t *machine, enum mai_group inner, enum mai_group outer);

#endif /* MAI_GROUPS_H */
