/*===-- check.h - what must be true, and how often it was not ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MINAS_TEST_CHECK_H
#define MINAS_TEST_CHECK_H

#include <stdio.h>

static int failures;

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);                                       \
      failures++;                                                                                  \
    }                                                                                              \
  } while (0)

#endif /* MINAS_TEST_CHECK_H */
