/*===-- model.c - what a model of the machine makes of accesses ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "model.h"

#include "trace/system/kernel.h"

enum { LOCKS = 1024, TRIES = 10000, TRIES_AT_ONCE = 64 };

static struct {
  struct model_caches caches;
  atomic_bool locks[LOCKS]; /* of sets, by their number */
} model;

void model_start(const struct model_shape *shape, void *memory) {
  model_caches_init(&model.caches, shape, memory);
}

void model_in_child(void) {
  for (size_t i = 0; i < LOCKS; i++)
    atomic_store(&model.locks[i], false);
}

static bool lock(atomic_bool *lock) {
  for (unsigned tries = 0; tries < TRIES; tries++) {
    if (!atomic_exchange_explicit(lock, true, memory_order_acquire))
      return true;
    if (tries >= TRIES_AT_ONCE)
      minas_kernel_call(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
  }
  return false;
}

static void count(atomic_ullong *counter) {
  /* One thread counts; another one may read, or move what was counted. */
  unsigned long long known = atomic_load_explicit(counter, memory_order_relaxed);
  atomic_store_explicit(counter, known + 1, memory_order_relaxed);
}

static void see_caches(const struct model_access *access, atomic_ullong counts[MODEL_COUNTS]) {
  atomic_bool *held = &model.locks[model_set_of(&model.caches, access->address) % LOCKS];
  if (!lock(held))
    return;
  enum model_source source =
      model_caches_access(&model.caches, access->node, access->address, access->writes);
  atomic_store_explicit(held, false, memory_order_release);
  if (source == MODEL_OTHER_CACHE)
    count(&counts[MODEL_OTHER_CACHES]);
  else if (source == MODEL_MEMORY)
    count(&counts[MODEL_MEMORIES]);
}

void model_see(struct model_prefetcher *prefetcher, const struct model_access *access,
               atomic_ullong counts[MODEL_COUNTS]) {
  enum model_prediction prediction =
      model_prefetcher_see(prefetcher, access->address, access->instruction);
  if (prediction != MODEL_HIT)
    count(&counts[MODEL_MISSES]);
  if (prediction == MODEL_PREDICTED)
    count(&counts[MODEL_PREDICTIONS]);
  see_caches(access, counts);
}
