/*===-- budget.h - how many mappings the library may make -------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The kernel allows a process vm.max_map_count mappings, and a program that has used them up cannot
 * allocate memory any more.  Policies cut mappings into pieces: the library makes no more of them
 * than half of what is allowed.
 */
#ifndef MAI_BUDGET_H
#define MAI_BUDGET_H

#include <stdbool.h>
#include <stddef.h>

/** Whether more pieces may be made. */
bool mai_budget_allows(void);

/** An array's policies make so many pieces now, and made so many before. */
void mai_budget_change(size_t before, size_t now);

#endif /* MAI_BUDGET_H */
