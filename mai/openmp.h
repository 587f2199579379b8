/*===-- openmp.h - the functions of an OpenMP run-time -----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The library is linked to no OpenMP run-time: it serves programs of any, and programs of none.
 * What it needs of a run-time it looks up in the one that the program has loaded.
 */
#ifndef MAI_OPENMP_H
#define MAI_OPENMP_H

#include <stdbool.h>

/** Functions of one run-time. */
struct mai_openmp {
  void *library; /**< for dlsym() */
  int (*get_level)(void);
  int (*get_thread_num)(void);
  int (*get_ancestor_thread_num)(int level);
  int (*get_team_size)(int level);
  int (*get_max_threads)(void);
  int (*get_dynamic)(void);
  void (*set_num_threads)(int threads);
};

/** Find the functions of the run-time in whose code `address` lies; false when it has not all. */
bool mai_openmp_around(const void *address, struct mai_openmp *openmp);

/** Find the functions of the run-time that the program's own calls reach; false when there is
 *  none. */
bool mai_openmp_of_program(struct mai_openmp *openmp);

/** A function that only LLVM's run-time has (libomp, libiomp5); NULL when that is not there. */
const void *mai_openmp_llvm_function(void);

/** Run `function` once in every thread of a top-level team of the default size, leaving no threads
 *  behind where the run-time can end them. */
void mai_openmp_run_team(const struct mai_openmp *openmp, void (*function)(void *));

/** The environment variable by which the user has the run-time bind threads to CPUs, such as
 *  OMP_PROC_BIND; NULL when there is none. */
const char *mai_openmp_binding_variable(void);

#endif /* MAI_OPENMP_H */
