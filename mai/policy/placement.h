/*===-- placement.h - which page belongs on which node ---------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A placement is a pure function of the policy, the array's address and shape, the page size and
 * the nodes of the threads.  It touches no memory and asks no kernel, so it holds for any machine.
 * It is kept as a rule, not as a list: a page's node is worked out when it is asked for, so that a
 * placement of millions of pieces costs no memory.
 *
 * A page has a unit, a unit has a node.  Nodes are OS indices, pages are counted from the first
 * that is placed.
 *
 * The unit of a page is the one of the byte in its middle.  Where units are smaller than pages, the
 * middles of all pages might hit units of the same node again and again: of rows of 512 bytes,
 * every eighth.  So what is distributed to nodes is distributed by pages there; and of what goes to
 * threads, which want their own units, a page goes to the node whose threads have most of it, in
 * turn where several have as much.
 */
#ifndef MAI_PLACEMENT_H
#define MAI_PLACEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "policy.h"

/** One more than the highest OS index of a node that Linux can have. */
#define MAI_MOST_NODES 1024

/** Where an array lies and how it is divided. */
struct mai_shape {
  uintptr_t start;                     /**< address */
  size_t bytes;                        /**< of the whole array */
  unsigned dimensions;                 /**< entries of `strides`, at least 1 */
  size_t strides[MAI_MOST_DIMENSIONS]; /**< bytes from one index of a dimension to the next, the
                                            slowest dimension first; each divides the one before */
  enum mai_ends {
    MAI_ENDS_LEFT,      /**< pages at both ends that hold something else are not placed */
    MAI_ENDS_OWN,       /**< they hold nothing else and are placed as well */
    MAI_ENDS_BY_MIDDLE, /**< they are placed where their middle is in the array */
  } ends;
};

/** What a placement needs to know of machine and threads. */
struct mai_targets {
  size_t page_size;             /**< bytes */
  size_t part_size;             /**< bytes of MAI_UNIT_PAGES: a multiple of page_size */
  size_t part_mask;             /**< the bits that the kernel looks at of the number of a part */
  uint32_t node_count;          /**< entries of `nodes`, at least 1 */
  const uint32_t *nodes;        /**< the nodes that get parts */
  const unsigned long *weights; /**< weighted: one for each of `nodes`, 1 to 2^32 - 1 */
  uint32_t thread_count;        /**< entries of `thread_nodes`, at least 1 */
  const uint32_t *thread_nodes; /**< the node of each thread of the team */
};

/** How the unit of a page follows from its number. */
struct mai_view {
  enum { MAI_BY_PAGES, MAI_BY_DIMENSION, MAI_BY_BLOCKS, MAI_BY_SLICES } by;
  size_t part;         /**< pages: how many make a unit */
  bool by_kernel;      /**< pages: as many at a time as the kernel distributes */
  size_t part_mask;    /**< pages: as in struct mai_targets */
  size_t origin;       /**< pages: the number of the part with which counting begins */
  uintptr_t start;     /**< of the array */
  size_t bytes;        /**< of the array */
  size_t outer;        /**< dimension: bytes after which its index begins again */
  unsigned dimensions; /**< blocks: entries of what follows */
  size_t strides[3];   /**< dimension: [0]; blocks: of each dimension */
  size_t extents[3];   /**< blocks: indices of each dimension */
  size_t block[3];     /**< blocks: indices that make one */
  unsigned slices;     /**< slices: entries of what follows */
  size_t *ends;        /**< slices: bytes in front of the end of each */
};

/** The number of the first page whose middle is at an address or behind it. */
static inline uintptr_t mai_page_by_middle(uintptr_t address, size_t page_size) {
  return (address + page_size / 2 - 1) / page_size;
}

/** Where each page of an array belongs. */
struct mai_placement {
  uintptr_t start;  /**< address of page 0 */
  size_t page_size; /**< bytes */
  size_t pages;     /**< may be 0 */
  enum mai_rule {
    MAI_RULE_ANYWHERE,     /**< pages may be on any node */
    MAI_RULE_ANY_OF,       /**< on any of `nodes` */
    MAI_RULE_ONE,          /**< all on nodes[0] */
    MAI_RULE_BLOCK,        /**< nodes[thread], shares of schedule(static) */
    MAI_RULE_BLOCK_CYCLIC, /**< nodes[thread], chunks of schedule(static, value) */
    MAI_RULE_CYCLIC,
    MAI_RULE_SKEW,
    MAI_RULE_PRIME,
    MAI_RULE_RANDOM,
    MAI_RULE_WEIGHTED, /**< by `bounds`, again and again */
    MAI_RULE_IRREGULAR /**< by `bounds` */
  } rule;
  struct mai_view view;
  bool finer_than_pages; /**< pieces of memory that go to one thread, which gets others further on,
                              are smaller than pages, or so is one of unequal parts */
  uint32_t count;        /**< entries of `nodes` */
  uint32_t *nodes;       /**< what the rule distributes to: nodes, or the nodes of threads */
  size_t first;          /**< block, block-cyclic: first unit of the range */
  size_t range;          /**< block, block-cyclic: units in it */
  bool reversed;         /**< block, block-cyclic: the range is counted from its end */
  size_t value;          /**< block-cyclic: units a chunk; prime; random: seed */
  uint64_t *bounds;      /**< weighted, irregular: for each of `nodes` the end of its units */
  uint16_t *moved; /**< NULL, or a node for each page that overrides the rule; MAI_NOT_MOVED */
};

/** Entries of mai_placement::moved: overrides nothing; the page may be anywhere. */
#define MAI_NOT_MOVED UINT16_MAX
#define MAI_MOVED_ANYWHERE (UINT16_MAX - 1)

/**
 * Compute where the pages of an array belong, by the definitions in policy.h.
 *
 * Block: the units [first, first + count) are divided among T threads as schedule(static) divides
 * the iterations of a loop: the first (count mod T) threads get one more than the others.
 *
 * Cyclic by pages follows the address, not the offset in the array, as the kernel's own
 * interleaving does: of an array whose address is a multiple of N pages, page i is on node i mod N.
 *
 * @return 0, or -1 with errno EINVAL (policy unknown or not fit for the shape) or ENOMEM.
 *   On success free it with mai_placement_free().
 */
int mai_placement_compute(const mai_policy_t *policy, const struct mai_shape *shape,
                          const struct mai_targets *targets, struct mai_placement *placement);

/** Free what mai_placement_compute() allocated. */
void mai_placement_free(struct mai_placement *placement);

/** What mai_placement_node() says of a page that may be on several nodes. */
#define MAI_ANY_NODE UINT32_MAX

/** The node on which page `page` < pages belongs, or MAI_ANY_NODE. */
uint32_t mai_placement_node(const struct mai_placement *placement, size_t page);

/** Whether page `page` is where it belongs when it is on `node`. */
bool mai_placement_accepts(const struct mai_placement *placement, size_t page, uint32_t node);

/** mai_placement_node() of the pages [first, first + count), cut off to 16 bits. */
void mai_placement_list_nodes(const struct mai_placement *placement, size_t first, size_t count,
                              uint16_t *nodes);

/** The end (the page after the last) of the pages from `page` on that belong on the same node. */
size_t mai_placement_run_end(const struct mai_placement *placement, size_t page);

/** How many runs of pages with the same node there are, counting no further than `most` + 1. */
size_t mai_placement_count_runs(const struct mai_placement *placement, size_t most);

/** Let pages [first, first + count) belong on `node`, or anywhere (MAI_ANY_NODE), whatever the
 * policy says.
 *  @return 0, or -1 with errno ENOMEM */
int mai_placement_move(struct mai_placement *placement, size_t first, size_t count, uint32_t node);

/** The first of thread `thread`'s of `count` units, as schedule(static) divides a loop among
 *  `threads`; `thread` = `threads`: the end of all. */
size_t mai_share_begin(size_t count, size_t threads, size_t thread);

/** Whether `number`, at most 2^32 - 1, is a prime. */
bool mai_is_prime(unsigned long number);

/** The indices of dimension `dimension` of an array. */
size_t mai_shape_extent(const struct mai_shape *shape, unsigned dimension);

#endif /* MAI_PLACEMENT_H */
