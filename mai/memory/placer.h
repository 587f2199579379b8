/*===-- placer.h - brings a placement about, in new or used memory *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Chooses the way that suits a placement: policies of ranges, by which each page comes to its node
 * at first touch; or populating the pages at once; or, where there are contents, copying or moving
 * them.
 */
#ifndef MAI_PLACER_H
#define MAI_PLACER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mai.h"
#include "mai/policy/placement.h"
#include "numarch.h"

/** So much memory of the program's is moved, and populated, before the kernel has told what kind of
 *  memory it is; its pages are never replaced by copies. */
#define MAI_FEW_BYTES ((size_t)1 << 20)

/** How a placement is to be applied. */
struct mai_placing {
  bool strict;           /**< pages go where they belong or nowhere: no spilling */
  bool local;            /**< pages that may be anywhere are kept from automatic balancing */
  bool by_page;          /**< each page goes with the thread that touches it first: no huge ones */
  bool populate;         /**< populate all pages now */
  unsigned huge_pages;   /**< as the memory was allocated: an enum mai_huge_pages */
  size_t huge_page_size; /**< as in struct mai_machine */
  unsigned most_pieces;  /**< into which ranges with policies may cut the memory; 0: no policy is
                            set,  pages are populated at once or moved */
  bool has_policy;       /**< the memory has a policy already: where all pages belong on one node,
                              that node's, else the local one */
  uint32_t node_count;   /**< nodes with memory */
  const uint32_t *nodes; /**< their OS indices */
  bool own;              /**< the memory is the library's, not the program's */
  bool fresh;            /**< it has just been mapped: what is in it is nobody's */
  bool governed;         /**< the library has set policies everywhere in it before */
  const numarch_t *topology;
  unsigned workers; /**< threads that may populate pages */
};

/** How many pieces policies make of memory that is placed so; 0: none is set. */
size_t mai_placer_pieces(const struct mai_placement *placement, const struct mai_placing *placing);

/**
 * Place memory that nobody has written to.  Where policies of at most `most_pieces` ranges can hold
 * the placement, they are set and pages come at first touch; else the pages are populated at once
 * and the mapping stays in one piece.
 *
 * @return 0, or -1 with errno ENOMEM (not enough free memory to populate the pages) or what the
 * kernel said
 */
int mai_placer_apply(const struct mai_placement *placement, const struct mai_placing *placing);

/** Bring all pages in by the policies that are in force. @return 0, or -1 with errno ENOMEM */
int mai_placer_populate(const struct mai_placement *placement, const struct mai_placing *placing);

/**
 * Place memory that may have contents, which no other thread accesses meanwhile.  It must be mapped
 * privately and writably everywhere.
 *
 * The contents of large memory are copied to placed pages, which then take the place of the old
 * ones; where the nodes have no room for that, or the memory is not plain (mai_memory_is_plain()),
 * pages are moved one by one.
 *
 * @param from_file the memory may be that of a file: all of it is contents, and has to be copied;
 *   it becomes anonymous memory
 * @param moves receives what became of the pages
 * @return 0, or -1 with errno ENOMEM, EBUSY (pages would have to be copied or populated, and the
 *   memory is not plain) or what the kernel said
 */
int mai_placer_replace(const struct mai_placement *placement, const struct mai_placing *placing,
                       bool from_file, struct mai_moves *moves);

/**
 * Move those of the pages [first, first + count) that are in memory, and that are not where they
 * belong.  Other threads may use them meanwhile.
 *
 * @param moves what became of them is added to it
 * @return 0, or -1 with errno ENOMEM, EPERM or ENOSYS
 */
int mai_placer_move(const struct mai_placement *placement, const struct mai_placing *placing,
                    size_t first, size_t count, struct mai_moves *moves);

#endif /* MAI_PLACER_H */
