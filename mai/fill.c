/*===-- fill.c - brings pages in, each on its node, by many threads *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "fill.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "affinity.h"

enum { BYTES_A_WORKER = 4 << 20, PAGES_A_SLICE_STEP = 512 };

/* The pages of one node, or, where any of a set will do, those of the set. */
struct goal {
  uint32_t meant; /* what mai_placement_node() says of them */
  const uint32_t *nodes;
  uint32_t count;
};

/* A task is a slice of the array and a goal. */
struct job {
  const struct mai_filling *filling;
  struct goal *goals;
  size_t goal_count;
  size_t slice_pages;
  size_t task_count;
  _Atomic size_t next;
  _Atomic int error;
};

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
             mai_kernel_bring_in((uintptr_t)target, (next - page) * size, size) != 0)
      return -1;
    page = next;
  }
  return 0;
}

static int fill_slice(const struct mai_filling *filling, const struct goal *goal, size_t first,
                      size_t end) {
  const struct mai_placement *placement = filling->placement;
  if (filling->by_range)
    return fill_run(filling, first, end);
  for (size_t page = first; page < end;) {
    size_t next = mai_placement_run_end(placement, page);
    if (next > end)
      next = end;
    if (mai_placement_node(placement, page) == goal->meant && fill_run(filling, page, next) != 0)
      return -1;
    page = next;
  }
  return 0;
}

static int run_task(const struct job *job, size_t task) {
  const struct mai_filling *filling = job->filling;
  const struct goal *goal = &job->goals[task % job->goal_count];
  size_t first = task / job->goal_count * job->slice_pages;
  size_t left = filling->placement->pages - first;
  size_t end = first + (left < job->slice_pages ? left : job->slice_pages);
  if (!filling->by_range && goal->count &&
      mai_kernel_set_thread_policy(filling->mode, goal->nodes, goal->count) != 0)
    return -1;
  return fill_slice(filling, goal, first, end);
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

static void work(struct job *job, bool may_travel) {
  for (;;) {
    size_t task = atomic_fetch_add(&job->next, 1);
    if (task >= job->task_count || atomic_load(&job->error))
      return;
    if (may_travel && !job->filling->by_range)
      go_to(job->filling->topology, &job->goals[task % job->goal_count]);
    if (run_task(job, task) != 0)
      atomic_store(&job->error, errno);
  }
}

static void *work_as_thread(void *job) {
  work(job, true);
  return NULL;
}

static void work_alone(struct job *job) {
  struct mai_thread_policy saved;
  if (mai_kernel_save_thread_policy(&saved) != 0) {
    atomic_store(&job->error, errno);
    return;
  }
  work(job, false);
  mai_kernel_restore_thread_policy(&saved);
}

/* The program's signals are not for the workers. */
static unsigned start_workers(struct job *job, pthread_t *workers, unsigned count) {
  sigset_t all, before;
  unsigned started = 0;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  while (started < count && pthread_create(&workers[started], NULL, work_as_thread, job) == 0)
    started++;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return started;
}

static void work_together(struct job *job, unsigned count) {
  pthread_t *workers = count > 1 ? calloc(count, sizeof *workers) : NULL;
  unsigned started = workers ? start_workers(job, workers, count) : 0;
  if (started == 0)
    work_alone(job);
  for (unsigned i = 0; i < started; i++)
    pthread_join(workers[i], NULL);
  free(workers);
}

static unsigned worker_count(const struct mai_filling *filling) {
  size_t bytes = filling->placement->pages * filling->placement->page_size;
  size_t worthwhile = bytes / BYTES_A_WORKER;
  return worthwhile < filling->most_workers ? (unsigned)worthwhile : filling->most_workers;
}

/* As many slices as give each worker a task of its own at least; a slice begins where a huge page
   may begin. */
static void cut(struct job *job, unsigned workers) {
  size_t pages = job->filling->placement->pages;
  size_t slices = job->goal_count ? (workers + job->goal_count - 1) / job->goal_count : 1;
  if (job->filling->by_range)
    slices *= 4; /* nothing is known of where its pages are: smaller tasks even out */
  size_t each = slices > 1 ? (pages + slices - 1) / slices : pages;
  if (slices > 1)
    each = (each + PAGES_A_SLICE_STEP - 1) / PAGES_A_SLICE_STEP * PAGES_A_SLICE_STEP;
  job->slice_pages = each;
  job->task_count = (pages + each - 1) / each * job->goal_count;
}

int mai_fill(const struct mai_filling *filling) {
  static const struct goal anything = {MAI_ANY_NODE, NULL, 0};
  uint32_t nodes[MAI_MOST_NODES];
  struct job job = {.filling = filling};
  if (filling->placement->pages == 0)
    return 0;
  uint32_t count = filling->by_range ? 0 : list_nodes(filling->placement, nodes);
  job.goals = calloc(count + 1, sizeof *job.goals);
  if (!job.goals)
    return -1;
  if (filling->by_range)
    job.goals[job.goal_count++] = anything;
  else
    set_goals(&job, nodes, count);
  unsigned workers = worker_count(filling);
  cut(&job, workers);
  work_together(&job, workers);
  free(job.goals);
  errno = atomic_load(&job.error);
  return errno ? -1 : 0;
}
