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
#include <stdbool.h>
#include <stddef.h>

#include "mai/process/call.h"
#include "mai/process/settings.h"
#include "openmp/objects.h"
#include "runtime/heap.h"

/* A thread that is to be pinned. */
struct pinned {
  struct mai_created created;
  unsigned number;
};

static void (*pin)(unsigned number);

void mai_created_pin_by(void (*function)(unsigned number)) { pin = function; }

static void take_place(unsigned number) {
  MAI_CALL;
  int error = errno;
  pin(number);
  errno = error;
}

static void *begin(void *argument) {
  struct pinned pinned = *(struct pinned *)argument;
  minas_free(argument);
  take_place(pinned.number);
  return pinned.created.start(pinned.created.argument);
}

/* Ours stands in front of their functions, too. */
static bool is_runtime(const void *caller) {
  struct mai_object object;
  return mai_object_at(caller, &object) && (mai_object_function(&object, "GOMP_parallel") ||
                                            mai_object_function(&object, "__kmpc_fork_call"));
}

void mai_created_prepare(struct mai_created *created, const void *caller) {
  static atomic_uint count;
  if (!pin || !mai_settings()->all_threads || mai_call_is_inside() || is_runtime(caller))
    return;
  struct pinned *pinned = minas_alloc(sizeof *pinned);
  if (!pinned)
    return;
  *pinned = (struct pinned){*created, atomic_fetch_add(&count, 1) + 1};
  *created = (struct mai_created){begin, pinned};
}

void mai_created_cancel(const struct mai_created *created) {
  if (created->start == begin)
    minas_free(created->argument);
}
