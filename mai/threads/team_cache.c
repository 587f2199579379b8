/*===-- team_cache.c - teams whose threads are where they belong ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "team_cache.h"

#include <stdatomic.h>
#include <stddef.h>

static atomic_ulong changes = 1;
static atomic_ulong threads_made;

/* The teams that the calling thread has opened last of some run-times, those that are cached. */
struct team {
  const struct mai_runtime *runtime; /* NULL: not cached */
  struct mai_changes changes;
  unsigned long threads_made;
  unsigned requested;
};

enum { TEAMS = 4 };

static _Thread_local struct team teams[TEAMS] __attribute__((tls_model("initial-exec")));

static struct team *team_of(const struct mai_runtime *runtime) {
  return &teams[runtime->number % TEAMS];
}

static unsigned long now(const atomic_ulong *count) {
  return atomic_load_explicit(count, memory_order_relaxed);
}

static bool is_as_now(const struct mai_runtime *runtime, const struct mai_changes *seen) {
  return seen->of_runtime == now(&runtime->changes) && seen->of_all == now(&changes);
}

/* Regions that are opened within a region are nested ones. */
bool mai_team_is_cached(const struct mai_runtime *runtime, unsigned requested) {
  const struct team *team = team_of(runtime);
  return team->runtime == runtime && is_as_now(runtime, &team->changes) &&
         team->threads_made == now(&threads_made) && team->requested == requested &&
         runtime->openmp.get_level() == 0;
}

static void note(const struct mai_runtime *runtime, const struct mai_opening *opening,
                 bool cached) {
  struct team *team = team_of(runtime);
  *team = (struct team){.runtime = cached ? runtime : NULL,
                        .changes = opening->changes,
                        .threads_made = now(&threads_made),
                        .requested = opening->requested};
}

void mai_team_cache_add(const struct mai_runtime *runtime, const struct mai_opening *opening) {
  const struct mai_openmp *openmp = &runtime->openmp;
  note(runtime, opening,
       opening->cacheable && openmp->get_level() == 1 &&
           (unsigned)openmp->get_team_size(1) == opening->team_size &&
           is_as_now(runtime, &opening->changes));
}

void mai_team_cache_add_unseen(const struct mai_runtime *runtime,
                               const struct mai_opening *opening) {
  note(runtime, opening, opening->cacheable);
}

void mai_team_cache_forget(void) {
  for (int i = 0; i < TEAMS; i++)
    teams[i].runtime = NULL;
}

struct mai_changes mai_team_cache_open(struct mai_runtime *runtime) {
  return (struct mai_changes){atomic_fetch_add(&runtime->changes, 1) + 1, now(&changes)};
}

void mai_team_cache_clear(void) { atomic_fetch_add(&changes, 1); }

void mai_team_cache_thread_made(void) { atomic_fetch_add(&threads_made, 1); }
