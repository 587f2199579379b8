/*===-- interpose.h - standing in front of others' functions -----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The library defines some functions of the C library and of libgomp, so that the program's calls
 * reach it first; it passes them on to the next definition in the order of lookup.
 */
#ifndef MAI_INTERPOSE_H
#define MAI_INTERPOSE_H

#include <stdbool.h>

/** Marks a definition that stands in front of another's. */
#define MAI_INTERPOSES __attribute__((visibility("default")))

/** The function that MAI_INTERPOSES stands in front of. */
#define MAI_NEXT(function)                                                                         \
  (__extension__({                                                                                 \
    static void *_Atomic known;                                                                    \
    (__typeof__(&(function)))mai_interpose_next(&known, #function);                                \
  }))

/** The same by name, as void *, for names that are no C identifiers of ours. */
#define MAI_NEXT_NAMED(name)                                                                       \
  (__extension__({                                                                                 \
    static void *_Atomic known;                                                                    \
    mai_interpose_next(&known, name);                                                              \
  }))

/** Look up the next definition of `name` after this library's and keep it in `*known`.  Ends the
 *  program when there is none: it has called a function that does not exist. */
void *mai_interpose_next(void *_Atomic *known, const char *name);

/** Whether two addresses lie in the same library; false where one is NULL. */
bool mai_interpose_same_library(const void *left, const void *right);

/** Whether the program's calls of `name`, which this library defines, reach another's definition
 * that calls no further one. */
bool mai_interpose_passed_by(const char *name);

#endif /* MAI_INTERPOSE_H */
