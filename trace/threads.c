/*===-- threads.c - which context a thread counts into -----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "threads.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>

#include "blocks.h"
#include "memory.h"
#include "process.h"

enum { RECENT = 16, PHASES_MAX = 1024, CACHE_WAYS = 8 };

/* One thread of the system. */
struct thread {
  struct trace_context *context;
  struct trace_context *recent[RECENT]; /* contexts of its own, by phase */
  unsigned owner;                       /* its number here, from 1 */
  unsigned created;                     /* 0: the initial thread */
  unsigned paused;
  bool stack_noted;
  const void *stack_top; /* of a thread that was made: its thread-local variables lie above */
  unsigned long countdown;
  uint64_t random;  /* state of a generator */
  uintptr_t *cache; /* CACHE_WAYS lines a set, the one used last first; 0 is none */
};

static __thread struct thread self __attribute__((tls_model("initial-exec")));

static struct {
  pthread_once_t once;
  struct trace_settings settings;
  atomic_bool started;
  bool filtered;
  size_t cache_sets;
  pthread_key_t key;
  atomic_uint owners;
  atomic_uintptr_t regions[PHASES_MAX];
} state = {.once = PTHREAD_ONCE_INIT};

/*===-- Phases --------------------------------------------------------------===*/

unsigned trace_phase_of(const void *region) {
  if (!state.settings.phases || !region)
    return 0;
  size_t start = ((uintptr_t)region >> 2) * 0x9e3779b97f4a7c15U >> 40;
  for (unsigned i = 0; i < PHASES_MAX - 1; i++) {
    unsigned phase = 1 + (unsigned)((start + i) % (PHASES_MAX - 1));
    uintptr_t known = 0;
    if (atomic_compare_exchange_strong(&state.regions[phase], &known, (uintptr_t)region) ||
        known == (uintptr_t)region)
      return phase;
  }
  return 0;
}

unsigned trace_phase_count(void) { return PHASES_MAX; }
uintptr_t trace_phase_region(unsigned phase) { return atomic_load(&state.regions[phase]); }

/*===-- Threads -------------------------------------------------------------===*/

static void leave_all(void *owner) {
  mai_trace_chunks = mai_trace_no_chunks;
  self.context = NULL;
  memset(self.recent, 0, sizeof self.recent);
  trace_contexts_leave((unsigned)(uintptr_t)owner);
  self.owner = 0;
}

static void start(void) {
  trace_settings_read(&state.settings);
  const struct trace_settings *settings = &state.settings;
  struct trace_budget budget = {settings->memory, (unsigned)__builtin_ctzl(settings->page)};
  trace_counters_init(&budget);
  state.cache_sets = settings->cache >> MAI_TRACE_LINE_SHIFT;
  state.cache_sets = state.cache_sets / CACHE_WAYS ? state.cache_sets / CACHE_WAYS : 1;
  state.filtered = settings->sample > 1 || settings->cache > 0;
  pthread_key_create(&state.key, leave_all);
  atomic_store(&state.started, true);
  trace_process_start(settings);
}

const struct trace_settings *trace_start(void) {
  pthread_once(&state.once, start);
  return &state.settings;
}

void trace_pause(void) {
  self.paused++;
  mai_trace_chunks = mai_trace_no_chunks;
}

static void use(struct trace_context *context) {
  self.context = context;
  mai_trace_chunks =
      !context || state.filtered || self.paused ? mai_trace_no_chunks : context->chunks;
}

void trace_resume(void) {
  if (--self.paused == 0)
    use(self.context);
}

static void note_cpu(struct trace_context *context) {
  int cpu = sched_getcpu();
  if (cpu < 0)
    return;
  if (context->entries++ && context->cpu != (uint32_t)cpu)
    context->moves++;
  context->cpu = (uint32_t)cpu;
}

static struct trace_context *context_for(struct trace_who who, unsigned phase) {
  struct trace_context **recent = &self.recent[phase % RECENT];
  struct trace_context *context = *recent;
  if (!self.owner) {
    self.owner = atomic_fetch_add(&state.owners, 1) + 1;
    pthread_setspecific(state.key, (void *)(uintptr_t)self.owner);
  }
  if (!context || context->who.kind != who.kind || context->who.number != who.number ||
      context->phase != phase)
    context = *recent = trace_context_take(who, phase, self.owner);
  return context;
}

static struct trace_who who_alone(void) {
  return self.created ? (struct trace_who){TRACE_OTHER, self.created}
                      : (struct trace_who){TRACE_OPENMP, 0};
}

static void note_stack(void) {
  if (!self.stack_noted && self.created && self.context)
    trace_block_stack(self.context->who, self.stack_top);
  self.stack_noted = true;
}

void trace_thread_begin(unsigned created) {
  self.created = created;
  if (!self.stack_top)
    self.stack_top = __builtin_frame_address(0);
  trace_pause();
  trace_start();
  self.context = context_for(who_alone(), 0);
  if (self.context)
    note_cpu(self.context);
  trace_resume();
}

/* Who this thread is in the region that it enters. */
static struct trace_who who_in_team(const struct trace_openmp *openmp) {
  int level = openmp->get_level();
  for (int outer = 1; outer <= level; outer++)
    if (openmp->get_team_size(outer) > 1)
      return (struct trace_who){TRACE_OPENMP, (unsigned)openmp->get_ancestor_thread_num(outer)};
  return self.context ? self.context->who : who_alone();
}

struct trace_context *trace_enter(const struct trace_openmp *openmp, const void *region) {
  trace_pause();
  trace_start();
  struct trace_context *before = self.context;
  self.context = context_for(who_in_team(openmp), trace_phase_of(region));
  if (self.context)
    note_cpu(self.context);
  note_stack();
  trace_resume();
  return before;
}

void trace_leave(struct trace_context *before) {
  if (before)
    use(before);
}

void trace_thread_in_child(void) {
  for (struct trace_context *context = trace_contexts(); context; context = context->next)
    if (atomic_load(&context->owner) != self.owner)
      atomic_store(&context->owner, 0);
}

/*===-- Accesses that are not counted at once -------------------------------===*/

/* What runs while the program has values in vector registers: see preserve.c. */
#ifdef __x86_64__
#define GENERAL_REGISTERS __attribute__((target("general-regs-only")))
#else
#define GENERAL_REGISTERS
#endif

/* Whether the line of an access is not in the cache; from now on it is. */
GENERAL_REGISTERS static bool misses(uintptr_t address) {
  if (!self.cache)
    self.cache = trace_memory(state.cache_sets * CACHE_WAYS * sizeof *self.cache);
  if (!self.cache)
    return true;
  uintptr_t line = address / state.settings.line;
  uintptr_t *set = self.cache + line % state.cache_sets * CACHE_WAYS;
  uintptr_t newer = line;
  for (size_t way = 0; way < CACHE_WAYS; way++) {
    uintptr_t older = set[way];
    set[way] = newer;
    if (older == line)
      return false;
    newer = older;
  }
  return true;
}

/* How many accesses to the next one that is counted: 1 to 2n - 1, n on average.  Always n would be
   in step with loops.  (Marsaglia's xorshift64; every run draws the same numbers.) */
GENERAL_REGISTERS static unsigned long next_gap(void) {
  if (!self.random)
    self.random = 0x9e3779b97f4a7c15U + self.owner;
  self.random ^= self.random << 13;
  self.random ^= self.random >> 7;
  self.random ^= self.random << 17;
  return 1 + (unsigned long)(self.random % (2 * state.settings.sample - 1));
}

GENERAL_REGISTERS static bool is_wanted(uintptr_t address) {
  if (state.settings.cache && !misses(address))
    return false;
  if (self.countdown == 0)
    self.countdown = next_gap();
  return --self.countdown == 0;
}

GENERAL_REGISTERS int mai_trace_unwanted(uintptr_t address) {
  if (self.paused)
    return 1;
  return self.context && state.filtered && !is_wanted(address);
}

/* Before the first access of a thread it is not known whether accesses are filtered. */
static bool begin_and_want(uintptr_t address) {
  trace_thread_begin(self.created);
  return self.context && !mai_trace_unwanted(address);
}

void mai_trace_count_missing(uintptr_t address, int kind) {
  if (!self.context && !begin_and_want(address))
    return;
  if (!self.stack_noted) {
    trace_pause();
    note_stack();
    trace_resume();
  }
  trace_count_into(self.context, address, kind);
}

void mai_trace_missing(uintptr_t address, int kind) {
  if (!mai_trace_unwanted(address))
    mai_trace_count_missing(address, kind);
}

void mai_trace_began(uintptr_t address, int kind) {
  trace_counter_began(self.context, address, kind);
}
