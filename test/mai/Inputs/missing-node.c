/*===-- missing-node.c - a static array for a node that is not there *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include <mai_static.h>

#include <stdio.h>

static char lost[40000];
MAI_STATIC(lost, "bind 7");

int main(void) {
  lost[20000] = 1;
  fprintf(stderr, "sum %d\n", lost[0] + lost[20000]);
}
