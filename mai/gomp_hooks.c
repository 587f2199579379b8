/*===-- gomp_hooks.c - every thread of libgomp comes by here -----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * gcc turns the body of a parallel region into a function and passes it to one of the GOMP_parallel
 * functions.  Those here pass on to libgomp a function that calls mai_threads_enter() first.
 *
 * Pinning once at the start would not do: libgomp ends the threads that a smaller team does not
 * need, and makes new ones for a larger team later.
 *
 * gcc before 4.9 calls GOMP_parallel_start() and others instead, which do not come by here.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

#include "hooks.h"
#include "interpose.h"
#include "openmp.h"
#include "threads.h"

typedef void (*body_t)(void *);

/* What libgomp's threads get in place of the body's data. */
struct region {
  void *reductions; /* GOMP_parallel_reductions() looks for them in the data's first word */
  body_t body;
  void *data;
  struct mai_opening opening;
};

/* The run-time behind the functions here. */
static struct {
  pthread_once_t once;
  struct mai_openmp openmp;
  bool known;
} runtime = {.once = PTHREAD_ONCE_INIT};

MAI_INTERPOSES void GOMP_parallel(body_t body, void *data, unsigned threads, unsigned flags);

static void find_runtime(void) {
  runtime.known = mai_openmp_around((const void *)MAI_NEXT(GOMP_parallel), &runtime.openmp);
}

static void run(void *argument) {
  const struct region *region = argument;
  mai_threads_enter(&runtime.openmp, (unsigned)runtime.openmp.get_thread_num(), &region->opening);
  region->body(region->data);
}

static bool begin(struct region *region, unsigned threads) {
  bool settled = mai_settled(threads);
  if (!settled)
    pthread_once(&runtime.once, find_runtime);
  if (!settled && runtime.known)
    region->opening = mai_threads_open(&runtime.openmp, threads);
  mai_settled_go_in();
  return !settled && runtime.known;
}

static void end(void) { mai_settled_come_out(); }

#define GOMP_REGIONS_INTERPOSE MAI_INTERPOSES
#define GOMP_REGIONS_NEXT MAI_NEXT
#include "gomp_regions.h"

const char *mai_gomp_obstacle(void) {
  const void *parallel = dlsym(RTLD_DEFAULT, "GOMP_parallel");
  bool is_llvms = mai_interpose_same_library(parallel, mai_openmp_llvm_function());
  if (is_llvms || !mai_interpose_passed_by("GOMP_parallel"))
    return NULL;
  return "the program finds libgomp before libmai: link with -lmai before -lgomp, or run it with "
         "LD_PRELOAD=libmai.so";
}
