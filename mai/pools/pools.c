/*===-- pools.c - which CPU a thread of a pool gets ---------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "pools.h"

#include <stdatomic.h>

#include "mai/process/affinity.h"
#include "runtime/heap.h"
#include "runtime/lock.h"

struct mai_thread_pool {
  struct mai_thread_pool_id id;
  struct mai_thread_pool *before;
  struct mai_cpu_list cpus;
  atomic_uint *threads; /* that have come to each of these */
};

static struct mai_thread_pool *_Atomic last;

/* By OS index: threads of all pools. */
static atomic_uint threads_on[MAI_AFFINITY_CPUS];

/* Which CPU has fewest is looked at and said by one thread at a time. */
static struct minas_lock choosing = MINAS_LOCK_INITIALISER;

static bool is_same(const struct mai_thread_pool_id *left, const struct mai_thread_pool_id *right) {
  return left->kind == right->kind && left->number == right->number && left->node == right->node;
}

struct mai_thread_pool *mai_thread_pool_find(const struct mai_thread_pool_id *id) {
  struct mai_thread_pool *pool = atomic_load(&last);
  while (pool && !is_same(&pool->id, id))
    pool = pool->before;
  return pool;
}

static void free_pool(struct mai_thread_pool *pool) {
  minas_free(pool->threads);
  mai_cpu_list_free(&pool->cpus);
  minas_free(pool);
}

static struct mai_thread_pool *new_pool(const struct mai_thread_pool_id *id,
                                        const struct mai_cpu_list *cpus) {
  struct mai_thread_pool *pool = minas_alloc(sizeof *pool);
  if (!pool)
    return NULL;
  *pool = (struct mai_thread_pool){.id = *id, .cpus = *cpus};
  pool->threads = minas_alloc_list(cpus->count, sizeof *pool->threads);
  if (pool->threads)
    return pool;
  minas_free(pool);
  return NULL;
}

struct mai_thread_pool *mai_thread_pool_get(const struct mai_thread_pool_id *id,
                                            struct mai_cpu_list *cpus) {
  struct mai_thread_pool *pool = new_pool(id, cpus);
  if (!pool) {
    mai_cpu_list_free(cpus);
    return NULL;
  }
  *cpus = (struct mai_cpu_list){0};
  pool->before = atomic_load(&last);
  for (;;) {
    struct mai_thread_pool *other = mai_thread_pool_find(id);
    if (other) {
      free_pool(pool);
      return other;
    }
    if (atomic_compare_exchange_strong(&last, &pool->before, pool))
      return pool;
  }
}

static unsigned threads_of_all(const struct mai_thread_pool *pool, uint32_t at) {
  return atomic_load(&threads_on[pool->cpus.cpus[at] % MAI_AFFINITY_CPUS]);
}

/* @return whether one CPU of the pool is better than another, which comes before it */
static bool is_better(const struct mai_thread_pool *pool, uint32_t one, uint32_t other,
                      bool apart) {
  unsigned ones = atomic_load(&pool->threads[one]);
  unsigned others = atomic_load(&pool->threads[other]);
  if (ones != others || !apart)
    return ones < others;
  return threads_of_all(pool, one) < threads_of_all(pool, other);
}

uint32_t mai_thread_pool_next(struct mai_thread_pool *pool, bool apart) {
  uint32_t best = 0;
  minas_lock(&choosing);
  for (uint32_t i = 1; i < pool->cpus.count; i++)
    if (is_better(pool, i, best, apart))
      best = i;
  atomic_fetch_add(&pool->threads[best], 1);
  atomic_fetch_add(&threads_on[pool->cpus.cpus[best] % MAI_AFFINITY_CPUS], 1);
  minas_unlock(&choosing);
  return pool->cpus.cpus[best];
}
