/*===-- created.c - threads that the program makes by itself ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Those of std::thread, TBB and pthreads have no numbers as OpenMP's have: the order in which they
 * are made stands for these.  The program's first thread is number 0, and is left where it is: what
 * it counts of its CPUs says how many threads it makes.
 */
#include "created.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

#include "mai/process/call.h"
#include "mai/process/restrictions.h"
#include "mai/process/settings.h"
#include "openmp/objects.h"
#include "runtime/heap.h"
#include "runtime/leftovers.h"

/*===-- Stacks --------------------------------------------------------------===*/

static atomic_bool small_stacks;

void mai_created_see_stack(const pthread_attr_t *attributes) {
  enum { SMALL = 64 << 10 };
  size_t bytes = 0;
  pthread_attr_t usual;
  if (atomic_load_explicit(&small_stacks, memory_order_relaxed))
    return;
  if (attributes) {
    pthread_attr_getstacksize(attributes, &bytes);
  } else if (pthread_attr_init(&usual) == 0) {
    pthread_attr_getstacksize(&usual, &bytes);
    pthread_attr_destroy(&usual);
  }
  if (bytes < SMALL)
    atomic_store(&small_stacks, true);
}

void mai_created_leave_nothing(void) {
  bool may_be_small = atomic_load_explicit(&small_stacks, memory_order_relaxed);
  if (!may_be_small || !mai_is_restricted())
    minas_clear_thread_leftovers(may_be_small);
}

/*===-- What threads begin with ---------------------------------------------===*/

struct with_first {
  struct mai_created created;
  void (*first)(unsigned number);
  unsigned number;
};

static void call_first(const struct with_first *thread) {
  MAI_CALL;
  int error = errno;
  thread->first(thread->number);
  errno = error;
}

static void *begin(void *argument) {
  struct with_first thread = *(struct with_first *)argument;
  minas_free(argument);
  call_first(&thread);
  mai_created_leave_nothing();
  return thread.created.start(thread.created.argument);
}

bool mai_created_call_first(struct mai_created *created, void (*first)(unsigned number),
                            unsigned number) {
  struct with_first thread = {*created, first, number};
  struct with_first *copy = minas_copy(&thread, sizeof thread);
  if (copy)
    *created = (struct mai_created){begin, copy};
  return copy;
}

static void (*pin)(unsigned number);

void mai_created_pin_by(void (*function)(unsigned number)) { pin = function; }

/* Ours stands in front of their functions, too. */
static bool is_runtime(const void *caller) {
  struct mai_object object;
  return mai_object_at(caller, &object) && (mai_object_function(&object, "GOMP_parallel") ||
                                            mai_object_function(&object, "__kmpc_fork_call"));
}

static _Atomic(mai_created_watcher *) watcher;

void mai_created_watch(mai_created_watcher *function) {
  atomic_store_explicit(&watcher, function, memory_order_release);
}

void mai_created_prepare(struct mai_created *created, const void *caller) {
  static atomic_uint count;
  bool is_pinned = pin && mai_settings()->all_threads;
  mai_created_watcher *watches = atomic_load_explicit(&watcher, memory_order_acquire);
  if ((!is_pinned && !watches) || mai_call_is_inside() || is_runtime(caller))
    return;
  if (watches)
    watches(created);
  if (!is_pinned)
    return;
  mai_created_call_first(created, pin, atomic_fetch_add(&count, 1) + 1);
}

void mai_created_cancel(const struct mai_created *created) {
  if (created->start == begin)
    minas_free(created->argument);
}
