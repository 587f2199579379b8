/*===-- affinity.h - the CPUs a thread may run on ----------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The kernel's affinity masks.
 */
#ifndef MAI_AFFINITY_H
#define MAI_AFFINITY_H

#include <stdbool.h>
#include <stdint.h>

#include "numarch.h"

/** The most CPUs that a Linux kernel is built for. */
#define MAI_AFFINITY_CPUS 8192U

struct mai_cpu_mask {
  uint64_t words[MAI_AFFINITY_CPUS / 64];
};

/** Add the CPU with this OS index; numbers beyond the mask are none that a thread could run on. */
void mai_cpu_mask_add(struct mai_cpu_mask *mask, uint32_t cpu);

/** Whether the CPU with this OS index is in the mask. */
bool mai_cpu_mask_has(const struct mai_cpu_mask *mask, uint32_t cpu);

/** How many CPUs are in the mask. */
unsigned mai_cpu_mask_count(const struct mai_cpu_mask *mask);

/** Add the CPUs of the node with this logical index. */
void mai_cpu_mask_add_node(struct mai_cpu_mask *mask, const numarch_t *machine, uint32_t node);

/** Logical index of the node on which all CPUs of the mask lie, or NUMARCH_NONE. */
uint32_t mai_cpu_mask_node(const struct mai_cpu_mask *mask, const numarch_t *machine);

/** Find out which mask is the process's: the calling thread's, unless a run-time that binds threads
 *  may have narrowed that already; then the one the process began with. */
void mai_affinity_determine(bool run_time_binds);

/** The process's mask. */
const struct mai_cpu_mask *mai_affinity_of_process(void);

/** The mask of the calling thread. @return 0, or -1 with the errno of sched_getaffinity() */
int mai_affinity_get(struct mai_cpu_mask *mask);

/** Let the calling thread run on the CPUs of `mask` only.
 *  @return 0, or -1 with the errno of sched_setaffinity() */
int mai_affinity_set(const struct mai_cpu_mask *mask);

#endif /* MAI_AFFINITY_H */
