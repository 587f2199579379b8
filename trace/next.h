/*===-- next.h - standing in front of others' functions ----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MAI_TRACE_NEXT_H
#define MAI_TRACE_NEXT_H

/** Marks a definition that stands in front of another's. */
#define TRACE_INTERPOSES __attribute__((visibility("default")))

/** The function that a TRACE_INTERPOSES definition stands in front of. */
#define TRACE_NEXT(function)                                                                       \
  (__extension__({                                                                                 \
    static void *_Atomic known;                                                                    \
    (__typeof__(&(function)))trace_next(&known, #function);                                        \
  }))

/** The same by name, as void *, for names that are no C identifiers of ours. */
#define TRACE_NEXT_NAMED(name)                                                                     \
  (__extension__({                                                                                 \
    static void *_Atomic known;                                                                    \
    trace_next(&known, name);                                                                      \
  }))

/** Look up the next definition of `name` after this library's and keep it in `*known`.  Ends the
 *  program when there is none: it has called a function that does not exist. */
void *trace_next(void *_Atomic *known, const char *name);

#endif /* MAI_TRACE_NEXT_H */
