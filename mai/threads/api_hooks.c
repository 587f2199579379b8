/*===-- api_hooks.c - functions of OpenMP that pinning touches ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A program may look here whether it has OpenMP at all, by a weak symbol or dlsym(), and have none:
 * then it is told what a run-time without threads would tell it.
 */
#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#include "binding.h"
#include "hook_routes.h"
#include "mai/process/affinity.h"
#include "mai/process/call.h"
#include "mai/process/interpose.h"
#include "team_cache.h"
#include "team_size.h"
#include "teams.h"

/* Where the calling function passes on to; `next` may be NULL. */
#define FIND_NEXT(name)                                                                            \
  const struct mai_route *route = mai_hook_route(__builtin_return_address(0), MAI_FN_##name);      \
  struct mai_runtime *runtime = route->functions[MAI_FN_##name].runtime;                           \
  __typeof__(&(name)) next;                                                                        \
  *(void **)&next = route->functions[MAI_FN_##name].next

static int count_cpus(void) { return (int)mai_cpu_mask_count(mai_affinity_of_process()); }

/* Run-times count the CPUs of the calling thread's mask, which is no longer the process's where the
   thread is pinned. */
#define DEFINE_NUM_PROCS(name)                                                                     \
  MAI_INTERPOSES int name(void);                                                                   \
  int name(void) {                                                                                 \
    FIND_NEXT(name);                                                                               \
    mai_team_meet(runtime);                                                                        \
    return mai_binding_narrowed() || !next ? count_cpus() : next();                                \
  }

DEFINE_NUM_PROCS(omp_get_num_procs)
DEFINE_NUM_PROCS(omp_get_num_procs_)

/* The team that the calling thread opens next is another. */
#define PASS_SETTING(name, value)                                                                  \
  FIND_NEXT(name);                                                                                 \
  mai_team_meet(runtime);                                                                          \
  mai_team_cache_forget();                                                                         \
  if (next)                                                                                        \
  next(value)

/* Arrays follow at once, before serial code fills those that the new team will use. */
static void follow(struct mai_runtime *runtime, int64_t threads) {
  MAI_CALL;
  int error = errno;
  if (runtime && threads > 0 && threads <= INT_MAX)
    mai_team_size_set(runtime, (unsigned)threads);
  errno = error;
}

#define DEFINE_SET_NUMBER(name, type, number)                                                      \
  MAI_INTERPOSES void name(type value);                                                            \
  void name(type value) {                                                                          \
    PASS_SETTING(name, value);                                                                     \
    follow(runtime, number);                                                                       \
  }

DEFINE_SET_NUMBER(omp_set_num_threads, int, value)
DEFINE_SET_NUMBER(omp_set_num_threads_, const int32_t *, *value)
DEFINE_SET_NUMBER(omp_set_num_threads_8_, const int64_t *, *value)

#define DEFINE_SET_DYNAMIC(name, type)                                                             \
  MAI_INTERPOSES void name(type value);                                                            \
  void name(type value) { PASS_SETTING(name, value); }

DEFINE_SET_DYNAMIC(omp_set_dynamic, int)
DEFINE_SET_DYNAMIC(omp_set_dynamic_, const int32_t *)
DEFINE_SET_DYNAMIC(omp_set_dynamic_8_, const int64_t *)

/* All threads are ended: the next region has others. */
#define DEFINE_PAUSE(name, parameters, arguments)                                                  \
  MAI_INTERPOSES int name parameters;                                                              \
  int name parameters {                                                                            \
    FIND_NEXT(name);                                                                               \
    if (runtime)                                                                                   \
      mai_team_cache_open(runtime);                                                                \
    return next ? next arguments : -1;                                                             \
  }

DEFINE_PAUSE(omp_pause_resource, (int kind, int device), (kind, device))
DEFINE_PAUSE(omp_pause_resource_, (const int32_t *kind, const int32_t *device), (kind, device))
DEFINE_PAUSE(omp_pause_resource_all, (int kind), (kind))
DEFINE_PAUSE(omp_pause_resource_all_, (const int32_t *kind), (kind))
