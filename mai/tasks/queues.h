/*===-- queues.h - the tasks that one task has made, by their homes *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The run-time does not get these tasks, but *tickets* for them: tasks of its own, at most as many
 * as there are threads, which take one task after the other until none is left.  All tasks in a
 * struct mai_task_queues have the same parent, and are in the same groups of tasks, and so are
 * their tickets.
 *
 * Only the parent, which one thread runs, adds tasks.  A ticket that finds none ends; whoever adds
 * a task sees to it that there is a ticket.  So there are tasks only while there are tickets.
 *
 * The tasks that these tasks make are in queues *below*.  Who runs a ticket may run them, too: a
 * thread may begin any task whose ancestors are all those that it has begun and not ended.  For
 * those in whose queues they were they are *guests* elsewhere, and the last ticket waits for them.
 * A guest of another group is run in one of its own: its group may end when the guest has.
 */
#ifndef MAI_QUEUES_H
#define MAI_QUEUES_H

#include <stddef.h>

#include "mai/tasks/functions/known.h"
#include "openmp/routes.h"
#include "worker.h"

/** A task. */
struct mai_work {
  struct mai_task_block block;
  void (*function)(void *arguments);
  struct mai_task_queues *from; /**< in which it waits, or has waited; NULL: in none */
  unsigned home;
  bool is_guessed;  /**< its home, which tasks that it makes do not inherit then */
  bool has_made;    /**< another task */
  const void *code; /**< its function, where its home is by its pointers; or NULL */
  unsigned level;   /**< then: such tasks around it */
  struct mai_pointers pointers;
  _Alignas(MAI_BLOCK_ALIGNMENT) char arguments[];
};

enum { MAI_MOST_ARGUMENTS = MAI_TASK_BLOCK_BYTES - sizeof(struct mai_work) };

struct mai_task_queues;
struct mai_task_maker;
struct mai_lone_task;

/** How a kind of run-time makes tasks; `thread` is its number of the calling thread. */
struct mai_task_calls {
  void (*make_ticket)(struct mai_task_queues *queues, int32_t thread);
  /** Make a task of the run-time's that does mai_lone_task_run(). */
  void (*make_lone)(const struct mai_lone_task *lone, int32_t thread);
  /** Run a task at once, as one that the run-time makes. */
  void (*run)(struct mai_work *work, const struct mai_task_maker *maker, int32_t thread);
  /** Run tasks in a group. */
  void (*begin_group)(const struct mai_task_maker *maker, int32_t thread);
  void (*end_group)(const struct mai_task_maker *maker, int32_t thread);
  /** Wait for the tickets that the calling thread has made in a ticket. */
  void (*wait)(const struct mai_task_maker *maker, int32_t thread);
  /** Wake threads that sleep while there are tickets; NULL: the run-time does. */
  void (*wake)(const struct mai_task_maker *maker, int32_t thread);
};

/** Who makes a task: a run-time, in the way of a part of the program. */
struct mai_task_maker {
  const struct mai_task_calls *calls;
  const struct mai_route *route;
  const struct mai_runtime *run_time;
  void *location; /**< in the program, where the run-time wants it */
};

/** A task that is in no queue. */
struct mai_lone_task {
  struct mai_work *work;
  struct mai_task_maker maker;
};

struct mai_task_queue {
  _Alignas(64) atomic_bool locked;
  struct mai_work *_Atomic first;
  struct mai_work *last; /**< where there is a first */
  atomic_uint busy;      /**< tickets that threads of this home run, with none inside them */
};

struct mai_task_queues {
  struct mai_task_block block;
  atomic_uint users; /**< the parent, tickets, guests, and queues below */
  atomic_int tasks;  /**< that wait */
  atomic_uint made;  /**< tasks that the parent has added, and those before */
  atomic_int guests; /**< tasks that threads run for the tickets of queues above */
  atomic_int tickets;
  atomic_int idle_tickets;     /**< of these, not yet begun */
  atomic_int waiting_tickets;  /**< of these, without a task until others make some */
  unsigned made_at;            /**< the home where the parent began to add */
  unsigned forks;              /**< that there had been then */
  struct mai_task_maker maker; /**< of the tickets */
  unsigned settings;           /**< of the parent that the tasks inherit */
  unsigned level;              /**< queues above */
  struct mai_task_queues
      *above;    /**< from which the parent comes, or NULL, see mai_task_queues_new() */
  bool is_apart; /**< the tasks may be in a group that the parent has begun */
  struct mai_task_queue queues[]; /**< of each home, and last of none */
};

/** New ones, used by the parent; NULL when there is no memory.
 *  @param above from which the parent comes, where what its tasks inherit is the same, and nothing
 *  is reduced in groups that it has begun; or NULL */
struct mai_task_queues *mai_task_queues_new(const struct mai_task_maker *maker, unsigned settings,
                                            struct mai_task_queues *above, bool is_apart);

/** Somebody uses them no longer. */
void mai_task_queues_drop(struct mai_task_queues *queues);

/** Whether nobody but the parent uses them: no ticket runs any more, there are no tasks. */
bool mai_task_queues_are_unused(const struct mai_task_queues *queues);

/** Whether this process has been forked since they were made, and their tickets are gone. */
bool mai_task_queues_are_lost(const struct mai_task_queues *queues);

/** Memory for a task with so many bytes of arguments; NULL when there is none, or not for so many.
 */
struct mai_work *mai_work_new(size_t bytes);
void mai_work_delete(struct mai_work *work);

/** The parent adds a task. */
void mai_task_queues_add(struct mai_task_queues *queues, struct mai_work *work);

/** The parent adds a ticket, where there are fewer than `most`, and tasks.  @return whether it is
 *  to give it to the run-time */
bool mai_task_queues_add_ticket(struct mai_task_queues *queues, int most);

/** A ticket that the calling thread runs. */
struct mai_ticket {
  struct mai_task_queues *queues;
  int32_t thread;           /**< the run-time's number of it, where it wants it */
  unsigned home;            /**< where it runs */
  bool stays;               /**< it may be waiting for these tasks */
  bool waits;               /**< it is, and the run-time knows nothing of this ticket */
  bool has_asked;           /**< it has made other tickets */
  unsigned made;            /**< tasks, when it looked last */
  struct mai_ticket *outer; /**< inside which the thread runs it, or NULL */
};

/** The calling thread begins to run tasks. */
void mai_task_queues_begin_ticket(struct mai_ticket *ticket);

/** Decline a ticket that the run-time gives to the calling thread while that asks for others, which
 *  has one of these already.
 *  @return whether it is none any more */
bool mai_task_queues_decline_ticket(struct mai_task_queues *queues);

/** Whether tasks in queues that are below others are in groups in which those are not. */
bool mai_task_queues_are_apart(const struct mai_task_queues *queues,
                               const struct mai_task_queues *above);

/** The same of one that waits for the tasks.
 *  @return false: there is nothing to wait for that others than the run-time know of */
bool mai_task_queues_begin_to_wait(struct mai_ticket *ticket);

/** Take a task: one at home or without home, from these queues or from those below, else, after a
 *  while, one of these from the nearest home that has any.  Where the ticket waits for others that
 *  run tasks, or its thread has begun nothing else, wait for one at home.
 *  @return NULL when there is none, or the ticket may end for its thread to find others at home */
struct mai_work *mai_task_queues_take(struct mai_ticket *ticket);

/** A task has been run that was taken for a ticket. */
void mai_task_queues_end_task(const struct mai_ticket *ticket, struct mai_task_queues *from);

/** End a ticket, unless there are tasks and nobody else to run them.
 *  @return whether it ends; else it goes on */
bool mai_task_queues_end_ticket(const struct mai_ticket *ticket);

#endif /* MAI_QUEUES_H */
