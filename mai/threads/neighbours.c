/*===-- neighbours.c - CPUs that other programs leave ------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "neighbours.h"

#include <inttypes.h>
#include <limits.h>
#include <stdatomic.h>

#include "mai/neighbours/others.h"
#include "mai/process/message.h"
#include "mai/process/ranks.h"
#include "mai/process/settings.h"
#include "runtime/heap.h"
#include "runtime/lines.h"
#include "mai/maps/sharing.h"

/* What is in use, found at the last look. */
static struct {
  atomic_bool looking; /* one thread at a time */
  bool asked_for_load;
  struct mai_cpu_mask busy;
  struct mai_cpu_mask pinned; /* to by threads of others; read at any time */
} seen;

static bool begin_to_look(void) {
  return !mai_settings()->alone && !atomic_exchange(&seen.looking, true);
}

static void end_to_look(void) { atomic_store(&seen.looking, false); }

/* Run-times and hwloc bind a thread to each CPU in turn when they start, to ask the processor: who
   is no more there a moment later has not been pinned. */
static void find_pinned(const numarch_t *machine, struct mai_cpu_mask *pinned) {
  struct mai_claimants claimants;
  struct mai_cpu_mask later = {0};
  mai_claims_list_claimants(&claimants);
  mai_pinned_by_others(machine, &claimants, pinned);
  if (mai_cpu_mask_count(pinned) == 0)
    return;
  mai_wait_for_passers();
  mai_claims_list_claimants(&claimants);
  mai_pinned_by_others(machine, &claimants, &later);
  for (size_t i = 0; i < sizeof pinned->words / sizeof *pinned->words; i++)
    pinned->words[i] &= later.words[i];
}

static void look_at_pinned(const numarch_t *machine) {
  struct mai_cpu_mask pinned = {0};
  find_pinned(machine, &pinned);
  for (size_t i = 0; i < sizeof pinned.words / sizeof *pinned.words; i++)
    __atomic_store_n(&seen.pinned.words[i], pinned.words[i], __ATOMIC_RELAXED);
}

static bool is_pinned_to(uint32_t cpu) {
  return cpu < MAI_AFFINITY_CPUS &&
         __atomic_load_n(&seen.pinned.words[cpu / 64], __ATOMIC_RELAXED) >> cpu % 64 & 1;
}

/* It takes a moment, and serves only who can choose. */
static void look_at_load(bool can_choose) {
  struct mai_cpu_mask known = seen.pinned;
  if (!can_choose || seen.asked_for_load)
    return;
  mai_claims_of_others(MAI_CLAIM_USED, &known);
  if (!mai_others_are_hidden(mai_cpu_mask_count(&known)))
    return;
  seen.asked_for_load = true;
  mai_busy_cpus(&seen.busy);
}

/*===-- The processes of a program -----------------------------------------===*/

/* The CPUs that are online, by a list such as "0-3,8". */
static unsigned count_online(void) {
  char line[1024];
  unsigned count = 0;
  const char *text = line;
  uint64_t first, last;
  if (minas_read_line("/sys/devices/system/cpu/online", line, sizeof line) != 0)
    return 0;
  while (minas_scan_range(&text, &first, &last)) {
    count += (unsigned)(last - first) + 1;
    text += *text == ',';
  }
  return count;
}

/* The part of the CPUs (logical indices) that belongs to this process: all of them where nobody has
   told of others, or where each process may be bound to its own already. */
static void find_part(uint32_t cpus, uint32_t *begin, uint32_t *end) {
  const struct mai_ranks *ranks = mai_ranks();
  uint64_t size = ranks->local_size;
  *begin = 0;
  *end = cpus;
  if (size < 2 || size * cpus <= count_online())
    return;
  *begin = (uint32_t)(ranks->local_rank * (uint64_t)cpus / size);
  *end = (uint32_t)((ranks->local_rank + UINT64_C(1)) * cpus / size);
  *end = *end > *begin ? *end : *begin + 1;
}

/*===-- Sharing out --------------------------------------------------------===*/

struct uses {
  uint8_t *of; /* each CPU, by logical index (enum mai_cpu_use) */
  uint32_t begin;
  uint32_t end; /* of the CPUs that belong to this process */
  bool any;     /* somebody has one */
};

static void find_uses(const numarch_t *machine, struct uses *uses) {
  struct mai_cpu_mask meant = {0};
  struct mai_cpu_mask used = {0};
  mai_claims_of_others(MAI_CLAIM_MEANT, &meant);
  mai_claims_of_others(MAI_CLAIM_USED, &used);
  uses->any = false;
  for (uint32_t i = 0; i < numarch_cpu_count(machine); i++) {
    uint32_t cpu = numarch_get_cpu(machine, i)->os_index;
    uses->of[i] = MAI_CPU_FREE;
    if (mai_cpu_mask_has(&meant, cpu) || mai_cpu_mask_has(&seen.busy, cpu))
      uses->of[i] = MAI_CPU_WANTED;
    if (mai_cpu_mask_has(&used, cpu) || is_pinned_to(cpu) || i < uses->begin || i >= uses->end)
      uses->of[i] = MAI_CPU_USED;
    uses->any |= uses->of[i] != MAI_CPU_FREE;
  }
}

/* Threads for which a part has no CPUs left stay on the nodes of the others.
   @return how many entries stand for a CPU */
static unsigned keep_to_part(const struct uses *uses, struct mai_cpu_list *list) {
  uint32_t size = uses->end - uses->begin;
  if (size >= list->count)
    return UINT_MAX;
  for (uint32_t i = size; i < list->count; i++)
    list->cpus[i] = list->cpus[i % size];
  return size;
}

/* @return whether no other program has come before to a CPU that is to be used */
static bool claim(const numarch_t *machine, const struct uses *uses, enum mai_claim kind,
                  const struct mai_cpu_list *list, unsigned count) {
  struct mai_cpu_mask mask = {0};
  for (uint32_t i = 0; i < count && i < list->count; i++) {
    uint32_t cpu = numarch_cpu_by_os_index(machine, list->cpus[i]);
    if (uses->of[cpu] != MAI_CPU_USED)
      mai_cpu_mask_add(&mask, list->cpus[i]);
  }
  mai_claims_set(MAI_CLAIM_MEANT, &mask);
  return kind != MAI_CLAIM_USED || mai_claims_set(MAI_CLAIM_USED, &mask);
}

/* Others may choose at the same time: what they were faster to claim is in use at the next look. */
static int choose(const numarch_t *machine, enum mai_named_map map, unsigned wanted,
                  enum mai_claim kind, struct uses *uses, struct mai_cpu_list *list) {
  enum { MOST_CHOICES = 8 };
  bool claimed = false;
  for (int i = 0; i < MOST_CHOICES && !claimed; i++) {
    find_uses(machine, uses);
    if (uses->any && wanted < list->count &&
        mai_named_map_share(machine, map, wanted, uses->of, list) != 0)
      return -1;
    claimed = claim(machine, uses, kind, list, wanted);
  }
  return 0;
}

static int share(const numarch_t *machine, enum mai_named_map map, unsigned threads,
                 enum mai_claim kind, struct mai_cpu_list *list, unsigned *pinned) {
  struct uses uses = {.of = minas_alloc(list->count)};
  int result = uses.of ? 0 : -1;
  if (result == 0) {
    find_part(list->count, &uses.begin, &uses.end);
    uint32_t size = uses.end - uses.begin;
    unsigned wanted = threads < size ? threads : size;
    mai_claims_begin_choice();
    result = choose(machine, map, wanted, kind, &uses, list);
    mai_claims_end_choice();
    *pinned = keep_to_part(&uses, list);
  }
  minas_free(uses.of);
  return result;
}

int mai_neighbours_share(const numarch_t *machine, enum mai_named_map map, unsigned threads,
                         enum mai_claim claim, struct mai_cpu_list *list, unsigned *pinned) {
  *pinned = UINT_MAX;
  if (!begin_to_look())
    return 0;
  look_at_pinned(machine);
  look_at_load(threads < list->count);
  int result = share(machine, map, threads, claim, list, pinned);
  end_to_look();
  return result;
}

/*===-- Maps that are given ------------------------------------------------===*/

static void say_clash(uint32_t cpu, const char *origin) {
  static bool said;
  uint32_t process = mai_claims_user_of(cpu);
  if (!mai_settings()->verbose)
    return;
  if (process)
    mai_message_once(&said, "CPU %" PRIu32 " (%s) is used by process %" PRIu32 ", too", cpu, origin,
                     process);
  else
    mai_message_once(&said, "CPU %" PRIu32 " (%s) is used by another program, too", cpu, origin);
}

void mai_neighbours_claim_given(const numarch_t *machine, const uint32_t *cpus, unsigned count,
                                const char *origin) {
  struct mai_cpu_mask mask = {0};
  if (!begin_to_look())
    return;
  look_at_pinned(machine);
  for (unsigned i = 0; i < count; i++)
    mai_cpu_mask_add(&mask, cpus[i]);
  mai_claims_set(MAI_CLAIM_USED, &mask);
  for (unsigned i = 0; i < count; i++)
    if (is_pinned_to(cpus[i]) || !mai_claims_add_used(cpus[i]))
      say_clash(cpus[i], origin);
  end_to_look();
}

bool mai_neighbours_leave(uint32_t cpu) {
  return mai_settings()->alone || (!is_pinned_to(cpu) && mai_claims_add_used(cpu));
}
