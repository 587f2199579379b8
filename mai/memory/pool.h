/*===-- pool.h - memory of many small arrays ---------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A process may have some 65,000 mappings (vm.max_map_count), and a policy of its own makes a
 * mapping of every array.  Small arrays are therefore parts of large mappings that have a policy
 * already: one for each node, and some for what needs none.
 */
#ifndef MAI_POOL_H
#define MAI_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The policy that all memory of a pool has. */
enum mai_pool_kind {
  MAI_POOL_PLAIN, /**< none */
  MAI_POOL_LOCAL, /**< with the thread that touches a page first: for pages that are populated */
  MAI_POOL_NODE   /**< one node, others when it is full */
};

/** Arrays of at most so many bytes come from pools. */
enum { MAI_POOLED_BYTES = 64 << 10 };

struct mai_pool;

/** The pool of this kind; NULL with errno ENOMEM.
 *  @param node OS index, for MAI_POOL_NODE */
struct mai_pool *mai_pool(enum mai_pool_kind kind, uint32_t node);

/** Take memory of whole pages, all zero; NULL with errno ENOMEM.
 *  @param bytes at most MAI_POOLED_BYTES, rounded up to pages
 *  @param cycle the number of the first page, as far as the kernel looks at it to interleave, is a
 *    multiple of it; 1: any */
void *mai_pool_take(struct mai_pool *pool, size_t bytes, size_t cycle);

/** Give memory back. Keeps errno.
 *  @param policy_changed it may have another policy now than the pool's */
void mai_pool_give_back(struct mai_pool *pool, void *start, size_t bytes, bool policy_changed);

#endif /* MAI_POOL_H */
