/*===-- kmpc_tasks.c - tasks of LLVM's run-time go where their data is *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A task that is held (kmpc_tasks.h) is run in a *stand-in*: a task of the run-time's that is begun
 * and completed around it, as for the clause if(0).
 *
 * Calls reach the functions here by a jump, and only calls for which something is to be done: of
 * the others the run-time sees what it would see without us.
 */
#include "kmpc_tasks.h"

#include <string.h>

#include "home.h"
#include "mai/threads/hook_routes.h"
#include "mai/threads/jump.h"
#include "tickets.h"

typedef struct mai_kmpc_task task_t;
typedef struct mai_kmpc_held held_t;
typedef mai_kmpc_entry_t entry_t;

#define CALLER() __builtin_return_address(0)

/*===-- What the run-time is asked for -------------------------------------===*/

static task_t *allocate(const struct mai_route *route, void *location, int32_t thread,
                        int32_t flags, size_t bytes, size_t shared_bytes, entry_t *entry) {
  task_t *(*next)(void *, int32_t, int32_t, size_t, size_t, entry_t *);
  *(void **)&next = route->functions[MAI_FN___kmpc_omp_task_alloc].next;
  return next(location, thread, flags, bytes, shared_bytes, entry);
}

static int32_t submit(const struct mai_route *route, void *location, int32_t thread, task_t *task) {
  int32_t (*next)(void *, int32_t, task_t *);
  *(void **)&next = route->functions[MAI_FN___kmpc_omp_task].next;
  return next(location, thread, task);
}

static void begin(const struct mai_route *route, void *location, int32_t thread, task_t *task) {
  void (*next)(void *, int32_t, task_t *);
  *(void **)&next = route->functions[MAI_FN___kmpc_omp_task_begin_if0].next;
  next(location, thread, task);
}

static void complete(const struct mai_route *route, void *location, int32_t thread, task_t *task) {
  void (*next)(void *, int32_t, task_t *);
  *(void **)&next = route->functions[MAI_FN___kmpc_omp_task_complete_if0].next;
  next(location, thread, task);
}

/* The run-time does not call the entry, but a tracer knows the task by it. */
static task_t *begin_stand_in(const struct mai_route *route, void *location, int32_t thread,
                              entry_t *entry) {
  task_t *task = allocate(route, location, thread, MAI_KMPC_TIED, sizeof *task, 0, entry);
  begin(route, location, thread, task);
  return task;
}

/* A task of the run-time's that has one thing to know. */
static task_t *allocate_with(const struct mai_route *route, void *location, int32_t thread,
                             entry_t *entry, void *known) {
  task_t *task =
      allocate(route, location, thread, MAI_KMPC_TIED, sizeof *task, sizeof known, entry);
  *(void **)task->shared = known;
  return task;
}

/*===-- Held tasks ---------------------------------------------------------===*/

/* Its address is the routine of tasks that are held. */
static const char holding;

static struct mai_work *work_of(held_t *held) {
  return (struct mai_work *)((char *)held - offsetof(struct mai_work, arguments));
}

held_t *mai_kmpc_held(task_t *task) {
  if (task->routine != &holding)
    return NULL;
  return (held_t *)((char *)task - offsetof(held_t, task));
}

/* Old compilers' tasks end before the destructors. */
const void *mai_kmpc_arguments(const held_t *held, size_t *bytes) {
  size_t begin = offsetof(task_t, destructors);
  *bytes = held->bytes > begin ? held->bytes - begin : 0;
  return (const char *)&held->task + begin;
}

static held_t *new_held(size_t bytes) {
  struct mai_work *work = mai_work_new(offsetof(held_t, task) + bytes);
  return work ? (held_t *)work->arguments : NULL;
}

held_t *mai_kmpc_copy(const held_t *held) {
  held_t *copy = new_held(held->bytes);
  if (!copy)
    return NULL;
  memcpy(copy, held, offsetof(held_t, task) + held->bytes);
  if (held->task.shared)
    copy->task.shared =
        (char *)&copy->task + ((char *)held->task.shared - (const char *)&held->task);
  return copy;
}

/* What is private ends when the task does. */
static void destroy(held_t *held, int32_t thread) {
  if (held->destructors)
    held->task.destructors(thread, &held->task);
}

void mai_kmpc_delete(held_t *held, int32_t thread) {
  destroy(held, thread);
  mai_work_delete(work_of(held));
}

/* A part of an untied task ends by giving the task to the run-time again. */
static void run_parts(held_t *held, int32_t thread) {
  held->runs = true;
  do {
    held->is_again = false;
    held->entry(thread, &held->task);
  } while (held->is_again);
}

static void run_in_frame(held_t *held, int32_t thread) {
  struct mai_frame frame;
  mai_frame_begin_work(&frame, work_of(held));
  run_parts(held, thread);
  mai_frame_end(&frame);
}

static void run(struct mai_work *work, const struct mai_task_maker *maker, int32_t thread) {
  held_t *held = (held_t *)work->arguments;
  task_t *task = begin_stand_in(maker->route, held->location, thread, held->entry);
  run_in_frame(held, thread);
  destroy(held, thread);
  complete(maker->route, held->location, thread, task);
}

static int32_t run_ticket(int32_t thread, task_t *task) {
  mai_ticket_run(*(struct mai_task_queues **)task->shared, thread);
  return 0;
}

static void make_ticket(struct mai_task_queues *queues, int32_t thread) {
  const struct mai_task_maker *maker = &queues->maker;
  task_t *task = allocate_with(maker->route, maker->location, thread, run_ticket, queues);
  submit(maker->route, maker->location, thread, task);
}

static int32_t run_lone(int32_t thread, task_t *task) {
  mai_lone_task_run(task->shared, thread);
  return 0;
}

static void make_lone(const struct mai_lone_task *lone, int32_t thread) {
  const struct mai_task_maker *maker = &lone->maker;
  task_t *task = allocate(maker->route, maker->location, thread, MAI_KMPC_TIED, sizeof *task,
                          sizeof *lone, run_lone);
  memcpy(task->shared, lone, sizeof *lone);
  submit(maker->route, maker->location, thread, task);
}

static void begin_group(const struct mai_task_maker *maker, int32_t thread) {
  void (*next)(void *, int32_t);
  *(void **)&next = maker->route->functions[MAI_FN___kmpc_taskgroup].next;
  next(maker->location, thread);
}

static void end_group(const struct mai_task_maker *maker, int32_t thread) {
  void (*next)(void *, int32_t);
  *(void **)&next = maker->route->functions[MAI_FN___kmpc_end_taskgroup].next;
  next(maker->location, thread);
}

static void wait_for_tickets(const struct mai_task_maker *maker, int32_t thread) {
  int32_t (*wait)(void *, int32_t);
  *(void **)&wait = maker->route->functions[MAI_FN___kmpc_omp_taskwait].next;
  wait(maker->location, thread);
}

/* Who looks for something to do wakes those in whose queues it looks. */
static void wake(const struct mai_task_maker *maker, int32_t thread) {
  int32_t (*yield)(void *, int32_t, int);
  *(void **)&yield = maker->route->functions[MAI_FN___kmpc_omp_taskyield].next;
  yield(maker->location, thread, 0);
}

static const struct mai_task_calls calls = {make_ticket, make_lone,        run, begin_group,
                                            end_group,   wait_for_tickets, wake};

static struct mai_task_maker maker_of(const held_t *held, const struct mai_route *route) {
  struct mai_runtime *runtime = route->functions[MAI_FN___kmpc_omp_task_alloc].runtime;
  return (struct mai_task_maker){&calls, route, runtime, held->location};
}

void mai_kmpc_defer(held_t *held, const struct mai_route *route, int32_t thread, unsigned said) {
  struct mai_task_maker maker = maker_of(held, route);
  struct mai_work *work = work_of(held);
  size_t bytes;
  const void *arguments = mai_kmpc_arguments(held, &bytes);
  mai_task_find_home(work, (const void *)held->entry, arguments, bytes, said);
  mai_task_enqueue(work, &maker, thread);
}

static unsigned home_or_inherited(unsigned said) {
  return said == MAI_NO_HOME ? mai_frame_now()->home : said;
}

void mai_kmpc_run_at_once(held_t *held, const struct mai_route *route, int32_t thread) {
  struct mai_task_maker maker = maker_of(held, route);
  struct mai_work *work = work_of(held);
  mai_count_passed(MAI_PASSED_IF);
  work->home = home_or_inherited(held->said);
  run(work, &maker, thread);
  mai_work_delete(work);
}

/*===-- Tasks of the run-time's --------------------------------------------===*/

/* What stands in front of what such a task shares. */
struct passed {
  entry_t *entry;
  struct mai_frame frame; /* while the program runs it itself */
  unsigned home;
};

static struct passed *passed_of(task_t *task) { return (struct passed *)task->shared - 1; }

static int32_t run_passed(int32_t thread, task_t *task) {
  struct passed *passed = passed_of(task);
  struct mai_frame frame;
  mai_frame_begin(&frame, passed->home);
  int32_t result = passed->entry(thread, task);
  mai_frame_end(&frame);
  return result;
}

static bool is_passed(const task_t *task) { return task->routine == (void *)run_passed; }

static task_t *pass(const struct mai_route *route, void *location, int32_t thread, int32_t flags,
                    size_t bytes, size_t shared_bytes, entry_t *entry, unsigned said) {
  task_t *task = allocate(route, location, thread, flags, bytes,
                          sizeof(struct passed) + shared_bytes, run_passed);
  struct passed *passed = task->shared;
  task->shared = passed + 1;
  *passed = (struct passed){.entry = entry, .home = home_or_inherited(said)};
  return task;
}

/*===-- What the program calls ---------------------------------------------===*/

static enum mai_passed reason_of(int32_t flags, size_t bytes, const struct mai_openmp *openmp) {
  return flags & MAI_KMPC_FINAL                            ? MAI_PASSED_FINAL
         : flags & MAI_KMPC_PRIORITY                       ? MAI_PASSED_PRIORITY
         : flags & MAI_KMPC_DETACHABLE                     ? MAI_PASSED_DETACHED
         : flags & ~(MAI_KMPC_TIED | MAI_KMPC_DESTRUCTORS) ? MAI_PASSED_OTHER
         : bytes >= MAI_MOST_ARGUMENTS                     ? MAI_PASSED_LARGE
                                                           : mai_tasks_are_passed(openmp);
}

static task_t *hold(void *location, int32_t flags, size_t bytes, size_t shared_bytes,
                    entry_t *entry, unsigned said) {
  size_t private_bytes = (bytes + sizeof(void *) - 1) & -sizeof(void *);
  held_t *held = new_held(private_bytes + shared_bytes);
  if (!held)
    return NULL;
  memset(held, 0, sizeof *held);
  held->entry = entry;
  held->location = location;
  held->bytes = (uint32_t)(private_bytes + shared_bytes);
  held->said = (uint8_t)said;
  held->destructors = flags & MAI_KMPC_DESTRUCTORS;
  held->task.routine = (void *)(uintptr_t)&holding;
  if (shared_bytes)
    held->task.shared = (char *)&held->task + private_bytes;
  return &held->task;
}

/* Of tasks with other flags nobody here knows what they are: those for devices, for example.  One
   without a function is nothing but its dependences. */
static bool is_known(int32_t flags, entry_t *entry) {
  return entry && !(flags & ~(MAI_KMPC_TIED | MAI_KMPC_FINAL | MAI_KMPC_MERGED |
                              MAI_KMPC_DESTRUCTORS | MAI_KMPC_PRIORITY | MAI_KMPC_DETACHABLE));
}

static task_t *task_alloc(void *location, int32_t thread, int32_t flags, size_t bytes,
                          size_t shared_bytes, entry_t *entry) {
  const struct mai_route *route = mai_hook_route(CALLER(), MAI_FN___kmpc_omp_task_alloc);
  const struct mai_openmp *openmp = &route->functions[MAI_FN___kmpc_omp_task_alloc].runtime->openmp;
  unsigned said = mai_home_said();
  bool known = is_known(flags, entry);
  enum mai_passed reason =
      known ? reason_of(flags, bytes + shared_bytes, openmp) : MAI_PASSED_OTHER;
  task_t *task =
      reason == MAI_PASSED_REASONS ? hold(location, flags, bytes, shared_bytes, entry, said) : NULL;
  if (task)
    return task;
  mai_count_passed(reason < MAI_PASSED_REASONS ? reason : MAI_PASSED_LARGE);
  if (!known)
    return allocate(route, location, thread, flags, bytes, shared_bytes, entry);
  return pass(route, location, thread, flags, bytes, shared_bytes, entry, said);
}

/* A task that is run already gives itself: what is left of it.  That of one that the program runs
   itself is run now. */
static void defer_rest(held_t *held, int32_t thread) {
  if (held->runs)
    held->is_again = true;
  else
    held->entry(thread, &held->task);
}

static int32_t omp_task(void *location, int32_t thread, task_t *task) {
  const struct mai_route *route = mai_hook_route(CALLER(), MAI_FN___kmpc_omp_task);
  held_t *held = mai_kmpc_held(task);
  if (!held)
    return submit(route, location, thread, task);
  if (held->runs || held->stand_in)
    defer_rest(held, thread);
  else
    mai_kmpc_defer(held, route, thread, held->said);
  return 0;
}

static int32_t run_dependent(int32_t thread, task_t *task) {
  held_t *held = *(held_t **)task->shared;
  run_in_frame(held, thread);
  mai_kmpc_delete(held, thread);
  return 0;
}

static int32_t task_with_deps(void *location, int32_t thread, task_t *task, int32_t count,
                              void *list, int32_t other_count, void *other_list) {
  const struct mai_route *route = mai_hook_route(CALLER(), MAI_FN___kmpc_omp_task_with_deps);
  int32_t (*next)(void *, int32_t, task_t *, int32_t, void *, int32_t, void *);
  *(void **)&next = route->functions[MAI_FN___kmpc_omp_task_with_deps].next;
  held_t *held = mai_kmpc_held(task);
  if (held) {
    mai_count_passed(MAI_PASSED_DEPEND);
    work_of(held)->home = home_or_inherited(held->said);
    task = allocate_with(route, location, thread, run_dependent, held);
  }
  return next(location, thread, task, count, list, other_count, other_list);
}

static void task_begin_if0(void *location, int32_t thread, task_t *task) {
  const struct mai_route *route = mai_hook_route(CALLER(), MAI_FN___kmpc_omp_task_begin_if0);
  held_t *held = mai_kmpc_held(task);
  if (held) {
    mai_count_passed(MAI_PASSED_IF);
    held->stand_in = begin_stand_in(route, location, thread, held->entry);
    mai_frame_begin(&held->frame, home_or_inherited(held->said));
  } else {
    begin(route, location, thread, task);
    mai_frame_begin(&passed_of(task)->frame, passed_of(task)->home);
  }
}

static void task_complete_if0(void *location, int32_t thread, task_t *task) {
  const struct mai_route *route = mai_hook_route(CALLER(), MAI_FN___kmpc_omp_task_complete_if0);
  held_t *held = mai_kmpc_held(task);
  mai_frame_end(held ? &held->frame : &passed_of(task)->frame);
  if (held) {
    task = held->stand_in;
    mai_kmpc_delete(held, thread);
  }
  complete(route, location, thread, task);
}

/* LLVM's kmp_task_affinity_info_t. */
struct affinity {
  const void *memory;
  size_t bytes;
  int32_t flags;
};

static int32_t task_with_affinity(void *location, int32_t thread, task_t *task, int32_t count,
                                  const struct affinity *list) {
  struct mai_home_votes votes = {0};
  (void)location;
  (void)thread;
  for (int32_t i = 0; i < count; i++)
    mai_home_vote(&votes, list[i].memory, list[i].bytes);
  unsigned home = mai_home_winner(&votes);
  held_t *held = mai_kmpc_held(task);
  if (home == MAI_NO_HOME)
    return 0;
  if (held)
    held->said = (uint8_t)home;
  else
    passed_of(task)->home = home;
  return 0;
}

/*===-- Where calls go -----------------------------------------------------===*/

/* Whether something is to be done for a task that has been made: it may have been made before tasks
   were left to the run-time. */
static bool is_ours(task_t *task, unsigned function) {
  if (mai_home_count() == 0)
    return false;
  bool frame = function == MAI_FN___kmpc_omp_task_begin_if0 ||
               function == MAI_FN___kmpc_omp_task_complete_if0 ||
               function == MAI_FN___kmpc_omp_reg_task_with_affinity;
  return mai_kmpc_held(task) || (frame && is_passed(task));
}

static void *own_function(unsigned function) {
  switch (function) {
  case MAI_FN___kmpc_omp_task_alloc:
    return (void *)task_alloc;
  case MAI_FN___kmpc_omp_task_with_deps:
    return (void *)task_with_deps;
  case MAI_FN___kmpc_omp_task_begin_if0:
    return (void *)task_begin_if0;
  case MAI_FN___kmpc_omp_task_complete_if0:
    return (void *)task_complete_if0;
  case MAI_FN___kmpc_omp_reg_task_with_affinity:
    return (void *)task_with_affinity;
  case MAI_FN___kmpc_taskloop:
    return (void *)mai_kmpc_taskloop;
  case MAI_FN___kmpc_taskloop_5:
    return (void *)mai_kmpc_taskloop_5;
  default:
    return (void *)omp_task;
  }
}

void *mai_kmpc_call(struct mai_jump *call, unsigned function, const void *caller);
void *mai_kmpc_call(struct mai_jump *call, unsigned function, const void *caller) {
  enum { TASK = 2 };
  const struct mai_route *route = mai_hook_route(caller, function);
  bool here = function == MAI_FN___kmpc_omp_task_alloc
                  ? mai_near() && mai_kmpc_is(route->functions[function].runtime)
                  : is_ours((task_t *)call->arguments[TASK], function);
  return here ? own_function(function) : route->functions[function].next;
}

#if MAI_HAS_JUMPS
#define JUMP(number, name) MAI_JUMP(number, #name, "mai_kmpc_call");
MAI_KMPC_TASKS(JUMP)
#endif
