/*===-- tickets.c - the run-time's tasks that run the others -----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "tickets.h"

#include "frames.h"
#include "home.h"
#include "occupied.h"

/* A task that waits for one of ours takes two or three times as much of the stack as where the
   run-time does all: were there thousands inside each other, that could be more than there is. */
static void end_where_deep(const struct mai_frame *frame) {
  enum { DEEP = 128 };
  if (frame->depth >= DEEP)
    mai_near_end("a thread runs tasks inside each other, 128 deep");
}

enum mai_passed mai_tasks_are_passed(const struct mai_openmp *openmp) {
  end_where_deep(mai_frame_now());
  return openmp->get_level() != 1 || openmp->get_num_threads() <= 1 ? MAI_PASSED_TEAM
         : openmp->in_final()                                       ? MAI_PASSED_FINAL
         : openmp->get_cancellation()                               ? MAI_PASSED_CANCELLATION
                                                                    : MAI_PASSED_REASONS;
}

/* The first task that another makes tells where the other's data begins. */
static void learn(struct mai_work *maker, const struct mai_work *made) {
  if (!maker || !maker->code || maker->has_made)
    return;
  maker->has_made = true;
  mai_known_note_made(mai_known_of(maker->code), maker->level, &maker->pointers, &made->pointers);
}

static struct mai_home_found home_by_pointers(struct mai_work *work, struct mai_work *maker,
                                              const void *function, const void *arguments,
                                              size_t bytes) {
  work->code = function;
  work->pointers = (struct mai_pointers){0};
  work->level = maker ? maker->level + 1 : 0;
  struct mai_home_found found =
      mai_home_of_arguments(function, arguments, bytes, work->level, &work->pointers);
  learn(maker, work);
  return found;
}

void mai_task_find_home(struct mai_work *work, const void *function, const void *arguments,
                        size_t bytes, unsigned said) {
  struct mai_frame *frame = mai_frame_now();
  struct mai_home_found found = {said, MAI_NO_HOME};
  if (said == MAI_NO_HOME)
    found = home_by_pointers(work, frame->work, function, arguments, bytes);
  work->home = found.home == MAI_NO_HOME ? frame->home : found.home;
  work->is_guessed = work->home == MAI_NO_HOME && found.guess != MAI_NO_HOME;
  if (work->is_guessed)
    work->home = found.guess;
}

/*===-- Running ------------------------------------------------------------===*/

static void count_run(unsigned home, unsigned here) {
  struct mai_task_counts *counts = mai_own_task_counts();
  if (!counts)
    return;
  if (home == MAI_NO_HOME)
    mai_count(&counts->homeless, 1);
  else if (home == here)
    mai_count(&counts->run[home][MAI_TASK_AT_HOME], 1);
  else
    mai_count(&counts->run[home][mai_home_is_nearest(home, here) ? MAI_TASK_NEAR : MAI_TASK_FAR],
              1);
}

static void run(struct mai_work *work, const struct mai_task_maker *maker, int32_t thread,
                unsigned here) {
  count_run(work->home, here);
  mai_occupied_go_on();
  maker->calls->run(work, maker, thread);
  mai_work_delete(work);
}

static void run_in_group(struct mai_work *work, const struct mai_task_maker *maker, int32_t thread,
                         unsigned here) {
  maker->calls->begin_group(maker, thread);
  run(work, maker, thread, here);
  maker->calls->end_group(maker, thread);
}

static void run_taken(struct mai_work *work, const struct mai_ticket *ticket) {
  struct mai_task_queues *from = work->from;
  if (mai_task_queues_are_apart(from, ticket->queues))
    run_in_group(work, &from->maker, ticket->thread, ticket->home);
  else
    run(work, &from->maker, ticket->thread, ticket->home);
  mai_task_queues_end_task(ticket, from);
}

static void run_all(struct mai_ticket *ticket) {
  do {
    struct mai_work *work;
    while ((work = mai_task_queues_take(ticket)))
      run_taken(work, ticket);
  } while (!mai_task_queues_end_ticket(ticket));
  mai_task_queues_drop(ticket->queues);
}

void mai_ticket_run(struct mai_task_queues *queues, int32_t thread) {
  mai_end_batch();
  if (mai_task_queues_decline_ticket(queues))
    return;
  struct mai_ticket ticket = {.queues = queues,
                              .thread = thread,
                              .home = mai_home_here(),
                              .stays = mai_frame_now()->queues == queues};
  const struct mai_task_maker maker = queues->maker;
  mai_occupied_begin(ticket.home);
  mai_task_queues_begin_ticket(&ticket);
  run_all(&ticket);
  mai_occupied_wait();
  if (ticket.has_asked)
    maker.calls->wait(&maker, thread);
  mai_occupied_end(ticket.stays);
}

/* Whether the calling thread runs the task that its frame says: in a team inside others it may run
   another. */
static bool is_outermost(const struct mai_task_queues *queues) {
  return queues->maker.run_time->openmp.get_level() == 1;
}

void mai_task_wait(int32_t thread) {
  struct mai_task_queues *queues = mai_frame_now()->queues;
  if (!queues || mai_task_queues_are_lost(queues) || !is_outermost(queues))
    return;
  mai_end_batch();
  struct mai_ticket ticket = {
      .queues = queues, .thread = thread, .home = mai_home_here(), .stays = true, .waits = true};
  if (!mai_task_queues_begin_to_wait(&ticket))
    return;
  mai_occupied_begin(ticket.home);
  run_all(&ticket);
  mai_occupied_end(ticket.stays);
}

/*===-- Making -------------------------------------------------------------===*/

/* Few tasks of few others are divided into many: their threads are to come from everywhere. */
static bool is_shallow(const struct mai_frame *frame, int threads) {
  return frame->depth < 8 * sizeof(unsigned) - 1 && 1U << frame->depth < 2 * (unsigned)threads;
}

/* A task whose home is elsewhere is for a thread that runs there, whichever that is: all are asked.
 */
static void add_tickets(struct mai_task_queues *queues, int32_t thread, bool elsewhere) {
  int threads = queues->maker.run_time->openmp.get_num_threads();
  int most = threads;
  if (!elsewhere && !is_shallow(mai_frame_now(), threads))
    most = atomic_load(&queues->tickets) < threads ? atomic_load(&queues->tickets) + 1 : threads;
  while (mai_task_queues_add_ticket(queues, most)) {
    MAI_COUNT_TASK(tickets);
    queues->maker.calls->make_ticket(queues, thread);
  }
}

/* As run-times do, too, when they have many tasks: else they could need all memory. */
static void help(struct mai_task_queues *queues, int32_t thread) {
  enum { MOST_A_THREAD = 512 };
  int most = MOST_A_THREAD * queues->maker.run_time->openmp.get_num_threads();
  struct mai_ticket ticket = {
      .queues = queues, .thread = thread, .home = queues->made_at, .stays = true};
  struct mai_work *work;
  while (atomic_load(&queues->tasks) > most && (work = mai_task_queues_take(&ticket)))
    run_taken(work, &ticket);
}

void mai_lone_task_run(const struct mai_lone_task *lone, int32_t thread) {
  lone->maker.calls->run(lone->work, &lone->maker, thread);
  mai_work_delete(lone->work);
}

/* Nothing that it gets is in an array: nothing can be learned of it, either. */
static bool is_homeless(const struct mai_work *work) {
  return work->home == MAI_NO_HOME && !work->pointers.arrays[0];
}

static void leave_to_run_time(struct mai_work *work, const struct mai_task_maker *maker,
                              int32_t thread) {
  const struct mai_lone_task lone = {work, *maker};
  mai_count_passed(MAI_PASSED_HOMELESS);
  maker->calls->make_lone(&lone, thread);
}

static void add(struct mai_work *work, const struct mai_task_maker *maker, int32_t thread) {
  struct mai_task_queues *queues = mai_frame_queues(mai_frame_now(), maker);
  if (!queues) { /* there is no memory for them */
    run(work, maker, thread, mai_home_here());
    return;
  }
  mai_occupied_make(queues->made_at);
  bool elsewhere = work->home != MAI_NO_HOME && work->home != queues->made_at;
  help(queues, thread);
  mai_show_queues(mai_frame_now()->depth, queues);
  mai_task_queues_add(queues, work);
  add_tickets(queues, thread, elsewhere);
}

void mai_task_enqueue(struct mai_work *work, const struct mai_task_maker *maker, int32_t thread) {
  if (is_homeless(work))
    leave_to_run_time(work, maker, thread);
  else
    add(work, maker, thread);
}
