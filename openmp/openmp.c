/*===-- openmp.c - the functions of an OpenMP run-time -----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "openmp.h"

#include <stddef.h>

bool mai_openmp_in(const struct mai_object *object, struct mai_openmp *openmp) {
  *openmp = (struct mai_openmp){0};
  struct {
    const char *name;
    void *function;
  } wanted[] = {
      {"omp_get_level", (void *)&openmp->get_level},
      {"omp_get_thread_num", (void *)&openmp->get_thread_num},
      {"omp_get_ancestor_thread_num", (void *)&openmp->get_ancestor_thread_num},
      {"omp_get_team_size", (void *)&openmp->get_team_size},
      {"omp_get_max_threads", (void *)&openmp->get_max_threads},
      {"omp_get_dynamic", (void *)&openmp->get_dynamic},
      {"omp_set_num_threads", (void *)&openmp->set_num_threads},
      {"omp_get_num_threads", (void *)&openmp->get_num_threads},
      {"omp_get_max_active_levels", (void *)&openmp->get_max_active_levels},
      {"omp_get_schedule", (void *)&openmp->get_schedule},
  };
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
    if (!(*(void **)wanted[i].function = mai_object_function(object, wanted[i].name)))
      return false;
  *(void **)&openmp->get_cancellation = mai_object_function(object, "omp_get_cancellation");
  if (openmp->get_cancellation)
    *(void **)&openmp->in_final = mai_object_function(object, "omp_in_final");
  openmp->is_llvm = mai_object_function(object, "__kmpc_fork_call");
  return true;
}
