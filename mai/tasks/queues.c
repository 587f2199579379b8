/*===-- queues.c - the tasks that one task has made, by their homes *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "queues.h"

#include <linux/futex.h>
#include <pthread.h>
#include <time.h>

#include "occupied.h"
#include "runtime/system.h"

/* A thread waits for tasks at home before it takes others.  Where all threads of these tasks' homes
   are occupied it does so for some times as long as its tasks have taken lately: then waiting is
   never much worse than not to have waited.  Where one is idle it is on its way.  How long depends
   on whether waiting was in vain, and the thread took another in the end. */
struct patience {
  uint64_t least;
  uint64_t most;
  uint64_t now;
};

enum { SHORTEST = 20000, UNKNOWN = 200000, LONGEST = 5000000, LONGEST_IF_IDLE = 20000000 }; /* ns */

static _Thread_local struct {
  bool stays;              /* the thread may be waiting for the tasks of its outermost ticket */
  uint64_t since;          /* it has run tasks, and not waited */
  uint64_t tasks;          /* so many */
  uint64_t mean;           /* ns that they took; 0: not known yet */
  struct patience eighths; /* of the mean */
  struct patience idle;    /* ns */
} own __attribute__((tls_model("initial-exec"))) = {.eighths = {2, 64, 16},
                                                    .idle = {UNKNOWN, LONGEST_IF_IDLE, LONGEST}};

/*===-- Lives --------------------------------------------------------------===*/

static atomic_uint forks;

static void count_fork(void) { atomic_fetch_add(&forks, 1); }

__attribute__((constructor)) static void watch_forks(void) {
  pthread_atfork(NULL, NULL, count_fork);
}

struct mai_queues *mai_queues_new(void) {
  size_t bytes = sizeof(struct mai_queues) + (mai_home_count() + 1) * sizeof(struct mai_queue);
  struct mai_queues *queues = (struct mai_queues *)mai_task_block_take(MAI_QUEUE_BLOCK, bytes);
  if (!queues)
    return NULL;
  atomic_store_explicit(&queues->users, 1, memory_order_relaxed);
  queues->made_at = mai_home_here();
  queues->forks = atomic_load_explicit(&forks, memory_order_relaxed);
  return queues;
}

/* All queues are empty then, as new ones are. */
void mai_queues_drop(struct mai_queues *queues) {
  if (atomic_fetch_sub_explicit(&queues->users, 1, memory_order_acq_rel) == 1)
    mai_task_block_give_back(MAI_QUEUE_BLOCK, &queues->block);
}

bool mai_queues_are_unused(const struct mai_queues *queues) {
  return atomic_load_explicit(&queues->users, memory_order_acquire) == 1;
}

bool mai_queues_are_lost(const struct mai_queues *queues) {
  return queues->forks != atomic_load_explicit(&forks, memory_order_relaxed);
}

struct mai_work *mai_work_new(size_t bytes) {
  if (bytes > MAI_MOST_ARGUMENTS)
    return NULL;
  return (struct mai_work *)mai_task_block_take(MAI_TASK_BLOCK, MAI_TASK_BLOCK_BYTES);
}

void mai_work_delete(struct mai_work *work) {
  mai_task_block_give_back(MAI_TASK_BLOCK, &work->block);
}

/*===-- One queue ----------------------------------------------------------===*/

/* By the system call that the run-time makes, too: it is not forbidden. */
static void nap(void) {
  enum { NAP = 20 * 1000 };
  static const uint32_t nothing;
  struct timespec time = {.tv_nsec = NAP};
  int error = errno;
  minas_system(SYS_futex, (long)&nothing, FUTEX_WAIT_PRIVATE, 0, (long)&time, 0, 0);
  errno = error;
}

static void wait_a_little(void) {
#if defined __x86_64__
  __builtin_ia32_pause();
#endif
}

/* Held for some loads and stores.  The holder may lose its CPU meanwhile. */
static void lock(struct mai_queue *queue) {
  enum { SPINS = 100 };
  for (unsigned i = 1; atomic_exchange_explicit(&queue->locked, true, memory_order_acquire); i++)
    if (i % SPINS)
      wait_a_little();
    else
      nap();
}

static void unlock(struct mai_queue *queue) {
  atomic_store_explicit(&queue->locked, false, memory_order_release);
}

static void append(struct mai_queue *queue, struct mai_work *work) {
  work->block.next = NULL;
  lock(queue);
  if (atomic_load_explicit(&queue->first, memory_order_relaxed))
    queue->last->block.next = &work->block;
  else
    atomic_store_explicit(&queue->first, work, memory_order_relaxed);
  queue->last = work;
  unlock(queue);
}

static struct mai_work *take_first(struct mai_queue *queue) {
  if (!atomic_load_explicit(&queue->first, memory_order_relaxed))
    return NULL;
  lock(queue);
  struct mai_work *work = atomic_load_explicit(&queue->first, memory_order_relaxed);
  if (work)
    atomic_store_explicit(&queue->first, (struct mai_work *)work->block.next, memory_order_relaxed);
  unlock(queue);
  return work;
}

/*===-- All ----------------------------------------------------------------===*/

/* The last queue is that of the tasks without home. */
static struct mai_queue *queue_of(struct mai_queues *queues, unsigned home) {
  return &queues->queues[home == MAI_NO_HOME ? mai_home_count() : home];
}

/* Counted before it is there: a ticket that sees the number looks again. */
void mai_queues_add(struct mai_queues *queues, struct mai_work *work) {
  atomic_fetch_add(&queues->tasks, 1);
  if (work->calls)
    mai_home_calls(work->home);
  append(queue_of(queues, work->home), work);
}

bool mai_queues_add_ticket(struct mai_queues *queues, int most) {
  if (atomic_load(&queues->tickets) >= most || atomic_load(&queues->tasks) <= 0)
    return false;
  atomic_fetch_add(&queues->tickets, 1);
  atomic_fetch_add_explicit(&queues->users, 1, memory_order_relaxed);
  return true;
}

/* The parent adds a task and then looks for tickets; a ticket leaves and then looks for tasks: one
   of both sees the other. */
static bool end_without_tasks(struct mai_queues *queues) {
  atomic_fetch_sub(&queues->tickets, 1);
  if (atomic_load(&queues->tasks) <= 0)
    return true;
  atomic_fetch_add(&queues->tickets, 1);
  return false;
}

/* Nobody who has to wait for these tasks: a thread that runs no other ticket, and no ticket for
   tasks of its own.  One ticket stays. */
static bool may_leave(struct mai_queues *queues, unsigned home) {
  return mai_occupied_once() && !own.stays && mai_home_is_calling(home) &&
         atomic_load(&queues->tickets) > 1;
}

static bool leave(struct mai_queues *queues) {
  int tickets = atomic_load(&queues->tickets);
  while (tickets > 1)
    if (atomic_compare_exchange_weak(&queues->tickets, &tickets, tickets - 1))
      return true;
  return false;
}

bool mai_queues_end_ticket(struct mai_queues *queues, unsigned home) {
  return (may_leave(queues, home) && leave(queues)) || end_without_tasks(queues);
}

static struct mai_work *take_from(struct mai_queues *queues, unsigned home) {
  struct mai_work *work = take_first(queue_of(queues, home));
  if (!work)
    return NULL;
  atomic_fetch_sub(&queues->tasks, 1);
  if (work->calls)
    mai_home_calls_no_longer(work->home);
  return work;
}

static struct mai_work *take_at_home(struct mai_queues *queues, unsigned home) {
  struct mai_work *work = take_from(queues, home);
  return work ? work : take_from(queues, MAI_NO_HOME);
}

static struct mai_work *take_from_nearest(struct mai_queues *queues, unsigned home) {
  struct mai_work *work = NULL;
  for (unsigned rank = 1; rank < mai_home_count() && !work; rank++)
    work = take_from(queues, mai_home_by_distance(home, rank));
  return work;
}

/*===-- Waiting ------------------------------------------------------------===*/

static void adapt(struct patience *patience, bool in_vain) {
  uint64_t next = in_vain ? patience->now / 2 : patience->now * 2;
  patience->now = next < patience->least  ? patience->least
                  : next > patience->most ? patience->most
                                          : next;
}

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/* The last times count as much as all before. */
static void note_pace(uint64_t time) {
  if (own.tasks > 0) {
    uint64_t mean = (time - own.since) / own.tasks;
    own.mean = own.mean ? (own.mean + mean) / 2 : mean;
  }
  own.since = time;
  own.tasks = 0;
}

/* Whether a thread is on its way to one of the tasks. */
static bool is_idle_at_home(const struct mai_queues *queues) {
  for (unsigned home = 0; home < mai_home_count(); home++)
    if (atomic_load_explicit(&queues->queues[home].first, memory_order_relaxed) &&
        mai_home_has_idle_thread(home))
      return true;
  return false;
}

static uint64_t time_to_wait(bool idle) {
  uint64_t time = own.mean ? own.mean * own.eighths.now / 8 : UNKNOWN;
  time = time < SHORTEST ? SHORTEST : time < LONGEST ? time : LONGEST;
  return idle && time < own.idle.now ? own.idle.now : time;
}

static void note_waited(uint64_t begin, uint64_t end) {
  struct mai_task_counts *counts = mai_own_task_counts();
  if (counts)
    mai_count(&counts->waited, end - begin);
  own.since = end;
}

void mai_queues_begin_ticket(bool stays) {
  if (mai_occupied_once())
    own.stays = stays;
  own.since = now();
  own.tasks = 0;
}

static struct mai_work *wait_and_take(struct mai_queues *queues, unsigned home) {
  struct mai_work *work = NULL;
  uint64_t begin = now();
  uint64_t time = begin;
  bool idle = is_idle_at_home(queues);
  note_pace(begin);
  while (!work && atomic_load(&queues->tasks) > 0 && !may_leave(queues, home) &&
         time - begin < time_to_wait(idle)) {
    nap();
    time = now();
    idle = is_idle_at_home(queues);
    work = take_at_home(queues, home);
  }
  bool in_vain = !work && !may_leave(queues, home) && (work = take_from_nearest(queues, home));
  adapt(idle ? &own.idle : &own.eighths, in_vain);
  note_waited(begin, time);
  return work;
}

struct mai_work *mai_queues_take(struct mai_queues *queues, unsigned home) {
  struct mai_work *work = take_at_home(queues, home);
  if (!work && atomic_load(&queues->tasks) > 0)
    work = wait_and_take(queues, home);
  own.tasks += work != NULL;
  return work;
}
