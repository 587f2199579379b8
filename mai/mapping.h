/*===-- mapping.h - which thread belongs on which CPU ------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A mapping is a list of CPUs: thread i belongs on the i-th, and where there are more threads than
 * entries, on entry i mod n.  Mappings are computed from the topology alone.
 */
#ifndef MAI_MAPPING_H
#define MAI_MAPPING_H

#include <stdint.h>

#include "numarch.h"

/** CPUs by OS index. */
struct mai_cpu_list {
  uint32_t *cpus;
  uint32_t count;
};

/** Free the list's memory; the list is empty then. */
void mai_cpu_list_free(struct mai_cpu_list *list);

/** The entry of a CPU in a list in ascending order, or NULL. */
const uint32_t *mai_cpu_list_find(const struct mai_cpu_list *list, uint32_t cpu);

/** All CPUs of the machine, ascending. @return 0, or -1 with errno ENOMEM */
int mai_mapping_all(const numarch_t *machine, struct mai_cpu_list *list);

/**
 * The compact mapping: threads side by side in the order of the topology, and no core with a second
 * thread before every core has one.  The first `threads` entries are such a team; those after them
 * are the CPUs that are left, for teams that are larger.
 *
 * @return 0, or -1 with errno ENOMEM
 */
int mai_mapping_compact(const numarch_t *machine, unsigned threads, struct mai_cpu_list *list);

#endif /* MAI_MAPPING_H */
