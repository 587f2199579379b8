/*===-- settled.c - teams whose threads are where they belong ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "settled.h"

#include <stdatomic.h>

static atomic_ulong changes = 1;
static atomic_ulong threads_made;

/* The team that the calling thread opened last, if it is settled; otherwise `changes` is 0. */
static _Thread_local struct {
  unsigned long changes;
  unsigned long threads_made;
  unsigned requested;
  unsigned depth; /* of the calling thread in regions that it has opened */
} team __attribute__((tls_model("initial-exec")));

static unsigned long now(atomic_ulong *count) {
  return atomic_load_explicit(count, memory_order_relaxed);
}

bool mai_settled(unsigned requested) {
  return team.changes == now(&changes) && team.threads_made == now(&threads_made) &&
         team.requested == requested && team.depth == 0;
}

void mai_settled_go_in(void) { team.depth++; }

void mai_settled_come_out(void) { team.depth--; }

void mai_settle(const struct mai_openmp *openmp, const struct mai_opening *opening) {
  bool settled = openmp->get_level() == 1 &&
                 (unsigned)openmp->get_team_size(1) == opening->team_size &&
                 opening->changes == now(&changes);
  team.changes = settled ? opening->changes : 0;
  team.threads_made = now(&threads_made);
  team.requested = opening->requested;
}

void mai_settled_forget(void) { team.changes = 0; }

unsigned long mai_settled_change(void) { return atomic_fetch_add(&changes, 1) + 1; }

void mai_settled_thread_made(void) { atomic_fetch_add(&threads_made, 1); }
