/*===-- pipeline.h - pools of threads, and queues between them ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A stage of a pipeline has a pool of threads, which are distributed over the nodes, and a queue
 * from which these take pointers.  A common queue is one for all: threads take what there is.  One
 * that is divided has items for each node, which that node's threads take.  The first stage has no
 * queue, and a single thread, as the last one has, which closes all queues, and that ends all.
 *
 * What mai-trace counts is what the stages do, without what is made ready before or looked at
 * afterwards.
 */
#ifndef SHARING_PIPELINE_H
#define SHARING_PIPELINE_H

#include "common.h"

#include <mai.h>
#include <mai_sharing.h>
#include <mai_trace.h>
#include <pthread.h>

enum { MOST_NODES = 1024, ROOM = 64 /* items of a node in a queue */ };

static unsigned nodes[MOST_NODES]; /* OS indices */
static unsigned node_count;

static void find_nodes(void) {
  mai_trace_stop();
  int count = mai_list_nodes(nodes, MOST_NODES);
  if (count <= 0)
    fail("what nodes there are is not known: %s", strerror(errno));
  node_count = count < MOST_NODES ? (unsigned)count : MOST_NODES;
}

/*===-- Parts ---------------------------------------------------------------===*/

/* What the stages use is divided into parts, one for each node; they are where the kernel, or who
   starts the program, wants to have them, or each on its node. */
static bool has_parts, leaves_home;

static unsigned count_parts(void) { return has_parts ? node_count : 1; }

static void *part_memory(unsigned node, size_t count, size_t size) {
  if (!has_parts || leaves_home)
    return allocate(count, size);
  void *memory = mai_alloc_bind(count, size, nodes[node]);
  if (!memory)
    fail("no memory for %zu elements of %zu bytes on node %u", count, size, nodes[node]);
  return memory;
}

static void free_part(void *memory) {
  if (!has_parts || leaves_home)
    free(memory);
  else
    mai_free(memory);
}

/*===-- Pools of threads ----------------------------------------------------===*/

struct worker {
  pthread_t thread;
  unsigned group; /* those of a pool */
  unsigned node;  /* its place in `nodes` */
  void (*work)(unsigned node);
};

struct pool {
  long count;
  struct worker *workers;
};

/* Each pool has a thread a CPU, where there are so many.  If nobody may be pinned, it works where
   it is. */
static void *begin_work(void *argument) {
  const struct worker *self = argument;
  mai_pin_group(self->group, (int)nodes[self->node], MAI_PIN_APART);
  self->work(self->node);
  return NULL;
}

/* The first thread goes to the first node, the next one to the next. */
static void start_pool(struct pool *pool, long count, void (*work)(unsigned node)) {
  static unsigned groups;
  unsigned group = groups++;
  pool->count = count;
  pool->workers = allocate((size_t)count, sizeof *pool->workers);
  for (long i = 0; i < count; i++) {
    struct worker *worker = &pool->workers[i];
    worker->group = group;
    worker->node = (unsigned)(i % node_count);
    worker->work = work;
    int error = pthread_create(&worker->thread, NULL, begin_work, worker);
    if (error)
      fail("no more threads: %s", strerror(error));
  }
}

static void join_pool(struct pool *pool) {
  for (long i = 0; i < pool->count; i++)
    pthread_join(pool->workers[i].thread, NULL);
  free(pool->workers);
}

/* A thread on each of the first `count` nodes does it. */
static void do_there(unsigned count, void (*work)(unsigned node)) {
  struct pool pool;
  start_pool(&pool, count, work);
  join_pool(&pool);
}

/*===-- Stages --------------------------------------------------------------===*/

struct stage {
  void (*work)(unsigned node);
  bool uses_parts;    /* its threads take what is for the part of their node */
  mai_queue_t *queue; /* of pointers */
};

static bool is_divided(const struct stage *stage) { return has_parts && stage->uses_parts; }

static void open_queue(struct stage *stage) {
  stage->queue = mai_queue_new(sizeof(void *), ROOM, is_divided(stage) ? 0 : MAI_QUEUE_STEALS);
  if (!stage->queue)
    fail("no queue: %s", strerror(errno));
}

/* @param node its place among the nodes; a common queue does not need it */
static void put(const struct stage *stage, unsigned node, void *item) {
  int result = is_divided(stage) ? mai_queue_put(stage->queue, nodes[node], &item)
                                 : mai_queue_put_in_turn(stage->queue, &item);
  if (result != 0)
    fail("nothing can be put into a queue: %s", strerror(errno));
}

/* @return NULL: there will be none any more */
static void *take(const struct stage *stage, unsigned node) {
  void *item;
  int result = is_divided(stage) ? mai_queue_take_from(stage->queue, nodes[node], &item)
                                 : mai_queue_take(stage->queue, &item);
  return result == 0 ? item : NULL;
}

/* So many threads that each node has one that takes what is put there. */
static long threads_for(const struct stage *stage, long threads) {
  return is_divided(stage) && threads < (long)node_count ? (long)node_count : threads;
}

/* @param first the work of the first stage
   @param count of the others; the last one ends them */
static void run_stages(void (*first)(unsigned node), struct stage *stages, unsigned count,
                       long threads) {
  struct pool *pools = allocate(count + 1, sizeof *pools);
  double begin = seconds_now();
  for (unsigned i = 0; i < count; i++)
    open_queue(&stages[i]);
  for (unsigned i = 0; i + 1 < count; i++)
    start_pool(&pools[i], threads_for(&stages[i], threads), stages[i].work);
  start_pool(&pools[count - 1], 1, stages[count - 1].work);
  mai_trace_start();
  start_pool(&pools[count], 1, first);
  for (unsigned i = 0; i <= count; i++)
    join_pool(&pools[i]);
  mai_trace_stop();
  for (unsigned i = 0; i < count; i++)
    mai_queue_free(stages[i].queue);
  free(pools);
  say_time(threads, "threads a stage", begin);
}

static void end_stages(const struct stage *stages, unsigned count) {
  for (unsigned i = 0; i < count; i++)
    mai_queue_close(stages[i].queue);
}

#endif /* SHARING_PIPELINE_H */
