/*===-- names.h - how blocks are called in reports --------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MAI_NAMES_H
#define MAI_NAMES_H

#include "mai/arrays/summaries.h"

/** Call blocks by as few functions of their sites' keys as tell them apart: "Grid::allocate#2". */
void mai_names_shorten(struct mai_summaries *summaries);

#endif /* MAI_NAMES_H */
