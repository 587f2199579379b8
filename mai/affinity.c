/*===-- affinity.c - the CPUs a thread may run on ----------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "affinity.h"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct mai_cpu_mask process_mask;

/* Run-times narrow the first thread's mask in their constructors.  The library is linked so that
   this one runs before all others (-z initfirst), even before those of the sanitizers, whose
   sched_getaffinity() could not be called yet. */
__attribute__((constructor)) static void keep_first_mask(void) {
  syscall(SYS_sched_getaffinity, 0, sizeof process_mask, &process_mask);
}

void mai_affinity_settle(bool run_time_binds) {
  if (!run_time_binds)
    mai_affinity_get(&process_mask);
}

void mai_cpu_mask_add(struct mai_cpu_mask *mask, uint32_t cpu) {
  if (cpu < MAI_AFFINITY_CPUS)
    mask->words[cpu / 64] |= UINT64_C(1) << cpu % 64;
}

bool mai_cpu_mask_has(const struct mai_cpu_mask *mask, uint32_t cpu) {
  return cpu < MAI_AFFINITY_CPUS && mask->words[cpu / 64] >> cpu % 64 & 1;
}

unsigned mai_cpu_mask_count(const struct mai_cpu_mask *mask) {
  unsigned count = 0;
  for (unsigned i = 0; i < sizeof mask->words / sizeof *mask->words; i++)
    count += (unsigned)__builtin_popcountll(mask->words[i]);
  return count;
}

void mai_cpu_mask_add_node(struct mai_cpu_mask *mask, const numarch_t *machine, uint32_t node) {
  for (uint32_t i = 0; i < numarch_cpu_count(machine); i++) {
    const struct numarch_cpu *cpu = numarch_get_cpu(machine, i);
    if (cpu->node == node)
      mai_cpu_mask_add(mask, cpu->os_index);
  }
}

uint32_t mai_cpu_mask_node(const struct mai_cpu_mask *mask, const numarch_t *machine) {
  uint32_t common = NUMARCH_NONE;
  for (uint32_t i = 0; i < numarch_cpu_count(machine); i++) {
    const struct numarch_cpu *cpu = numarch_get_cpu(machine, i);
    if (!mai_cpu_mask_has(mask, cpu->os_index))
      continue;
    if (common != NUMARCH_NONE && cpu->node != common)
      return NUMARCH_NONE;
    common = cpu->node;
  }
  return common;
}

const struct mai_cpu_mask *mai_affinity_of_process(void) { return &process_mask; }

int mai_affinity_get(struct mai_cpu_mask *mask) {
  *mask = (struct mai_cpu_mask){0};
  return sched_getaffinity(0, sizeof *mask, (cpu_set_t *)mask);
}

int mai_affinity_set(const struct mai_cpu_mask *mask) {
  return sched_setaffinity(0, sizeof *mask, (const cpu_set_t *)mask);
}
