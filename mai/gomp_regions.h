/*===-- gomp_regions.h - the functions by which gcc's programs open regions *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Defines libgomp's GOMP_parallel functions for a library that stands in front of it and passes on
 * `run` and a `struct region` in place of the body and its data.  Included once, by a source that
 * defines before: body_t; struct region with a member `void *reductions` in front; run();
 * struct region begin(body_t body, void *data); GOMP_REGIONS_INTERPOSE, which marks a definition
 * that stands in front of another's; and GOMP_REGIONS_NEXT(function), the one that it stands in
 * front of.
 */

void GOMP_parallel(body_t body, void *data, unsigned threads, unsigned flags) {
  struct region region = begin(body, data);
  GOMP_REGIONS_NEXT(GOMP_parallel)(run, &region, threads, flags);
}

GOMP_REGIONS_INTERPOSE unsigned GOMP_parallel_reductions(body_t body, void *data, unsigned threads,
                                                         unsigned flags);
unsigned GOMP_parallel_reductions(body_t body, void *data, unsigned threads, unsigned flags) {
  struct region region = begin(body, data);
  region.reductions = *(void **)data;
  return GOMP_REGIONS_NEXT(GOMP_parallel_reductions)(run, &region, threads, flags);
}

GOMP_REGIONS_INTERPOSE void GOMP_parallel_sections(body_t body, void *data, unsigned threads,
                                                   unsigned count, unsigned flags);
void GOMP_parallel_sections(body_t body, void *data, unsigned threads, unsigned count,
                            unsigned flags) {
  struct region region = begin(body, data);
  GOMP_REGIONS_NEXT(GOMP_parallel_sections)(run, &region, threads, count, flags);
}

/* A loop whose schedule has chunks of a size. */
#define DEFINE_LOOP(name)                                                                          \
  GOMP_REGIONS_INTERPOSE void name(body_t body, void *data, unsigned threads, long start,          \
                                   long end, long increment, long chunk, unsigned flags);          \
  void name(body_t body, void *data, unsigned threads, long start, long end, long increment,       \
            long chunk, unsigned flags) {                                                          \
    struct region region = begin(body, data);                                                      \
    GOMP_REGIONS_NEXT(name)(run, &region, threads, start, end, increment, chunk, flags);           \
  }

DEFINE_LOOP(GOMP_parallel_loop_static)
DEFINE_LOOP(GOMP_parallel_loop_dynamic)
DEFINE_LOOP(GOMP_parallel_loop_guided)
DEFINE_LOOP(GOMP_parallel_loop_nonmonotonic_dynamic)
DEFINE_LOOP(GOMP_parallel_loop_nonmonotonic_guided)

/* A loop whose schedule OMP_SCHEDULE names. */
#define DEFINE_RUNTIME_LOOP(name)                                                                  \
  GOMP_REGIONS_INTERPOSE void name(body_t body, void *data, unsigned threads, long start,          \
                                   long end, long increment, unsigned flags);                      \
  void name(body_t body, void *data, unsigned threads, long start, long end, long increment,       \
            unsigned flags) {                                                                      \
    struct region region = begin(body, data);                                                      \
    GOMP_REGIONS_NEXT(name)(run, &region, threads, start, end, increment, flags);                  \
  }

DEFINE_RUNTIME_LOOP(GOMP_parallel_loop_runtime)
DEFINE_RUNTIME_LOOP(GOMP_parallel_loop_nonmonotonic_runtime)
DEFINE_RUNTIME_LOOP(GOMP_parallel_loop_maybe_nonmonotonic_runtime)
