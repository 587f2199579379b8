/*===-- threads.c - which context a thread counts into -----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "threads.h"

#include <limits.h>
#include <pthread.h>
#include <string.h>

#include "blocks.h"
#include "borders.h"
#include "code.h"
#include "directory.h"
#include "trace/system/kernel.h"
#include "trace/system/lock.h"
#include "trace/system/pace.h"
#include "memory.h"
#include "process.h"
#include "stack.h"
#include "transfers.h"
#include "watch.h"

/* Where the initial thread's stack ends; of the dynamic linker.
   NOLINTNEXTLINE(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */
extern void *__libc_stack_end;

enum { RECENT = 16, CACHE_WAYS = 8, DEPTH_MAX = 512 };

/* One thread of the system. */
struct thread {
  struct trace_context *context;
  const struct mai_openmp *openmp;      /* of the region that it has entered last */
  struct trace_context *recent[RECENT]; /* contexts of its own, by phase and task */
  struct trace_context **around;        /* those that tasks have been begun in */
  unsigned depth;                       /* how many these are */
  unsigned owner;                       /* its number here, from 1 */
  unsigned created;                     /* 0: the initial thread */
  unsigned paused;
  bool stack_noted;
  unsigned looks;      /* how often it is to look again where it is */
  uintptr_t stack_low; /* of a thread that was made; 0: not known */
  uintptr_t stack_top; /* its thread-local variables lie above */
  unsigned long countdown;
  struct trace_pace pace;
  uint64_t random; /* state of a generator */
  struct model_prefetcher *prefetcher;
  unsigned node;    /* of the model's, when it began what it does now */
  uintptr_t *cache; /* CACHE_WAYS lines a set, the one used last first; 0 is none */
  uintptr_t *waste; /* the directory of what is not to be counted */
  struct trace_chunk *waste_chunk;
  /* While it is listed: */
  struct thread *next, **link;
  uintptr_t **chunks; /* its mai_trace_chunks */
  unsigned listings;
};

static __thread struct thread self __attribute__((tls_model("initial-exec")));

static struct {
  struct trace_settings settings;
  atomic_bool started;
  bool filtered; /* not all accesses are counted */
  bool detailed; /* more is done for each than to count it */
  size_t cache_sets;
  pthread_key_t key;
  atomic_uint owners;
  trace_lock_t listing;
  struct thread *threads;
  atomic_bool off, has_gaps;
  atomic_uint slice;
  uint64_t slice_starts[TRACE_SLICES_MAX];
} state;

/*===-- Phases and tasks ----------------------------------------------------===*/

TRACE_CODE_NUMBERS(regions, TRACE_PHASES_MAX);
TRACE_CODE_NUMBERS(tasks, TRACE_TASKS_MAX);

/** The phase of a region; phase 0 is outside of all. */
static unsigned phase_of(const void *region) {
  return state.settings.phases && region ? trace_number_of_code(&regions, region) : 0;
}

unsigned trace_task_of(const void *body) {
  return state.settings.tasks && body ? trace_number_of_code(&tasks, body) : 0;
}

const struct trace_code_numbers *trace_regions(void) { return &regions; }
const struct trace_code_numbers *trace_tasks(void) { return &tasks; }

/*===-- Threads -------------------------------------------------------------===*/

static size_t around_bytes(void) { return DEPTH_MAX * sizeof *self.around; }

MAI_TRACE_GENERAL_REGISTERS static size_t cache_bytes(void) {
  return state.cache_sets * CACHE_WAYS * sizeof *self.cache;
}

/*===-- Parts of the run ----------------------------------------------------===*/
/*
 * What a thread does meanwhile is counted, too, at no more cost than else, in a directory all of
 * whose entries lead to one chunk, which nobody reads.  Another thread can only take away a
 * thread's directory: so it comes by mai_trace_count_missing(), and takes the right one.
 */

static uintptr_t *waste(void) {
  if (!self.waste_chunk)
    self.waste_chunk = trace_memory(sizeof *self.waste_chunk);
  if (!self.waste && self.waste_chunk)
    self.waste = trace_memory(MAI_TRACE_CHUNKS * sizeof *self.waste);
  return self.waste ? self.waste : mai_trace_no_chunks;
}

static void waste_access(uintptr_t address) {
  uintptr_t index = address >> MAI_TRACE_CHUNK_SHIFT;
  if (self.waste)
    self.waste[index] = (uintptr_t)self.waste_chunk->lines -
                        index * MAI_TRACE_CHUNK_LINES * sizeof *self.waste_chunk->lines;
}

static void forget_waste(void) {
  if (self.waste)
    trace_memory_free(self.waste, MAI_TRACE_CHUNKS * sizeof *self.waste);
  if (self.waste_chunk)
    trace_memory_free(self.waste_chunk, sizeof *self.waste_chunk);
  self.waste = NULL;
  self.waste_chunk = NULL;
}

/* The variables of a thread end with it: one that begins anew in its last destructor, when nobody
   tells of its end any more, is not listed. */
static void list_thread(void) {
  if (self.link || self.listings++ == PTHREAD_DESTRUCTOR_ITERATIONS)
    return;
  self.chunks = &mai_trace_chunks;
  struct kernel_signals before = kernel_block_signals();
  trace_lock(&state.listing);
  self.next = state.threads;
  self.link = &state.threads;
  if (self.next)
    self.next->link = &self.next;
  state.threads = &self;
  trace_unlock(&state.listing);
  kernel_unblock_signals(before);
}

static void unlist_thread(void) {
  struct kernel_signals before = kernel_block_signals();
  trace_lock(&state.listing);
  if (self.link) {
    *self.link = self.next;
    if (self.next)
      self.next->link = self.link;
  }
  self.link = NULL;
  trace_unlock(&state.listing);
  kernel_unblock_signals(before);
}

/* All come by mai_trace_count_missing(). */
static void call_threads(void) {
  struct kernel_signals before = kernel_block_signals();
  trace_lock(&state.listing);
  for (struct thread *thread = state.threads; thread; thread = thread->next)
    __atomic_store_n(thread->chunks, mai_trace_no_chunks, __ATOMIC_RELAXED);
  trace_unlock(&state.listing);
  kernel_unblock_signals(before);
}

void trace_record(bool on) {
  if (!trace_started() || atomic_exchange(&state.off, !on) == !on)
    return;
  atomic_store(&state.has_gaps, true);
  call_threads();
}

bool trace_has_gaps(void) { return atomic_load(&state.has_gaps); }

MAI_TRACE_GENERAL_REGISTERS static unsigned current_slice(void) {
  return atomic_load_explicit(&state.slice, memory_order_relaxed);
}

bool trace_slice_begin(uint64_t now) {
  unsigned next = current_slice() + 1;
  if (next == TRACE_SLICES_MAX)
    return false;
  state.slice_starts[next] = now;
  atomic_store(&state.slice, next);
  call_threads();
  return next + 1 < TRACE_SLICES_MAX;
}

unsigned trace_slice_count(void) { return current_slice() + 1; }
uint64_t trace_slice_start(unsigned slice) { return state.slice_starts[slice]; }

void mai_trace_record(int on) { trace_record(on != 0); }

/*===-- Threads, as they begin and end --------------------------------------===*/

static void look_again(void);

static void leave_all(void *owner) {
  mai_trace_chunks = mai_trace_no_chunks;
  if (self.created && self.looks)
    look_again();
  self.context = NULL;
  unlist_thread();
  forget_waste();
  memset(self.recent, 0, sizeof self.recent);
  trace_contexts_leave((unsigned)(uintptr_t)owner);
  self.owner = 0;
  if (self.cache)
    trace_memory_free(self.cache, cache_bytes());
  self.cache = NULL;
  if (self.prefetcher)
    trace_memory_free(self.prefetcher, sizeof *self.prefetcher);
  self.prefetcher = NULL;
  if (self.around)
    trace_memory_free(self.around, around_bytes());
  self.around = NULL;
  trace_stack_leave();
}

MAI_TRACE_GENERAL_REGISTERS bool trace_started(void) {
  return atomic_load_explicit(&state.started, memory_order_acquire);
}

const struct trace_settings *trace_settings(void) { return &state.settings; }

unsigned trace_owner(void) { return self.owner; }

void trace_pause(void) {
  self.paused++;
  mai_trace_chunks = mai_trace_no_chunks;
}

static void use(struct trace_context *context) {
  self.context = context;
  if (!context || state.filtered || state.detailed || self.paused)
    mai_trace_chunks = mai_trace_no_chunks;
  else
    mai_trace_chunks = atomic_load(&state.off) ? waste() : context->chunks;
}

void trace_resume(void) {
  if (--self.paused == 0)
    use(self.context);
}

static bool own_cpu(unsigned *cpu) {
  unsigned node = 0;
  if (minas_kernel_call(SYS_getcpu, (long)cpu, (long)&node, 0, 0, 0, 0) != 0)
    return false;
  if (state.settings.model && !state.settings.model_imagined)
    self.node = node % state.settings.model_nodes;
  return true;
}

static void note_cpu(struct trace_context *context) {
  unsigned cpu = 0;
  if (!own_cpu(&cpu))
    return;
  if (context->entries++ && context->cpu != cpu)
    context->moves++;
  context->cpu = cpu;
}

/* MAi binds a thread when its first region begins, perhaps behind this library: where it is at its
   first access there is where it is.  Threads of the program often bind themselves, when they have
   read where to: where they are at some of their first accesses, or when they end. */
enum { LOOKS_IN_REGION = 1, LOOKS_OF_CREATED = 64 };

static void look_again(void) {
  unsigned cpu = 0;
  self.looks--;
  if (self.context && own_cpu(&cpu))
    self.context->cpu = cpu;
}

static struct trace_context *context_for(struct trace_who who, unsigned phase, unsigned task) {
  const struct trace_part_of_run part = {phase, task, current_slice()};
  struct trace_context **recent = &self.recent[(phase + task) % RECENT];
  struct trace_context *context = *recent;
  if (!self.owner) {
    self.owner = atomic_fetch_add(&state.owners, 1) + 1;
    pthread_setspecific(state.key, (void *)(uintptr_t)self.owner);
    list_thread();
  }
  if (!context || !trace_context_is_for(context, who, &part))
    context = *recent = trace_context_take(who, &part, self.owner);
  return context;
}

/* What the thread does from now on is the current slice's. */
static void renew_slice(void) {
  if (self.context->slice == current_slice())
    return;
  trace_pause();
  struct trace_context *next =
      context_for(self.context->who, self.context->phase, self.context->task);
  if (next)
    self.context = next;
  trace_resume();
}

static struct trace_who who_alone(void) {
  return self.created ? (struct trace_who){TRACE_OTHER, self.created}
                      : (struct trace_who){TRACE_OPENMP, 0};
}

static void note_stack(void) {
  if (!self.stack_noted && self.stack_low && self.context)
    trace_block_stack(self.context->who, self.stack_low, self.stack_top);
  self.stack_noted = true;
}

/* On nodes that are imagined, threads are distributed in blocks. */
static void imagine_node(unsigned number, unsigned threads) {
  unsigned nodes = state.settings.model_nodes;
  if (state.settings.model_imagined)
    self.node = number < threads ? number * nodes / threads : number % nodes;
}

/* What a thread does alone counts as its own from now on. */
static void begin(void) {
  trace_pause();
  imagine_node(self.created, 1);
  self.context = context_for(who_alone(), 0, 0);
  if (self.context)
    note_cpu(self.context);
  trace_resume();
}

void trace_thread_is_created(unsigned created) {
  uintptr_t high;
  self.stack_top = (uintptr_t)__builtin_frame_address(0);
  if (trace_own_stack(&self.stack_low, &high))
    trace_stack_is(self.stack_low, high);
  self.created = created;
  self.looks = LOOKS_OF_CREATED;
  begin();
}

/*===-- The start -----------------------------------------------------------===*/

/* One that has no memory counts without it. */
static void start_model(void) {
  const struct trace_settings *settings = &state.settings;
  struct model_shape shape =
      model_shape_of(settings->model_nodes, settings->model_cache, settings->model_ways);
  void *memory = trace_memory(model_caches_bytes(&shape));
  if (memory)
    model_start(&shape, memory);
  else
    state.settings.model = false;
}

static void start(const char *program, char *const *variables) {
  trace_settings_read(&state.settings, program, variables);
  const struct trace_settings *settings = &state.settings;
  struct trace_budget budget = {settings->memory, (unsigned)__builtin_ctzl(settings->page)};
  trace_counters_init(&budget);
  if (settings->model)
    start_model();
  state.cache_sets = settings->cache >> MAI_TRACE_LINE_SHIFT;
  state.cache_sets = state.cache_sets / CACHE_WAYS ? state.cache_sets / CACHE_WAYS : 1;
  state.filtered = settings->sample > 1 || settings->cache > 0;
  state.detailed = settings->transfers || settings->sources;
  pthread_key_create(&state.key, leave_all);
  trace_borders_start();
  trace_blocks_start(settings->block);
  trace_process_start(settings);
  atomic_store(&state.started, true);
}

void mai_trace_initialise(int count, char **arguments, char **variables) {
  if (trace_started())
    return;
  if (kernel_gettid() == kernel_getpid())
    trace_stack_is_initial((uintptr_t)__libc_stack_end);
  start(count > 0 ? arguments[0] : NULL, variables);
  begin();
}

/* Where the program's executable does not do it before: see directory.c. */
__attribute__((constructor)) static void start_library(int count, char **arguments,
                                                       char **variables) {
  mai_trace_ready = true;
  mai_trace_initialise(count, arguments, variables);
  trace_watch_start(&state.settings);
}

/*===-- Regions -------------------------------------------------------------===*/

/* Who this thread is in the region that it enters. */
static struct trace_who who_in_team(const struct mai_openmp *openmp, int level) {
  if (level)
    return (struct trace_who){TRACE_OPENMP, (unsigned)openmp->get_ancestor_thread_num(level)};
  return self.context ? self.context->who : who_alone();
}

struct trace_context *trace_own_context(void) { return self.context; }

/* By phases. */
static atomic_bool dynamic[TRACE_PHASES_MAX];

bool trace_phase_is_dynamic(unsigned phase) {
  return atomic_load_explicit(&dynamic[phase], memory_order_relaxed);
}

/* Threads come by for each piece: what is known is not written again, so that nobody waits for the
   line. */
void mai_trace_dynamic_loop(void) {
  if (self.context && !trace_phase_is_dynamic(self.context->phase))
    atomic_store_explicit(&dynamic[self.context->phase], true, memory_order_relaxed);
}

void mai_trace_runtime_loop(void) {
  if (self.openmp && !mai_openmp_runtime_is_static(self.openmp))
    mai_trace_dynamic_loop();
}

void trace_enter(const struct mai_openmp *openmp, const void *region) {
  trace_pause();
  self.openmp = openmp;
  int level = mai_openmp_team_level(openmp);
  struct trace_who who = who_in_team(openmp, level);
  if (level)
    imagine_node(who.number, (unsigned)openmp->get_team_size(level));
  self.context = context_for(who, phase_of(region), 0);
  self.looks = self.context && self.context->entries == 0 ? LOOKS_IN_REGION : 0;
  if (self.context)
    note_cpu(self.context);
  note_stack();
  trace_resume();
}

void trace_leave(struct trace_context *before) {
  if (!before)
    return;
  use(before);
  renew_slice();
}

/*===-- Tasks ---------------------------------------------------------------===*/

static void begin_task(unsigned task) {
  trace_pause();
  struct trace_context *context = context_for(self.context->who, self.context->phase, task);
  if (context && context->begun++ == 0)
    note_cpu(context);
  if (context)
    self.context = context;
  trace_resume();
}

struct trace_context *trace_task_begin(unsigned task) {
  if (!self.context)
    begin();
  struct trace_context *before = self.context;
  if (state.settings.pace)
    trace_pace_begin(&self.pace);
  if (before && task)
    begin_task(task);
  return before;
}

/* Those that are too deep count as what is around them. */
void trace_task_push(unsigned task) {
  if (!self.around)
    self.around = trace_memory(around_bytes());
  if (self.around && self.depth < DEPTH_MAX)
    self.around[self.depth] = trace_task_begin(task);
  self.depth++;
}

void trace_task_pop(void) {
  self.depth--;
  if (self.around && self.depth < DEPTH_MAX)
    trace_leave(self.around[self.depth]);
}

void trace_thread_in_child(void) {
  model_in_child();
  atomic_store(&state.listing, 0);
  state.threads = NULL;
  self.link = NULL;
  self.listings = 0;
  list_thread();
  for (struct trace_context *context = trace_contexts(); context; context = context->next)
    if (atomic_load(&context->owner) != self.owner)
      atomic_store(&context->owner, 0);
}

/*===-- Accesses that are not counted at once -------------------------------===*/

/* Whether the line of an access is not in the cache; from now on it is. */
MAI_TRACE_GENERAL_REGISTERS static bool misses(uintptr_t address) {
  if (!self.cache)
    self.cache = trace_memory(cache_bytes());
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
MAI_TRACE_GENERAL_REGISTERS static unsigned long next_gap(void) {
  if (!self.random)
    self.random = 0x9e3779b97f4a7c15U + self.owner;
  self.random ^= self.random << 13;
  self.random ^= self.random >> 7;
  self.random ^= self.random << 17;
  return 1 + (unsigned long)(self.random % (2 * state.settings.sample - 1));
}

MAI_TRACE_GENERAL_REGISTERS static bool is_wanted(uintptr_t address) {
  if (state.settings.cache && !misses(address))
    return false;
  if (self.countdown == 0)
    self.countdown = next_gap();
  return --self.countdown == 0;
}

/* What one place in the code does, and what a model makes of it. */
MAI_TRACE_GENERAL_REGISTERS static void count_by_code(struct trace_code_use *use, uintptr_t address,
                                                      int kind) {
  trace_code_count(use, kind);
  if (!state.settings.model)
    return;
  if (!self.prefetcher)
    self.prefetcher = trace_memory(sizeof *self.prefetcher);
  struct model_access access = {.node = self.node,
                                .address = address,
                                .writes = kind == MAI_TRACE_WRITE,
                                .instruction = 2 * use->caller + (uintptr_t)kind};
  if (self.prefetcher)
    model_see(self.prefetcher, &access, use->model);
}

/* What else is kept of an access whose line was counted before. @return whether all that it needs
   is there; nothing was done otherwise */
MAI_TRACE_GENERAL_REGISTERS static bool count_details(uintptr_t address, int kind,
                                                      uintptr_t caller) {
  struct trace_code_use *use =
      state.settings.sources ? trace_code_find(self.context, address, caller) : NULL;
  if (state.settings.sources && !use)
    return false;
  if (state.settings.transfers ? !trace_transfer_known(self.context, address, kind)
                               : !(trace_is_counted(self.context, address, kind) &&
                                   trace_count_known(self.context, address, kind)))
    return false;
  if (use)
    count_by_code(use, address, kind);
  return true;
}

MAI_TRACE_GENERAL_REGISTERS int mai_trace_unwanted(uintptr_t address, int kind, uintptr_t caller) {
  if (!trace_started() || self.paused)
    return 1;
  if (!self.context || (!state.filtered && !state.detailed) ||
      self.context->slice != current_slice())
    return 0;
  if (atomic_load_explicit(&state.off, memory_order_relaxed) ||
      (state.filtered && !is_wanted(address)))
    return 1;
  return state.detailed && count_details(address, kind, caller);
}

/* Before the first access of a thread it is not known whether accesses are filtered. */
static bool begin_and_want(uintptr_t address, int kind, uintptr_t caller) {
  begin();
  return self.context && !mai_trace_unwanted(address, kind, caller);
}

static void count_with_details(uintptr_t address, int kind, uintptr_t caller) {
  struct trace_code_use *use =
      state.settings.sources ? trace_code_make(self.context, address, caller) : NULL;
  if (use)
    count_by_code(use, address, kind);
  if (state.settings.transfers)
    trace_transfer(self.context, address, kind);
  else
    trace_count_into(self.context, address, kind);
}

static void keep_pace(void) {
  enum { SECOND = 1000000000 };
  trace_pace_keep(&self.pace, (int64_t)(state.settings.sample * SECOND / state.settings.pace));
}

void mai_trace_count_missing(uintptr_t address, int kind, uintptr_t caller) {
  if (!self.context && !begin_and_want(address, kind, caller))
    return;
  if (state.settings.pace)
    keep_pace();
  if (self.looks)
    look_again();
  if (!self.stack_noted) {
    trace_pause();
    note_stack();
    trace_resume();
  }
  renew_slice();
  if (mai_trace_chunks == mai_trace_no_chunks)
    use(self.context);
  if (atomic_load(&state.off))
    waste_access(address);
  else if (state.detailed)
    count_with_details(address, kind, caller);
  else
    trace_count_into(self.context, address, kind);
}

struct access {
  uintptr_t address;
  int kind;
  uintptr_t caller;
};

static void count_missing(void *argument) {
  const struct access *access = argument;
  mai_trace_count_missing(access->address, access->kind, access->caller);
}

void mai_trace_missing_from(uintptr_t address, int kind, uintptr_t caller) {
  struct access access = {address, kind, caller};
  if (!mai_trace_unwanted(address, kind, caller))
    trace_on_stack(count_missing, &access);
}

void mai_trace_missing(uintptr_t address, int kind) {
  mai_trace_missing_from(address, kind, (uintptr_t)__builtin_return_address(0));
}

static void note_beginning(void *argument) {
  const struct access *access = argument;
  trace_counter_began(self.context, access->address, access->kind);
}

MAI_TRACE_GENERAL_REGISTERS int mai_trace_is_part(uintptr_t address, int kind) {
  if (mai_trace_chunks == self.waste)
    return 1;
  return trace_count_known_part(self.context, address, kind);
}

void mai_trace_began(uintptr_t address, int kind) {
  struct access access = {.address = address, .kind = kind};
  if (mai_trace_is_part(address, kind))
    return;
  trace_on_stack(note_beginning, &access);
}
