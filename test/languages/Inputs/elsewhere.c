/*===-- elsewhere.c - another file of the program, in C or C++ --*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include <mai.h>

#ifdef __cplusplus
extern "C"
#endif
    void
    place_elsewhere(void *array);

void place_elsewhere(void *array) {
  mai_bind_3D(array);
  mai_mempol(array);
  mai_cyclic_rows(array, 2);
  mai_mempol(array);
}
