/*===-- openmp.h - the functions of an OpenMP run-time -----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The library is linked to no OpenMP run-time: it serves programs of any, of several, and of none.
 * What it needs of one it looks up in the one that the program has loaded.
 *
 * LLVM's run-time (libomp, libiomp5) starts when it is first called, by what the environment says
 * then, and takes locks meanwhile.  So no function of a run-time is called but where the program
 * itself is calling it, or has called the library to open teams.
 */
#ifndef MAI_OPENMP_H
#define MAI_OPENMP_H

#include <stdbool.h>

#include "objects.h"

/** Functions of one run-time. */
struct mai_openmp {
  int (*get_level)(void);
  int (*get_thread_num)(void);
  int (*get_ancestor_thread_num)(int level);
  int (*get_team_size)(int level);
  int (*get_max_threads)(void);
  int (*get_dynamic)(void);
  void (*set_num_threads)(int threads);
  int (*get_num_threads)(void);
  int (*get_max_active_levels)(void);
  void (*get_schedule)(int *kind, int *chunk);
  int (*in_final)(void); /**< NULL: it is of before OpenMP 4.0, as the next */
  int (*get_cancellation)(void);
  bool is_llvm;
};

/** Find the functions of the run-time that the object is; false when it is none. */
bool mai_openmp_in(const struct mai_object *object, struct mai_openmp *openmp);

/** The outermost level of regions that has several threads; 0: none has. */
static inline int mai_openmp_team_level(const struct mai_openmp *openmp) {
  int level = openmp->get_level();
  for (int outer = 1; outer <= level; outer++)
    if (openmp->get_team_size(outer) > 1)
      return outer;
  return 0;
}

/** Whether loops under schedule(runtime) have equal shares now. */
static inline bool mai_openmp_runtime_is_static(const struct mai_openmp *openmp) {
  const unsigned monotonic = 0x80000000U, is_static = 1; /* omp_sched_t */
  int kind = 0;
  int chunk = 0;
  openmp->get_schedule(&kind, &chunk);
  return ((unsigned)kind & ~monotonic) == is_static;
}

#endif /* MAI_OPENMP_H */
