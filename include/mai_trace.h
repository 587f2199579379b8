/*===-- mai_trace.h - which part of a program mai-trace counts ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * For programs that `maicc --trace` builds; in others these functions do nothing, and nothing has
 * to be linked for them.  See mai-trace(1).
 */
#ifndef MAI_TRACE_H
#define MAI_TRACE_H

#ifdef __cplusplus
extern "C" {
#endif

/** What the functions below call where it is there. */
void mai_trace_record(int on) __attribute__((weak));

/** Count the accesses of all threads from here on. A program is counted from its start. Any thread
 *  may call it, at any time. */
static inline void mai_trace_start(void) {
  if (mai_trace_record)
    mai_trace_record(1);
}

/** Count no more, until mai_trace_start(). */
static inline void mai_trace_stop(void) {
  if (mai_trace_record)
    mai_trace_record(0);
}

#ifdef __cplusplus
}
#endif

#endif /* MAI_TRACE_H */
