/*===-- clock.h - what time it is, in seconds -------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MINAS_CLOCK_H
#define MINAS_CLOCK_H

#include <time.h>

static inline double minas_seconds_by(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/** Since some time in the past, which is the same for all threads. */
static inline double minas_now(void) { return minas_seconds_by(CLOCK_MONOTONIC); }

/** Of a CPU that the calling thread has had, which it takes from the program where all are busy;
 *  that it waits costs nobody. */
static inline double minas_own_seconds(void) { return minas_seconds_by(CLOCK_THREAD_CPUTIME_ID); }

#endif /* MINAS_CLOCK_H */
