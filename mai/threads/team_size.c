/*===-- team_size.c - the size of the team that arrays are divided for -*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A policy that names no team means the default one, of as many threads as omp_get_max_threads()
 * says.  A program that never opens such a team but gives all regions a num_threads clause means
 * the first of those.
 *
 * OpenMP keeps that number for each thread apart: what one sets holds for the teams that it opens.
 * The team that counts is that of the thread that has changed its own last, be it the first or
 * another; teams that the first thread opens count each time, so that it gets its own division
 * back.  Teams of one that other threads open do not count, nor does what is set within regions,
 * nor what run-times but the first do.
 */
#include "team_size.h"

#include <stdatomic.h>

#include "binding.h"
#include "mai/process/message.h"
#include "runtime/lock.h"
#include "teams.h"
#include "threads.h"

static struct {
  _Atomic uint32_t teller;  /* the thread that tells of a change; 0: none */
  atomic_bool default_seen; /* a region without a clause has begun */
  unsigned changes;         /* written by the teller */
  _Atomic unsigned said;    /* before the library has started */
} team;

/* What the calling thread has last asked for. */
static _Thread_local unsigned claimed __attribute__((tls_model("initial-exec")));

/* Nobody waits for the thread that tells.  One that a child of fork() does not have tells nothing
   there. */
static bool begin_to_tell(void) {
  uint32_t teller = 0;
  while (!atomic_compare_exchange_strong(&team.teller, &teller, minas_own_number()))
    if (minas_thread_exists(teller))
      return false;
  return true;
}

static void end_to_tell(void) { atomic_store(&team.teller, 0); }

/* A program that changes its team all the time would spend its time moving pages. */
static void follow(unsigned size) {
  enum { MOST_CHANGES = 16 };
  static bool said;
  if (team.changes == MOST_CHANGES) {
    mai_message_once(&said, "the size of the team has changed %d times: arrays stay where they are",
                     MOST_CHANGES);
    return;
  }
  team.changes++;
  if (mai_threads_set_team_size(size) == 0)
    mai_threads_tell_change();
}

/* @return false when another thread is doing it */
static bool try_to_follow(unsigned size) {
  if (size == mai_threads_team_size_now())
    return true;
  if (!begin_to_tell())
    return false;
  follow(size);
  end_to_tell();
  return true;
}

/* Whether teams of this size count that the calling thread opens. */
static bool claims(unsigned size) {
  bool is_news = size != claimed;
  claimed = size;
  return mai_binding_is_first_thread() || (is_news && size > 1);
}

/* A thread that is at home on a node opens the teams of mai_on_node(), smaller ones. */
static bool counts(struct mai_runtime *runtime) {
  return mai_threads_follow() && mai_binding_node() == MAI_NO_NODE && mai_team_leads(runtime) &&
         runtime->openmp.get_level() == 0;
}

bool mai_team_size_claim(struct mai_runtime *runtime, unsigned requested) {
  if (requested == 1 || (requested && atomic_load(&team.default_seen)) || !counts(runtime))
    return true;
  if (!requested)
    atomic_store(&team.default_seen, true);
  int size = requested ? (int)requested : runtime->openmp.get_max_threads();
  return size <= 0 || !claims((unsigned)size) || try_to_follow((unsigned)size);
}

/* The run-time is not asked: LLVM's would bind the thread now, and not at its first region. */
void mai_team_size_set(struct mai_runtime *runtime, unsigned size) {
  if (!mai_threads_follow() && runtime->openmp.get_level() == 0)
    atomic_store(&team.said, size);
  else if (counts(runtime) && claims(size))
    try_to_follow(size);
}

unsigned mai_team_size_said(void) { return atomic_load(&team.said); }

void mai_team_size_places_seen(void) {
  if (mai_threads_follow() && begin_to_tell()) {
    mai_threads_tell_change();
    end_to_tell();
  }
}
