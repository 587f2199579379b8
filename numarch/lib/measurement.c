/*===-- measurement.c - the file of what was measured -----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The text is JSON: a version, the machine's identity, the nodes, and a matrix of each metric.
 * Whoever can write to the cache can write anything, so that all of it is checked before any is
 * used.
 */
#include "measurement.h"
#include "json_error.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FORMAT = 1 };

/* ns and MiB/s: no memory is that slow or that fast. */
static const double GREATEST_LATENCY = 1e9;
static const double GREATEST_BANDWIDTH = 1e12;

const char *numarch_metric_name(enum numarch_metric metric) {
  static const char *const names[NUMARCH_METRICS] = {
      [NUMARCH_LATENCY] = "latency",
      [NUMARCH_READ_BANDWIDTH] = "read_bandwidth",
      [NUMARCH_WRITE_BANDWIDTH] = "write_bandwidth",
      [NUMARCH_COPY_BANDWIDTH] = "copy_bandwidth",
      [NUMARCH_CPU_READ_BANDWIDTH] = "cpu_read_bandwidth",
      [NUMARCH_CPU_WRITE_BANDWIDTH] = "cpu_write_bandwidth",
      [NUMARCH_CPU_COPY_BANDWIDTH] = "cpu_copy_bandwidth"};
  return names[metric];
}

int numarch_measurement_init(struct numarch_measurement *measurement, uint32_t count) {
  *measurement = (struct numarch_measurement){.count = count};
  measurement->nodes = calloc(count, sizeof *measurement->nodes);
  bool complete = measurement->nodes;
  for (int metric = 0; metric < NUMARCH_METRICS; metric++) {
    measurement->tables[metric] = calloc(count, count * sizeof **measurement->tables);
    complete = complete && measurement->tables[metric];
  }
  if (complete)
    return 0;
  numarch_measurement_free(measurement);
  errno = ENOMEM;
  return -1;
}

void numarch_measurement_free(struct numarch_measurement *measurement) {
  for (int metric = 0; metric < NUMARCH_METRICS; metric++)
    free(measurement->tables[metric]);
  free(measurement->nodes);
  *measurement = (struct numarch_measurement){0};
}

/* The index of a node by OS index, or NUMARCH_NONE. */
static uint32_t index_of(const struct numarch_measurement *measurement, uint32_t node) {
  for (uint32_t i = 0; i < measurement->count; i++)
    if (measurement->nodes[i] == node)
      return i;
  return NUMARCH_NONE;
}

static bool add_pair(struct numarch_measurement *measurement, size_t to_pair,
                     const struct numarch_measurement *other, size_t from_pair, bool keep) {
  bool added = false;
  for (int metric = 0; metric < NUMARCH_METRICS; metric++) {
    double value = other->tables[metric][from_pair];
    double *place = &measurement->tables[metric][to_pair];
    if (value > 0 && !(keep && *place > 0)) {
      *place = value;
      added = true;
    }
  }
  return added;
}

bool numarch_measurement_add(struct numarch_measurement *measurement,
                             const struct numarch_measurement *other, bool keep) {
  bool added = false;
  for (uint32_t i = 0; i < other->count; i++) {
    size_t from = index_of(measurement, other->nodes[i]);
    for (uint32_t j = 0; j < other->count && from != NUMARCH_NONE; j++) {
      size_t to = index_of(measurement, other->nodes[j]);
      if (to != NUMARCH_NONE && add_pair(measurement, from * measurement->count + to, other,
                                         (size_t)i * other->count + j, keep))
        added = true;
    }
  }
  return added;
}

/*===-- Reading ------------------------------------------------------------===*/

__attribute__((format(printf, 2, 3))) static int refuse(char **problem, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  if (vasprintf(problem, format, arguments) < 0)
    *problem = NULL;
  va_end(arguments);
  return -1;
}

static int parse_node(json_t *value, const struct numarch_measurement *measurement, uint32_t index,
                      char **problem) {
  json_int_t node = json_is_integer(value) ? json_integer_value(value) : -1;
  bool ascends = index == 0 || node > (json_int_t)measurement->nodes[index - 1];
  if (node < 0 || node >= (json_int_t)NUMARCH_NONE || !ascends)
    return refuse(problem,
                  "entry %u of \"nodes\" is no number of a node, or not greater than "
                  "that before it",
                  (unsigned)index);
  measurement->nodes[index] = (uint32_t)node;
  return 0;
}

static int parse_nodes(json_t *nodes, struct numarch_measurement *measurement, char **problem) {
  size_t count = json_array_size(nodes);
  if (count == 0 || count > NUMARCH_MEASURED_NODES)
    return refuse(problem, "\"nodes\" is no array of 1 to %d nodes", NUMARCH_MEASURED_NODES);
  if (numarch_measurement_init(measurement, (uint32_t)count) != 0)
    return refuse(problem, "out of memory");
  for (uint32_t i = 0; i < count; i++)
    if (parse_node(json_array_get(nodes, i), measurement, i, problem) != 0)
      return -1;
  return 0;
}

static bool is_sane(double value, enum numarch_metric metric) {
  double greatest = metric == NUMARCH_LATENCY ? GREATEST_LATENCY : GREATEST_BANDWIDTH;
  return isfinite(value) && value > 0 && value <= greatest;
}

/* null is what could not be measured: from a node without CPUs, to one without memory. */
static int parse_row(json_t *row, double *values, uint32_t count, enum numarch_metric metric,
                     char **problem) {
  if (json_array_size(row) != count)
    return refuse(problem, "a row of \"%s\" has not the %u values of as many nodes",
                  numarch_metric_name(metric), (unsigned)count);
  for (uint32_t i = 0; i < count; i++) {
    json_t *value = json_array_get(row, i);
    if (json_is_null(value))
      continue;
    values[i] = json_number_value(value);
    if (!is_sane(values[i], metric))
      return refuse(problem, "a value of \"%s\" is no positive number of a possible size",
                    numarch_metric_name(metric));
  }
  return 0;
}

static int parse_table(json_t *root, struct numarch_measurement *measurement,
                       enum numarch_metric metric, char **problem) {
  json_t *table = json_object_get(root, numarch_metric_name(metric));
  if (json_array_size(table) != measurement->count)
    return refuse(problem, "\"%s\" has not the %u rows of as many nodes",
                  numarch_metric_name(metric), (unsigned)measurement->count);
  for (uint32_t i = 0; i < measurement->count; i++) {
    double *values = measurement->tables[metric] + (size_t)i * measurement->count;
    if (parse_row(json_array_get(table, i), values, measurement->count, metric, problem) != 0)
      return -1;
  }
  return 0;
}

static int parse_circumstances(json_t *root, struct numarch_measurement *measurement,
                               char **problem) {
  json_t *bytes = json_object_get(root, "bytes");
  json_t *quick = json_object_get(root, "quick");
  json_t *huge_pages = json_object_get(root, "huge_pages");
  if (!json_is_integer(bytes) || json_integer_value(bytes) <= 0 || !json_is_boolean(quick) ||
      !json_is_boolean(huge_pages))
    return refuse(problem, "\"bytes\" is no positive integer, or \"quick\" or \"huge_pages\" "
                           "neither true nor false");
  measurement->bytes = (uint64_t)json_integer_value(bytes);
  measurement->quick = json_is_true(quick);
  measurement->huge_pages = json_is_true(huge_pages);
  return 0;
}

static int check_identity(json_t *root, const char *identity, char **problem) {
  json_t *format = json_object_get(root, "minas_measurement");
  if (!json_is_integer(format) || json_integer_value(format) != FORMAT)
    return refuse(problem, "it is no measurement of format %d", FORMAT);
  const char *machine = json_string_value(json_object_get(root, "machine"));
  if (!machine || strcmp(machine, identity) != 0)
    return refuse(problem, "it is of another machine");
  return 0;
}

static int parse_root(json_t *root, const char *identity, struct numarch_measurement *measurement,
                      char **problem) {
  if (check_identity(root, identity, problem) != 0 ||
      parse_nodes(json_object_get(root, "nodes"), measurement, problem) != 0)
    return -1;
  for (int metric = 0; metric < NUMARCH_METRICS; metric++)
    if (parse_table(root, measurement, (enum numarch_metric)metric, problem) != 0)
      return -1;
  return parse_circumstances(root, measurement, problem);
}

int numarch_measurement_parse(const char *text, size_t size, const char *identity,
                              struct numarch_measurement *measurement, char **problem) {
  *measurement = (struct numarch_measurement){0};
  *problem = NULL;
  json_error_t error;
  json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
  if (!root)
    return refuse(problem, "line %d: %.*s", error.line, numarch_json_words(&error), error.text);
  int result = parse_root(root, identity, measurement, problem);
  json_decref(root);
  if (result != 0)
    numarch_measurement_free(measurement);
  return result;
}

/*===-- Writing ------------------------------------------------------------===*/

static json_t *json_row(const double *values, uint32_t count) {
  json_t *row = json_array();
  for (uint32_t i = 0; i < count; i++)
    json_array_append_new(row, values[i] > 0 ? json_real(values[i]) : json_null());
  return row;
}

static json_t *json_table(const double *values, uint32_t count) {
  json_t *table = json_array();
  for (uint32_t i = 0; i < count; i++)
    json_array_append_new(table, json_row(values + (size_t)i * count, count));
  return table;
}

static json_t *json_nodes(const struct numarch_measurement *measurement) {
  json_t *nodes = json_array();
  for (uint32_t i = 0; i < measurement->count; i++)
    json_array_append_new(nodes, json_integer(measurement->nodes[i]));
  return nodes;
}

char *numarch_measurement_print(const struct numarch_measurement *measurement,
                                const char *identity) {
  json_t *root =
      json_pack("{s:i, s:s, s:I, s:b, s:b, s:o}", "minas_measurement", FORMAT, "machine", identity,
                "bytes", (json_int_t)measurement->bytes, "quick", (int)measurement->quick,
                "huge_pages", (int)measurement->huge_pages, "nodes", json_nodes(measurement));
  bool complete = root;
  for (int metric = 0; metric < NUMARCH_METRICS && complete; metric++)
    complete =
        json_object_set_new(root, numarch_metric_name((enum numarch_metric)metric),
                            json_table(measurement->tables[metric], measurement->count)) == 0;
  char *text = complete ? json_dumps(root, JSON_REAL_PRECISION(6)) : NULL;
  json_decref(root);
  if (!text)
    errno = ENOMEM;
  return text;
}

/*===-- Using --------------------------------------------------------------===*/

/* The indices in the machine of the nodes that were measured; NUMARCH_NONE: it has no such node. */
static uint32_t *find_nodes(const struct numarch *machine,
                            const struct numarch_measurement *measurement) {
  uint32_t *indices = calloc(measurement->count, sizeof *indices);
  for (uint32_t i = 0; indices && i < measurement->count; i++)
    indices[i] = numarch_node_by_os_index(machine, measurement->nodes[i]);
  return indices;
}

static bool is_access(const struct numarch *machine, uint32_t from, uint32_t to) {
  return from != NUMARCH_NONE && to != NUMARCH_NONE && machine->nodes[from].cpu_count > 0 &&
         machine->nodes[to].memory_total > 0;
}

static int use_table(struct numarch_details *details, const struct numarch *machine,
                     const struct numarch_measurement *measurement, const uint32_t *indices,
                     int metric) {
  double *table = calloc(machine->node_count, machine->node_count * sizeof *table);
  if (!table)
    return -1;
  for (uint32_t i = 0; i < measurement->count; i++)
    for (uint32_t j = 0; j < measurement->count; j++)
      if (is_access(machine, indices[i], indices[j]))
        table[(size_t)indices[i] * machine->node_count + indices[j]] =
            measurement->tables[metric][(size_t)i * measurement->count + j];
  free(details->measured[metric]);
  details->measured[metric] = table;
  return 0;
}

int numarch_measurement_use(struct numarch_details *details, const struct numarch *machine,
                            const struct numarch_measurement *measurement) {
  uint32_t *indices = find_nodes(machine, measurement);
  int result = indices ? 0 : -1;
  for (int metric = 0; metric < NUMARCH_METRICS && result == 0; metric++)
    result = use_table(details, machine, measurement, indices, metric);
  free(indices);
  return result;
}
