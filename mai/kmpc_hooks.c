/*===-- kmpc_hooks.c - every thread of libomp comes by here ------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include <pthread.h>

#include "hooks.h"
#include "interpose.h"
#include "openmp.h"
#include "threads.h"

struct region_data {
  struct mai_opening opening;
};

#define KMPC_REGIONS_INTERPOSE MAI_INTERPOSES
#define KMPC_REGIONS_NEXT MAI_NEXT_NAMED
#include "kmpc_regions.h"

MAI_INTERPOSES void push_num_threads(void *location, int32_t global_thread,
                                     int32_t threads) __asm__("__kmpc_push_num_threads");

/* The run-time behind the functions here. */
static struct {
  pthread_once_t once;
  struct mai_openmp openmp;
  bool known;
} runtime = {.once = PTHREAD_ONCE_INIT};

/* What the clause num_threads of the calling thread's next region says; 0: there is none. */
static _Thread_local unsigned requested __attribute__((tls_model("initial-exec")));

/* By a function that nobody stands in front of. */
static void find_runtime(void) {
  const void *inside = MAI_NEXT_NAMED("__kmpc_global_thread_num");
  runtime.known = mai_openmp_around(inside, &runtime.openmp) && find_invoke(runtime.openmp.library);
}

static bool begin(struct region *region) {
  unsigned threads = requested;
  bool settled = mai_settled(threads);
  requested = 0;
  if (!settled)
    pthread_once(&runtime.once, find_runtime);
  if (!settled && runtime.known)
    region->data.opening = mai_threads_open(&runtime.openmp, threads);
  mai_settled_go_in();
  return !settled && runtime.known;
}

static void end(void) { mai_settled_come_out(); }

static void *enter(const struct region *region, unsigned thread) {
  mai_threads_enter(&runtime.openmp, thread, &region->data.opening);
  return NULL;
}

static void leave(void *before) { (void)before; }

void push_num_threads(void *location, int32_t global_thread, int32_t threads) {
  void (*next)(void *, int32_t, int32_t);
  *(void **)&next = MAI_NEXT_NAMED("__kmpc_push_num_threads");
  requested = threads > 0 ? (unsigned)threads : 0;
  next(location, global_thread, threads);
}

const char *mai_kmpc_obstacle(void) {
  if (!mai_interpose_passed_by("__kmpc_fork_call"))
    return NULL;
  return "the program finds libomp before libmai: link with -lmai before -lomp, or run it with "
         "LD_PRELOAD=libmai.so";
}
