/*===-- fill.c - populates pages on their nodes by many threads -*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "fill.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

#include "mai/process/affinity.h"
#include "mai/process/call.h"
#include "mai/process/message.h"
#include "runtime/fail.h"
#include "runtime/heap.h"
#include "runtime/lock.h"

enum { BYTES_A_WORKER = 4 << 20, PAGES_A_TABLE = 512, SLICES_A_WORKER = 8 };

/* The pages of one node, or, where any of a set will do, those of the set. */
struct goal {
  uint32_t meant; /* what mai_placement_node() says of them */
  const uint32_t *nodes;
  uint32_t count;
};

/* A task is a slice of the array and a goal.  A slice is made of whole page tables of the kernel,
   and each goal begins with another slice, so that workers seldom wait for each other: two that
   populate pages of one table do. */
struct job {
  const struct mai_filling *filling;
  struct goal *goals;
  size_t goal_count;
  uint16_t *node_of_page; /* what mai_placement_node() says, cut off; NULL: it does not matter */
  _Atomic int *listed;    /* for each slice whether node_of_page is there, an enum listing */
  size_t slice_pages;
  size_t slice_count;
  size_t head;          /* pages by which the first slice is shorter */
  _Atomic size_t *next; /* for each goal how many slices were taken */
  _Atomic int error;
};

enum listing { NOT_LISTED, IS_BEING_LISTED, LISTED };

/*===-- Goals --------------------------------------------------------------===*/

static bool add_node(bool *known, uint32_t *nodes, uint32_t *count, uint32_t node) {
  if (node >= MAI_MOST_NODES || known[node])
    return false;
  known[node] = true;
  nodes[(*count)++] = node;
  return true;
}

/* The nodes that pages may be meant for, each once. @return how many */
static uint32_t list_nodes(const struct mai_placement *placement, uint32_t *nodes) {
  bool known[MAI_MOST_NODES] = {false};
  uint32_t count = 0;
  if (placement->rule > MAI_RULE_ANY_OF)
    for (uint32_t i = 0; i < placement->count; i++)
      add_node(known, nodes, &count, placement->nodes[i]);
  for (size_t page = 0; placement->moved && page < placement->pages; page++)
    if (placement->moved[page] < MAI_MOVED_ANYWHERE)
      add_node(known, nodes, &count, placement->moved[page]);
  return count;
}

/* `nodes` must live as long as the goals. */
static void set_goals(struct job *job, const uint32_t *nodes, uint32_t count) {
  const struct mai_placement *placement = job->filling->placement;
  for (uint32_t i = 0; i < count; i++)
    job->goals[job->goal_count++] = (struct goal){nodes[i], &nodes[i], 1};
  if (placement->rule <= MAI_RULE_ANY_OF)
    job->goals[job->goal_count++] = (struct goal){MAI_ANY_NODE, placement->nodes, placement->count};
  else if (placement->moved) /* some may be meant for anywhere */
    job->goals[job->goal_count++] = (struct goal){MAI_ANY_NODE, NULL, 0};
}

/*===-- One task -----------------------------------------------------------===*/

static bool has_contents(const struct mai_filling *filling, size_t page) {
  return !filling->touched || filling->touched[page];
}

/* The end of the pages from `first` up to `end` that all have contents, or all have none. */
static size_t alike_end(const struct mai_filling *filling, size_t first, size_t end) {
  if (!filling->touched)
    return end;
  size_t page = first + 1;
  while (page < end && filling->touched[page] == filling->touched[first])
    page++;
  return page;
}

static int fill_run(const struct mai_filling *filling, size_t page, size_t end) {
  size_t size = filling->placement->page_size;
  while (page < end) {
    size_t next = alike_end(filling, page, end);
    char *target = filling->target + page * size;
    if (filling->source && has_contents(filling, page))
      memcpy(target, filling->source + page * size, (next - page) * size);
    else if (!filling->only_touched &&
             mai_kernel_populate((uintptr_t)target, (next - page) * size, size) != 0)
      return -1;
    page = next;
  }
  return 0;
}

struct slice {
  size_t first;
  size_t end;
};

static struct slice slice_at(const struct job *job, size_t number) {
  size_t pages = job->filling->placement->pages;
  size_t first = number ? number * job->slice_pages - job->head : 0;
  size_t end = (number + 1) * job->slice_pages - job->head;
  return (struct slice){first, end < pages ? end : pages};
}

/* Working out a page's node takes long enough to do it once for all goals: by who comes first. */
static void list_slice(const struct job *job, size_t number, const struct slice *slice) {
  int state = NOT_LISTED;
  if (atomic_compare_exchange_strong(&job->listed[number], &state, IS_BEING_LISTED)) {
    mai_placement_list_nodes(job->filling->placement, slice->first, slice->end - slice->first,
                             job->node_of_page + slice->first);
    atomic_store(&job->listed[number], LISTED);
  }
  while (atomic_load(&job->listed[number]) != LISTED)
    sched_yield();
}

static int fill_slice(const struct job *job, const struct goal *goal, size_t number) {
  struct slice slice = slice_at(job, number);
  const uint16_t *nodes = job->node_of_page;
  if (!nodes)
    return fill_run(job->filling, slice.first, slice.end);
  list_slice(job, number, &slice);
  for (size_t page = slice.first; page < slice.end;) {
    size_t next = page + 1;
    while (next < slice.end && nodes[next] == nodes[page])
      next++;
    if (nodes[page] == (uint16_t)goal->meant && fill_run(job->filling, page, next) != 0)
      return -1;
    page = next;
  }
  return 0;
}

static int pursue(struct job *job, size_t which) {
  const struct goal *goal = &job->goals[which];
  enum mai_mode mode = goal->count ? job->filling->mode : MAI_MODE_LOCAL;
  size_t offset = which * job->slice_count / job->goal_count;
  bool policy_set = job->filling->by_range;
  for (;;) {
    size_t taken = atomic_fetch_add(&job->next[which], 1);
    if (taken >= job->slice_count || atomic_load(&job->error))
      return 0;
    if (!policy_set && mai_kernel_set_thread_policy(mode, goal->nodes, goal->count) != 0)
      return -1;
    policy_set = true;
    if (fill_slice(job, goal, (offset + taken) % job->slice_count) != 0)
      return -1;
  }
}

/*===-- Workers ------------------------------------------------------------===*/

/* A worker that cannot go there works from afar. */
static void go_to(const numarch_t *topology, const struct goal *goal) {
  struct mai_cpu_mask mask = {0};
  uint32_t index = goal->count ? numarch_node_by_os_index(topology, goal->nodes[0]) : NUMARCH_NONE;
  if (index == NUMARCH_NONE)
    return;
  mai_cpu_mask_add_node(&mask, topology, index);
  if (mai_cpu_mask_count(&mask))
    mai_affinity_set(&mask);
}

/* Each worker begins with another goal, and helps with the others when there is nothing left. */
static void work(struct job *job, size_t worker, bool may_travel) {
  for (size_t i = 0; i < job->goal_count; i++) {
    size_t which = (worker + i) % job->goal_count;
    if (atomic_load(&job->next[which]) >= job->slice_count)
      continue;
    if (may_travel && !job->filling->by_range)
      go_to(job->filling->topology, &job->goals[which]);
    if (pursue(job, which) != 0)
      atomic_store(&job->error, errno);
  }
}

struct worker {
  pthread_t thread;
  size_t number;
  struct job *job;
};

static void *work_as_thread(void *argument) {
  MAI_CALL;
  const struct worker *worker = argument;
  work(worker->job, worker->number, true);
  return NULL;
}

static void work_alone(struct job *job) {
  struct mai_thread_policy saved;
  if (job->filling->by_range) {
    work(job, 0, false);
    return;
  }
  if (mai_kernel_save_thread_policy(&saved) != 0) {
    atomic_store(&job->error, errno);
    return;
  }
  work(job, 0, false);
  mai_kernel_restore_thread_policy(&saved);
}

/* The program's signals are not for the workers. */
static unsigned start_workers(struct job *job, struct worker *workers, unsigned count) {
  sigset_t all, before;
  unsigned started = 0;
  MINAS_CALLS_OUT();
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  for (; started < count; started++) {
    struct worker *worker = &workers[started];
    worker->number = started;
    worker->job = job;
    int error = pthread_create(&worker->thread, NULL, work_as_thread, worker);
    if (error) {
      errno = error;
      MAI_REFUSED("clone3");
      break;
    }
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return started;
}

static void work_together(struct job *job, unsigned count) {
  struct worker *workers = count > 1 ? minas_alloc_list(count, sizeof *workers) : NULL;
  unsigned started = workers ? start_workers(job, workers, count) : 0;
  if (started == 0)
    work_alone(job);
  for (unsigned i = 0; i < started; i++)
    pthread_join(workers[i].thread, NULL);
  minas_free(workers);
}

static unsigned worker_count(const struct mai_filling *filling) {
  size_t bytes = filling->placement->pages * filling->placement->page_size;
  size_t worthwhile = bytes / BYTES_A_WORKER;
  return worthwhile < filling->most_workers ? (unsigned)worthwhile : filling->most_workers;
}

/* So many slices that the work evens out. */
static void cut(struct job *job, unsigned workers) {
  const struct mai_placement *placement = job->filling->placement;
  size_t number = placement->start / placement->page_size;
  size_t wanted = workers > 1 ? (size_t)workers * SLICES_A_WORKER : 1;
  size_t tables = placement->pages / wanted / PAGES_A_TABLE + 1;
  job->slice_pages = tables * PAGES_A_TABLE;
  job->head = number % PAGES_A_TABLE;
  job->slice_count = (placement->pages + job->head + job->slice_pages - 1) / job->slice_pages;
}

static int prepare(struct job *job, unsigned workers) {
  cut(job, workers);
  job->next = minas_alloc_list(job->goal_count + 1, sizeof *job->next);
  if (!job->next)
    return -1;
  if (job->filling->by_range || job->goal_count == 1)
    return 0;
  job->node_of_page = minas_alloc(job->filling->placement->pages * sizeof *job->node_of_page);
  job->listed = minas_alloc_list(job->slice_count, sizeof *job->listed);
  return job->node_of_page && job->listed ? 0 : -1;
}

int mai_fill(const struct mai_filling *filling) {
  static const struct goal anything = {MAI_ANY_NODE, NULL, 0};
  uint32_t nodes[MAI_MOST_NODES];
  struct job job = {.filling = filling};
  if (filling->placement->pages == 0)
    return 0;
  uint32_t count = filling->by_range ? 0 : list_nodes(filling->placement, nodes);
  job.goals = minas_alloc_list(count + 1, sizeof *job.goals);
  if (!job.goals)
    return -1;
  if (filling->by_range)
    job.goals[job.goal_count++] = anything;
  else
    set_goals(&job, nodes, count);
  unsigned workers = worker_count(filling);
  if (prepare(&job, workers) == 0)
    work_together(&job, workers);
  else
    job.error = ENOMEM;
  minas_free(job.node_of_page);
  minas_free(job.listed);
  minas_free(job.next);
  minas_free(job.goals);
  int error = atomic_load(&job.error);
  return error ? fail(error) : 0;
}
