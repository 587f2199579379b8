/*===-- occupied.c - which nodes have threads to spare -------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "occupied.h"

static struct {
  _Alignas(64) atomic_uint occupied; /* threads that run tickets */
  atomic_uint calls;
} homes[MAI_MOST_HOMES];

static _Thread_local struct {
  unsigned tickets; /* one inside the other */
  unsigned home;
} own __attribute__((tls_model("initial-exec")));

void mai_occupied_begin(unsigned home) {
  if (own.tickets++ > 0)
    return;
  own.home = home;
  atomic_fetch_add_explicit(&homes[home].occupied, 1, memory_order_relaxed);
}

void mai_occupied_end(void) {
  if (--own.tickets == 0)
    atomic_fetch_sub_explicit(&homes[own.home].occupied, 1, memory_order_relaxed);
}

bool mai_occupied_once(void) { return own.tickets == 1; }

bool mai_home_has_idle_thread(unsigned home) {
  return atomic_load_explicit(&homes[home].occupied, memory_order_relaxed) < mai_home_threads(home);
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
