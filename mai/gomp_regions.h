/*===-- gomp_regions.h - the functions by which gcc's programs open regions *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Defines libgomp's GOMP_parallel functions for a library that stands in front of it and passes on
 * `run` and a `struct region` in place of the body and its data.  Included once, by a source that
 * defines before: body_t; struct region with the members `void *reductions` in front, `body_t body`
 * and `void *data`; run(); bool begin(struct region *, unsigned threads), false where the body is
 * to be passed on as it is; void end(void), after the region; GOMP_REGIONS_INTERPOSE, which marks a
 * definition that stands in front of another's; and GOMP_REGIONS_NEXT(function), the one that it
 * stands in front of.
 */

struct passed {
  body_t body;
  void *data;
};

static inline struct passed pass(struct region *region, body_t body, void *data, unsigned threads) {
  *region = (struct region){.body = body, .data = data};
  return begin(region, threads) ? (struct passed){run, region} : (struct passed){body, data};
}

void GOMP_parallel(body_t body, void *data, unsigned threads, unsigned flags) {
  struct region region;
  struct passed passed = pass(&region, body, data, threads);
  GOMP_REGIONS_NEXT(GOMP_parallel)(passed.body, passed.data, threads, flags);
  end();
}

GOMP_REGIONS_INTERPOSE unsigned GOMP_parallel_reductions(body_t body, void *data, unsigned threads,
                                                         unsigned flags);
unsigned GOMP_parallel_reductions(body_t body, void *data, unsigned threads, unsigned flags) {
  struct region region;
  struct passed passed = pass(&region, body, data, threads);
  region.reductions = *(void **)data;
  unsigned result =
      GOMP_REGIONS_NEXT(GOMP_parallel_reductions)(passed.body, passed.data, threads, flags);
  end();
  return result;
}

GOMP_REGIONS_INTERPOSE void GOMP_parallel_sections(body_t body, void *data, unsigned threads,
                                                   unsigned count, unsigned flags);
void GOMP_parallel_sections(body_t body, void *data, unsigned threads, unsigned count,
                            unsigned flags) {
  struct region region;
  struct passed passed = pass(&region, body, data, threads);
  GOMP_REGIONS_NEXT(GOMP_parallel_sections)(passed.body, passed.data, threads, count, flags);
  end();
}

/* A loop whose schedule has chunks of a size. */
#define DEFINE_LOOP(name)                                                                          \
  GOMP_REGIONS_INTERPOSE void name(body_t body, void *data, unsigned threads, long start,          \
                                   long stop, long increment, long chunk, unsigned flags);         \
  void name(body_t body, void *data, unsigned threads, long start, long stop, long increment,      \
            long chunk, unsigned flags) {                                                          \
    struct region region;                                                                          \
    struct passed passed = pass(&region, body, data, threads);                                     \
    GOMP_REGIONS_NEXT(name)(passed.body, passed.data, threads, start, stop, increment, chunk,      \
                            flags);                                                                \
    end();                                                                                         \
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
    struct region region;                                                                          \
    struct passed passed = pass(&region, body, data, threads);                                     \
    GOMP_REGIONS_NEXT(name)(passed.body, passed.data, threads, start, stop, increment, flags);     \
    end();                                                                                         \
  }

DEFINE_RUNTIME_LOOP(GOMP_parallel_loop_runtime)
DEFINE_RUNTIME_LOOP(GOMP_parallel_loop_nonmonotonic_runtime)
DEFINE_RUNTIME_LOOP(GOMP_parallel_loop_maybe_nonmonotonic_runtime)
