/*===-- new_threads.c - threads that a run-time makes for a team -*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "new_threads.h"

#include <stdatomic.h>
#include <stddef.h>

#include "binding.h"
#include "mai/process/affinity.h"
#include "thread_memory.h"

static _Thread_local struct {
  const struct mai_runtime *runtime;
  unsigned threads;   /* of its last team that stood alone */
  unsigned next, end; /* entries of the map for those that are expected */
  bool (*find)(unsigned entry, struct mai_new_place *place);
  uint32_t preferred; /* the node whose memory it gets while it creates threads, and 1; 0: none */
} self __attribute__((tls_model("initial-exec")));

static void prefer_none(void) {
  if (self.preferred)
    mai_thread_memory_leave();
  self.preferred = 0;
}

static void prefer(uint32_t node) {
  if (self.preferred == node + 1)
    return;
  prefer_none();
  self.preferred = mai_thread_memory_prefer(node) ? node + 1 : 0;
}

void mai_new_threads_expect_none(void) {
  self.end = 0;
  prefer_none();
}

void mai_new_threads_expect(const struct mai_runtime *runtime, unsigned team_size,
                            bool (*find)(unsigned entry, struct mai_new_place *place)) {
  unsigned first = atomic_load_explicit(&runtime->first, memory_order_relaxed);
  if (self.runtime != runtime)
    self.threads = 1;
  self.runtime = runtime;
  self.next = first + self.threads;
  self.end = first + team_size;
  self.find = find;
}

void mai_new_threads_made(const struct mai_runtime *runtime) {
  mai_new_threads_expect_none();
  if (self.runtime == runtime && runtime->openmp.get_level() == 1)
    self.threads = (unsigned)runtime->openmp.get_team_size(1);
}

unsigned mai_new_threads_kept(const struct mai_openmp *openmp) {
  return self.runtime && &self.runtime->openmp == openmp ? self.threads : 1;
}

static void begin_on_cpu(unsigned cpu) {
  struct mai_cpu_mask mask = {0};
  mai_cpu_mask_add(&mask, cpu);
  mai_binding_begin_thread();
  mai_binding_keep(MAI_ON_CPU, cpu, &mask);
}

static void begin_on_cpu_and_leave(unsigned cpu) {
  begin_on_cpu(cpu);
  mai_thread_memory_leave();
}

/* One thread after another is of the same node, as a rule: its memory stays preferred. */
static bool begins_in_place(struct mai_created *created) {
  struct mai_new_place place;
  if (self.next >= self.end)
    return false;
  unsigned entry = self.next++;
  if (!self.find(entry, &place))
    return false;
  prefer(place.node);
  return mai_created_call_first(created, self.preferred ? begin_on_cpu_and_leave : begin_on_cpu,
                                place.cpu);
}

void mai_new_thread_prepare(struct mai_created *created) {
  if (!begins_in_place(created))
    prefer_none();
}
