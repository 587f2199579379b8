/*===-- fail.h - returns with an error --------------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MINAS_FAIL_H
#define MINAS_FAIL_H

#include <errno.h>

/** Set errno. @return -1 */
static inline int fail(int error) {
  errno = error;
  return -1;
}

#endif /* MINAS_FAIL_H */
