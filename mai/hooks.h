/*===-- hooks.h - where the library meets the run-times ----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Each thread of a parallel region calls mai_threads_enter() before the region's body, by functions
 * that stand in front of the run-time's own: libgomp's (gomp_hooks.c) and libomp's (kmpc_hooks.c).
 * The program may find the run-time's first.
 */
#ifndef MAI_HOOKS_H
#define MAI_HOOKS_H

/** Why threads of libgomp do not come by here; NULL when they do, or when there is no libgomp. */
const char *mai_gomp_obstacle(void);

/** Why threads of libomp do not come by here; NULL when they do, or when there is no libomp. */
const char *mai_kmpc_obstacle(void);

/** Let children of fork() begin with the process's own mask. @return 0, or -1 with errno ENOMEM */
int mai_process_hooks_init(void);

#endif /* MAI_HOOKS_H */
