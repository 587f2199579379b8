/*===-- table.h - one line a rank ---------------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef CHECK_TABLE_H
#define CHECK_TABLE_H

#include <jansson.h>

/** Print what each rank got, and how many cores of each host are idle, on standard error. */
void table_print(const json_t *all);

#endif /* CHECK_TABLE_H */
