/*===-- record.c - what one rank got ------------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "record.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "numarch.h"

long record_number(const json_t *record, const char *name) {
  const json_t *value = json_object_get(record, name);
  return json_is_integer(value) ? (long)json_integer_value(value) : -1;
}

const char *record_text(const json_t *record, const char *name) {
  const char *text = json_string_value(json_object_get(record, name));
  return text ? text : "";
}

const json_t *record_list(const json_t *record, const char *name) {
  return json_object_get(record, name);
}

static json_t *allowed_cpus(const numarch_t *machine) {
  json_t *list = json_array();
  for (uint32_t i = 0; i < numarch_cpu_count(machine); i++)
    if (numarch_get_cpu(machine, i)->allowed)
      json_array_append_new(list, json_integer(numarch_get_cpu(machine, i)->os_index));
  return list;
}

static json_t *allowed_nodes(const numarch_t *machine) {
  json_t *list = json_array();
  for (uint32_t i = 0; i < numarch_node_count(machine); i++)
    if (numarch_get_node(machine, i)->allowed)
      json_array_append_new(list, json_integer(numarch_get_node(machine, i)->os_index));
  return list;
}

/* The run-time's binding is told of by the name of the variable, MAi's by each thread. */
static bool binds(const char *origin) {
  return strncmp(origin, "OMP_", 4) == 0 || strncmp(origin, "GOMP_", 5) == 0 ||
         strncmp(origin, "KMP_", 4) == 0;
}

static json_t *thread_of(const numarch_t *machine, const json_t *told, bool bound) {
  bool pinned = json_is_true(json_object_get(told, "pinned"));
  long cpu = record_number(told, pinned ? "cpu" : "last_seen_on_cpu");
  uint32_t index = cpu < 0 ? NUMARCH_NONE : numarch_cpu_by_os_index(machine, (uint32_t)cpu);
  if (index == NUMARCH_NONE || !json_is_true(json_object_get(told, "seen")))
    return NULL;
  return json_pack("{s:I, s:I, s:I, s:b}", "cpu", (json_int_t)cpu, "core",
                   (json_int_t)numarch_get_cpu(machine, index)->core, "node",
                   (json_int_t)record_number(told, "node"), "fixed", pinned || bound);
}

/* `alone`: one CPU is all there is. */
static json_t *threads_in(const numarch_t *machine, const char *report, bool alone) {
  json_t *list = json_array();
  json_t *told = json_load_file(report, 0, NULL);
  bool bound = binds(record_text(told, "threads_mapped_by")) || alone;
  size_t i;
  json_t *each;
  json_array_foreach(json_object_get(told, "threads"), i, each) {
    json_t *thread = thread_of(machine, each, bound);
    if (thread)
      json_array_append_new(list, thread);
  }
  json_decref(told);
  return list;
}

/* How many of a machine's cores the job has: all where nobody tells. */
static uint32_t job_cores(const numarch_t *machine) {
  uint32_t cores = numarch_core_count(machine), cpus = numarch_cpu_count(machine);
  long own = launcher_job_cpus();
  return own > 0 && own < (long)cpus ? ((uint32_t)own * cores + cpus - 1) / cpus : cores;
}

json_t *record_make(long rank, const char *report) {
  char host[RECORD_MOST_HOST] = "";
  numarch_t *machine = numarch_open(NUMARCH_WHOLE_MACHINE);
  if (!machine)
    return NULL;
  gethostname(host, sizeof host - 1);
  json_t *allowed = allowed_cpus(machine);
  json_t *threads = threads_in(machine, report, json_array_size(allowed) == 1);
  json_t *record = json_pack("{s:I, s:s, s:I, s:I, s:o, s:o, s:o}", "rank", (json_int_t)rank,
                             "host", host, "cores", (json_int_t)numarch_core_count(machine),
                             "job cores", (json_int_t)job_cores(machine), "allowed", allowed,
                             "memory", allowed_nodes(machine), "threads", threads);
  numarch_close(machine);
  return record;
}
