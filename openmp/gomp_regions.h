/*===-- gomp_regions.h - the functions by which gcc's programs open regions *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Defines libgomp's GOMP_parallel functions for a library that stands in front of it, calls the
 * run-time's and passes on another body and other data than the program's.  Included once, by a
 * source that defines before: body_t; struct region, what the library keeps while a region runs;
 * and GOMP_REGIONS_INTERPOSE, which marks a definition that stands in front of another's; and after
 * it begin(), begin_loop() and end().
 */
#include "gomp_iterations.h"
#include "routes.h"

/* What is passed on, and to which function. */
struct passed {
  body_t body;
  void *data;
  void *next;
};

/* Before the region. */
static struct passed begin(struct region *region, struct passed passed, unsigned threads,
                           enum mai_function function, const void *caller);

/* After the region, when the threads have done all of its tasks. */
static void end(const struct region *region);

/* Before a region that is a loop, after begin(): the run-time gets these numbers instead.
   @param chunk 0 where OMP_SCHEDULE says it */
static void begin_loop(struct mai_gomp_numbers *numbers, uint64_t chunk, unsigned threads,
                       enum mai_function function, const void *caller);

#define PASS(name)                                                                                 \
  struct region region;                                                                            \
  struct passed passed = begin(&region, (struct passed){body, data, NULL}, threads, MAI_FN_##name, \
                               __builtin_return_address(0));                                       \
  __typeof__(&(name)) next;                                                                        \
  *(void **)&next = passed.next

GOMP_REGIONS_INTERPOSE void GOMP_parallel(body_t body, void *data, unsigned threads,
                                          unsigned flags);
void GOMP_parallel(body_t body, void *data, unsigned threads, unsigned flags) {
  PASS(GOMP_parallel);
  next(passed.body, passed.data, threads, flags);
  end(&region);
}

GOMP_REGIONS_INTERPOSE unsigned GOMP_parallel_reductions(body_t body, void *data, unsigned threads,
                                                         unsigned flags);
unsigned GOMP_parallel_reductions(body_t body, void *data, unsigned threads, unsigned flags) {
  PASS(GOMP_parallel_reductions);
  unsigned result = next(passed.body, passed.data, threads, flags);
  end(&region);
  return result;
}

GOMP_REGIONS_INTERPOSE void GOMP_parallel_sections(body_t body, void *data, unsigned threads,
                                                   unsigned count, unsigned flags);
void GOMP_parallel_sections(body_t body, void *data, unsigned threads, unsigned count,
                            unsigned flags) {
  PASS(GOMP_parallel_sections);
  next(passed.body, passed.data, threads, count, flags);
  end(&region);
}

#define PASS_LOOP(name, chunk)                                                                     \
  struct mai_gomp_numbers loop = {(uint64_t)start, (uint64_t)stop, (uint64_t)increment};           \
  begin_loop(&loop, (uint64_t)(chunk), threads, MAI_FN_##name, __builtin_return_address(0))

/* A loop whose schedule has chunks of a size. */
#define DEFINE_LOOP(name)                                                                          \
  GOMP_REGIONS_INTERPOSE void name(body_t body, void *data, unsigned threads, long start,          \
                                   long stop, long increment, long chunk, unsigned flags);         \
  void name(body_t body, void *data, unsigned threads, long start, long stop, long increment,      \
            long chunk, unsigned flags) {                                                          \
    PASS(name);                                                                                    \
    PASS_LOOP(name, chunk);                                                                        \
    next(passed.body, passed.data, threads, (long)loop.start, (long)loop.end, (long)loop.step,     \
         chunk, flags);                                                                            \
    end(&region);                                                                                  \
  }

DEFINE_LOOP(GOMP_parallel_loop_static)
DEFINE_LOOP(GOMP_parallel_loop_dynamic)
DEFINE_LOOP(GOMP_parallel_loop_guided)
DEFINE_LOOP(GOMP_parallel_loop_nonmonotonic_dynamic)
DEFINE_LOOP(GOMP_parallel_loop_nonmonotonic_guided)

/* A loop whose schedule OMP_SCHEDULE names. */
#define DEFINE_RUNTIME_LOOP(name)                                                                  \
  GOMP_REGIONS_INTERPOSE void name(body_t body, void *data, unsigned threads, long start,          \
                                   long stop, long increment, unsigned flags);                     \
  void name(body_t body, void *data, unsigned threads, long start, long stop, long increment,      \
            unsigned flags) {                                                                      \
    PASS(name);                                                                                    \
    PASS_LOOP(name, 0);                                                                            \
    next(passed.body, passed.data, threads, (long)loop.start, (long)loop.end, (long)loop.step,     \
         flags);                                                                                   \
    end(&region);                                                                                  \
  }

DEFINE_RUNTIME_LOOP(GOMP_parallel_loop_runtime)
DEFINE_RUNTIME_LOOP(GOMP_parallel_loop_nonmonotonic_runtime)
DEFINE_RUNTIME_LOOP(GOMP_parallel_loop_maybe_nonmonotonic_runtime)
