/*===-- pace.h - threads that are all equally fast ---------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Emulated CPUs have turns on real ones: some stand still while others work, so that what threads
 * take from one another, tasks or chunks of loops, goes to those that happen to run.  A thread that
 * is held to a pace, slower than any CPU, gets as much done as every other.
 */
#ifndef MAI_TRACE_PACE_H
#define MAI_TRACE_PACE_H

#include <stdint.h>

/** Of one thread; all zero in the beginning. */
struct trace_pace {
  int64_t due; /**< ns: when all that it has done has taken its time */
};

/** The thread has done what takes so many nanoseconds: sleep until that is over.  One that is late,
 *  though not by much, makes up for it. */
void trace_pace_keep(struct trace_pace *pace, int64_t nanoseconds);

/** The thread begins something new: it may have waited for that, and is not late. */
void trace_pace_begin(struct trace_pace *pace);

#endif /* MAI_TRACE_PACE_H */
