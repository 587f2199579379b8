/*===-- kmpc_hooks.c - every thread of libomp comes by here ------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * clang and its relatives turn the body of a parallel region into a function, a *microtask*, and
 * pass it with the addresses of what it uses to __kmpc_fork_call().  The one here passes on to
 * libomp a microtask that calls mai_threads_enter() first.
 *
 * OMPT, the tool interface of OpenMP 5.0, would tell the same, but costs every region a twentieth
 * of its time, needed or not, and has room for one tool: it is left to the user's.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

#include "hooks.h"
#include "interpose.h"
#include "openmp.h"
#include "threads.h"

typedef void (*microtask_t)(int32_t *global_thread, int32_t *thread, ...);
typedef void (*fork_t)(void *location, int32_t count, microtask_t body, ...);

/* The names are the compiler's. */
MAI_INTERPOSES void fork_call(void *location, int32_t count, microtask_t body,
                              ...) __asm__("__kmpc_fork_call");
MAI_INTERPOSES void push_num_threads(void *location, int32_t global_thread,
                                     int32_t threads) __asm__("__kmpc_push_num_threads");

/* What libomp's threads get in place of the microtask's arguments. */
struct region {
  microtask_t body;
  int32_t count;
  void **arguments;
  bool settled; /* they do not come by */
  struct mai_opening opening;
};

/* The run-time behind the functions here. */
static struct {
  pthread_once_t once;
  struct mai_openmp openmp;
  int (*invoke)(microtask_t body, int global_thread, int thread, int count, void **arguments,
                void **frame);
  bool known;
} runtime = {.once = PTHREAD_ONCE_INIT};

/* What the clause num_threads of the calling thread's next region says; 0: there is none. */
static _Thread_local unsigned requested __attribute__((tls_model("initial-exec")));

static fork_t next_fork_call(void) {
  static void *_Atomic known;
  return (fork_t)mai_interpose_next(&known, "__kmpc_fork_call");
}

static void find_runtime(void) {
  if (!mai_openmp_around((const void *)next_fork_call(), &runtime.openmp))
    return;
  *(void **)&runtime.invoke = dlsym(runtime.openmp.library, "__kmp_invoke_microtask");
  runtime.known = runtime.invoke != NULL;
}

static void run(int32_t *global_thread, int32_t *thread, struct region *region) {
  void *frame; /* for the user's tool: where libomp's own frames end */
  if (!region->settled)
    mai_threads_enter(&runtime.openmp, (unsigned)*thread, &region->opening);
  runtime.invoke(region->body, *global_thread, *thread, region->count, region->arguments, &frame);
}

/* Whether the region's threads have to come by run(). */
static bool begin(struct region *region) {
  unsigned threads = requested;
  requested = 0;
  if (mai_settled(threads))
    return false;
  pthread_once(&runtime.once, find_runtime);
  if (runtime.known)
    region->opening = mai_threads_open(&runtime.openmp, threads);
  return runtime.known;
}

/* A variadic function can only be called with as many arguments as are written down. */
enum { FEW = 15 };

static void pass_few(void *location, int32_t count, microtask_t body, va_list list) {
  fork_t next = next_fork_call();
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
  fork_t next = next_fork_call();
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
  region.settled = !begin(&region);
  mai_settled_go_in();
  if (region.settled && count <= FEW)
    pass_few(location, count, body, list);
  else
    pass_region(location, &region, list);
  mai_settled_come_out();
  va_end(list);
}

void push_num_threads(void *location, int32_t global_thread, int32_t threads) {
  static void *_Atomic known;
  void (*next)(void *, int32_t, int32_t);
  *(void **)&next = mai_interpose_next(&known, "__kmpc_push_num_threads");
  requested = threads > 0 ? (unsigned)threads : 0;
  next(location, global_thread, threads);
}

const char *mai_kmpc_obstacle(void) {
  if (!mai_openmp_llvm_function() || mai_interpose_reached("__kmpc_fork_call"))
    return NULL;
  return "the program finds libomp before libmai: link with -lmai before -lomp, or run it with "
         "LD_PRELOAD=libmai.so";
}
