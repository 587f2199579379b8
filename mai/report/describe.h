/*===-- describe.h - words that all forms of the report share ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MAI_DESCRIBE_H
#define MAI_DESCRIBE_H

#include <stddef.h>
#include <stdint.h>

#include "numarch.h"
#include "mai/arrays/summary.h"

/** A size such as "1.5 MiB". */
void mai_describe_bytes(size_t bytes, char *text, size_t size);

/** How many blocks it stands for, and how many of them there were at a time. */
size_t mai_describe_blocks(const struct mai_summary *array);
size_t mai_describe_blocks_at_a_time(const struct mai_summary *array);

/** The bytes of an array; of blocks of a site, the most at a time. */
size_t mai_describe_size(const struct mai_summary *array);

/** The name of an array, with what else there is to say of it: how many blocks it stands for, and
 *  whether they are freed. */
void mai_describe_name(const struct mai_summary *array, char *text, size_t size);

/** The policy of an array.  What does not fit ends in "...". `size` is at least 4. */
void mai_describe_policy(const struct mai_summary *array, char *text, size_t size);

/** How MAi came to know an array. */
const char *mai_describe_origin(enum mai_origin origin);

/** The node (OS index) of a CPU (OS index), or -1. */
int64_t mai_node_of_cpu(const numarch_t *topology, uint32_t os_cpu);

#endif /* MAI_DESCRIBE_H */
