/*===-- loops.c - the loops whose pieces are given out here ------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "loops.h"

#include <stddef.h>

_Thread_local struct mai_loop_visitor mai_loop_own;

/* How many slots are tried; other loops are the run-time's. */
enum { MOST_PROBES = 64 };

/* Each apart from the others, which other threads take. */
static struct slot {
  _Alignas(64) atomic_bool busy;
  struct mai_loop *_Atomic loop;
} slots[MAI_LOOPS];

/* The thread's last one, whose lines its cache has. */
static _Thread_local struct {
  bool any;
  unsigned slot;
} last __attribute__((tls_model("initial-exec")));

/* @return a slot that was free; NULL when there is none nearby */
static struct slot *take_slot(void) {
  static atomic_uint next;
  if (!last.any)
    last.slot = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed) % MAI_LOOPS;
  last.any = true;
  for (unsigned i = 0; i < MOST_PROBES; i++) {
    struct slot *slot = &slots[(last.slot + i) % MAI_LOOPS];
    bool free = false;
    if (!atomic_load_explicit(&slot->busy, memory_order_relaxed) &&
        atomic_compare_exchange_strong(&slot->busy, &free, true)) {
      last.slot = (unsigned)(slot - slots);
      return slot;
    }
  }
  return NULL;
}

/* @return whether the slot, which the calling thread has taken, has a loop for so many */
static bool has_room(struct slot *slot, unsigned room) {
  struct mai_loop *loop = atomic_load_explicit(&slot->loop, memory_order_relaxed);
  if (loop && loop->room >= room)
    return true;
  struct mai_loop *larger = mai_loop_new(room);
  if (!larger)
    return false;
  mai_loop_delete(loop);
  larger->slot = (unsigned)(slot - slots);
  atomic_store_explicit(&slot->loop, larger, memory_order_release);
  return true;
}

struct mai_loop *mai_loops_take(unsigned room) {
  struct slot *slot = take_slot();
  if (!slot)
    return NULL;
  if (has_room(slot, room))
    return atomic_load_explicit(&slot->loop, memory_order_relaxed);
  atomic_store_explicit(&slot->busy, false, memory_order_release);
  return NULL;
}

void mai_loops_give_back(struct mai_loop *loop) {
  atomic_store_explicit(&slots[loop->slot].busy, false, memory_order_release);
}

/*===-- Names --------------------------------------------------------------===*/

void mai_loops_describe(struct mai_loop *loop, const struct mai_loop_shape *shape,
                        const struct mai_loop_way *way, unsigned threads) {
  loop->shape = *shape;
  loop->distance = way->distance;
  loop->patient = way->patient_from > 0 && threads >= way->patient_from;
}

/* The run-time's own order is not seen by everybody: who finds the loop sees what it is. */
struct mai_loop_name mai_loops_name(struct mai_loop *loop) {
  uint64_t start = MAI_FIRST_LOOP_NAME + ((uint64_t)loop->slot << MAI_LOOP_NUMBER_BITS);
  atomic_store_explicit(&loop->left, 0, memory_order_release);
  return (struct mai_loop_name){start, start + (UINT64_C(1) << MAI_LOOP_NUMBER_BITS)};
}

struct mai_loop *mai_loops_named(uint64_t number) {
  uint64_t slot = (number - MAI_FIRST_LOOP_NAME) >> MAI_LOOP_NUMBER_BITS;
  if (slot >= MAI_LOOPS || !atomic_load_explicit(&slots[slot].busy, memory_order_acquire))
    return NULL;
  struct mai_loop *loop = atomic_load_explicit(&slots[slot].loop, memory_order_acquire);
  if (loop)
    (void)atomic_load_explicit(&loop->left, memory_order_acquire);
  return loop;
}
