/*===-- near_loops.c - whether threads take pieces of loops near them *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "near_loops.h"

#include <errno.h>
#include <string.h>

#include "hook_routes.h"
#include "mai/process/call.h"
#include "mai/process/message.h"
#include "mai/process/settings.h"
#include "mai/process/start.h"
#include "threads.h"

/*===-- How far threads are from each other --------------------------------===*/

static unsigned distance_by_node(unsigned thread, unsigned other) {
  uint32_t node = mai_threads_node(thread);
  uint32_t others = mai_threads_node(other);
  return node == NUMARCH_NONE || others == NUMARCH_NONE
             ? 0
             : numarch_distance(mai_threads_machine(), node, others);
}

/*===-- Deciding -----------------------------------------------------------===*/

enum state {
  UNDECIDED,
  ANY,            /* threads take any pieces */
  NEAR_BY_NUMBER, /* nobody knows where threads are */
  NEAR
};

static bool several_nodes_have_cpus(const numarch_t *machine) {
  unsigned count = 0;
  for (uint32_t i = 0; i < numarch_node_count(machine); i++)
    count += numarch_get_node(machine, i)->cpu_count > 0;
  return count > 1;
}

/* Who sets nothing gets this where it is of use. */
static enum state by_machine(void) {
  enum mai_decision decision = mai_threads_decision();
  bool bound = decision == MAI_PINS || decision == MAI_USER_BINDS;
  return bound && several_nodes_have_cpus(mai_threads_machine()) ? NEAR : ANY;
}

static enum state by_setting(const char *setting) {
  enum state here = by_machine();
  if (mai_settings()->watch)
    return ANY;
  if (setting && strcmp(setting, "near") == 0)
    return here == ANY ? NEAR_BY_NUMBER : here;
  if (setting && strcmp(setting, "any") == 0)
    return ANY;
  if (setting)
    mai_message("MAI_LOOPS can be \"near\" or \"any\", not \"%s\"", setting);
  return here;
}

static enum state decide(void) {
  MAI_CALL;
  int error = errno;
  enum state state = mai_start() == 0  ? by_setting(mai_settings()->loops)
                     : errno == EAGAIN ? UNDECIDED
                                       : ANY;
  errno = error;
  return state;
}

/* Threads that decide at the same time decide the same. */
static enum state state_now(void) {
  static _Atomic enum state decided;
  enum state state = atomic_load_explicit(&decided, memory_order_acquire);
  if (state == UNDECIDED) {
    state = decide();
    atomic_store_explicit(&decided, state, memory_order_release);
  }
  return state;
}

struct mai_loop_way mai_near_loops_way(const void *caller, enum mai_function function) {
  const struct mai_route *route = mai_hook_route(caller, function);
  struct mai_runtime *runtime = route->functions[function].runtime;
  enum state state = state_now();
  return (struct mai_loop_way){.next = route->functions[function].next,
                               .openmp = runtime ? &runtime->openmp : NULL,
                               .distance = state == NEAR             ? distance_by_node
                                           : state == NEAR_BY_NUMBER ? mai_loop_distance_by_number
                                                                     : NULL};
}
