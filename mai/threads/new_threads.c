/*===-- new_threads.c - threads that a run-time makes for a team -*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "new_threads.h"

#include <stdatomic.h>
#include <string.h>

#include "binding.h"
#include "mai/process/affinity.h"
#include "thread_memory.h"

static _Thread_local struct {
  const struct mai_runtime *runtime;
  unsigned threads;          /* of its last team that stood alone */
  unsigned first, next, end; /* entries of the map: its own, and those that are expected */
  bool (*find)(unsigned entry, struct mai_new_place *place);
  uint32_t preferred; /* the node whose memory it gets while it creates threads, and 1; 0: none */
  enum { NOT_ASKED, REACHES, STAYS } reach; /* whether its mask has the new thread's CPU, too */
  uint32_t own;                             /* its own CPU where it reaches others */
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

/* The mask that the calling thread has by our doing. */
static struct mai_cpu_mask our_mask(void) {
  struct mai_cpu_mask mask = {0};
  if (!mai_binding_narrowed())
    return *mai_affinity_of_process();
  mai_cpu_mask_add(&mask, mai_binding_now().index);
  return mask;
}

static bool mask_is_ours(void) {
  const struct mai_cpu_mask own = our_mask();
  struct mai_cpu_mask mask;
  return mai_affinity_get(&mask) == 0 && memcmp(&mask, &own, sizeof mask) == 0;
}

/* The CPU on which the calling thread is kept, or will be as its team's first one. */
static bool find_own_cpu(uint32_t *cpu) {
  struct mai_binding binding = mai_binding_now();
  struct mai_new_place place;
  if (!mai_binding_narrowed() && self.find(self.first, &place))
    binding = (struct mai_binding){MAI_ON_CPU, place.cpu};
  *cpu = binding.index;
  return binding.kind == MAI_ON_CPU;
}

static void reach_none(void) {
  if (self.reach == REACHES) {
    const struct mai_cpu_mask mask = our_mask();
    mai_affinity_set(&mask);
  }
  self.reach = NOT_ASKED;
}

/* A new thread gets its maker's mask, and the kernel starts it on the CPU that does least.  So it
   begins where it belongs: to move it there when it has begun takes many times as long. */
static void reach(uint32_t cpu) {
  struct mai_cpu_mask mask = {0};
  if (self.reach == NOT_ASKED)
    self.reach = find_own_cpu(&self.own) && mask_is_ours() ? REACHES : STAYS;
  if (self.reach == STAYS)
    return;
  mai_cpu_mask_add(&mask, self.own);
  mai_cpu_mask_add(&mask, cpu);
  if (mai_affinity_set(&mask) != 0) {
    reach_none();
    self.reach = STAYS;
  }
}

static void return_to_own(void) {
  prefer_none();
  reach_none();
}

void mai_new_threads_expect_none(void) {
  self.end = 0;
  return_to_own();
}

void mai_new_threads_expect(const struct mai_runtime *runtime, unsigned team_size,
                            bool (*find)(unsigned entry, struct mai_new_place *place)) {
  if (self.runtime != runtime)
    self.threads = 1;
  self.runtime = runtime;
  self.first = atomic_load_explicit(&runtime->first, memory_order_relaxed);
  self.next = self.first + self.threads;
  self.end = self.first + team_size;
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
  if (mai_binding_keep(MAI_ON_CPU, cpu, &mask) != 0)
    mai_affinity_set(mai_affinity_of_process());
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
  reach(place.cpu);
  return mai_created_call_first(created, self.preferred ? begin_on_cpu_and_leave : begin_on_cpu,
                                place.cpu);
}

bool mai_new_thread_prepare(struct mai_created *created) {
  if (begins_in_place(created))
    return self.reach == REACHES;
  return_to_own();
  return false;
}
