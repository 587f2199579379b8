/*===-- omp.h - OpenMP with one thread ---------------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * For generated programs whose pragmas are left out.
 */
#ifndef MINAS_TEST_SERIAL_OMP_H
#define MINAS_TEST_SERIAL_OMP_H

static inline int omp_get_thread_num(void) { return 0; }
static inline int omp_get_num_threads(void) { return 1; }

#endif
