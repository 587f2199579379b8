/*===-- regions.c - where parallel regions begin and end ---------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * libgomp's threads come by here because the functions that gcc calls stand in front of libgomp's,
 * libomp's by OMPT, the tool interface of OpenMP 5.0, whose declarations are the standard's.  There
 * is room for one tool; another one that is found is started too and called
 * on.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "next.h"
#include "process.h"
#include "threads.h"

void *trace_next(void *_Atomic *known, const char *name) {
  void *next = atomic_load_explicit(known, memory_order_relaxed);
  if (next)
    return next;
  next = dlsym(RTLD_NEXT, name);
  if (!next) {
    /* A run-time that came with a plugin is in no global order. */
    void *gomp = dlopen("libgomp.so.1", RTLD_LAZY | RTLD_GLOBAL);
    next = gomp ? dlsym(gomp, name) : NULL;
  }
  if (!next) {
    trace_say("the program calls %s(), which no library that it has loaded defines", name);
    abort();
  }
  atomic_store_explicit(known, next, memory_order_relaxed);
  return next;
}

/* Functions of the library in whose code `address` lies. @return whether it has them all */
static bool find_openmp(const void *address, struct trace_openmp *openmp) {
  Dl_info info;
  void *library = dladdr(address, &info) ? dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : NULL;
  if (!library)
    return false;
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
  gomp.known = find_openmp(function ? function : trace_next(&known, "GOMP_parallel"), &gomp.openmp);
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

/*===-- libomp --------------------------------------------------------------===*/

typedef union ompt_data {
  uint64_t value;
  void *ptr;
} ompt_data_t;

typedef void (*ompt_interface_fn_t)(void);
typedef ompt_interface_fn_t (*ompt_function_lookup_t)(const char *name);
typedef int (*ompt_set_callback_t)(int event, ompt_interface_fn_t callback);
typedef void (*implicit_task_t)(int, ompt_data_t *, ompt_data_t *, unsigned, unsigned, int);
typedef void (*parallel_begin_t)(ompt_data_t *, const void *, ompt_data_t *, unsigned, int,
                                 const void *);
typedef void (*parallel_end_t)(ompt_data_t *, ompt_data_t *, int, const void *);

typedef struct ompt_start_tool_result {
  int (*initialize)(ompt_function_lookup_t lookup, int device, ompt_data_t *tool);
  void (*finalize)(ompt_data_t *tool);
  ompt_data_t tool;
} ompt_start_tool_result_t;

enum {
  OMPT_CALLBACK_PARALLEL_BEGIN = 3,
  OMPT_CALLBACK_PARALLEL_END = 4,
  OMPT_CALLBACK_IMPLICIT_TASK = 7
};
enum { OMPT_SCOPE_BEGIN = 1, OMPT_SCOPE_END = 2 };
enum { OMPT_TASK_INITIAL = 1 };
enum { OMPT_SET_ALWAYS = 5 };
enum { NESTING_MAX = 64 };

TRACE_INTERPOSES ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *name);

static struct {
  struct trace_openmp openmp;
  ompt_function_lookup_t lookup;
  ompt_set_callback_t set_callback;
  ompt_start_tool_result_t *other; /* the tool that would have been found without this one */
  parallel_begin_t other_parallel_begin;
  parallel_end_t other_parallel_end;
  implicit_task_t other_implicit_task;
} ompt;

/* The run-time's room for data of a region points to this. */
struct region_data {
  ompt_data_t other; /* what the other tool finds there */
  const void *code;
};

/* The contexts that this thread left to enter the regions that it is in. */
static __thread struct {
  struct trace_context *before[NESTING_MAX];
  unsigned depth;
} nesting __attribute__((tls_model("initial-exec")));

static ompt_data_t *data_for_other(const ompt_data_t *parallel) {
  struct region_data *data = parallel ? parallel->ptr : NULL;
  return data ? &data->other : NULL;
}

static const void *code_of(const ompt_data_t *parallel) {
  const struct region_data *data = parallel ? parallel->ptr : NULL;
  return data ? data->code : NULL;
}

static void on_implicit_task(int endpoint, ompt_data_t *parallel, ompt_data_t *task,
                             unsigned team_size, unsigned thread, int flags) {
  bool initial = flags & OMPT_TASK_INITIAL;
  if (ompt.other_implicit_task)
    ompt.other_implicit_task(endpoint, initial ? parallel : data_for_other(parallel), task,
                             team_size, thread, flags);
  if (initial)
    return;
  if (endpoint == OMPT_SCOPE_BEGIN) {
    struct trace_context *before = trace_enter(&ompt.openmp, code_of(parallel));
    if (nesting.depth < NESTING_MAX)
      nesting.before[nesting.depth] = before;
    nesting.depth++;
  } else if (endpoint == OMPT_SCOPE_END && nesting.depth > 0) {
    nesting.depth--;
    if (nesting.depth < NESTING_MAX)
      trace_leave(nesting.before[nesting.depth]);
  }
}

static void on_parallel_begin(ompt_data_t *task, const void *frame, ompt_data_t *parallel,
                              unsigned threads, int flags, const void *code) {
  struct region_data *data = malloc(sizeof *data);
  if (data)
    *data = (struct region_data){{0}, code};
  parallel->ptr = data;
  if (data && ompt.other_parallel_begin)
    ompt.other_parallel_begin(task, frame, &data->other, threads, flags, code);
}

static void on_parallel_end(ompt_data_t *parallel, ompt_data_t *task, int flags, const void *code) {
  if (ompt.other_parallel_end && parallel->ptr)
    ompt.other_parallel_end(data_for_other(parallel), task, flags, code);
  free(parallel->ptr);
  parallel->ptr = NULL;
}

/* What the other tool gets as the run-time's. */
static int set_callback_of_other(int event, ompt_interface_fn_t callback) {
  switch (event) {
  case OMPT_CALLBACK_PARALLEL_BEGIN:
    ompt.other_parallel_begin = (parallel_begin_t)callback;
    return OMPT_SET_ALWAYS;
  case OMPT_CALLBACK_PARALLEL_END:
    ompt.other_parallel_end = (parallel_end_t)callback;
    return OMPT_SET_ALWAYS;
  case OMPT_CALLBACK_IMPLICIT_TASK:
    ompt.other_implicit_task = (implicit_task_t)callback;
    return OMPT_SET_ALWAYS;
  default:
    return ompt.set_callback(event, callback);
  }
}

static ompt_interface_fn_t look_up_for_other(const char *name) {
  return strcmp(name, "ompt_set_callback") == 0 ? (ompt_interface_fn_t)set_callback_of_other
                                                : ompt.lookup(name);
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *tool) {
  (void)tool;
  ompt.lookup = lookup;
  ompt.set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
  if (!ompt.set_callback || !find_openmp((const void *)lookup, &ompt.openmp))
    return 0;
  if (ompt.other && !ompt.other->initialize(look_up_for_other, device, &ompt.other->tool))
    ompt.other = NULL;
  ompt.set_callback(OMPT_CALLBACK_PARALLEL_BEGIN, (ompt_interface_fn_t)on_parallel_begin);
  ompt.set_callback(OMPT_CALLBACK_PARALLEL_END, (ompt_interface_fn_t)on_parallel_end);
  ompt.set_callback(OMPT_CALLBACK_IMPLICIT_TASK, (ompt_interface_fn_t)on_implicit_task);
  return 1;
}

static void finalize(ompt_data_t *tool) {
  (void)tool;
  if (ompt.other && ompt.other->finalize)
    ompt.other->finalize(&ompt.other->tool);
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *name) {
  static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  ompt_start_tool_result_t *(*next)(unsigned, const char *);
  *(void **)&next = dlsym(RTLD_NEXT, "ompt_start_tool");
  /* The run-time's own weak definition looks no further. */
  ompt.other = next ? next(version, name) : NULL;
  return &result;
}

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
