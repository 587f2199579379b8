/*===-- routes.h - where calls go that the library stands in front of *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A process may have several OpenMP run-times: a Python extension brings its own libgomp, under a
 * name of its own and visible to nobody else.  Each keeps its own teams and numbers, so that what
 * one object calls must all reach the same.  Where a call goes is therefore found for the object
 * that calls: it goes where the dynamic linker would have sent it, were this library not there.
 *
 * Finding that takes some time, and is done once for each object.  Nothing is loaded, and the
 * dynamic linker's lock is not taken but where there are several run-times between which only
 * dlsym() can tell.
 *
 * Three libraries use this, each for itself: MAi, the run-time of traced programs, and what
 * mai-trace record loads into programs.
 */
#ifndef MAI_ROUTES_H
#define MAI_ROUTES_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "openmp.h"

/** The functions of run-times that the libraries stand in front of: X(number, name). */
#define MAI_GOMP_REGIONS(X)                                                                        \
  X(0, GOMP_parallel)                                                                              \
  X(1, GOMP_parallel_reductions)                                                                   \
  X(2, GOMP_parallel_sections)
#define MAI_GOMP_LOOP_REGIONS(X)                                                                   \
  X(3, GOMP_parallel_loop_static)                                                                  \
  X(4, GOMP_parallel_loop_dynamic)                                                                 \
  X(5, GOMP_parallel_loop_guided)                                                                  \
  X(6, GOMP_parallel_loop_nonmonotonic_dynamic)                                                    \
  X(7, GOMP_parallel_loop_nonmonotonic_guided)                                                     \
  X(8, GOMP_parallel_loop_runtime)                                                                 \
  X(9, GOMP_parallel_loop_nonmonotonic_runtime)                                                    \
  X(10, GOMP_parallel_loop_maybe_nonmonotonic_runtime)
#define MAI_KMPC_FUNCTIONS(X)                                                                      \
  X(11, __kmpc_fork_call)                                                                          \
  X(12, __kmpc_fork_call_if)                                                                       \
  X(13, __kmpc_push_num_threads)                                                                   \
  X(14, __kmpc_serialized_parallel)
#define MAI_OMP_FUNCTIONS(X)                                                                       \
  X(15, omp_get_num_procs)                                                                         \
  X(16, omp_get_num_procs_)                                                                        \
  X(17, omp_set_num_threads)                                                                       \
  X(18, omp_set_num_threads_)                                                                      \
  X(19, omp_set_num_threads_8_)                                                                    \
  X(20, omp_set_dynamic)                                                                           \
  X(21, omp_set_dynamic_)                                                                          \
  X(22, omp_set_dynamic_8_)                                                                        \
  X(23, omp_pause_resource)                                                                        \
  X(24, omp_pause_resource_)                                                                       \
  X(25, omp_pause_resource_all)                                                                    \
  X(26, omp_pause_resource_all_)
#define MAI_GOMP_TASKS(X)                                                                          \
  X(27, GOMP_task)                                                                                 \
  X(28, GOMP_taskloop)                                                                             \
  X(29, GOMP_taskloop_ull)
#define MAI_GOMP_GROUPS(X)                                                                         \
  X(30, GOMP_taskgroup_start)                                                                      \
  X(31, GOMP_loop_start)                                                                           \
  X(32, GOMP_loop_ordered_start)                                                                   \
  X(33, GOMP_loop_doacross_start)                                                                  \
  X(34, GOMP_loop_ull_start)                                                                       \
  X(35, GOMP_loop_ull_ordered_start)                                                               \
  X(36, GOMP_loop_ull_doacross_start)                                                              \
  X(37, GOMP_sections2_start)                                                                      \
  X(38, GOMP_scope_start)                                                                          \
  X(39, GOMP_target)                                                                               \
  X(40, GOMP_target_ext)
#define MAI_GOMP_WAITS(X)                                                                          \
  X(41, GOMP_taskgroup_end)                                                                        \
  X(56, GOMP_taskwait)
#define MAI_GOMP_REDUCTIONS(X) X(42, GOMP_taskgroup_reduction_register)
#define MAI_KMPC_TASKS(X)                                                                          \
  X(43, __kmpc_omp_task_alloc)                                                                     \
  X(44, __kmpc_omp_task)                                                                           \
  X(45, __kmpc_omp_task_parts)                                                                     \
  X(46, __kmpc_omp_task_with_deps)                                                                 \
  X(47, __kmpc_omp_task_begin_if0)                                                                 \
  X(48, __kmpc_omp_task_complete_if0)                                                              \
  X(49, __kmpc_omp_reg_task_with_affinity)                                                         \
  X(50, __kmpc_taskloop)                                                                           \
  X(51, __kmpc_taskloop_5)
#define MAI_KMPC_GROUPS(X)                                                                         \
  X(52, __kmpc_taskgroup)                                                                          \
  X(53, __kmpc_task_reduction_modifier_init)                                                       \
  X(54, __kmpc_taskred_modifier_init)
#define MAI_KMPC_WAITS(X)                                                                          \
  X(55, __kmpc_end_taskgroup)                                                                      \
  X(57, __kmpc_omp_taskwait)
#define MAI_KMPC_REDUCTIONS(X)                                                                     \
  X(59, __kmpc_task_reduction_init)                                                                \
  X(60, __kmpc_taskred_init)
/* Loops whose threads get pieces as they come, in no order that a program may rely on. */
#define MAI_GOMP_LOOP_STARTS(X)                                                                    \
  X(61, GOMP_loop_nonmonotonic_dynamic_start)                                                      \
  X(62, GOMP_loop_nonmonotonic_guided_start)                                                       \
  X(63, GOMP_loop_nonmonotonic_runtime_start)                                                      \
  X(64, GOMP_loop_maybe_nonmonotonic_runtime_start)                                                \
  X(65, GOMP_loop_ull_nonmonotonic_dynamic_start)                                                  \
  X(66, GOMP_loop_ull_nonmonotonic_guided_start)                                                   \
  X(67, GOMP_loop_ull_nonmonotonic_runtime_start)                                                  \
  X(68, GOMP_loop_ull_maybe_nonmonotonic_runtime_start)
#define MAI_GOMP_LOOP_NEXTS(X)                                                                     \
  X(69, GOMP_loop_nonmonotonic_dynamic_next)                                                       \
  X(70, GOMP_loop_nonmonotonic_guided_next)                                                        \
  X(71, GOMP_loop_nonmonotonic_runtime_next)                                                       \
  X(72, GOMP_loop_maybe_nonmonotonic_runtime_next)                                                 \
  X(73, GOMP_loop_ull_nonmonotonic_dynamic_next)                                                   \
  X(74, GOMP_loop_ull_nonmonotonic_guided_next)                                                    \
  X(75, GOMP_loop_ull_nonmonotonic_runtime_next)                                                   \
  X(76, GOMP_loop_ull_maybe_nonmonotonic_runtime_next)
#define MAI_KMPC_LOOPS(X)                                                                          \
  X(77, __kmpc_dispatch_init_4)                                                                    \
  X(78, __kmpc_dispatch_init_4u)                                                                   \
  X(79, __kmpc_dispatch_init_8)                                                                    \
  X(80, __kmpc_dispatch_init_8u)                                                                   \
  X(81, __kmpc_dispatch_next_4)                                                                    \
  X(82, __kmpc_dispatch_next_4u)                                                                   \
  X(83, __kmpc_dispatch_next_8)                                                                    \
  X(84, __kmpc_dispatch_next_8u)
/* In front of which nobody stands. */
#define MAI_KMPC_CALLED(X) X(58, __kmpc_omp_taskyield)
#define MAI_FUNCTIONS(X)                                                                           \
  MAI_GOMP_REGIONS(X)                                                                              \
  MAI_GOMP_LOOP_REGIONS(X)                                                                         \
  MAI_KMPC_FUNCTIONS(X)                                                                            \
  MAI_OMP_FUNCTIONS(X)                                                                             \
  MAI_GOMP_TASKS(X)                                                                                \
  MAI_GOMP_GROUPS(X)                                                                               \
  MAI_GOMP_WAITS(X)                                                                                \
  MAI_GOMP_REDUCTIONS(X)                                                                           \
  MAI_KMPC_TASKS(X)                                                                                \
  MAI_KMPC_GROUPS(X)                                                                               \
  MAI_KMPC_WAITS(X)                                                                                \
  MAI_KMPC_CALLED(X)                                                                               \
  MAI_KMPC_REDUCTIONS(X)                                                                           \
  MAI_GOMP_LOOP_STARTS(X)                                                                          \
  MAI_GOMP_LOOP_NEXTS(X)                                                                           \
  MAI_KMPC_LOOPS(X)

#define MAI_FUNCTION_NUMBER(number, name) MAI_FN_##name = (number),
enum mai_function { MAI_FUNCTIONS(MAI_FUNCTION_NUMBER) };
enum { MAI_FUNCTION_COUNT = MAI_FN___kmpc_dispatch_next_8u + 1 };

/** A run-time that the program has loaded.  There is one of these for each, for ever. */
struct mai_runtime {
  struct mai_openmp openmp;
  struct mai_runtime *before; /**< the one that was found before it */
  unsigned number;            /**< of those that were found before it */
  atomic_ulong changes;       /**< of its teams, see team_cache.h */
  atomic_bool begun;          /**< a region has been opened */
  atomic_bool bound_by_user;  /**< settings of the user's bind its threads */
  _Atomic unsigned threads;   /**< of its largest top-level team so far */
  _Atomic unsigned first;     /**< which entry of the thread map is its thread 0's */
};

/** The run-time that was found last; NULL while none is known. */
struct mai_runtime *mai_runtimes(void);

/** Where the calls of an object go. */
struct mai_route {
  struct {
    void *next;                  /**< the function that is called; NULL: nobody defines it */
    struct mai_runtime *runtime; /**< whose that is in the end; NULL: it cannot be told */
  } functions[MAI_FUNCTION_COUNT];
};

/** The route of a caller that a thread has asked for. */
struct mai_last_route {
  uintptr_t start; /**< of the caller's object */
  uintptr_t bytes;
  unsigned long unloads;
  const struct mai_route *route;
};

/** The last ones, the newest first.  A task that ends with a call jumps there, so that the run-time
 *  seems to call: programs and their run-times take turns. */
enum { MAI_LAST_ROUTES = 2 };
extern _Thread_local struct mai_last_route mai_last_routes[MAI_LAST_ROUTES]
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/** How often objects have been unloaded. */
extern atomic_ulong mai_unloads __attribute__((visibility("hidden")));

/** Where calls from here go; `caller` is a return address. */
const struct mai_route *mai_route_find(const void *caller);

/** The same where the thread has just asked for it; else NULL. */
static inline const struct mai_route *mai_route_known(const void *caller) {
  for (unsigned i = 0; i < MAI_LAST_ROUTES; i++) {
    const struct mai_last_route *last = &mai_last_routes[i];
    if ((uintptr_t)caller - last->start < last->bytes &&
        last->unloads == atomic_load_explicit(&mai_unloads, memory_order_relaxed))
      return last->route;
  }
  return NULL;
}

static inline const struct mai_route *mai_route_of(const void *caller) {
  const struct mai_route *route = mai_route_known(caller);
  return route ? route : mai_route_find(caller);
}

#endif /* MAI_ROUTES_H */
