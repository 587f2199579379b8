/*===-- placement.h - which page belongs on which node ---------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A placement is a pure function of the policy, the array's address and shape, the page size and
 * the nodes of the threads.  It touches no memory and asks no kernel, so it holds for any machine.
 *
 * Only pages that lie wholly inside the array are placed: the first and the last may hold other
 * variables.  Nodes are OS indices, pages are counted from the first whole page.
 */
#ifndef MAI_PLACEMENT_H
#define MAI_PLACEMENT_H

#include <stddef.h>
#include <stdint.h>

#include "mai_types.h"

/** Where an array lies and how it is divided. */
struct mai_shape {
  uintptr_t start; /**< address */
  size_t bytes;    /**< of the whole array */
  size_t unit;     /**< bytes of one unit */
};

/** What a placement needs to know of machine and threads. */
struct mai_terrain {
  size_t page_size;             /**< bytes */
  size_t deal_size;             /**< bytes that cyclic deals at a time: a multiple of page_size */
  size_t deal_mask;             /**< the bits that the kernel looks at of the number of a deal */
  uint32_t node_count;          /**< entries of `nodes`, at least 1 */
  const uint32_t *nodes;        /**< the nodes that cyclic deals to */
  uint32_t thread_count;        /**< entries of `thread_nodes`, at least 1 */
  const uint32_t *thread_nodes; /**< the node of each thread of the team */
};

/** Pages from `first` up to the next run's `first` belong on `node`. */
struct mai_run {
  size_t first;
  uint32_t node;
};

/** Where each page of an array belongs. */
struct mai_placement {
  uintptr_t start;  /**< address of page 0 */
  size_t page_size; /**< bytes */
  size_t pages;     /**< pages wholly inside the array; may be 0 */
  size_t deal;      /**< cyclic: pages dealt at a time; 0: `runs` tell */
  size_t deal_mask; /**< cyclic: the bits that the kernel looks at of the number of a deal */
  uint32_t count;   /**< cyclic: nodes; else: runs; 0: pages may be anywhere (MAI_POLICY_NONE) */
  union {
    uint32_t *nodes;      /**< cyclic: the page with number p in the address space belongs on
                               nodes[(p / deal & deal_mask) mod count] */
    struct mai_run *runs; /**< ascending, neighbours on different nodes, the first at page 0 */
  };
};

/**
 * Compute where the pages of an array belong.
 *
 * Block: the units [first, first + count) are divided among T threads as schedule(static) divides
 * the iterations of a loop: the first (count mod T) threads get one more than the others.  A page
 * with units of several threads belongs to the one whose share holds its middle.
 *
 * Cyclic follows the address, not the offset in the array, as the kernel's own interleaving does.
 *
 * @return 0, or -1 with errno EINVAL (policy unknown, or its range outside the array) or ENOMEM.
 *   On success free it with mai_placement_free().
 */
int mai_placement_compute(const mai_policy_t *policy, const struct mai_shape *shape,
                          const struct mai_terrain *terrain, struct mai_placement *placement);

/** Free what mai_placement_compute() allocated. */
void mai_placement_free(struct mai_placement *placement);

/** What mai_placement_node() says of a page that may be anywhere. */
#define MAI_ANY_NODE UINT32_MAX

/** The node on which page `page` < pages belongs, or MAI_ANY_NODE. */
uint32_t mai_placement_node(const struct mai_placement *placement, size_t page);

#endif /* MAI_PLACEMENT_H */
