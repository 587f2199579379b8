/*===-- kmpc_regions.h - the function by which clang's programs open regions *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * clang and its relatives turn the body of a parallel region into a function, a *microtask*, and
 * pass it with the addresses of what it uses to __kmpc_fork_call().  This file defines that
 * function for a library that stands in front of libomp's and passes on a microtask of its own.
 *
 * OMPT, the tool interface of OpenMP 5.0, would tell of regions as well, but costs each a twentieth
 * of an empty one's time, needed or not, and has room for one tool: it is left to the user's.
 *
 * Included once, by a source that defines before: struct region_data; KMPC_REGIONS_INTERPOSE, which
 * marks a definition that stands in front of another's; KMPC_REGIONS_NEXT(name), the one that it
 * stands in front of, as void *; and after it the static functions that are declared here.
 */
#include <dlfcn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

typedef void (*microtask_t)(int32_t *global_thread, int32_t *thread, ...);
typedef void (*fork_t)(void *location, int32_t count, microtask_t body, ...);
typedef int (*invoke_t)(microtask_t body, int global_thread, int thread, int count,
                        void **arguments, void **frame);

/* What libomp's threads get in place of the microtask's arguments. */
struct region {
  microtask_t body;
  int32_t count;
  void **arguments;
  bool watched;
  struct region_data data;
};

/* Before the region. @return whether its threads are to call enter() and leave(); not if
   find_invoke() has not returned true */
static bool begin(struct region *region);
/* After the region. */
static void end(void);
/* A thread's part begins. @return what leave() gets when it has ended */
static void *enter(const struct region *region, unsigned thread);
static void leave(void *before);

/* The compiler's name for it. */
KMPC_REGIONS_INTERPOSE void fork_call(void *location, int32_t count, microtask_t body,
                                      ...) __asm__("__kmpc_fork_call");

static invoke_t invoke;

/* Find libomp's own way of calling microtasks, in its library. */
static inline bool find_invoke(void *library) {
  *(void **)&invoke = dlsym(library, "__kmp_invoke_microtask");
  return invoke != NULL;
}

static void run(int32_t *global_thread, int32_t *thread, const struct region *region) {
  void *frame; /* for the user's tool: where libomp's own frames end */
  void *before = region->watched ? enter(region, (unsigned)*thread) : NULL;
  invoke(region->body, *global_thread, *thread, region->count, region->arguments, &frame);
  if (region->watched)
    leave(before);
}

/* A variadic function can only be called with as many arguments as are written down. */
enum { FEW = 15 };

static void pass_few(void *location, int32_t count, microtask_t body, va_list list) {
  fork_t next = (fork_t)KMPC_REGIONS_NEXT("__kmpc_fork_call");
  void *a[FEW] = {0};
  for (int32_t i = 0; i < count; i++)
    a[i] = va_arg(list, void *);
  if (count <= 3) /* in registers */
    next(location, count, body, a[0], a[1], a[2]);
  else
    next(location, count, body, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10],
         a[11], a[12], a[13], a[14]);
}

static void pass_region(void *location, struct region *region, va_list list) {
  fork_t next = (fork_t)KMPC_REGIONS_NEXT("__kmpc_fork_call");
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
  region.watched = begin(&region);
  if (region.watched || count > FEW)
    pass_region(location, &region, list);
  else
    pass_few(location, count, body, list);
  end();
  va_end(list);
}
