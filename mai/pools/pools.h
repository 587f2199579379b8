/*===-- pools.h - which CPU a thread of a pool gets ---------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Threads of a pool are the program's own, and do the same: those of a stage of a pipeline, or
 * those whose names fit a pattern.  They come one by one and get CPUs of the pool in turn.  A pool
 * is there for the rest of the process, and knows how many have come, not which have ended.
 */
#ifndef MAI_POOLS_H
#define MAI_POOLS_H

#include <stdbool.h>

#include "mai/maps/named_maps.h"

struct mai_thread_pool;

/** What pools are told apart by. */
struct mai_thread_pool_id {
  const void *kind; /**< any address of who makes them */
  unsigned number;
  int node; /**< or any other number */
};

/**
 * The pool with an identity; a new one where there is none yet.
 *
 * @param cpus those of a new one, by OS index, at least one; taken over
 * @return NULL with errno ENOMEM
 */
struct mai_thread_pool *mai_thread_pool_get(const struct mai_thread_pool_id *id,
                                            struct mai_cpu_list *cpus);

/** The pool with an identity, or NULL. */
struct mai_thread_pool *mai_thread_pool_find(const struct mai_thread_pool_id *id);

/**
 * The CPU of the next thread that comes to a pool: one that fewest threads of the pool have.
 *
 * @param apart of those the one that fewest threads of all pools have; else the first
 * @return its OS index
 */
uint32_t mai_thread_pool_next(struct mai_thread_pool *pool, bool apart);

#endif /* MAI_POOLS_H */
