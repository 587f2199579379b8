/*===-- worker.h - what a thread that makes or runs tasks has of its own *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Memory for tasks, without a lock: a thread takes blocks of its own, and gets back those that
 * other threads have done with.  And what the report counts, apart from other threads' counts.
 *
 * A worker outlives its thread: another thread gets it.
 */
#ifndef MAI_WORKER_H
#define MAI_WORKER_H

#include <stddef.h>

#include "home.h"
#include "mai/tasks/functions/known.h"
#include "near.h"

/** What becomes of the tasks that have a home. */
enum mai_task_place { MAI_TASK_AT_HOME, MAI_TASK_NEAR, MAI_TASK_FAR, MAI_TASK_PLACES };

/** Why a task is left to the run-time. */
enum mai_passed {
  MAI_PASSED_IF,           /**< the program runs it at once */
  MAI_PASSED_FINAL,        /**< it is final, or a final task makes it */
  MAI_PASSED_DEPEND,       /**< it has dependences */
  MAI_PASSED_PRIORITY,     /**< it has a priority */
  MAI_PASSED_DETACHED,     /**< it ends when an event comes */
  MAI_PASSED_CANCELLATION, /**< tasks may be cancelled */
  MAI_PASSED_TEAM,         /**< its team is inside another, or of one thread */
  MAI_PASSED_LARGE,        /**< it gets too much */
  MAI_PASSED_HOMELESS,     /**< it gets nothing in an array, and its parent has no home */
  MAI_PASSED_OTHER,        /**< nobody here knows what it is, or there is no memory */
  MAI_PASSED_REASONS,      /**< how many there are; of a task: none */
};

/** In a word. */
const char *mai_passed_word(enum mai_passed reason);

struct mai_task_counts {
  atomic_ulong run[MAI_MOST_HOMES][MAI_TASK_PLACES]; /**< by where, of each home's */
  atomic_ulong homeless;                             /**< of which no home is known */
  atomic_ulong passed[MAI_PASSED_REASONS];           /**< that were left to the run-time */
  atomic_ulong tickets;                              /**< that the run-time got for the others */
  atomic_ulong waited;                               /**< ns, for tasks at home */
};

/** A block's beginning; what follows it is the user's. */
struct mai_task_block {
  struct mai_task_block *next; /**< the user's while it is taken */
  struct mai_worker *owner;
};

struct mai_task_queues;

enum mai_task_block_kind {
  MAI_TASK_BLOCK,       /**< of MAI_TASK_BLOCK_BYTES */
  MAI_TASK_QUEUE_BLOCK, /**< of mai_task_queues_bytes() */
  MAI_BLOCK_KINDS
};

enum { MAI_BLOCK_ALIGNMENT = 64, MAI_TASK_BLOCK_BYTES = 384 };

/** A block; new ones are zero after their beginning, others as they were given back.  NULL when
 *  there is no memory. */
struct mai_task_block *mai_task_block_take(enum mai_task_block_kind kind, size_t bytes);

void mai_task_block_give_back(enum mai_task_block_kind kind, struct mai_task_block *block);

/** What the tasks have got that the calling thread has made last; NULL when there is no memory. */
struct mai_last_tasks *mai_own_last_tasks(void);

/** What the calling thread remembers of homes; NULL when there is no memory. */
struct mai_home_notes *mai_own_home_notes(void);

/** The calling thread makes no siblings of these any more. */
void mai_end_batch(void);

/** Show other threads the queues into which the calling thread puts tasks at this depth of its
 *  stack, in place of those before.  Who looks for them may see them after they have been given
 *  back. */
void mai_show_queues(unsigned depth, struct mai_task_queues *queues);

/** Where a thread is that looks at those of all threads; zero: at the beginning. */
struct mai_shown {
  const struct mai_worker *worker;
  unsigned depth;
};

/** The next ones; NULL: there are no more. */
struct mai_task_queues *mai_shown_next(struct mai_shown *shown);

/** The calling thread's; NULL when there is no memory. */
struct mai_task_counts *mai_own_task_counts(void);

/** Add to a number that only the calling thread changes. */
static inline void mai_count(atomic_ulong *number, unsigned long more) {
  atomic_store_explicit(number, atomic_load_explicit(number, memory_order_relaxed) + more,
                        memory_order_relaxed);
}

/** One more of a kind of tasks: the offset of its number. */
void mai_count_task(size_t offset);

#define MAI_COUNT_TASK(number) mai_count_task(offsetof(struct mai_task_counts, number))

/** Whether the run-time has got tasks that any thread may run. */
bool mai_tasks_have_been_passed(void);

/** One more task that is left to the run-time. */
void mai_count_passed(enum mai_passed reason);

/** How many tasks have been run at one home, by all threads. */
unsigned long mai_tasks_at_home(unsigned home);

/** Add the counts of all threads to `sum`. */
void mai_task_counts_add(struct mai_task_counts *sum);

#endif /* MAI_WORKER_H */
