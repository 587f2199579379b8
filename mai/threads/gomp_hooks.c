/*===-- gomp_hooks.c - every thread of libgomp comes by here -----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * gcc turns the body of a parallel region into a function and passes it to one of the GOMP_parallel
 * functions.  Those here pass on to the run-time a function that calls mai_region_begin() first.
 *
 * Pinning once at the start would not do: libgomp ends the threads that a smaller team does not
 * need, and makes new ones for a larger team later.
 *
 * gcc before 4.9 calls GOMP_parallel_start() and others instead, which do not come by here.
 */
#include <stddef.h>

#include "hook_routes.h"
#include "jump.h"
#include "mai/process/interpose.h"
#include "near_loops.h"
#include "regions.h"

typedef void (*body_t)(void *);

static void run(void *region) {
  struct mai_region *self = region;
  unsigned thread = (unsigned)self->runtime->openmp.get_thread_num();
  struct mai_part part = mai_region_begin(self, thread);
  body_t body;
  *(void **)&body = part.body;
  mai_region_leave_nothing(thread);
  body(part.data);
}

enum { BODY, DATA, THREADS, START, END, STEP };

static void begin_loop(struct mai_gomp_numbers *numbers, uint64_t chunk, unsigned threads,
                       enum mai_function function, const void *caller) {
  struct mai_loop_way way = mai_near_loops_way(caller, function);
  mai_gomp_loop_open(numbers, chunk, function, &way, threads);
}

void *mai_gomp_open(struct mai_jump *call, unsigned function, const void *caller);
void *mai_gomp_open(struct mai_jump *call, unsigned function, const void *caller) {
  const struct mai_route *route = mai_hook_route(caller, function);
  struct mai_runtime *runtime = route->functions[function].runtime;
  mai_gomp_loops_open_region(runtime ? &runtime->openmp : NULL);
  mai_region_seen((const void *)call->arguments[BODY], (const void *)call->arguments[DATA]);
  struct mai_region *region = mai_region_open(runtime, (unsigned)call->arguments[THREADS]);
  if (region) {
    region->body = (void *)call->arguments[BODY];
    region->data = (void *)call->arguments[DATA];
    if (function == MAI_FN_GOMP_parallel_reductions)
      region->reductions = *(void **)region->data;
    call->arguments[BODY] = (uintptr_t)run;
    call->arguments[DATA] = (uintptr_t)region;
  }
  return route->functions[function].next;
}

#if MAI_HAS_JUMPS

/* Behind the numbers is the size of chunks, where the function gets one. */
void *mai_gomp_open_loop(struct mai_jump *call, unsigned function, const void *caller);
void *mai_gomp_open_loop(struct mai_jump *call, unsigned function, const void *caller) {
  void *next = mai_gomp_open(call, function, caller);
  struct mai_gomp_numbers numbers = {call->arguments[START], call->arguments[END],
                                     call->arguments[STEP]};
  begin_loop(&numbers, *mai_jump_more(call), (unsigned)call->arguments[THREADS], function, caller);
  call->arguments[START] = numbers.start;
  call->arguments[END] = numbers.end;
  call->arguments[STEP] = numbers.step;
  return next;
}

#define JUMP(number, name) MAI_JUMP(number, #name, "mai_gomp_open");
MAI_GOMP_REGIONS(JUMP)
#undef JUMP
#define JUMP(number, name) MAI_JUMP(number, #name, "mai_gomp_open_loop");
MAI_GOMP_LOOP_REGIONS(JUMP)

#else

struct region {
  char nothing; /* struct mai_region has it */
};

#define GOMP_REGIONS_INTERPOSE MAI_INTERPOSES
#include "openmp/gomp_regions.h"

static struct passed begin(struct region *region, struct passed passed, unsigned threads,
                           enum mai_function function, const void *caller) {
  struct mai_jump call = {{(uintptr_t)passed.body, (uintptr_t)passed.data, threads}};
  (void)region;
  passed.next = mai_gomp_open(&call, function, caller);
  passed.body = (body_t)call.arguments[BODY];
  passed.data = (void *)call.arguments[DATA];
  return passed;
}

static void end(const struct region *region) { (void)region; }

#endif
