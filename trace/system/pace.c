/*===-- pace.c - threads that are all equally fast ---------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "pace.h"

#include "kernel.h"

enum { MILLISECOND = 1000000, SECOND = 1000 * MILLISECOND };
enum { LEAST_SLEEP = MILLISECOND, MOST_LATE = 100 * MILLISECOND };

static int64_t now(void) {
  struct timespec time = {0, 0};
  minas_kernel_call(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&time, 0, 0, 0, 0);
  return (int64_t)time.tv_sec * SECOND + time.tv_nsec;
}

static void sleep_for(int64_t nanoseconds) {
  struct timespec time = {nanoseconds / SECOND, nanoseconds % SECOND};
  minas_kernel_call(SYS_nanosleep, (long)&time, 0, 0, 0, 0, 0);
}

void trace_pace_keep(struct trace_pace *pace, int64_t nanoseconds) {
  int64_t here = now();
  if (pace->due < here - MOST_LATE)
    pace->due = here;
  pace->due += nanoseconds;
  if (pace->due - here >= LEAST_SLEEP)
    sleep_for(pace->due - here);
}

void trace_pace_begin(struct trace_pace *pace) {
  int64_t here = now();
  pace->due = pace->due < here ? here : pace->due;
}
