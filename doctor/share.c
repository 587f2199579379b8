/*===-- share.c - how much time of the CPUs the cgroup has --*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "doctor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINE = 512 };

/* The CPUs' worth of time that a cgroup may take; 0: no limit is known. */
static double quota_of(const struct doctor *doctor, const char *group) {
  char path[2 * MOST_LINE], line[MOST_LINE], *end;
  snprintf(path, sizeof path, "/sys/fs/cgroup%s/cpu.max", group);
  if (!doctor_read(doctor, path, line, sizeof line))
    return 0;
  double quota = strtod(line, &end);
  double period = strtod(end, NULL);
  return end != line && period > 0 ? quota / period : 0; /* "max 100000": there is no limit */
}

/* The least of the cgroup's and of those that it lies in. */
static double least_quota(const struct doctor *doctor, char *group) {
  double least = 0;
  for (;;) {
    double quota = quota_of(doctor, group);
    if (quota > 0 && (least == 0 || quota < least))
      least = quota;
    char *slash = strrchr(group, '/');
    if (!slash)
      return least;
    *slash = '\0';
  }
}

void doctor_look_at_share(struct doctor *doctor) {
  char line[MOST_LINE];
  if (!doctor_read(doctor, "/proc/self/cgroup", line, sizeof line) ||
      strncmp(line, "0::/", 4) != 0) /* the second version of cgroups */
    return;
  double quota = least_quota(doctor, line + 3);
  if (quota > 0)
    doctor_find(doctor, "cpu-quota",
                "start no more threads than that (OMP_NUM_THREADS), or ask for CPUs instead of a "
                "share of them (docker --cpuset-cpus, not --cpus)",
                "the cgroup has the time of %.1f CPUs, however many it may use: threads are "
                "stopped when it is spent",
                quota);
}
