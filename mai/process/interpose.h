/*===-- interpose.h - standing in front of others' functions -----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The library defines some functions of the C library and of OpenMP run-times, so that the
 * program's calls reach it first; it passes them on to where they would have gone without it.
 */
#ifndef MAI_INTERPOSE_H
#define MAI_INTERPOSE_H

#include <stdbool.h>

#include "openmp/routes.h"

/** Marks a definition that stands in front of another's. */
#define MAI_INTERPOSES __attribute__((visibility("default")))

/** The function of the C library that MAI_INTERPOSES stands in front of. */
#define MAI_NEXT(function)                                                                         \
  (__extension__({                                                                                 \
    static void *_Atomic known;                                                                    \
    (__typeof__(&(function)))mai_interpose_next(&known, #function);                                \
  }))

/** Look up the next definition of `name` after this library's and keep it in `*known`. */
void *mai_interpose_next(void *_Atomic *known, const char *name);

/** Whether libraries that are loaded before this one define `name`, so that the program's calls
 * reach them first and do not come by here. */
bool mai_interpose_passed_by(const char *name);

/** Whether a library is loaded that defines `name`. */
bool mai_interpose_exists(const char *name);

/** Whether a library is loaded that opens parallel regions: an OpenMP run-time. */
bool mai_interpose_finds_openmp(void);

#endif /* MAI_INTERPOSE_H */
