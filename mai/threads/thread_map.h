/*===-- thread_map.h - the CPU of each thread --------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A list of CPUs, which may be replaced by another one at any time.  Thread t of the program's
 * teams has entry t; where the program has several run-times, the threads of the others have the
 * entries behind.
 */
#ifndef MAI_THREAD_MAP_H
#define MAI_THREAD_MAP_H

#include <stdbool.h>

#include "mai/maps/named_maps.h"

/** Use this list from now on, which is taken over.
 *  @param origin for reports, copied
 *  @param pinned how many entries stand for a CPU; those behind stand for its node
 *  @return 0, or -1 with errno ENOMEM, and the list is freed */
int mai_thread_map_use(const char *origin, struct mai_cpu_list *list, unsigned pinned);

/* Once there is a map: */

/** The CPU (OS index) of an entry; the list begins again where it ends. */
uint32_t mai_thread_map_cpu(unsigned entry);

/** Whether an entry stands for a CPU. */
bool mai_thread_map_is_cpu(unsigned entry);

/** How many entries it has. */
unsigned mai_thread_map_count(void);

const char *mai_thread_map_origin(void);

#endif /* MAI_THREAD_MAP_H */
