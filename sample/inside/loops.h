/*===-- loops.h - how threads of a sampled program share loops ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef SAMPLE_LOOPS_H
#define SAMPLE_LOOPS_H

#include "openmp/loops/gomp_loops.h"

/** Where a call of libgomp's functions for loops goes that returns to `caller`. */
struct mai_loop_way sample_loop_way(const void *caller, enum mai_function function);

#endif /* SAMPLE_LOOPS_H */
