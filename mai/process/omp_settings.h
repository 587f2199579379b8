/*===-- omp_settings.h - what the environment tells run-times ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Teams and arrays are mapped before the run-time has started, which is not to start before the
 * program has it start: main() may set the environment first.  Until then what the environment said
 * at the beginning has to do.
 */
#ifndef MAI_OMP_SETTINGS_H
#define MAI_OMP_SETTINGS_H

#include <stdbool.h>

/** The setting of OMP_PROC_BIND or the like by which the user has run-times bind threads to CPUs,
 *  as "OMP_PROC_BIND=close"; NULL when there was none when the process began.
 *  @param llvm LLVM's run-time counts, which has settings of its own */
const char *mai_omp_binding(bool llvm);

/** Whether the environment has LLVM's run-time bind threads that starts now. To be called where
 *  the run-time would read it, too. */
bool mai_omp_binds_now(void);

/** The threads of a default team by the environment, at most as many as are allowed.
 *  @param cpus how many it has where nothing is set */
unsigned mai_omp_team_size(unsigned cpus);

#endif /* MAI_OMP_SETTINGS_H */
