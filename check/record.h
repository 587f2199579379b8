/*===-- record.h - what one rank got ------------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef CHECK_RECORD_H
#define CHECK_RECORD_H

#include <jansson.h>

#include "launcher.h"

enum { RECORD_MOST_HOST = 64 };

/**
 * What is known of this rank, as JSON: "rank", "host", "cores" of the machine, "job cores" among
 * these, "allowed" CPUs and "memory" nodes as lists of numbers, and of each thread that MAi has
 * seen "cpu", "core", "node" and whether it is "fixed" there, by MAi or by the run-time.
 * @param report the file that MAi has written
 * @return to be given to json_decref(); NULL without memory, or where the machine cannot be read
 */
json_t *record_make(long rank, const char *report);

/** A number of an object; -1 where there is none. */
long record_number(const json_t *record, const char *name);

/** A text of an object; "" where there is none. */
const char *record_text(const json_t *record, const char *name);

/** A list of an object, which may be empty. */
const json_t *record_list(const json_t *record, const char *name);

#endif /* CHECK_RECORD_H */
