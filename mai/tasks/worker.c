/*===-- worker.c - what a thread that makes or runs tasks has of its own *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "worker.h"

#include "mai/process/call.h"
#include "order.h"
#include "runtime/heap.h"
#include "runtime/lock.h"

enum { SHOWN = 32 }; /* levels of tasks in tasks; deeper ones take their places */

struct mai_worker {
  _Alignas(64) struct mai_task_block *_Atomic returned[MAI_BLOCK_KINDS]; /* by others */
  struct mai_worker *before;                                             /* constant */
  _Alignas(64) struct mai_task_block *free[MAI_BLOCK_KINDS];             /* the thread's alone */
  struct mai_last_tasks last_tasks;                                      /* as well */
  struct mai_home_notes home_notes;
  struct mai_task_counts counts;
  _Atomic uint32_t thread; /* whose it is, or was */
  _Alignas(64) struct mai_task_queues *_Atomic shown[SHOWN];
};

static struct mai_worker *_Atomic workers;

static _Thread_local struct mai_worker *own __attribute__((tls_model("initial-exec")));

/*===-- Workers ------------------------------------------------------------===*/

static void *allocate_aligned(size_t bytes) {
  char *memory = minas_alloc(bytes + MAI_BLOCK_ALIGNMENT);
  if (!memory)
    return NULL;
  return memory + (-(uintptr_t)memory & (MAI_BLOCK_ALIGNMENT - 1));
}

/* One whose thread has ended.  That with the calling thread's own number is such a one. */
static struct mai_worker *take_over(uint32_t self) {
  for (struct mai_worker *worker = atomic_load(&workers); worker; worker = worker->before) {
    uint32_t thread = atomic_load(&worker->thread);
    if ((thread == self || !minas_thread_exists(thread)) &&
        atomic_compare_exchange_strong(&worker->thread, &thread, self))
      return worker;
  }
  return NULL;
}

static struct mai_worker *new_worker(uint32_t self) {
  struct mai_worker *worker = allocate_aligned(sizeof *worker);
  if (!worker)
    return NULL;
  worker->thread = self;
  worker->before = atomic_load(&workers);
  while (!atomic_compare_exchange_weak(&workers, &worker->before, worker))
    ;
  return worker;
}

static struct mai_worker *find_own(void) {
  MAI_CALL;
  uint32_t self = minas_own_number();
  own = take_over(self);
  if (own)
    own->home_notes = (struct mai_home_notes){.next = 0}; /* what the thread before has said */
  else
    own = new_worker(self);
  return own;
}

static struct mai_worker *own_worker(void) { return own ? own : find_own(); }

struct mai_task_counts *mai_own_task_counts(void) {
  struct mai_worker *worker = own_worker();
  return worker ? &worker->counts : NULL;
}

struct mai_last_tasks *mai_own_last_tasks(void) {
  struct mai_worker *worker = own_worker();
  return worker ? &worker->last_tasks : NULL;
}

struct mai_home_notes *mai_own_home_notes(void) {
  struct mai_worker *worker = own_worker();
  return worker ? &worker->home_notes : NULL;
}

void mai_end_batch(void) {
  struct mai_last_tasks *last = mai_own_last_tasks();
  if (last)
    last->batch++;
}

const char *mai_passed_word(enum mai_passed reason) {
  static const char *const words[MAI_PASSED_REASONS] = {
      "if",           "final", "depend", "priority", "detach",
      "cancellation", "team",  "large",  "homeless", "other"};
  return words[reason];
}

void mai_count_task(size_t offset) {
  struct mai_worker *worker = own_worker();
  if (worker)
    mai_count((atomic_ulong *)((char *)&worker->counts + offset), 1);
}

static atomic_bool have_been_passed;

bool mai_tasks_have_been_passed(void) {
  return atomic_load_explicit(&have_been_passed, memory_order_relaxed);
}

/* Those that the program runs at once do not wait for threads. */
void mai_count_passed(enum mai_passed reason) {
  mai_count_task(offsetof(struct mai_task_counts, passed) + reason * sizeof(atomic_ulong));
  if (reason != MAI_PASSED_IF && !mai_tasks_have_been_passed())
    atomic_store_explicit(&have_been_passed, true, memory_order_relaxed);
}

unsigned long mai_tasks_at_home(unsigned home) {
  unsigned long sum = 0;
  for (struct mai_worker *worker = atomic_load(&workers); worker; worker = worker->before)
    sum += atomic_load_explicit(&worker->counts.run[home][MAI_TASK_AT_HOME], memory_order_relaxed);
  return sum;
}

static void add(atomic_ulong *sum, atomic_ulong *number) {
  mai_count(sum, atomic_load_explicit(number, memory_order_relaxed));
}

void mai_task_counts_add(struct mai_task_counts *sum) {
  for (struct mai_worker *worker = atomic_load(&workers); worker; worker = worker->before) {
    for (unsigned home = 0; home < MAI_MOST_HOMES; home++)
      for (unsigned place = 0; place < MAI_TASK_PLACES; place++)
        add(&sum->run[home][place], &worker->counts.run[home][place]);
    add(&sum->homeless, &worker->counts.homeless);
    for (unsigned reason = 0; reason < MAI_PASSED_REASONS; reason++)
      add(&sum->passed[reason], &worker->counts.passed[reason]);
    add(&sum->tickets, &worker->counts.tickets);
    add(&sum->waited, &worker->counts.waited);
  }
}

/*===-- Queues that others may see -----------------------------------------===*/

void mai_show_queues(unsigned depth, struct mai_task_queues *queues) {
  struct mai_worker *worker = own_worker();
  if (!worker)
    return;
  struct mai_task_queues *_Atomic *shown = &worker->shown[depth % SHOWN];
  if (atomic_load_explicit(shown, memory_order_relaxed) != queues)
    atomic_store_explicit(shown, queues, memory_order_release);
}

struct mai_task_queues *mai_shown_next(struct mai_shown *shown) {
  if (!shown->worker)
    shown->worker = atomic_load(&workers);
  for (; shown->worker; shown->worker = shown->worker->before, shown->depth = 0)
    while (shown->depth < SHOWN) {
      struct mai_task_queues *queues =
          atomic_load_explicit(&shown->worker->shown[shown->depth++], memory_order_acquire);
      if (queues)
        return queues;
    }
  return NULL;
}

/*===-- Blocks -------------------------------------------------------------===*/

/* A list of new blocks. */
static struct mai_task_block *new_blocks(struct mai_worker *worker, size_t bytes) {
  enum { AT_A_TIME = 64 };
  MAI_CALL;
  char *memory = allocate_aligned(AT_A_TIME * bytes);
  struct mai_task_block *list = NULL;
  for (size_t i = 0; i < AT_A_TIME && memory; i++) {
    struct mai_task_block *block = (struct mai_task_block *)(memory + i * bytes);
    *block = (struct mai_task_block){list, worker};
    list = block;
  }
  return list;
}

struct mai_task_block *mai_task_block_take(enum mai_task_block_kind kind, size_t bytes) {
  struct mai_worker *worker = own_worker();
  if (!worker)
    return NULL;
  struct mai_task_block **list = &worker->free[kind];
  if (!*list)
    *list = atomic_exchange_explicit(&worker->returned[kind], NULL, memory_order_acquire);
  if (!*list)
    *list = new_blocks(worker, bytes);
  struct mai_task_block *block = *list;
  if (!block)
    return NULL;
  *list = block->next;
  mai_comes_after(block);
  return block;
}

void mai_task_block_give_back(enum mai_task_block_kind kind, struct mai_task_block *block) {
  struct mai_worker *owner = block->owner;
  mai_comes_before(block);
  if (owner == own) {
    block->next = owner->free[kind];
    owner->free[kind] = block;
    return;
  }
  struct mai_task_block *first = atomic_load_explicit(&owner->returned[kind], memory_order_relaxed);
  do
    block->next = first;
  while (!atomic_compare_exchange_weak_explicit(&owner->returned[kind], &first, block,
                                                memory_order_release, memory_order_relaxed));
}
