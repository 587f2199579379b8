/*===-- regions.c - where parallel regions begin and end ---------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A region's threads come by here because the functions that gcc and clang (kmpc_regions.c) call
 * stand in front of the run-time's; other threads because pthread_create() does.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include "next.h"
#include "process.h"
#include "threads.h"

/* A run-time that came with a plugin is in no global order. */
static void *find_in_runtime(const char *name) {
  static const char *const runtimes[] = {"libgomp.so.1", "libomp.so.5", "libomp.so", "libiomp5.so"};
  void *found = NULL;
  for (size_t i = 0; i < sizeof runtimes / sizeof *runtimes && !found; i++) {
    void *library = dlopen(runtimes[i], RTLD_LAZY | RTLD_GLOBAL | RTLD_NOLOAD);
    found = library ? dlsym(library, name) : NULL;
  }
  return found;
}

void *trace_next(void *_Atomic *known, const char *name) {
  void *next = atomic_load_explicit(known, memory_order_relaxed);
  if (next)
    return next;
  next = dlsym(RTLD_NEXT, name);
  if (!next)
    next = find_in_runtime(name);
  if (!next) {
    trace_say("the program calls %s(), which no library that it has loaded defines", name);
    abort();
  }
  atomic_store_explicit(known, next, memory_order_relaxed);
  return next;
}

bool trace_find_openmp(const void *address, struct trace_openmp *openmp) {
  Dl_info info;
  void *library = dladdr(address, &info) ? dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : NULL;
  if (!library)
    return false;
  openmp->library = library;
  *(void **)&openmp->get_level = dlsym(library, "omp_get_level");
  *(void **)&openmp->get_ancestor_thread_num = dlsym(library, "omp_get_ancestor_thread_num");
  *(void **)&openmp->get_team_size = dlsym(library, "omp_get_team_size");
  return openmp->get_level && openmp->get_ancestor_thread_num && openmp->get_team_size;
}

/*===-- libgomp -------------------------------------------------------------===*/

typedef void (*body_t)(void *);

/* What libgomp's threads get in place of the body's data. */
struct region {
  void *reductions; /* GOMP_parallel_reductions() looks for them in the data's first word */
  body_t body;
  void *data;
};

static struct {
  pthread_once_t once;
  struct trace_openmp openmp;
  bool known;
} gomp = {.once = PTHREAD_ONCE_INIT};

TRACE_INTERPOSES void GOMP_parallel(body_t body, void *data, unsigned threads, unsigned flags);

static void find_gomp(void) {
  static void *_Atomic known;
  const char *name = "omp_get_level";
  void *function = dlsym(RTLD_NEXT, name);
  gomp.known =
      trace_find_openmp(function ? function : trace_next(&known, "GOMP_parallel"), &gomp.openmp);
}

static void run(void *argument) {
  const struct region *region = argument;
  if (!gomp.known) {
    region->body(region->data);
    return;
  }
  struct trace_context *before = trace_enter(&gomp.openmp, (const void *)region->body);
  region->body(region->data);
  trace_leave(before);
}

static bool begin(struct region *region, unsigned threads) {
  (void)region;
  (void)threads;
  pthread_once(&gomp.once, find_gomp);
  return true;
}

static void end(void) {}

#define GOMP_REGIONS_INTERPOSE TRACE_INTERPOSES
#define GOMP_REGIONS_NEXT TRACE_NEXT
#include "../mai/gomp_regions.h"

/*===-- Threads of the program ----------------------------------------------===*/

struct birth {
  void *(*start)(void *);
  void *argument;
  unsigned ordinal;
};

static void *run_thread(void *argument) {
  struct birth birth = *(struct birth *)argument;
  free(argument);
  trace_thread_begin(birth.ordinal);
  return birth.start(birth.argument);
}

TRACE_INTERPOSES int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                                    void *(*start)(void *), void *argument) {
  static atomic_uint created;
  struct birth *birth = malloc(sizeof *birth);
  if (!birth)
    return TRACE_NEXT(pthread_create)(thread, attributes, start, argument);
  *birth = (struct birth){start, argument, atomic_fetch_add(&created, 1) + 1};
  int result = TRACE_NEXT(pthread_create)(thread, attributes, run_thread, birth);
  if (result != 0)
    free(birth);
  return result;
}
