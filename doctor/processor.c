/*===-- processor.c - frequencies and counters of the CPUs --*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "doctor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORD = 64 };

static const char paranoid_file[] = "/proc/sys/kernel/perf_event_paranoid";

/* With these the firmware chooses frequencies as they are needed, under powersave, too. */
static bool chooses_by_itself(const char *driver) {
  return strcmp(driver, "intel_pstate") == 0 || strncmp(driver, "amd-pstate", 10) == 0;
}

static void look_at_governor(struct doctor *doctor) {
  char governor[MOST_WORD], driver[MOST_WORD] = "";
  if (!doctor_read(doctor, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", governor,
                   sizeof governor)) {
    doctor_tell(doctor, "frequency", "not known here");
    return;
  }
  doctor_read(doctor, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_driver", driver, sizeof driver);
  doctor_tell(doctor, "frequency", "%s%s%s", governor, *driver ? " by " : "", driver);
  if (strcmp(governor, "powersave") == 0 && !chooses_by_itself(driver))
    doctor_find(doctor, "governor", "as root: cpupower frequency-set -g performance",
                "the CPUs keep to their lowest frequency (powersave): times are not to be trusted");
}

/* Those of Intel, AMD, POWER and RISC-V, of hybrid machines, and of ARM. */
static bool has_counters(const struct doctor *doctor) {
  static const char *const names[] = {"cpu", "cpu_core", "armv8_pmuv3_0", "armv8_pmuv3"};
  char path[2 * MOST_WORD];
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    snprintf(path, sizeof path, "/sys/bus/event_source/devices/%s", names[i]);
    if (doctor_has(doctor, path))
      return true;
  }
  return false;
}

bool doctor_is_paranoid(const struct doctor *doctor) {
  char line[MOST_WORD];
  return doctor_read(doctor, paranoid_file, line, sizeof line) && strtol(line, NULL, 10) > 2;
}

static void look_at_counters(struct doctor *doctor) {
  char line[MOST_WORD];
  bool counters = has_counters(doctor);
  bool told = doctor_read(doctor, paranoid_file, line, sizeof line);
  doctor_tell(doctor, "counters", "%s; perf_event_paranoid %s", counters ? "there" : "none",
              told ? line : "not known");
  if (!counters)
    doctor_find(doctor, "no-counters",
                "in a virtual machine ask its host for them; mai-trace samples by the timer",
                "the CPUs show no performance counters: tools that sample by them have nothing");
  if (doctor_is_paranoid(doctor))
    doctor_find(doctor, "perf-paranoid", "as root: sysctl -w kernel.perf_event_paranoid=2",
                "users may neither sample programs nor read the performance counters "
                "(perf_event_paranoid=%s)",
                line);
}

void doctor_look_at_processor(struct doctor *doctor) {
  look_at_governor(doctor);
  look_at_counters(doctor);
}
