/*===-- report.c - reads what MAi reported of a program ----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "numarch/lib/json_error.h"
#include "report.h"

#include <errno.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  FORMAT = 1,
  MOST_BYTES = 1 << 26,
  MOST_ARRAYS = 1 << 16,
  MOST_THREADS = 1 << 16,
  MOST_PAIRS = 1 << 16
};

/* Whose fault it is. */
struct reader {
  const char *path;
  struct report *report;
};

__attribute__((format(printf, 2, 3))) static int refuse(const struct reader *reader,
                                                        const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "numarch: %s: ", reader->path);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  return -1;
}

static int refuse_memory(const struct reader *reader) {
  errno = 0;
  return refuse(reader, "out of memory");
}

/* A whole number from 0 to `most`. */
static bool get_number(json_t *value, uint64_t most, uint64_t *number) {
  if (!json_is_integer(value) || json_integer_value(value) < 0)
    return false;
  *number = (uint64_t)json_integer_value(value);
  return *number <= most;
}

static char *copy_text(json_t *value) {
  const char *text = json_string_value(value);
  return strdup(text ? text : "?");
}

/*===-- Arrays -------------------------------------------------------------===*/

/* An object's members are the nodes: {"0": 17, "1": 16}. */
static int read_share(const struct reader *reader, const char *member, json_t *value,
                      struct report_array *array) {
  char *end = NULL;
  errno = 0;
  unsigned long node = *member >= '0' && *member <= '9' ? strtoul(member, &end, 10) : 0;
  uint64_t pages = 0;
  if (!end || *end || errno != 0 || node >= UINT32_MAX)
    return refuse(reader, "array '%s': \"pages_per_node\" has '%s' where it should have a node",
                  array->name, member);
  if (!get_number(value, (uint64_t)1 << 52, &pages))
    return refuse(reader, "array '%s': \"pages_per_node\" has no number of pages for node %s",
                  array->name, member);
  array->shares[array->share_count++] = (struct report_share){(uint32_t)node, pages};
  return 0;
}

static int read_shares(const struct reader *reader, json_t *shares, struct report_array *array) {
  const char *member = NULL;
  json_t *value = NULL;
  if (!json_is_object(shares))
    return refuse(reader, "array '%s' has no \"pages_per_node\"", array->name);
  array->shares = calloc(json_object_size(shares) + 1, sizeof *array->shares);
  if (!array->shares)
    return refuse_memory(reader);
  json_object_foreach(shares, member, value) {
    if (read_share(reader, member, value, array) != 0)
      return -1;
  }
  return 0;
}

static int read_array(const struct reader *reader, json_t *value, struct report_array *array) {
  array->name = copy_text(json_object_get(value, "name"));
  array->policy = copy_text(json_object_get(value, "policy"));
  array->freed = json_is_true(json_object_get(value, "freed"));
  if (!array->name || !array->policy)
    return refuse_memory(reader);
  if (!get_number(json_object_get(value, "bytes"), INT64_MAX, &array->bytes))
    return refuse(reader, "array '%s' has no \"bytes\"", array->name);
  return read_shares(reader, json_object_get(value, "pages_per_node"), array);
}

static int read_arrays(const struct reader *reader, json_t *values) {
  struct report *report = reader->report;
  size_t count = json_array_size(values);
  if (!json_is_array(values) || count > MOST_ARRAYS)
    return refuse(reader, "\"arrays\" is no list of at most %d arrays", MOST_ARRAYS);
  report->arrays = calloc(count + 1, sizeof *report->arrays);
  if (!report->arrays)
    return refuse_memory(reader);
  for (size_t i = 0; i < count; i++)
    if (read_array(reader, json_array_get(values, i), &report->arrays[report->array_count++]) != 0)
      return -1;
  return 0;
}

/*===-- Threads ------------------------------------------------------------===*/

/* Where it was last seen, else where it was to run; a thread of which neither is known is left out.
 */
static int read_thread(const struct reader *reader, json_t *value, size_t index) {
  struct report *report = reader->report;
  uint64_t number = 0;
  uint64_t cpu = 0;
  if (!get_number(json_object_get(value, "thread"), UINT32_MAX, &number))
    return refuse(reader, "entry %zu of \"threads\" has no number in \"thread\"", index);
  if (get_number(json_object_get(value, "last_seen_on_cpu"), UINT32_MAX - 1, &cpu) ||
      get_number(json_object_get(value, "cpu"), UINT32_MAX - 1, &cpu))
    report->threads[report->thread_count++] = (struct report_thread){number, (uint32_t)cpu};
  return 0;
}

static int read_threads(const struct reader *reader, json_t *values) {
  size_t count = json_array_size(values);
  if (!json_is_array(values) || count > MOST_THREADS)
    return refuse(reader, "\"threads\" is no list of at most %d threads", MOST_THREADS);
  reader->report->threads = calloc(count + 1, sizeof *reader->report->threads);
  if (!reader->report->threads)
    return refuse_memory(reader);
  for (size_t i = 0; i < count; i++)
    if (read_thread(reader, json_array_get(values, i), i) != 0)
      return -1;
  return 0;
}

/*===-- Pairs of threads ---------------------------------------------------===*/

static bool get_pair(json_t *value, struct report_pair *pair) {
  json_t *threads = json_object_get(value, "threads");
  json_t *volume = json_object_get(value, "volume");
  if (json_array_size(threads) != 2 || !json_is_number(volume))
    return false;
  pair->volume = json_number_value(volume);
  return get_number(json_array_get(threads, 0), UINT32_MAX, &pair->threads[0]) &&
         get_number(json_array_get(threads, 1), UINT32_MAX, &pair->threads[1]) && pair->volume >= 0;
}

static int read_pairs(const struct reader *reader, json_t *values) {
  struct report *report = reader->report;
  size_t count = json_array_size(values);
  if (!json_is_array(values) || count > MOST_PAIRS)
    return refuse(reader, "\"shared_most\" is no list of at most %d pairs of threads", MOST_PAIRS);
  report->pairs = calloc(count + 1, sizeof *report->pairs);
  if (!report->pairs)
    return refuse_memory(reader);
  for (size_t i = 0; i < count; i++)
    if (!get_pair(json_array_get(values, i), &report->pairs[report->pair_count++]))
      return refuse(reader, "entry %zu of \"shared_most\" has no two \"threads\" and \"volume\"",
                    i);
  return 0;
}

/*===-- The file -----------------------------------------------------------===*/

static bool has_format(json_t *root, const char *member) {
  uint64_t format = 0;
  return get_number(json_object_get(root, member), FORMAT, &format) && format == FORMAT;
}

static int read_map(const struct reader *reader, json_t *root) {
  return read_threads(reader, json_object_get(root, "threads")) != 0
             ? -1
             : read_pairs(reader, json_object_get(root, "shared_most"));
}

static int read_report(const struct reader *reader, json_t *root) {
  if (!get_number(json_object_get(root, "page_size"), (uint64_t)1 << 40,
                  &reader->report->page_size))
    return refuse(reader, "it has no \"page_size\"");
  if (read_arrays(reader, json_object_get(root, "arrays")) != 0)
    return -1;
  return read_threads(reader, json_object_get(root, "threads"));
}

static int read_root(const struct reader *reader, json_t *root) {
  bool is_map = has_format(root, "mai_map");
  if (!is_map && !has_format(root, "mai_report"))
    return refuse(reader,
                  "it is no report of MAi in format %d, as a program writes it that runs with "
                  "MAI_REPORT=FILE.json, and no map of mai-map --format=json",
                  FORMAT);
  reader->report->program = copy_text(json_object_get(root, "program"));
  if (!reader->report->program)
    return refuse_memory(reader);
  return is_map ? read_map(reader, root) : read_report(reader, root);
}

static int read_text(const struct reader *reader, const char *text, size_t size) {
  json_error_t error;
  json_t *root = json_loadb(text, size, 0, &error);
  if (!root)
    return refuse(reader, "line %d: no JSON: %.*s", error.line, numarch_json_words(&error),
                  error.text);
  int result = read_root(reader, root);
  json_decref(root);
  return result;
}

/* A pipe has no size to go by: room for one byte more than is taken. */
static int read_stream(const struct reader *reader, FILE *file) {
  size_t capacity = 1 << 16;
  size_t length = 0;
  char *text = NULL;
  for (;;) {
    char *bigger = realloc(text, capacity);
    if (!bigger) {
      free(text);
      return refuse_memory(reader);
    }
    text = bigger;
    length += fread(text + length, 1, capacity - length, file);
    if (length < capacity || capacity > MOST_BYTES)
      break;
    capacity *= 2;
  }
  int result = -1;
  if (ferror(file))
    refuse(reader, "%s", strerror(errno));
  else if (length > MOST_BYTES)
    refuse(reader, "it has more than %d MiB", MOST_BYTES >> 20);
  else
    result = read_text(reader, text, length);
  free(text);
  return result;
}

int report_read(const char *path, struct report *report) {
  struct reader reader = {.path = path, .report = report};
  *report = (struct report){0};
  FILE *file = fopen(path, "re");
  if (!file)
    return refuse(&reader, "%s", strerror(errno));
  int result = read_stream(&reader, file);
  fclose(file);
  if (result != 0)
    report_free(report);
  return result;
}

void report_free(struct report *report) {
  free(report->pairs);
  for (size_t i = 0; i < report->array_count; i++) {
    free(report->arrays[i].name);
    free(report->arrays[i].policy);
    free(report->arrays[i].shares);
  }
  free(report->arrays);
  free(report->threads);
  free(report->program);
  *report = (struct report){0};
}
