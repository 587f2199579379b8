/*===-- report.c - says where arrays and threads are -----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "report.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "describe.h"
#include "machine.h"
#include "mai.h"
#include "message.h"
#include "page_svg.h"
#include "registry.h"
#include "threads.h"

static struct {
  char *destination; /* what MAI_REPORT says; NULL: no report */
  pid_t process;
} wanted;

void mai_report_prepare(void) {
  const char *destination = getenv("MAI_REPORT");
  if (!destination || !mai_environment_flag("MAI_REPORT"))
    return;
  wanted.destination = strdup(destination);
  wanted.process = getpid();
}

bool mai_report_wanted(void) { return wanted.destination && wanted.process == getpid(); }

static const char *program_name(void) { return program_invocation_name; }

/*===-- Text ---------------------------------------------------------------===*/

enum { MOST_POLICY_WIDTH = 40 };

static int policy_width(const struct mai_summaries *summaries) {
  size_t width = 14;
  for (size_t i = 0; i < summaries->count; i++) {
    char policy[MOST_POLICY_WIDTH + 1];
    mai_describe_policy(&summaries->list[i], policy, sizeof policy);
    width = strlen(policy) > width ? strlen(policy) : width;
  }
  return (int)width;
}

static int name_width(const struct mai_summaries *summaries) {
  size_t width = 5;
  for (size_t i = 0; i < summaries->count; i++) {
    size_t length = strlen(summaries->list[i].name) + (summaries->list[i].freed ? 8 : 0);
    width = length > width ? length : width;
  }
  return width < 40 ? (int)width : 40;
}

/* Widths of columns that depend on the arrays. */
struct widths {
  int name;
  int policy;
};

static void write_array_header(FILE *stream, const struct mai_machine *machine,
                               const struct widths *widths) {
  fprintf(stream, "%-*s %10s  %-*s", widths->name, "array", "size", widths->policy, "policy");
  for (uint32_t i = 0; i < machine->node_count; i++)
    fprintf(stream, "  node %-2" PRIu32, machine->nodes[i]);
  fprintf(stream, " %9s %8s %8s %8s %8s %8s %10s\n", "untouched", "placed", "spilled", "failed",
          "mappings", "moved", "placing/s");
}

static void write_array(FILE *stream, const struct mai_machine *machine,
                        const struct mai_summary *array, const struct widths *widths) {
  char size[32];
  char policy[MOST_POLICY_WIDTH + 1];
  char name[48];
  mai_describe_bytes(array->bytes, size, sizeof size);
  mai_describe_policy(array, policy, sizeof policy);
  snprintf(name, sizeof name, "%s%s", array->name, array->freed ? " (freed)" : "");
  fprintf(stream, "%-*s %10s  %-*s", widths->name, name, size, widths->policy, policy);
  for (uint32_t i = 0; i < machine->node_count; i++)
    fprintf(stream, " %7zu ", array->per_node[machine->nodes[i]]);
  fprintf(stream, " %9zu %8zu %8zu %8zu", array->pages.untouched, array->pages.placed,
          array->pages.spilled, array->pages.failed);
  fprintf(stream, " %8zu %8zu %10.6f", array->statistics.mappings, array->statistics.moved_pages,
          array->statistics.placing_seconds);
  if (array->error)
    fprintf(stream, "  not placed: %s", strerror(array->error));
  if (array->look_error)
    fprintf(stream, "  pages not known: %s", strerror(array->look_error));
  fputc('\n', stream);
}

static void write_arrays(FILE *stream, const struct mai_machine *machine,
                         const struct mai_summaries *summaries) {
  struct widths widths = {name_width(summaries), policy_width(summaries)};
  if (summaries->count == 0) {
    fprintf(stream, "no arrays\n");
    return;
  }
  write_array_header(stream, machine, &widths);
  for (size_t i = 0; i < summaries->count; i++)
    write_array(stream, machine, &summaries->list[i], &widths);
  if (summaries->forgotten)
    fprintf(stream, "and %zu freed arrays that are not listed\n", summaries->forgotten);
}

static void write_thread(FILE *stream, const numarch_t *topology, unsigned thread,
                         const struct mai_thread_state *state) {
  fprintf(stream, "%6u ", thread);
  if (state->cpu == NUMARCH_NONE)
    fprintf(stream, "%5s %5s", "?", "?");
  else
    fprintf(stream, "%5" PRIu32 " %5" PRId64, state->cpu, mai_node_of_cpu(topology, state->cpu));
  fprintf(stream, "  %s\n", state->pinned ? "pinned" : state->seen ? "free" : "not seen");
}

static void write_threads(FILE *stream, const numarch_t *topology) {
  struct mai_thread_state state;
  fprintf(stream, "threads (%s)\nthread   CPU  node\n", mai_threads_origin());
  for (unsigned thread = 0; mai_threads_state(thread, &state); thread++)
    write_thread(stream, topology, thread, &state);
}

static void write_text(FILE *stream, const struct mai_machine *machine,
                       const struct mai_summaries *summaries) {
  fprintf(stream, "MAi report: %s, process %ld, pages of %zu bytes\n", program_name(),
          (long)getpid(), machine->page_size);
  write_arrays(stream, machine, summaries);
  write_threads(stream, machine->topology);
}

/*===-- JSON ---------------------------------------------------------------===*/

/* Names come from sources and symbol tables and may be no UTF-8. */
static json_t *json_text(const char *text) {
  json_t *string = json_string(text);
  return string ? string : json_string("?");
}

static json_t *json_error(int error) { return error ? json_string(strerror(error)) : json_null(); }

static json_t *json_pages(const struct mai_summary *array) {
  if (array->look_error)
    return json_null();
  return json_pack("{s:I, s:I, s:I, s:I, s:I}", "total", (json_int_t)array->pages.total,
                   "untouched", (json_int_t)array->pages.untouched, "placed",
                   (json_int_t)array->pages.placed, "spilled", (json_int_t)array->pages.spilled,
                   "failed", (json_int_t)array->pages.failed);
}

static json_t *json_per_node(const struct mai_machine *machine, const struct mai_summary *array) {
  json_t *per_node = json_object();
  for (uint32_t i = 0; i < machine->node_count; i++) {
    char node[16];
    snprintf(node, sizeof node, "%" PRIu32, machine->nodes[i]);
    json_object_set_new(per_node, node,
                        json_integer((json_int_t)array->per_node[machine->nodes[i]]));
  }
  return per_node;
}

/* Lists may make it long. */
static json_t *json_policy(const struct mai_summary *array) {
  size_t size = (size_t)mai_policy_format(&array->policy, NULL, 0) + 1;
  char *text = malloc(size);
  json_t *string = NULL;
  if (text) {
    mai_policy_format(&array->policy, text, size);
    string = json_string(text);
  }
  free(text);
  return string;
}

static json_t *json_array_entry(const struct mai_machine *machine,
                                const struct mai_summary *array) {
  const struct mai_statistics *statistics = &array->statistics;
  return json_pack(
      "{s:o, s:o, s:i, s:s, s:b, s:I, s:o, s:o, s:o, s:I, s:I, s:f, s:o, s:o}", "name",
      json_text(array->name), "file", array->file ? json_text(array->file) : json_null(), "line",
      (int)array->line, "origin", mai_describe_origin(array->origin), "freed", (int)array->freed,
      "bytes", (json_int_t)array->bytes, "policy", json_policy(array), "pages", json_pages(array),
      "pages_per_node", json_per_node(machine, array), "mappings", (json_int_t)statistics->mappings,
      "moved_pages", (json_int_t)statistics->moved_pages, "placing_seconds",
      statistics->placing_seconds, "not_placed", json_error(array->error), "pages_not_known",
      json_error(array->look_error));
}

static json_t *json_cpu(uint32_t cpu) {
  return cpu == NUMARCH_NONE ? json_null() : json_integer(cpu);
}

static json_t *json_node(int64_t node) { return node < 0 ? json_null() : json_integer(node); }

static json_t *json_thread(const numarch_t *topology, unsigned thread,
                           const struct mai_thread_state *state) {
  return json_pack("{s:i, s:o, s:o, s:o, s:b, s:b}", "thread", (int)thread, "cpu",
                   json_cpu(state->cpu), "node", json_node(mai_node_of_cpu(topology, state->cpu)),
                   "last_seen_on_cpu", json_cpu(state->last_cpu), "pinned", (int)state->pinned,
                   "seen", (int)state->seen);
}

static json_t *json_threads(const numarch_t *topology) {
  json_t *list = json_array();
  struct mai_thread_state state;
  for (unsigned thread = 0; mai_threads_state(thread, &state); thread++)
    json_array_append_new(list, json_thread(topology, thread, &state));
  return list;
}

static json_t *json_arrays(const struct mai_machine *machine,
                           const struct mai_summaries *summaries) {
  json_t *list = json_array();
  for (size_t i = 0; i < summaries->count; i++)
    json_array_append_new(list, json_array_entry(machine, &summaries->list[i]));
  return list;
}

static json_t *json_nodes(const struct mai_machine *machine) {
  json_t *list = json_array();
  for (uint32_t i = 0; i < machine->node_count; i++)
    json_array_append_new(list, json_integer(machine->nodes[i]));
  return list;
}

/* @return 0, or -1 with errno ENOMEM */
static int write_json(FILE *stream, const struct mai_machine *machine,
                      const struct mai_summaries *summaries) {
  json_t *report = json_pack(
      "{s:i, s:o, s:I, s:I, s:o, s:o, s:I, s:s, s:o}", "mai_report", 1, "program",
      json_text(program_name()), "process", (json_int_t)getpid(), "page_size",
      (json_int_t)machine->page_size, "nodes", json_nodes(machine), "arrays",
      json_arrays(machine, summaries), "freed_arrays_not_listed", (json_int_t)summaries->forgotten,
      "threads_mapped_by", mai_threads_origin(), "threads", json_threads(machine->topology));
  int result = report ? json_dumpf(report, stream, JSON_INDENT(1)) : -1;
  json_decref(report);
  if (!report)
    errno = ENOMEM;
  fputc('\n', stream);
  return result;
}

/*===-- All forms ----------------------------------------------------------===*/

int mai_report(FILE *stream, enum mai_report_format format) {
  const struct mai_machine *machine = mai_machine();
  struct mai_summaries summaries;
  if (!machine || mai_registry_summarise(&summaries) != 0) {
    errno = ENOMEM;
    return -1;
  }
  int result = 0;
  if (format == MAI_REPORT_JSON)
    result = write_json(stream, machine, &summaries);
  else if (format == MAI_REPORT_SVG)
    result = mai_page_svg_write(stream, machine, &summaries);
  else
    write_text(stream, machine, &summaries);
  mai_summaries_free(&summaries);
  if (result == 0 && (fflush(stream) != 0 || ferror(stream))) {
    errno = EIO;
    result = -1;
  }
  return result;
}

static bool ends_with(const char *text, const char *end) {
  size_t length = strlen(text);
  size_t end_length = strlen(end);
  return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

static enum mai_report_format format_of_file(const char *path) {
  if (ends_with(path, ".json"))
    return MAI_REPORT_JSON;
  return ends_with(path, ".svg") ? MAI_REPORT_SVG : MAI_REPORT_TEXT;
}

static int report_to_file(const char *path) {
  FILE *file = fopen(path, "we");
  if (!file)
    return -1;
  int result = mai_report(file, format_of_file(path));
  if (fclose(file) != 0)
    result = -1;
  return result;
}

void mai_report_at_exit(void) {
  if (!mai_report_wanted())
    return;
  bool to_terminal = strcmp(wanted.destination, "1") == 0;
  int result =
      to_terminal ? mai_report(stderr, MAI_REPORT_TEXT) : report_to_file(wanted.destination);
  if (result != 0)
    mai_message("no report: %s: %s", to_terminal ? "standard error" : wanted.destination,
                strerror(errno));
  free(wanted.destination);
  wanted.destination = NULL;
}
