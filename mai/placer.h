/*===-- placer.h - puts pages on nodes, and asks where they are *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Applies placements to memory.  Nothing else in the library calls mbind, set_mempolicy or
 * move_pages.  Nodes are OS indices.
 */
#ifndef MAI_PLACER_H
#define MAI_PLACER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "placement.h"

/** 0 when the kernel lets this process place memory, else the errno with which it refuses. */
int mai_placer_probe(size_t page_size);

/** How many nodes mai_placer_interleave_mask() needs. */
#define MAI_INTERLEAVE_PROBE_NODES 3

/**
 * The bits of a page's number in the address space that the kernel looks at when it interleaves:
 * some kernels (Linux 6.1) take the low 32, others all.  It makes a difference where the number of
 * nodes is no power of 2, so it is found out with three nodes of the machine, ascending.
 */
size_t mai_placer_interleave_mask(size_t page_size, const uint32_t *nodes);

/** How a placement is to be applied. */
struct mai_placing {
  bool strict;           /**< pages go where they belong or nowhere: no spilling */
  size_t huge_page_size; /**< as in struct mai_machine */
  uint32_t node_count;   /**< nodes with memory: a mapping may be cut into node_count + 1 pieces */
};

/**
 * Set the policy of memory that nobody has written to, so that each page comes to its node at first
 * touch.  A placement in more runs than node_count + 1 would cut the mapping into too many pieces:
 * its pages are brought in at once, and the mapping stays in one piece.
 *
 * @return 0, or -1 with errno ENOMEM (not enough free memory to bring the pages in) or what the
 * kernel said
 */
int mai_placer_apply(const struct mai_placement *placement, const struct mai_placing *placing);

/** What mai_placer_where() says of a page that is not in memory. */
#define MAI_PAGE_UNTOUCHED (-1)
/** What mai_placer_where() says of a page of which the kernel tells nothing. */
#define MAI_PAGE_UNKNOWN (-2)

/**
 * Ask the kernel where pages are.
 *
 * @param start address of the first page, at a page boundary
 * @param pages how many
 * @param nodes receives for each page its node, MAI_PAGE_UNTOUCHED or MAI_PAGE_UNKNOWN
 * @return 0, or -1 with the errno of move_pages()
 */
int mai_placer_where(uintptr_t start, size_t page_size, size_t pages, int *nodes);

#endif /* MAI_PLACER_H */
