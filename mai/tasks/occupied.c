/*===-- occupied.c - which nodes have threads to spare -------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "occupied.h"

#include <limits.h>

#include "worker.h"

static struct {
  _Alignas(64) atomic_uint occupied; /* threads that run tickets, or make tasks */
  atomic_uint waiting;               /* of these */
  atomic_uint inside;                /* of these, in a ticket inside another */
  atomic_uint calls;
} homes[MAI_MOST_HOMES];

static _Thread_local struct {
  unsigned tickets; /* one inside the other */
  unsigned home;
  bool counts; /* as occupied */
  bool waits;
} own __attribute__((tls_model("initial-exec")));

static void count(unsigned home) {
  if (own.counts)
    return;
  own.counts = true;
  own.home = home;
  atomic_fetch_add_explicit(&homes[home].occupied, 1, memory_order_relaxed);
}

void mai_occupied_begin(unsigned home) {
  count(home);
  if (++own.tickets == 2)
    atomic_fetch_add_explicit(&homes[own.home].inside, 1, memory_order_relaxed);
}

void mai_occupied_make(unsigned home) {
  count(home);
  mai_occupied_go_on();
}

void mai_occupied_end(bool stays) {
  if (own.tickets-- == 2)
    atomic_fetch_sub_explicit(&homes[own.home].inside, 1, memory_order_relaxed);
  if (own.tickets > 0 || stays) {
    mai_occupied_wait();
    return;
  }
  mai_occupied_go_on();
  own.counts = false;
  atomic_fetch_sub_explicit(&homes[own.home].occupied, 1, memory_order_relaxed);
}

void mai_occupied_wait(void) {
  if (own.waits || !own.counts)
    return;
  own.waits = true;
  atomic_fetch_add_explicit(&homes[own.home].waiting, 1, memory_order_relaxed);
}

void mai_occupied_go_on(void) {
  if (!own.waits)
    return;
  own.waits = false;
  atomic_fetch_sub_explicit(&homes[own.home].waiting, 1, memory_order_relaxed);
}

bool mai_occupied_once(void) { return own.tickets == 1; }

bool mai_home_has_idle_thread(unsigned home, unsigned threads) {
  return atomic_load_explicit(&homes[home].occupied, memory_order_relaxed) < threads;
}

bool mai_home_works(unsigned home) {
  return atomic_load_explicit(&homes[home].waiting, memory_order_relaxed) <
         atomic_load_explicit(&homes[home].occupied, memory_order_relaxed);
}

bool mai_home_is_free_soon(unsigned home) {
  return atomic_load_explicit(&homes[home].inside, memory_order_relaxed) <
         atomic_load_explicit(&homes[home].occupied, memory_order_relaxed);
}

void mai_home_calls(unsigned home) {
  atomic_fetch_add_explicit(&homes[home].calls, 1, memory_order_relaxed);
}

void mai_home_calls_no_longer(unsigned home) {
  atomic_fetch_sub_explicit(&homes[home].calls, 1, memory_order_relaxed);
}

bool mai_home_is_calling(unsigned home) {
  return atomic_load_explicit(&homes[home].calls, memory_order_relaxed) > 0;
}

/*===-- Shares -------------------------------------------------------------===*/

enum {
  LATELY = 128, /* tasks of both */
  FEW = 4       /* tasks say nothing; and so many times as many are not much more */
};

static _Thread_local struct {
  unsigned home;          /* whose tasks could be taken */
  unsigned long own_ever; /* tasks run at home, when it was looked last */
  unsigned long their_ever;
  unsigned long own;
  unsigned long theirs;
} lately __attribute__((tls_model("initial-exec")));

static void begin_anew(unsigned home, unsigned long own_ever, unsigned long their_ever) {
  lately.home = home;
  lately.own_ever = own_ever;
  lately.their_ever = their_ever;
  lately.own = lately.theirs = 0;
}

unsigned long mai_shares_look(unsigned here, unsigned home) {
  unsigned long own_ever = mai_tasks_at_home(here);
  unsigned long their_ever = mai_tasks_at_home(home);
  if (home != lately.home)
    begin_anew(home, own_ever, their_ever);
  lately.own += own_ever - lately.own_ever;
  lately.theirs += their_ever - lately.their_ever;
  lately.own_ever = own_ever;
  lately.their_ever = their_ever;
  while (lately.own + lately.theirs > LATELY) {
    lately.own /= 2;
    lately.theirs /= 2;
  }
  return their_ever;
}

unsigned mai_shares_naps(unsigned most, unsigned long more) {
  unsigned long times = (lately.theirs + more) / ((lately.own + FEW) * FEW);
  return 2 * times < sizeof most * CHAR_BIT ? most >> 2 * times : 0;
}
