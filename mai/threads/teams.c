/*===-- teams.c - puts the threads of teams where they belong ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "teams.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "mai/process/affinity.h"
#include "team_size.h"
#include "mai.h"
#include "mai/process/message.h"
#include "mai/process/omp_settings.h"
#include "binding.h"
#include "created.h"
#include "new_threads.h"
#include "mai/process/settings.h"
#include "mai/process/start.h"
#include "thread_samples.h"
#include "thread_map.h"
#include "thread_memory.h"
#include "threads.h"

static _Thread_local struct {
  struct mai_runtime *runtime; /* in whose team the calling thread has come by last; NULL: none */
  bool pinned;                 /* there, ... */
  bool beside;                 /* on a node only, as another program uses the CPU */
  unsigned thread;             /* ... as this one */
  const struct mai_runtime *opened; /* whose region it has opened last */
  struct mai_binding released;      /* where it was before it opened a team of dynamic size */
} self __attribute__((tls_model("initial-exec")));

/*===-- The entries of each run-time's threads -----------------------------===*/

static struct mai_runtime *_Atomic leader;

static bool is_loaded(const struct mai_runtime *runtime) {
  struct mai_object object;
  const void *function = (const void *)runtime->openmp.get_level;
  return mai_object_at(function, &object) &&
         mai_object_function(&object, "omp_get_level") == function;
}

bool mai_team_leads(struct mai_runtime *runtime) {
  struct mai_runtime *known = NULL;
  if (atomic_compare_exchange_strong(&leader, &known, runtime) || known == runtime)
    return true;
  return !is_loaded(known) && atomic_compare_exchange_strong(&leader, &known, runtime);
}

/* Of its largest team. */
static unsigned threads_of(const struct mai_runtime *runtime) {
  return is_loaded(runtime) ? atomic_load(&runtime->threads) : 0;
}

static unsigned threads_of_all(void) {
  unsigned threads = 0;
  for (struct mai_runtime *runtime = mai_runtimes(); runtime; runtime = runtime->before)
    threads += threads_of(runtime);
  return threads;
}

static void set_first(struct mai_runtime *runtime, unsigned entry) {
  if (atomic_exchange(&runtime->first, entry) != entry)
    mai_team_cache_clear();
}

/* Behind the leader's, those of the run-times that were found first.
   @return the entry behind the last one of this run-time and those that were found before */
static unsigned distribute_entries(struct mai_runtime *runtime, bool enough) {
  struct mai_runtime *first = atomic_load(&leader);
  if (!runtime)
    return first ? threads_of(first) : 0;
  unsigned next = distribute_entries(runtime->before, enough);
  if (runtime == first)
    set_first(runtime, 0);
  else
    set_first(runtime, enough ? next : 0);
  return runtime == first ? next : next + threads_of(runtime);
}

static void reserve(struct mai_runtime *runtime, unsigned threads) {
  if (threads <= atomic_load(&runtime->threads))
    return;
  atomic_store(&runtime->threads, threads);
  unsigned most =
      mai_threads_decision() == MAI_PINS ? mai_thread_map_count() : MAI_MOST_THREAD_SAMPLES;
  distribute_entries(mai_runtimes(), threads_of_all() <= most);
}

static unsigned own_entry(const struct mai_runtime *runtime, unsigned thread) {
  return atomic_load_explicit(&runtime->first, memory_order_relaxed) + thread;
}

/* Who opens teams of two run-times in turn stays in one place. */
static bool is_anothers(const struct mai_runtime *runtime) {
  return self.pinned && self.runtime != runtime && is_loaded(self.runtime);
}

static unsigned entry_of(const struct mai_runtime *runtime, unsigned thread) {
  return thread == 0 && is_anothers(runtime) ? own_entry(self.runtime, self.thread)
                                             : own_entry(runtime, thread);
}

/*===-- Pinning ------------------------------------------------------------===*/

static void say_pinned(unsigned entry, uint32_t os_index) {
  const numarch_t *machine = mai_threads_machine();
  uint32_t index = numarch_cpu_by_os_index(machine, os_index);
  const struct numarch_cpu *cpu = numarch_get_cpu(machine, index);
  const struct numarch_node *node = cpu ? numarch_get_node(machine, cpu->node) : NULL;
  if (node)
    mai_message("thread %u on CPU %u, core %u, node %u (%s)", entry, os_index, cpu->core,
                node->os_index, mai_thread_map_origin());
  else if (cpu)
    mai_message("thread %u on CPU %u, core %u (%s)", entry, os_index, cpu->core,
                mai_thread_map_origin());
}

/* Logical, of a binding to a CPU or a node. */
static uint32_t node_of(struct mai_binding binding) {
  return binding.kind == MAI_ON_CPU ? mai_threads_node_of_cpu(binding.index) : binding.index;
}

/* @param index logical */
static void move_memory(uint32_t index) {
  const struct numarch_node *node = numarch_get_node(mai_threads_machine(), index);
  if (node)
    mai_thread_memory_move(node->os_index);
}

/* What the kernel forbids it forbids for good; a CPU may just have been taken away. */
static bool keep(enum mai_binding_kind kind, uint32_t index, const struct mai_cpu_mask *mask) {
  static bool said;
  if (mai_binding_keep(kind, index, mask) == 0) {
    move_memory(node_of(mai_binding_now()));
    return true;
  }
  if (errno != EINVAL)
    mai_threads_give_up();
  mai_message_once(
      &said, "the kernel does not let a thread be pinned (sched_setaffinity: %s): it runs anywhere",
      strerrordesc_np(errno));
  return false;
}

static void say_shared(unsigned entry) {
  static bool said;
  unsigned count = mai_thread_map_count();
  if (entry >= count)
    mai_message_once(&said,
                     "threads share CPUs: the mapping (%s) has %u, and thread %u begins again with "
                     "CPU %u",
                     mai_thread_map_origin(), count, entry, mai_thread_map_cpu(entry));
}

static bool note(unsigned entry) { return mai_thread_sample_take(mai_threads_machine(), entry); }

/* A thread that somebody else has bound. */
static bool note_bound(unsigned entry) {
  bool is_news = note(entry);
  if (is_news)
    move_memory(mai_thread_sample_of(entry).node);
  return is_news;
}

static void keep_on_node(uint32_t node) {
  struct mai_cpu_mask mask = {0};
  if (node == NUMARCH_NONE) {
    mai_binding_release();
  } else if (!mai_binding_is(MAI_ON_NODE, node)) {
    mai_cpu_mask_add_node(&mask, mai_threads_machine(), node);
    keep(MAI_ON_NODE, node, &mask);
  }
}

static void say_beside(unsigned entry, uint32_t node) {
  const struct numarch_node *described = numarch_get_node(mai_threads_machine(), node);
  if (described && mai_settings()->verbose)
    mai_message("thread %u on node %u, not pinned: other programs use the CPUs", entry,
                described->os_index);
}

/* Two threads on a CPU would each get half of it, be others idle or not. */
static void stay_beside(struct mai_runtime *runtime, unsigned thread, unsigned entry) {
  uint32_t node = mai_threads_node_of_cpu(mai_thread_map_cpu(entry));
  bool is_news = !mai_thread_sample_of(entry).seen;
  keep_on_node(node);
  self.runtime = runtime;
  self.pinned = false;
  self.beside = true;
  self.thread = thread;
  note(entry);
  if (is_news)
    say_beside(entry, node);
}

/* Where the thread has begun.  LLVM's run-time gives a new thread the process's mask again. */
static bool is_kept(const struct mai_runtime *runtime, uint32_t cpu) {
  return !runtime->openmp.is_llvm && mai_binding_is(MAI_ON_CPU, cpu) && mai_binding_narrowed();
}

static bool keep_on_cpu(const struct mai_runtime *runtime, uint32_t cpu) {
  struct mai_cpu_mask mask = {0};
  mai_cpu_mask_add(&mask, cpu);
  if (!is_kept(runtime, cpu))
    return keep(MAI_ON_CPU, cpu, &mask);
  move_memory(mai_threads_node_of_cpu(cpu));
  return true;
}

static void pin(struct mai_runtime *runtime, unsigned thread, unsigned entry) {
  uint32_t cpu = mai_thread_map_cpu(entry);
  say_shared(entry);
  bool pinned = keep_on_cpu(runtime, cpu);
  self.beside = false;
  if (entry == own_entry(runtime, thread)) {
    self.runtime = runtime;
    self.pinned = true;
    self.thread = thread;
  }
  note(entry);
  if (pinned && mai_thread_sample_pinned(entry) && mai_settings()->verbose)
    say_pinned(entry, cpu);
}

void mai_team_keep_on_node(uint32_t node) {
  if (mai_threads_decision() == MAI_PINS)
    keep_on_node(node);
}

/*===-- Threads that begin -------------------------------------------------===*/

static uint32_t cpu_of(const struct mai_runtime *runtime, unsigned thread) {
  return mai_thread_map_cpu(entry_of(runtime, thread));
}

/* A new thread begins there, but has not been seen in a team. */
static bool is_in_place(uint32_t cpu) {
  return self.runtime &&
         (mai_binding_is(MAI_ON_CPU, cpu) ||
          (self.beside && mai_binding_is(MAI_ON_NODE, mai_threads_node_of_cpu(cpu))));
}

static void take_entry(struct mai_runtime *runtime, unsigned thread, unsigned entry) {
  if (mai_threads_may_pin(entry))
    pin(runtime, thread, entry);
  else
    stay_beside(runtime, thread, entry);
}

static void keep_inner(struct mai_runtime *runtime, uint32_t node) {
  self.runtime = runtime;
  self.pinned = false;
  self.beside = false;
  keep_on_node(node);
}

static void put_at(struct mai_binding place) {
  struct mai_cpu_mask mask = {0};
  if (place.kind == MAI_ON_NODE) {
    keep_on_node(place.index);
  } else if (place.kind == MAI_ON_CPU && !mai_binding_is(MAI_ON_CPU, place.index)) {
    mai_cpu_mask_add(&mask, place.index);
    keep(MAI_ON_CPU, place.index, &mask);
  }
}

/* The calling thread may not be where a thread of a region at this level belongs. */
static void take_place(struct mai_runtime *runtime, int level) {
  const struct mai_openmp *openmp = &runtime->openmp;
  int top = 1;
  while (top < level && openmp->get_team_size(top) == 1)
    top++;
  unsigned top_thread = (unsigned)openmp->get_ancestor_thread_num(top);
  bool alone = openmp->get_team_size(level) == 1;
  if (top == level) {
    unsigned entry = entry_of(runtime, top_thread);
    bool is_there = is_in_place(mai_thread_map_cpu(entry));
    if (!is_there && (!alone || mai_binding_is_first_thread()))
      take_entry(runtime, top_thread, entry);
  } else if (openmp->get_thread_num() != 0) {
    keep_inner(runtime, mai_threads_node_of_cpu(cpu_of(runtime, top_thread)));
  } else {
    /* Thread 0 of an inner team is the thread that opened it and keeps its place. */
    put_at(self.released);
  }
}

static void enter_pinned(struct mai_runtime *runtime, unsigned thread) {
  int level = runtime->openmp.get_level();
  if (level == 1 && is_in_place(cpu_of(runtime, thread)))
    return;
  if (level > 0)
    take_place(runtime, level);
}

/* A team that works for a thread of another run-time's. The run-time may have moved the opener. */
static void enter_inside(struct mai_runtime *runtime, unsigned thread, struct mai_binding outer) {
  if (thread > 0)
    keep_inner(runtime, node_of(outer));
  else
    put_at(outer);
}

static void enter_kept(struct mai_runtime *runtime, unsigned thread,
                       const struct mai_opening *opening) {
  if (opening->node != MAI_NO_NODE)
    keep_on_node(opening->node);
  else if (opening->outer.kind == MAI_ANYWHERE)
    enter_pinned(runtime, thread);
  else
    enter_inside(runtime, thread, opening->outer);
}

bool mai_team_enter(struct mai_runtime *runtime, unsigned thread,
                    const struct mai_opening *opening) {
  bool is_news = false;
  if (thread == 0)
    mai_new_threads_made(runtime);
  mai_binding_set_node(opening->node);
  if (opening->pinned)
    enter_kept(runtime, thread, opening);
  else if (runtime->openmp.get_level() == 1)
    is_news = note_bound(entry_of(runtime, thread));
  if (thread == 0)
    mai_team_cache_add(runtime, opening);
  else
    mai_team_cache_forget();
  return is_news;
}

/*===-- Regions that are opened --------------------------------------------===*/

/* Have the map ready before a region begins. */
static enum mai_decision prepare(void) {
  if (mai_threads_decision() == MAI_UNDECIDED && mai_start() != 0)
    mai_threads_give_up();
  return mai_threads_decision();
}

/* The program, or another tool, has given the calling thread other CPUs than the process has: its
   team is to run there, too. */
static bool has_own_mask(void) {
  struct mai_cpu_mask mask;
  return !mai_binding_narrowed() && mai_affinity_get(&mask) == 0 &&
         memcmp(&mask, mai_affinity_of_process(), sizeof mask) != 0;
}

int mai_team_pin(uint32_t cpu) {
  struct mai_cpu_mask mask = {0};
  mai_cpu_mask_add(&mask, cpu);
  mai_team_cache_clear();
  return keep(MAI_ON_CPU, cpu, &mask) ? 0 : -1;
}

/* A thread that is in no team. */
static void pin_alone(unsigned entry) {
  if (prepare() != MAI_PINS || has_own_mask())
    return;
  uint32_t cpu = mai_thread_map_cpu(entry);
  bool pinned = mai_team_pin(cpu) == 0;
  note(entry);
  if (pinned && mai_thread_sample_pinned(entry) && mai_settings()->verbose)
    say_pinned(entry, cpu);
}

__attribute__((constructor)) static void offer_to_pin(void) { mai_created_pin_by(pin_alone); }

void mai_team_meet(const struct mai_runtime *runtime) {
  if (runtime && mai_binding_narrowed() && !atomic_load(&runtime->begun)) {
    mai_binding_release();
    mai_team_cache_clear();
  }
}

/* LLVM's run-time reads its environment now, if it has not yet, and gives threads that it does not
   know the mask that it has found then. */
static void begin(struct mai_runtime *runtime, bool is_top) {
  if (is_top && runtime->openmp.is_llvm && self.opened != runtime)
    mai_binding_release();
  self.opened = is_top ? runtime : self.opened;
  if (atomic_load_explicit(&runtime->begun, memory_order_relaxed))
    return;
  if (runtime->openmp.is_llvm && mai_omp_binds_now())
    atomic_store(&runtime->bound_by_user, true);
  atomic_store(&runtime->begun, true);
}

/* Where a thread belongs that opens a team of one run-time within a region of another's. */
static struct mai_binding find_outer(const struct mai_runtime *runtime) {
  if (!self.runtime || self.runtime == runtime || !is_loaded(self.runtime) ||
      self.runtime->openmp.get_level() == 0)
    return (struct mai_binding){MAI_ANYWHERE, 0};
  uint32_t cpu = mai_thread_map_cpu(own_entry(self.runtime, self.thread));
  return self.pinned ? (struct mai_binding){MAI_ON_CPU, cpu} : mai_binding_now();
}

/* A team of dynamic size gets as many threads as the calling thread's mask has CPUs. */
static unsigned find_team_size(const struct mai_openmp *openmp, unsigned requested) {
  self.released = (struct mai_binding){MAI_ANYWHERE, 0};
  if (!openmp->get_dynamic())
    return requested ? requested : (unsigned)openmp->get_max_threads();
  self.released = mai_binding_now();
  mai_binding_release();
  return 0;
}

/* Where a new thread is to begin. */
static bool find_place(unsigned entry, struct mai_new_place *place) {
  uint32_t cpu = mai_thread_map_cpu(entry);
  const struct numarch_node *node =
      numarch_get_node(mai_threads_machine(), mai_threads_node_of_cpu(cpu));
  if (!node || !mai_threads_may_pin(entry))
    return false;
  *place = (struct mai_new_place){cpu, node->os_index};
  return true;
}

/* Whether the team's threads are to come by. */
static bool plan(struct mai_runtime *runtime, bool is_top, struct mai_opening *opening) {
  enum mai_decision decision = mai_threads_decision();
  bool bound = decision == MAI_USER_BINDS || atomic_load(&runtime->bound_by_user);
  opening->pinned = decision == MAI_PINS && !bound && !(is_top && has_own_mask());
  if (opening->pinned && is_top && mai_threads_claim_cpus())
    mai_team_size_places_seen();
  if (mai_threads_are_noted() && !opening->pinned && !bound)
    opening->cacheable = false; /* where the kernel has it is noted each time */
  return opening->pinned || bound || mai_threads_are_noted();
}

static bool needs_nothing(enum mai_decision decision) {
  return decision == MAI_KERNEL_DECIDES && !mai_threads_are_noted() && !mai_threads_team_matters();
}

bool mai_team_open(struct mai_runtime *runtime, unsigned requested, struct mai_opening *opening) {
  const struct mai_openmp *openmp = &runtime->openmp;
  if (needs_nothing(prepare()))
    return false;
  struct mai_binding outer = find_outer(runtime);
  bool is_top = openmp->get_level() == 0;
  begin(runtime, is_top);
  *opening = (struct mai_opening){.node = mai_binding_node(),
                                  .outer = outer,
                                  .requested = requested,
                                  .cacheable = is_top && mai_binding_node() == MAI_NO_NODE};
  if (!mai_team_size_claim(runtime, requested))
    opening->cacheable = false;
  opening->changes = mai_team_cache_open(runtime);
  if (mai_threads_tell_begin(openmp))
    opening->cacheable = false;
  opening->team_size = find_team_size(openmp, requested);
  if (is_top)
    reserve(runtime, opening->team_size);
  if (plan(runtime, is_top, opening)) {
    if (is_top && opening->pinned)
      mai_new_threads_expect(runtime, opening->team_size, find_place);
    return true;
  }
  mai_team_cache_add_unseen(runtime, opening);
  return false;
}
