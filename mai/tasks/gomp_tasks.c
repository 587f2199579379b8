/*===-- gomp_tasks.c - tasks of libgomp go where their data is ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * gcc turns the body of a task into a function and passes it to GOMP_task().  A plain one is queued
 * (tickets.h).
 *
 * What is not plain is the run-time's: it gets the task, and its body in a frame of its own.
 */
#include "gomp_tasks.h"

#include <stddef.h>
#include <string.h>

#include "frames.h"
#include "home.h"
#include "mai/process/interpose.h"
#include "mai/threads/hook_routes.h"
#include "tickets.h"

typedef mai_gomp_make_t make_task_t;
typedef struct mai_gomp_task task_t;

static void copy_arguments(const task_t *task, void *to) {
  if (task->copy)
    task->copy(to, task->data);
  else
    memcpy(to, task->data, task->size);
}

/*===-- Tickets ------------------------------------------------------------===*/

static make_task_t *maker_of(const struct mai_route *route) {
  make_task_t *make_task;
  *(void **)&make_task = route->functions[MAI_FN_GOMP_task].next;
  return make_task;
}

/* The arguments have been copied: libgomp copies its own only by a function. */
static void run(struct mai_work *work, const struct mai_task_maker *maker, int32_t thread) {
  struct mai_frame frame;
  (void)thread;
  mai_frame_begin_work(&frame, work);
  maker_of(maker->route)(work->function, work->arguments, NULL, 0, 1, false, 0, NULL, 0, NULL);
  mai_frame_end(&frame);
}

static void run_ticket(void *data) { mai_ticket_run(*(struct mai_task_queues **)data, 0); }

static void make_ticket(struct mai_task_queues *queues, int32_t thread) {
  (void)thread;
  maker_of(queues->maker.route)(run_ticket, &queues, NULL, sizeof(void *), _Alignof(void *), true,
                                0, NULL, 0, NULL);
}

static void run_lone(void *data) { mai_lone_task_run(data, 0); }

static void make_lone(const struct mai_lone_task *lone, int32_t thread) {
  struct mai_lone_task copied = *lone;
  (void)thread;
  maker_of(lone->maker.route)(run_lone, &copied, NULL, sizeof copied,
                              _Alignof(struct mai_lone_task), true, 0, NULL, 0, NULL);
}

static void call(const struct mai_task_maker *maker, enum mai_function function) {
  void (*next)(void);
  *(void **)&next = maker->route->functions[function].next;
  next();
}

static void begin_group(const struct mai_task_maker *maker, int32_t thread) {
  (void)thread;
  call(maker, MAI_FN_GOMP_taskgroup_start);
}

static void end_group(const struct mai_task_maker *maker, int32_t thread) {
  (void)thread;
  call(maker, MAI_FN_GOMP_taskgroup_end);
}

static void wait_for_tickets(const struct mai_task_maker *maker, int32_t thread) {
  (void)thread;
  call(maker, MAI_FN_GOMP_taskwait);
}

static const struct mai_task_calls calls = {make_ticket, make_lone,        run, begin_group,
                                            end_group,   wait_for_tickets, NULL};

/*===-- Plain tasks --------------------------------------------------------===*/

static enum mai_passed reason_by_flags(unsigned flags) {
  return flags & MAI_GOMP_FINAL                                      ? MAI_PASSED_FINAL
         : flags & MAI_GOMP_DEPEND                                   ? MAI_PASSED_DEPEND
         : flags & MAI_GOMP_PRIORITY                                 ? MAI_PASSED_PRIORITY
         : flags & MAI_GOMP_DETACH                                   ? MAI_PASSED_DETACHED
         : flags & ~(unsigned)(MAI_GOMP_UNTIED | MAI_GOMP_MERGEABLE) ? MAI_PASSED_OTHER
                                                                     : MAI_PASSED_REASONS;
}

static enum mai_passed reason_of(const task_t *task, const struct mai_openmp *openmp) {
  enum mai_passed by_flags = reason_by_flags(task->flags);
  return !task->if_clause                 ? MAI_PASSED_IF
         : by_flags != MAI_PASSED_REASONS ? by_flags
         : task->alignment > MAI_BLOCK_ALIGNMENT || task->size > MAI_MOST_ARGUMENTS
             ? MAI_PASSED_LARGE
             : mai_tasks_are_passed(openmp);
}

static struct mai_work *new_work(const task_t *task, unsigned said) {
  struct mai_work *work = mai_work_new(task->size);
  if (!work)
    return NULL;
  copy_arguments(task, work->arguments);
  work->function = task->body;
  mai_task_find_home(work, (const void *)work->function, work->arguments, task->size, said);
  return work;
}

/*===-- Tasks of the run-time's --------------------------------------------===*/

/* What stands in front of such a task's arguments. */
struct passed {
  mai_gomp_body_t *body;
  unsigned home;
  unsigned offset; /* of the arguments */
};

struct request {
  const task_t *task;
  struct passed passed;
};

static void copy_passed(void *to, void *from) {
  const struct request *request = from;
  memcpy(to, &request->passed, sizeof request->passed);
  copy_arguments(request->task, (char *)to + request->passed.offset);
}

static void run_passed(void *data) {
  struct passed passed;
  struct mai_frame frame;
  memcpy(&passed, data, sizeof passed);
  mai_frame_begin(&frame, passed.home);
  passed.body((char *)data + passed.offset);
  mai_frame_end(&frame);
}

static void pass_unchanged(const task_t *task, make_task_t *make_task) {
  make_task(task->body, task->data, task->copy, (long)task->size, (long)task->alignment,
            task->if_clause, task->flags, task->depend, task->priority, task->detach);
}

static void pass_to_be_run_at_once(const task_t *task, make_task_t *make_task, unsigned home) {
  struct mai_frame frame;
  mai_frame_begin(&frame, home);
  pass_unchanged(task, make_task);
  mai_frame_end(&frame);
}

static void pass_in_frame(const task_t *task, make_task_t *make_task, unsigned home) {
  size_t alignment =
      task->alignment > _Alignof(struct passed) ? task->alignment : _Alignof(struct passed);
  size_t offset = (sizeof(struct passed) + alignment - 1) & -alignment;
  struct request request = {task, {task->body, home, (unsigned)offset}};
  make_task(run_passed, &request, copy_passed, (long)(offset + task->size), (long)alignment,
            task->if_clause, task->flags, task->depend, task->priority, task->detach);
}

/* libgomp writes into the arguments of detached tasks: these cannot be moved. */
static void pass(const task_t *task, make_task_t *make_task, unsigned said,
                 enum mai_passed reason) {
  unsigned home = said == MAI_NO_HOME ? mai_frame_now()->home : said;
  mai_count_passed(reason);
  if (!task->if_clause) {
    pass_to_be_run_at_once(task, make_task, home);
  } else if (task->flags & MAI_GOMP_DETACH) {
    mai_near_end("the program has detached tasks");
    pass_unchanged(task, make_task);
  } else {
    pass_in_frame(task, make_task, home);
  }
}

/*===-- Whose tasks they are -----------------------------------------------===*/

bool mai_gomp_runs(const struct mai_runtime *runtime) {
  if (runtime && runtime->openmp.is_llvm)
    mai_near_end("a part of the program is gcc's, and LLVM's run-time runs it");
  return runtime && !runtime->openmp.is_llvm && runtime->openmp.in_final;
}

/*===-- What the program calls ---------------------------------------------===*/

void mai_gomp_make(const task_t *task, const struct mai_route *route, unsigned said) {
  const struct mai_runtime *runtime = route->functions[MAI_FN_GOMP_task].runtime;
  const struct mai_task_maker maker = {&calls, route, runtime, NULL};
  enum mai_passed reason = reason_of(task, &runtime->openmp);
  struct mai_work *work = reason == MAI_PASSED_REASONS ? new_work(task, said) : NULL;
  if (work)
    mai_task_enqueue(work, &maker, 0);
  else
    pass(task, maker_of(route), said, reason < MAI_PASSED_REASONS ? reason : MAI_PASSED_OTHER);
}

/* libgomp's function where nothing is to be done here; else NULL. */
static inline make_task_t *passes_to(const void *caller) {
  const struct mai_route *route = mai_route_known(caller);
  bool is_off = atomic_load_explicit(&mai_near_state, memory_order_relaxed) == MAI_NEAR_OFF;
  return is_off && route && route->functions[MAI_FN_GOMP_task].runtime ? maker_of(route) : NULL;
}

/* Apart from the function that passes calls on, which then is a jump. */
__attribute__((noinline)) static void make(mai_gomp_body_t *body, void *data, mai_gomp_copy_t *copy,
                                           long size, long alignment, bool if_clause,
                                           unsigned flags, void **depend, int priority,
                                           void *detach, const void *caller) {
  const task_t task = {body,      data,  copy,   (size_t)size, (size_t)alignment,
                       if_clause, flags, depend, priority,     detach};
  const struct mai_route *route = mai_hook_route(caller, MAI_FN_GOMP_task);
  if (!mai_near() || !mai_gomp_runs(route->functions[MAI_FN_GOMP_task].runtime))
    pass_unchanged(&task, maker_of(route));
  else
    mai_gomp_make(&task, route, mai_home_said());
}

MAI_INTERPOSES make_task_t gomp_task __asm__("GOMP_task");
void gomp_task(mai_gomp_body_t *body, void *data, mai_gomp_copy_t *copy, long size, long alignment,
               bool if_clause, unsigned flags, void **depend, int priority, void *detach) {
  const void *caller = __builtin_return_address(0);
  make_task_t *next = passes_to(caller);
  if (next)
    next(body, data, copy, size, alignment, if_clause, flags, depend, priority, detach);
  else
    make(body, data, copy, size, alignment, if_clause, flags, depend, priority, detach, caller);
}
