/*===-- environment.c - variables that decide about threads and memory --*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "doctor.h"

#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* By these run-times bind threads, unless the value has the word. */
static const struct {
  const char *name;
  const char *off;
} binding[] = {{"OMP_PROC_BIND", "false"},
               {"OMP_PLACES", NULL},
               {"GOMP_CPU_AFFINITY", NULL},
               {"KMP_AFFINITY", "none"}};

static const char *value_of(const char *name) {
  const char *value = getenv(name);
  return value && *value ? value : NULL;
}

/* The first that is set decides, as in libmai. */
static void find_binding(struct doctor *doctor) {
  for (size_t i = 0; i < sizeof binding / sizeof *binding; i++) {
    const char *value = value_of(binding[i].name);
    if (!value)
      continue;
    if (!(binding[i].off && strcasestr(value, binding[i].off)) && !strcasestr(value, "disabled"))
      doctor_find(doctor, "runtime-binds",
                  "unset it to have MAi pin threads; OMP_PROC_BIND=false leaves them to MAi, too",
                  "%s=%.100s: the OpenMP run-time binds threads, and MAi pins none",
                  binding[i].name, value);
    return;
  }
}

static void find_settings_of_mai(struct doctor *doctor) {
  const char *mapping = value_of("MAI_MAPPING");
  const char *watch = value_of("MAI_WATCH");
  if (watch && strcmp(watch, "0") != 0)
    doctor_find(doctor, "only-watching", "unset MAI_WATCH",
                "MAI_WATCH=%.20s: MAi pins and places nothing, and reports only", watch);
  else if (mapping && strcmp(mapping, "none") == 0)
    doctor_find(doctor, "no-mapping", "unset MAI_MAPPING, or name compact or scatter",
                "MAI_MAPPING=none: MAi pins no threads");
}

static long allowed_cpus(void) {
  cpu_set_t cpus;
  return sched_getaffinity(0, sizeof cpus, &cpus) == 0 ? CPU_COUNT(&cpus) : LONG_MAX;
}

static void find_number_of_threads(struct doctor *doctor) {
  const char *value = value_of("OMP_NUM_THREADS");
  long threads = value ? strtol(value, NULL, 10) : 0;
  if (threads == 1 && !strchr(value, ','))
    doctor_find(doctor, "one-thread", "unset OMP_NUM_THREADS, or ask for more",
                "OMP_NUM_THREADS=1: programs have one thread");
  else if (!*doctor->root && threads > allowed_cpus())
    doctor_find(doctor, "many-threads", "ask for as many as there are CPUs, or fewer",
                "OMP_NUM_THREADS=%ld: %ld threads share %ld CPUs", threads, threads,
                allowed_cpus());
}

static void tell_variables(struct doctor *doctor) {
  static const char *const names[] = {"OMP_NUM_THREADS", "OMP_PROC_BIND", "OMP_PLACES",
                                      "GOMP_CPU_AFFINITY", "KMP_AFFINITY"};
  char text[DOCTOR_TEXT] = "";
  size_t length = 0;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *value = value_of(names[i]);
    if (value && length < sizeof text)
      length += (size_t)snprintf(text + length, sizeof text - length, "%s%s=%.40s",
                                 length ? " " : "", names[i], value);
  }
  doctor_tell(doctor, "OpenMP", "%s", *text ? text : "no variables are set");
}

void doctor_look_at_environment(struct doctor *doctor) {
  tell_variables(doctor);
  find_binding(doctor);
  find_settings_of_mai(doctor);
  find_number_of_threads(doctor);
}
