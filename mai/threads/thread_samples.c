/*===-- thread_samples.c - where threads have been seen ---------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "thread_samples.h"

#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

#include "mai/process/affinity.h"
#include "runtime/lock.h"

static struct {
  atomic_bool seen; /* set after `node` */
  atomic_bool pinned;
  _Atomic uint32_t cpu;
  _Atomic uint32_t node;
  _Atomic uint32_t number;
} notes[MAI_MOST_THREAD_SAMPLES];

static _Atomic unsigned count;

static void raise_count(unsigned to) {
  unsigned seen = atomic_load_explicit(&count, memory_order_relaxed);
  while (seen < to && !atomic_compare_exchange_weak_explicit(
                          &count, &seen, to, memory_order_relaxed, memory_order_relaxed))
    ;
}

/* Written only when it changes: the notes of several threads share a cache line. */
static void note_number(_Atomic uint32_t *noted, uint32_t number) {
  if (atomic_load_explicit(noted, memory_order_relaxed) != number)
    atomic_store_explicit(noted, number, memory_order_relaxed);
}

static uint32_t node_of_mask(const numarch_t *machine) {
  struct mai_cpu_mask mask;
  return mai_affinity_get(&mask) == 0 ? mai_cpu_mask_node(&mask, machine) : NUMARCH_NONE;
}

/* Whether a thread that was bound to a node is seen on another. */
static bool has_left(unsigned thread, const numarch_t *machine, uint32_t cpu) {
  uint32_t node = atomic_load_explicit(&notes[thread].node, memory_order_relaxed);
  const struct numarch_cpu *seen_on =
      node == NUMARCH_NONE ? NULL : numarch_get_cpu(machine, numarch_cpu_by_os_index(machine, cpu));
  return seen_on && seen_on->node != node;
}

bool mai_thread_sample_take(const numarch_t *machine, unsigned thread) {
  if (thread >= MAI_MOST_THREAD_SAMPLES)
    return false;
  uint32_t cpu = (uint32_t)sched_getcpu();
  note_number(&notes[thread].cpu, cpu);
  note_number(&notes[thread].number, minas_own_number());
  if (atomic_load_explicit(&notes[thread].seen, memory_order_relaxed) &&
      !has_left(thread, machine, cpu))
    return false;
  note_number(&notes[thread].node, node_of_mask(machine));
  atomic_store_explicit(&notes[thread].seen, true, memory_order_release);
  raise_count(thread + 1);
  return true;
}

bool mai_thread_sample_pinned(unsigned thread) {
  return thread < MAI_MOST_THREAD_SAMPLES &&
         !atomic_exchange_explicit(&notes[thread].pinned, true, memory_order_relaxed);
}

struct mai_thread_sample mai_thread_sample_of(unsigned thread) {
  struct mai_thread_sample sample = {.cpu = NUMARCH_NONE, .node = NUMARCH_NONE};
  if (thread >= MAI_MOST_THREAD_SAMPLES ||
      !atomic_load_explicit(&notes[thread].seen, memory_order_acquire))
    return sample;
  sample.seen = true;
  sample.pinned = atomic_load_explicit(&notes[thread].pinned, memory_order_relaxed);
  sample.cpu = atomic_load_explicit(&notes[thread].cpu, memory_order_relaxed);
  sample.node = atomic_load_explicit(&notes[thread].node, memory_order_relaxed);
  return sample;
}

unsigned mai_thread_samples_count(void) {
  return atomic_load_explicit(&count, memory_order_relaxed);
}

uint32_t mai_thread_sample_number(unsigned thread) {
  return thread < MAI_MOST_THREAD_SAMPLES
             ? atomic_load_explicit(&notes[thread].number, memory_order_relaxed)
             : 0;
}

unsigned mai_thread_sample_of_number(uint32_t number) {
  unsigned seen = mai_thread_samples_count();
  for (unsigned thread = 0; thread < seen; thread++)
    if (atomic_load_explicit(&notes[thread].number, memory_order_relaxed) == number)
      return thread;
  return MAI_MOST_THREAD_SAMPLES;
}
