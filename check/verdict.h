/*===-- verdict.h - whether ranks have CPUs of their own ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef CHECK_VERDICT_H
#define CHECK_VERDICT_H

#include <jansson.h>
#include <stddef.h>

#include "launcher.h"

enum { VERDICT_MOST_REMARK = 160 };

/** What is odd about one rank among all; "" where nothing is. */
void verdict_on_rank(const json_t *all, const json_t *record, char *remark, size_t size);

/** How many of the job's cores on a host nobody's thread was on. */
long verdict_idle_cores(const json_t *all, const char *host);

/** Print what is wrong with the ranks, and what to write; or that all is fine. */
void verdict_print(const json_t *all, const struct place_among_ranks *place);

#endif /* CHECK_VERDICT_H */
