/*===-- ompt_hooks.c - every thread of libomp comes by here ------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * libomp and its relatives offer OMPT, the tool interface of OpenMP 5.0: at its start the run-time
 * calls ompt_start_tool(), and then a registered function in each thread that enters a region.
 * The run-time has room for one tool; one that the user asks for goes first.
 *
 * The declarations are the standard's; its header comes with only some compilers.
 */
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <strings.h>

#include "hooks.h"
#include "interpose.h"
#include "openmp.h"
#include "place.h"
#include "threads.h"

typedef union ompt_data {
  uint64_t value;
  void *ptr;
} ompt_data_t;

typedef void (*ompt_interface_fn_t)(void);
typedef ompt_interface_fn_t (*ompt_function_lookup_t)(const char *name);
typedef int (*ompt_set_callback_t)(int event, ompt_interface_fn_t callback);

typedef struct ompt_start_tool_result {
  int (*initialize)(ompt_function_lookup_t lookup, int device, ompt_data_t *tool);
  void (*finalize)(ompt_data_t *tool);
  ompt_data_t tool;
} ompt_start_tool_result_t;

enum { OMPT_CALLBACK_PARALLEL_BEGIN = 3, OMPT_CALLBACK_IMPLICIT_TASK = 7, OMPT_SET_ALWAYS = 5 };
enum { OMPT_SCOPE_BEGIN = 1 };
enum { OMPT_TASK_INITIAL = 1 };

MAI_INTERPOSES ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *name);

static struct mai_openmp openmp;
static atomic_bool active;

/* The region's data pass the home of the thread that opens it to its threads. */
static void on_parallel_begin(ompt_data_t *task, const void *frame, ompt_data_t *parallel,
                              unsigned requested_threads, int flags, const void *code) {
  (void)task;
  (void)frame;
  (void)requested_threads;
  (void)flags;
  (void)code;
  parallel->value = mai_place_home();
}

static void on_implicit_task(int endpoint, ompt_data_t *parallel, ompt_data_t *task,
                             unsigned team_size, unsigned thread, int flags) {
  (void)task;
  (void)team_size;
  if (endpoint == OMPT_SCOPE_BEGIN && !(flags & OMPT_TASK_INITIAL))
    mai_threads_enter(&openmp, thread, parallel ? (uint32_t)parallel->value : MAI_NO_HOME);
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *tool) {
  (void)device;
  (void)tool;
  ompt_set_callback_t set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
  /* Not lookup() itself: a tool that goes before this one passes on its own. */
  const void *inside = (const void *)lookup("ompt_get_parallel_info");
  bool ready = set_callback && inside && mai_openmp_around(inside, &openmp) &&
               set_callback(OMPT_CALLBACK_PARALLEL_BEGIN, (ompt_interface_fn_t)on_parallel_begin) ==
                   OMPT_SET_ALWAYS &&
               set_callback(OMPT_CALLBACK_IMPLICIT_TASK, (ompt_interface_fn_t)on_implicit_task) ==
                   OMPT_SET_ALWAYS;
  atomic_store(&active, ready);
  return ready;
}

static void finalize(ompt_data_t *tool) {
  (void)tool;
  atomic_store(&active, false);
}

/* Why the run-time's only place for a tool is not for us, or NULL. */
static const char *other_tool(void) {
  const char *libraries = getenv("OMP_TOOL_LIBRARIES");
  if (libraries && *libraries)
    return "OMP_TOOL_LIBRARIES names another tool for the OpenMP run-time";
  /* ThreadSanitizer needs libomp's own tool, Archer, which looks for this function too. */
  if (dlsym(RTLD_DEFAULT, "AnnotateHappensBefore"))
    return "ThreadSanitizer needs the OpenMP run-time's tool interface";
  return NULL;
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *name) {
  static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  (void)version;
  (void)name;
  return other_tool() ? NULL : &result;
}

const char *mai_ompt_obstacle(void) {
  const char *setting = getenv("OMP_TOOL");
  if (!mai_openmp_llvm_function())
    return NULL;
  if (setting && strcasecmp(setting, "disabled") == 0)
    return "OMP_TOOL=disabled turns off the OpenMP run-time's tool interface";
  return other_tool();
}

const char *mai_ompt_start(void) {
  struct mai_openmp llvm;
  const char *obstacle = mai_ompt_obstacle();
  if (obstacle || !mai_openmp_around(mai_openmp_llvm_function(), &llvm))
    return obstacle;
  llvm.get_max_threads(); /* starts the run-time, and that its tool */
  return atomic_load(&active) ? NULL
                              : "another tool has taken the OpenMP run-time's tool interface";
}
