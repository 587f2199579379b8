/*===-- gomp_tasks.c - tasks of libgomp go where their data is ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * gcc turns the body of a task into a function and passes it to GOMP_task().  A plain one goes into
 * a queue, and libgomp gets tickets (queues.h).  A ticket runs each task as one that libgomp makes
 * and runs at once, as for the clause if(0): so each has children, groups and settings of its own,
 * and libgomp waits for what it would wait for.
 *
 * What is not plain is the run-time's: it gets the task, and its body in a frame of its own.
 *
 * Queues are those of one group of tasks: where libgomp begins or ends one they are closed.
 */
#include "gomp_tasks.h"

#include <stddef.h>
#include <string.h>

#include "frames.h"
#include "home.h"
#include "mai/process/interpose.h"
#include "mai/threads/hook_routes.h"
#include "mai/threads/jump.h"
#include "occupied.h"

typedef mai_gomp_make_t make_task_t;
typedef struct mai_gomp_task task_t;

static void copy_arguments(const task_t *task, void *to) {
  if (task->copy)
    task->copy(to, task->data);
  else
    memcpy(to, task->data, task->size);
}

static void count(size_t which) {
  struct mai_task_counts *counts = mai_own_task_counts();
  if (counts)
    mai_count((atomic_ulong *)((char *)counts + which), 1);
}

#define COUNT(which) count(offsetof(struct mai_task_counts, which))

/*===-- Tickets ------------------------------------------------------------===*/

static void run_body(void *data) {
  struct mai_work *work = *(struct mai_work **)data;
  struct mai_frame frame;
  mai_frame_begin(&frame, work->home);
  work->function(work->arguments);
  mai_frame_end(&frame);
}

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

static void run(struct mai_work *work, make_task_t *make_task, unsigned here) {
  count_run(work->home, here);
  make_task(run_body, &work, NULL, sizeof(void *), _Alignof(void *), false, 0, NULL, 0, NULL);
  mai_work_delete(work);
}

static void run_ticket(void *data) {
  struct mai_queues *queues = *(struct mai_queues **)data;
  unsigned here = mai_home_here();
  make_task_t *make_task;
  *(void **)&make_task = queues->make_task;
  mai_occupied_begin(here);
  mai_queues_begin_ticket(mai_frame_now()->queues == queues);
  do {
    struct mai_work *work;
    while ((work = mai_queues_take(queues, here)))
      run(work, make_task, here);
  } while (!mai_queues_end_ticket(queues, here));
  mai_queues_drop(queues);
  mai_occupied_end();
}

/* Few tasks of few others are divided into many: their threads are to come from everywhere. */
static bool is_shallow(const struct mai_frame *frame, int threads) {
  return frame->depth < 8 * sizeof(unsigned) - 1 && 1U << frame->depth < 2 * (unsigned)threads;
}

/* A task whose home is elsewhere is for a thread that runs there, whichever that is: all are asked.
 */
static void add_tickets(struct mai_queues *queues, make_task_t *make_task, bool elsewhere) {
  int threads = queues->run_time->openmp.get_num_threads();
  int most = threads;
  if (!elsewhere && !is_shallow(mai_frame_now(), threads))
    most = atomic_load(&queues->tickets) < threads ? atomic_load(&queues->tickets) + 1 : threads;
  while (mai_queues_add_ticket(queues, most)) {
    COUNT(tickets);
    make_task(run_ticket, &queues, NULL, sizeof(void *), _Alignof(void *), true, 0, NULL, 0, NULL);
  }
}

/* As libgomp does, too, when it has many tasks: else they could need all memory. */
static void help(struct mai_queues *queues, make_task_t *make_task) {
  enum { MOST_A_THREAD = 512 };
  int most = MOST_A_THREAD * queues->run_time->openmp.get_num_threads();
  unsigned here = queues->made_at;
  struct mai_work *work;
  while (atomic_load(&queues->tasks) > most && (work = mai_queues_take(queues, here)))
    run(work, make_task, here);
}

/*===-- Plain tasks --------------------------------------------------------===*/

/* None of another's children may wait for those of a task of the run-time's: level 1 is the
   outermost team, whose threads each run one implicit task at a time. */
static bool is_plain(const task_t *task, const struct mai_openmp *openmp) {
  return task->if_clause && !(task->flags & ~(unsigned)(MAI_GOMP_UNTIED | MAI_GOMP_MERGEABLE)) &&
         task->alignment <= MAI_BLOCK_ALIGNMENT && task->size <= MAI_MOST_ARGUMENTS &&
         openmp->get_level() == 1 && openmp->get_num_threads() > 1 && !openmp->in_final() &&
         !openmp->get_cancellation();
}

static unsigned home_of(const struct mai_work *work, size_t bytes, unsigned said,
                        unsigned inherited) {
  unsigned home = said == MAI_NO_HOME ? mai_home_of_arguments(work->arguments, bytes) : said;
  return home == MAI_NO_HOME ? inherited : home;
}

static struct mai_work *new_work(const task_t *task, unsigned said) {
  struct mai_work *work = mai_work_new(task->size);
  if (!work)
    return NULL;
  copy_arguments(task, work->arguments);
  work->function = task->body;
  work->home = home_of(work, task->size, said, mai_frame_now()->home);
  return work;
}

/* Where there is no memory for queues the task is run at once. */
static void queue(struct mai_work *work, const struct mai_runtime *runtime,
                  make_task_t *make_task) {
  struct mai_queues *queues = mai_frame_queues(mai_frame_now(), runtime, (void *)make_task);
  if (!queues) {
    run(work, make_task, mai_home_here());
    return;
  }
  bool elsewhere = work->home != MAI_NO_HOME && work->home != queues->made_at;
  work->calls = elsewhere;
  help(queues, make_task);
  mai_queues_add(queues, work);
  add_tickets(queues, make_task, elsewhere);
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
static void pass(const task_t *task, make_task_t *make_task, unsigned said) {
  unsigned home = said == MAI_NO_HOME ? mai_frame_now()->home : said;
  COUNT(passed);
  if (!task->if_clause) {
    pass_to_be_run_at_once(task, make_task, home);
  } else if (task->flags & MAI_GOMP_DETACH) {
    mai_near_end("the program has detached tasks");
    pass_unchanged(task, make_task);
  } else {
    pass_in_frame(task, make_task, home);
  }
}

/*===-- What the program calls ---------------------------------------------===*/

void mai_gomp_make(const task_t *task, const struct mai_runtime *runtime, make_task_t *make_task,
                   unsigned said) {
  struct mai_work *work = runtime && is_plain(task, &runtime->openmp) ? new_work(task, said) : NULL;
  if (work)
    queue(work, runtime, make_task);
  else
    pass(task, make_task, said);
}

MAI_INTERPOSES void gomp_task(mai_gomp_body_t *body, void *data, mai_gomp_copy_t *copy, long size,
                              long alignment, bool if_clause, unsigned flags, void **depend,
                              int priority, void *detach) __asm__("GOMP_task");
void gomp_task(mai_gomp_body_t *body, void *data, mai_gomp_copy_t *copy, long size, long alignment,
               bool if_clause, unsigned flags, void **depend, int priority, void *detach) {
  const struct mai_route *route = mai_hook_route(__builtin_return_address(0), MAI_FN_GOMP_task);
  const struct mai_runtime *runtime = route->functions[MAI_FN_GOMP_task].runtime;
  make_task_t *make_task;
  *(void **)&make_task = route->functions[MAI_FN_GOMP_task].next;
  task_t task = {body,      data,  copy,   (size_t)size, (size_t)alignment,
                 if_clause, flags, depend, priority,     detach};
  if (!mai_near() || !mai_gomp_is(runtime))
    make_task(body, data, copy, size, alignment, if_clause, flags, depend, priority, detach);
  else
    mai_gomp_make(&task, runtime, make_task, mai_home_said());
}

/* A group of tasks begins, or libgomp begins to run other code as if it were the program's first
   thread. */
void *mai_gomp_begin_group(struct mai_jump *call, unsigned function, const void *caller);
void *mai_gomp_begin_group(struct mai_jump *call, unsigned function, const void *caller) {
  (void)call;
  if (mai_near())
    mai_frame_close(mai_frame_now());
  return mai_hook_next(caller, function);
}

#if MAI_HAS_JUMPS
#define JUMP(number, name) MAI_JUMP(number, #name, "mai_gomp_begin_group");
MAI_GOMP_GROUPS(JUMP)
#endif
