/*===-- loops.c - how threads of a sampled program share loops ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Threads get the pieces that they get where MAi places the program's arrays: so policies follow
 * from what each of them used.  Loops whose pieces any thread may get are noted in the log.
 */
#include "loops.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "teams.h"
#include "write.h"

#define GOMP_LOOPS_INTERPOSE SAMPLE_INTERPOSES
#include "openmp/loops/gomp_loop_calls.h"
#define KMPC_LOOPS_INTERPOSE SAMPLE_INTERPOSES
#include "openmp/loops/kmpc_loop_calls.h"

static bool may_take_any;

/* Teams larger than the CPUs that the program may use are patient: what one thread does for another
   that has to wait for a CPU it would not do elsewhere.  0: these are more than are told. */
static unsigned patient_from;

static __attribute__((constructor)) void begin(void) {
  const char *setting = secure_getenv("MAI_LOOPS");
  cpu_set_t may_use;
  may_take_any = setting && strcmp(setting, "any") == 0;
  if (sched_getaffinity(0, sizeof may_use, &may_use) == 0)
    patient_from = (unsigned)CPU_COUNT(&may_use) + 1;
}

struct mai_loop_way sample_loop_way(const void *caller, enum mai_function function) {
  struct sample_next_region next = sample_next_region(caller, function);
  return (struct mai_loop_way){.next = next.function,
                               .openmp = next.openmp,
                               .distance = may_take_any ? NULL : mai_loop_distance_by_number,
                               .patient_from = patient_from,
                               .all_take_part = true};
}

static struct mai_loop_way way_of(enum mai_function function, const void *caller) {
  return sample_loop_way(caller, function);
}

static void *next_of(enum mai_function function, const void *caller) {
  return sample_next_region(caller, function).function;
}

static bool has_equal_shares(enum mai_loop_schedule schedule, const void *caller) {
  const struct mai_openmp *openmp =
      sample_next_region(caller, MAI_FN_GOMP_loop_nonmonotonic_runtime_next).openmp;
  return schedule == MAI_LOOP_RUNTIME && (!openmp || mai_openmp_runtime_is_static(openmp));
}

/* Threads come by for each piece.  Two may both note a loop, which harms nobody.
   @return also where there is no room for it */
static bool is_noted(const void *caller) {
  enum { LOOPS = 1 << 10 };
  static _Atomic(const void *) noted[LOOPS];
  for (size_t i = 0; i < LOOPS; i++) {
    _Atomic(const void *) *place = &noted[((uintptr_t)caller + i) % LOOPS];
    const void *known = atomic_load_explicit(place, memory_order_relaxed);
    if (known && known != caller)
      continue;
    if (!known)
      atomic_store_explicit(place, caller, memory_order_relaxed);
    return known;
  }
  return true;
}

static void note_any(enum mai_loop_schedule schedule, const void *caller) {
  if (!is_noted(caller) && !has_equal_shares(schedule, caller))
    sample_log_put(SAMPLE_LOG_LOOP, &(struct sample_entry){.address = caller});
}
