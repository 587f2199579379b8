/*===-- affinity.c - the CPUs a thread may run on ----------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "affinity.h"

#include <errno.h>
#include <stdatomic.h>

#include "runtime/fail.h"
#include "restrictions.h"
#include "runtime/system.h"

static struct mai_cpu_mask process_mask;

/* Run-times narrow the first thread's mask in their constructors.  The library is linked so that
   this one runs before all others (-z initfirst). */
__attribute__((constructor)) static void keep_first_mask(void) {
  minas_system(SYS_sched_getaffinity, 0, sizeof process_mask, (long)&process_mask, 0, 0, 0);
}

void mai_affinity_determine(bool run_time_binds) {
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

/*===-- The kernel's calls -------------------------------------------------===*/

static atomic_bool refused;

/* What is forbidden once is not tried again: the filter that forbids it may have the next call end
   the program.  A CPU may just have been taken away: that is another error. */
static int call(long number, const struct mai_cpu_mask *mask) {
  long result = minas_system(number, 0, sizeof *mask, (long)mask, 0, 0, 0);
  if (result < 0 && (errno == EPERM || errno == ENOSYS))
    atomic_store(&refused, true);
  return result < 0 ? -1 : 0; /* more than 0: the bytes that the kernel has filled */
}

static bool may_call(void) {
  return !mai_is_restricted() && !atomic_load_explicit(&refused, memory_order_relaxed);
}

int mai_affinity_get(struct mai_cpu_mask *mask) {
  *mask = (struct mai_cpu_mask){0};
  return may_call() ? call(SYS_sched_getaffinity, mask) : fail(EPERM);
}

int mai_affinity_set(const struct mai_cpu_mask *mask) {
  return may_call() ? call(SYS_sched_setaffinity, mask) : fail(EPERM);
}
