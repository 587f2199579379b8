/*===-- kmpc_regions.h - the function by which clang's programs open regions *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * clang and its relatives turn the body of a parallel region into a function, a *microtask*, and
 * pass it with the addresses of what it uses to __kmpc_fork_call().  This file defines that
 * function for a library that stands in front of libomp's and calls it with a microtask of its own.
 *
 * Included once, by a source that defines before: struct region_data; KMPC_REGIONS_INTERPOSE, which
 * marks a definition that stands in front of another's; and after it the static functions that are
 * declared here.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

#include "routes.h"

typedef void (*microtask_t)(int32_t *global_thread, int32_t *thread, ...);
typedef void (*fork_t)(void *location, int32_t count, microtask_t body, ...);
typedef int (*invoke_t)(microtask_t body, int global_thread, int thread, int count,
                        void **arguments, void **frame);

/* What libomp's threads get in place of the microtask's arguments. */
struct region {
  microtask_t body;
  int32_t count;
  void **arguments;
  bool watched;    /* its threads are to call enter() and leave() */
  invoke_t invoke; /* libomp's own way of calling microtasks; NULL: it has none */
  struct region_data data;
};

/* Before the region: find whether it is watched, and `invoke`, without which it is not.
   @return the function to call */
static fork_t begin(struct region *region, const void *caller);
/* A thread's part begins. */
static void enter(const struct region *region, unsigned thread);
/* Its body has ended; there may be tasks to do. */
static void leave(const struct region *region);
/* After the region, when the threads have done all of its tasks. */
static void end(const struct region *region);

/* The way of the run-time in whose code an address lies. */
static inline invoke_t find_invoke(const void *address) {
  struct mai_object library;
  invoke_t invoke = NULL;
  if (mai_object_at(address, &library))
    *(void **)&invoke = mai_object_function(&library, "__kmp_invoke_microtask");
  return invoke;
}

/* The compiler's name for it. */
KMPC_REGIONS_INTERPOSE void fork_call(void *location, int32_t count, microtask_t body,
                                      ...) __asm__("__kmpc_fork_call");

static void run(int32_t *global_thread, int32_t *thread, const struct region *region) {
  void *frame; /* for the user's tool: where libomp's own frames end */
  if (region->watched)
    enter(region, (unsigned)*thread);
  region->invoke(region->body, *global_thread, *thread, region->count, region->arguments, &frame);
  if (region->watched)
    leave(region);
}

/* A variadic function can only be called with as many arguments as are written down. */
enum { FEW = 15 };

static void pass_few(fork_t next, void *location, int32_t count, microtask_t body, va_list list) {
  void *a[FEW] = {0};
  for (int32_t i = 0; i < count; i++)
    a[i] = va_arg(list, void *);
  if (count <= 3) /* in registers */
    next(location, count, body, a[0], a[1], a[2]);
  else
    next(location, count, body, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10],
         a[11], a[12], a[13], a[14]);
}

static void pass_region(fork_t next, void *location, struct region *region, va_list list) {
  void *arguments[region->count + 1]; /* there may be none */
  for (int32_t i = 0; i < region->count; i++)
    arguments[i] = va_arg(list, void *);
  region->arguments = arguments;
  next(location, 1, (microtask_t)run, region);
}

void fork_call(void *location, int32_t count, microtask_t body, ...) {
  struct region region = {.body = body, .count = count};
  va_list list;
  va_start(list, body);
  fork_t next = begin(&region, __builtin_return_address(0));
  if (region.watched || count > FEW)
    pass_region(next, location, &region, list);
  else
    pass_few(next, location, count, body, list);
  va_end(list);
  end(&region);
}
