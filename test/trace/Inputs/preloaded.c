/*===-- preloaded.c - a library that counts as it is loaded ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
static volatile int counted[16384];

__attribute__((constructor)) static void count(void) {
  for (int i = 0; i < 16384; i++)
    counted[i] = i;
}
