/*===-- others.c - which CPUs are in use, whoever does so -------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "others.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "mai/process/restrictions.h"
#include "runtime/folder.h"
#include "runtime/heap.h"
#include "runtime/lines.h"
#include "runtime/rights.h"
#include "runtime/system.h"

static bool may_look(void) { return !mai_is_restricted() && !minas_has_others_rights(); }

/*===-- Pinned threads -----------------------------------------------------===*/

struct search {
  const numarch_t *machine;
  struct mai_cpu_mask *mask;
  const struct mai_claimants *claimants;
  uint32_t self;
  bool outermost;
};

/* The core of all the CPUs; NUMARCH_NONE: they are of several, or of none that is known. */
static uint32_t core_of(const numarch_t *machine, const struct mai_cpu_mask *cpus) {
  uint32_t core = NUMARCH_NONE;
  for (uint32_t cpu = 0; cpu < MAI_AFFINITY_CPUS; cpu++) {
    if (cpu % 64 == 0 && !cpus->words[cpu / 64])
      cpu += 63;
    else if (mai_cpu_mask_has(cpus, cpu)) {
      uint32_t index = numarch_cpu_by_os_index(machine, cpu);
      if (index == NUMARCH_NONE ||
          (core != NUMARCH_NONE && numarch_get_cpu(machine, index)->core != core))
        return NUMARCH_NONE;
      core = numarch_get_cpu(machine, index)->core;
    }
  }
  return core;
}

/* The kernel tells anybody the CPUs of a thread. @return whether the thread is pinned */
static bool get_pinned(const numarch_t *machine, uint32_t thread, struct mai_cpu_mask *cpus) {
  *cpus = (struct mai_cpu_mask){0};
  return minas_system(SYS_sched_getaffinity, thread, sizeof *cpus, (long)cpus, 0, 0, 0) > 0 &&
         core_of(machine, cpus) != NUMARCH_NONE;
}

static void add_thread(const char *name, void *context) {
  struct search *search = context;
  struct mai_cpu_mask cpus;
  uint64_t thread;
  if (minas_scan_number(&name, 10, &thread) && get_pinned(search->machine, (uint32_t)thread, &cpus))
    for (size_t i = 0; i < sizeof cpus.words / sizeof *cpus.words; i++)
      search->mask->words[i] |= cpus.words[i];
}

/* Whether this is the kernel's own name space of processes. */
static bool is_outermost(void) {
  static const char outermost[] = "pid:[4026531836]"; /* PROC_PID_INIT_INO, in all kernels */
  char name[32] = {0};
  return minas_system(SYS_readlinkat, AT_FDCWD, (long)"/proc/self/ns/pid", (long)name,
                      sizeof name - 1, 0, 0) > 0 &&
         strcmp(name, outermost) == 0;
}

/* Threads of the kernel have no session there, and many are pinned. */
static bool is_of_kernel(const struct search *search, uint32_t process) {
  return search->outermost && minas_system(SYS_getsid, process, 0, 0, 0, 0, 0) == 0;
}

/* Where the first thread is not pinned, hardly another is: it would take long to look at all.
   Threads of the kernel are many, and to ask for a session is quicker than for CPUs. */
static void add_process(const char *name, void *context) {
  struct search *search = context;
  struct mai_cpu_mask cpus;
  char path[32];
  uint64_t process;
  if (!minas_scan_number(&name, 10, &process) || process == search->self ||
      mai_claims_is_claimant(search->claimants, (uint32_t)process) ||
      is_of_kernel(search, (uint32_t)process) ||
      !get_pinned(search->machine, (uint32_t)process, &cpus))
    return;
  snprintf(path, sizeof path, "/proc/%" PRIu32 "/task", (uint32_t)process);
  if (minas_folder_visit(path, add_thread, search) != 0)
    for (size_t i = 0; i < sizeof cpus.words / sizeof *cpus.words; i++)
      search->mask->words[i] |= cpus.words[i];
}

void mai_pinned_by_others(const numarch_t *machine, const struct mai_claimants *claimants,
                          struct mai_cpu_mask *mask) {
  struct search search = {machine, mask, claimants, minas_process(), false};
  if (!may_look())
    return;
  search.outermost = is_outermost();
  minas_folder_visit("/proc", add_process, &search);
}

void mai_wait_for_passers(void) { minas_sleep(2000); }

/*===-- Load ---------------------------------------------------------------===*/

/* There all can be seen, unless /proc hides what is others' (hidepid). */
static bool sees_all_processes(void) {
  struct statx status = {0};
  return is_outermost() &&
         minas_system(SYS_statx, AT_FDCWD, (long)"/proc/1", 0, STATX_TYPE, (long)&status, 0) == 0;
}

/* The threads that run at this moment on the whole machine, or could. */
static uint64_t count_running(void) {
  enum { FIELDS_BEFORE = 3 };
  char line[128];
  uint64_t count = 0;
  if (minas_read_line("/proc/loadavg", line, sizeof line) != 0)
    return 0;
  const char *text = line;
  for (int i = 0; text && i < FIELDS_BEFORE; i++)
    text = (text = strchr(text, ' ')) ? text + 1 : NULL;
  return text && minas_scan_number(&text, 10, &count) ? count : 0;
}

bool mai_others_are_hidden(unsigned known) {
  const unsigned calling = 1;
  return may_look() && count_running() > known + calling && !sees_all_processes();
}

/* Ticks that a CPU has worked and idled. */
struct ticks {
  uint64_t work;
  uint64_t idle;
};

/* By a line such as "cpu3 user nice system idle ...". */
static bool read_cpu(const char *line, uint64_t *cpu, struct ticks *ticks) {
  enum { NAME = 3, FIELDS = 4 };
  uint64_t values[FIELDS];
  if (strncmp(line, "cpu", NAME) != 0)
    return false;
  line += NAME;
  if (!minas_scan_number(&line, 10, cpu) || *cpu >= MAI_AFFINITY_CPUS)
    return false;
  for (int i = 0; i < FIELDS; i++) {
    line += *line == ' ';
    if (!minas_scan_number(&line, 10, &values[i]))
      return false;
  }
  *ticks = (struct ticks){values[0] + values[1] + values[2], values[3]};
  return true;
}

static void read_all_cpus(struct ticks *of_each) {
  struct minas_lines lines;
  struct ticks ticks;
  uint64_t cpu;
  const char *line;
  if (minas_lines_open(&lines, "/proc/stat") != 0)
    return;
  while ((line = minas_lines_next(&lines)) && strncmp(line, "cpu", strlen("cpu")) == 0)
    if (read_cpu(line, &cpu, &ticks))
      of_each[cpu] = ticks;
  minas_lines_close(&lines);
}

void mai_busy_cpus(struct mai_cpu_mask *mask) {
  struct ticks *before = minas_alloc_list(MAI_AFFINITY_CPUS, sizeof *before);
  struct ticks *after = minas_alloc_list(MAI_AFFINITY_CPUS, sizeof *after);
  if (before && after && may_look()) {
    read_all_cpus(before);
    minas_sleep(40000); /* some ticks of /proc/stat */
    read_all_cpus(after);
    for (uint32_t cpu = 0; cpu < MAI_AFFINITY_CPUS; cpu++)
      if (after[cpu].work - before[cpu].work > after[cpu].idle - before[cpu].idle)
        mai_cpu_mask_add(mask, cpu);
  }
  minas_free(before);
  minas_free(after);
}
