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

/** Look up the next definition of `name` after this library's, or any other where there is none
 *  behind, and keep it in `*known`.  Ends the program when there is none at all: it has called a
 *  function that does not exist. */
void *trace_next(void *_Atomic *known, const char *name);

/** As trace_next(), and also in the libraries that only a plugin of the program sees (dlopen() with
 *  RTLD_LOCAL); what is found there is not kept, since it may be unloaded.
 *  @return NULL when no library has it */
void *trace_next_anywhere(void *_Atomic *known, const char *name);

/** Look it up before it is needed, where it can be done safely.  There may be none. */
void trace_find_next(void *_Atomic *known, const char *name);

#endif /* MAI_TRACE_NEXT_H */
