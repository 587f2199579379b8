/*===-- regions.c - where parallel regions begin and end ---------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A region's threads come by here because the functions that gcc and clang (kmpc_regions.c) call
 * stand in front of the run-time's; other threads because pthread_create() does.
 *
 * When the body has returned, threads go on to the region's closing barrier, where they do its
 * tasks: the thread that opened the region leaves it when the run-time's function returns, all
 * others when they enter another.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include "memory.h"
#include "next.h"
#include "regions.h"
#include "threads.h"
#include "trace/system/text.h"

void trace_find_next(void *_Atomic *known, const char *name) {
  atomic_store_explicit(known, dlsym(RTLD_NEXT, name), memory_order_relaxed);
}

struct search {
  const char *name;
  void *found;
};

static bool find_in(const struct mai_object *object, void *context) {
  struct search *search = context;
  if (!mai_object_has(object, (const void *)&trace_next_anywhere))
    search->found = mai_object_function(object, search->name);
  return search->found != NULL;
}

void *trace_next_anywhere(void *_Atomic *known, const char *name) {
  if (!atomic_load_explicit(known, memory_order_relaxed))
    trace_find_next(known, name);
  struct search search = {name, atomic_load_explicit(known, memory_order_relaxed)};
  if (!search.found)
    mai_objects_visit(find_in, &search);
  return search.found;
}

/* With a traced library in LD_PRELOAD, this one comes behind the program's own, and so behind those
   functions in front of which it stands elsewhere. */
void *trace_next(void *_Atomic *known, const char *name) {
  void *next = atomic_load_explicit(known, memory_order_relaxed);
  if (next)
    return next;
  next = trace_next_anywhere(known, name);
  if (!next) {
    trace_say("the program calls %s(), which no library that it has loaded defines", name);
    abort();
  }
  atomic_store_explicit(known, next, memory_order_relaxed);
  return next;
}

/*===-- Where calls of run-times are passed on to ---------------------------===*/

static void say_uncertain(const void *caller) {
  static atomic_bool said;
  struct mai_object object = {.path = ""};
  mai_object_at(caller, &object);
  if (!atomic_exchange(&said, true))
    trace_say(
        "it cannot be told which OpenMP run-time %s%s uses: its regions are not counted apart",
        *object.path ? "" : "the program", object.path);
}

struct trace_next_function trace_next_of(const void *caller, enum mai_function function) {
  const struct mai_route *route = mai_route_of(caller);
  struct trace_next_function next = {route->functions[function].next,
                                     route->functions[function].runtime};
  if (!next.function) {
    trace_say("the program calls a function of an OpenMP run-time that no library that it has "
              "loaded defines");
    abort();
  }
  if (!next.runtime)
    say_uncertain(caller);
  return next;
}

/* Threads are pinned in the order of their numbers where nothing else is said.  Here they may have
   few CPUs, and what one does for another that has to wait for a CPU it would not do elsewhere. And
   for whom a loop of a small run has no piece, it has some in a large one. */
struct mai_loop_way trace_loop_way(const void *caller, enum mai_function function) {
  struct trace_next_function next = trace_next_of(caller, function);
  return (struct mai_loop_way){.next = next.function,
                               .openmp = next.runtime ? &next.runtime->openmp : NULL,
                               .distance =
                                   trace_settings()->any_loops ? NULL : mai_loop_distance_by_number,
                               .patient_from = 1,
                               .all_take_part = true};
}

/* What was found out of the library may be true of it no more. */
TRACE_INTERPOSES int dlclose(void *library) {
  atomic_fetch_add(&mai_unloads, 1);
  int result = TRACE_NEXT(dlclose)(library);
  atomic_fetch_add(&mai_unloads, 1);
  return result;
}

/*===-- libgomp -------------------------------------------------------------===*/

typedef void (*body_t)(void *);

/* What libgomp's threads get in place of the body's data. */
struct region {
  void *reductions; /* GOMP_parallel_reductions() looks for them in the data's first word */
  body_t body;
  void *data;
  const struct mai_openmp *openmp;
  struct trace_context *before; /* of the thread that opens the region */
};

static void run(void *argument) {
  const struct region *region = argument;
  trace_enter(region->openmp, (const void *)region->body);
  region->body(region->data);
}

#define GOMP_REGIONS_INTERPOSE TRACE_INTERPOSES
#include "openmp/gomp_regions.h"

static struct passed begin(struct region *region, struct passed passed, unsigned threads,
                           enum mai_function function, const void *caller) {
  struct trace_next_function next = trace_next_of(caller, function);
  (void)threads;
  passed.next = next.function;
  region->before = trace_own_context();
  mai_gomp_loops_open_region(next.runtime ? &next.runtime->openmp : NULL);
  if (!next.runtime)
    return passed;
  *region = (struct region){NULL, passed.body, passed.data, &next.runtime->openmp, region->before};
  if (function == MAI_FN_GOMP_parallel_reductions)
    region->reductions = *(void **)passed.data;
  return (struct passed){run, region, passed.next};
}

static void begin_loop(struct mai_gomp_numbers *numbers, uint64_t chunk, unsigned threads,
                       enum mai_function function, const void *caller) {
  const struct mai_loop_way way = trace_loop_way(caller, function);
  mai_gomp_loop_open(numbers, chunk, function, &way, threads);
}

static void end(const struct region *region) { trace_leave(region->before); }

/*===-- Threads of the program ----------------------------------------------===*/

struct birth {
  void *(*start)(void *);
  void *argument;
  unsigned ordinal;
};

static void *run_thread(void *argument) {
  struct birth birth = *(struct birth *)argument;
  trace_memory_free(argument, sizeof birth);
  trace_thread_is_created(birth.ordinal);
  return birth.start(birth.argument);
}

TRACE_INTERPOSES int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                                    void *(*start)(void *), void *argument) {
  static atomic_uint created;
  struct birth *birth = trace_started() ? trace_memory(sizeof *birth) : NULL;
  if (!birth)
    return TRACE_NEXT(pthread_create)(thread, attributes, start, argument);
  *birth = (struct birth){start, argument, atomic_fetch_add(&created, 1) + 1};
  int result = TRACE_NEXT(pthread_create)(thread, attributes, run_thread, birth);
  if (result != 0)
    trace_memory_free(birth, sizeof *birth);
  return result;
}

int trace_create_thread(pthread_t *thread, const pthread_attr_t *attributes,
                        void *(*start)(void *)) {
  return TRACE_NEXT(pthread_create)(thread, attributes, start, NULL);
}
