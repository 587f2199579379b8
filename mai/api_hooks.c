/*===-- api_hooks.c - functions of OpenMP that pinning touches ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include <stdint.h>

#include "affinity.h"
#include "follow.h"
#include "interpose.h"
#include "place.h"
#include "settled.h"

/* Run-times count the CPUs of the calling thread's mask, which is no longer the process's where the
   thread is pinned. */
#define DEFINE_NUM_PROCS(name)                                                                     \
  MAI_INTERPOSES int name(void);                                                                   \
  int name(void) {                                                                                 \
    return mai_place_narrowed() ? (int)mai_cpu_mask_count(mai_affinity_of_process())               \
                                : MAI_NEXT(name)();                                                \
  }

DEFINE_NUM_PROCS(omp_get_num_procs)
DEFINE_NUM_PROCS(omp_get_num_procs_)

/* The team that the calling thread opens next is another.  Arrays follow at once, before serial
   code fills those that the new team will use. */
#define DEFINE_SETTER(name, type, follow)                                                          \
  MAI_INTERPOSES void name(type value);                                                            \
  void name(type value) {                                                                          \
    mai_settled_forget();                                                                          \
    MAI_NEXT(name)(value);                                                                         \
    follow;                                                                                        \
  }

DEFINE_SETTER(omp_set_num_threads, int, mai_follow_setting())
DEFINE_SETTER(omp_set_num_threads_, const int32_t *, mai_follow_setting())
DEFINE_SETTER(omp_set_num_threads_8_, const int64_t *, mai_follow_setting())
DEFINE_SETTER(omp_set_dynamic, int, )
DEFINE_SETTER(omp_set_dynamic_, const int32_t *, )
DEFINE_SETTER(omp_set_dynamic_8_, const int64_t *, )

/* All threads are ended: the next region has others. */
#define DEFINE_PAUSE(name, type)                                                                   \
  MAI_INTERPOSES int name(type kind, type device);                                                 \
  int name(type kind, type device) {                                                               \
    mai_settled_change();                                                                          \
    return MAI_NEXT(name)(kind, device);                                                           \
  }

DEFINE_PAUSE(omp_pause_resource, int)
DEFINE_PAUSE(omp_pause_resource_, const int32_t *)

#define DEFINE_PAUSE_ALL(name, type)                                                               \
  MAI_INTERPOSES int name(type kind);                                                              \
  int name(type kind) {                                                                            \
    mai_settled_change();                                                                          \
    return MAI_NEXT(name)(kind);                                                                   \
  }

DEFINE_PAUSE_ALL(omp_pause_resource_all, int)
DEFINE_PAUSE_ALL(omp_pause_resource_all_, const int32_t *)
