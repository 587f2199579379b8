/*===-- near_loops.h - whether threads take pieces of loops near them *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * MAI_LOOPS.  Where nothing else is set they do if there is more than one node with CPUs, and
 * threads stay where they are: then arrays are divided among them in the same order.
 */
#ifndef MAI_NEAR_LOOPS_H
#define MAI_NEAR_LOOPS_H

#include "openmp/loops/gomp_loops.h"

/** Where a call of libgomp's functions for loops goes that returns to `caller`. */
struct mai_loop_way mai_near_loops_way(const void *caller, enum mai_function function);

#endif /* MAI_NEAR_LOOPS_H */
