/*===-- main.c - the tool numarch --------------------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Shows the machine as the library sees it.  Its interface, JSON included, is in numarch(1).
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commandline/close_output.h"
#include "commandline/exit_status.h"
#include "commandline/options.h"
#include "measure.h"
#include "tool.h"

enum option_code {
  OPTION_ALLOWED = OPTION_OWN,
  OPTION_CSV,
  OPTION_JSON,
  OPTION_MEASURE,
  OPTION_MEASURE_BYTES,
  OPTION_REPORT,
  OPTION_SVG,
  OPTION_WHOLE
};

static const char usage[] =
    "Usage: numarch [--json | --csv | --svg] [--allowed]\n"
    "       numarch --measure[=quick] [--measure-bytes=SIZE] [--json | --csv]\n"
    "       numarch --svg --report=FILE\n"
    "Show the NUMA nodes, CPUs and caches of this machine, the distances between\n"
    "its nodes, and what of all this this process may use.\n"
    "\n"
    "  --allowed             leave out what this process may not use\n"
    "  --whole               show it all, marking what it may not use (the default)\n"
    "  --json                print JSON\n"
    "  --csv                 print comma-separated values\n"
    "  --svg                 draw a picture\n"
    "  --report=FILE         with --svg: draw arrays and threads of MAI_REPORT=FILE.json,\n"
    "                        or the threads of a map by mai-map --format=json\n"
    "  --measure             measure latency and bandwidth between all nodes and\n"
    "                        keep them for programs that use MAi\n"
    "  --measure=quick       the same in little time, less exactly\n"
    "  --measure-bytes=SIZE  measure with so much memory: 64M, 1G, ...\n"
    "  -q, --quiet           tell nothing but what is asked for, and errors\n"
    "  -v, --verbose         tell where it comes from, and what is measured\n"
    "  -h, --help            print this and exit\n"
    "  --version             print the version and exit\n"
    "\n"
    "Examples: numarch                    what is this machine?\n"
    "          numarch --measure=quick    how fast is memory from where?\n"
    "HWLOC_XMLFILE or HWLOC_SYNTHETIC in the environment name another machine.\n";

static const struct option options[] = {
    {"allowed", no_argument, NULL, OPTION_ALLOWED},
    {"csv", no_argument, NULL, OPTION_CSV},
    {"help", no_argument, NULL, 'h'},
    {"json", no_argument, NULL, OPTION_JSON},
    {"measure", optional_argument, NULL, OPTION_MEASURE},
    {"measure-bytes", required_argument, NULL, OPTION_MEASURE_BYTES},
    {"quiet", no_argument, NULL, 'q'},
    {"report", required_argument, NULL, OPTION_REPORT},
    {"svg", no_argument, NULL, OPTION_SVG},
    {"verbose", no_argument, NULL, 'v'},
    {"version", no_argument, NULL, OPTION_VERSION},
    {"whole", no_argument, NULL, OPTION_WHOLE},
    {NULL, 0, NULL, 0},
};

/* What the command line asks for. */
struct request {
  int (*print)(const struct shown *shown);
  bool allowed;
  bool measure;
  struct measure_options measure_options;
  const char *report;
};

/* The environment variable that names the machine, in the library's order; NULL: the running one.
 */
static const char *source_variable(void) {
  static const char *const names[] = {"HWLOC_SYNTHETIC", "HWLOC_XMLFILE"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *value = getenv(names[i]);
    if (value && *value)
      return names[i];
  }
  return NULL;
}

static void say_why_not_opened(int error) {
  const char *variable = source_variable();
  if (error == ENOMEM)
    fputs("numarch: out of memory\n", stderr);
  else if (variable)
    fprintf(stderr, "numarch: hwloc cannot read the machine that %s names: '%s'\n", variable,
            getenv(variable));
  else
    fputs("numarch: hwloc cannot read this machine\n", stderr);
}

/* What was measured before and cannot be used is no error: there is less to show. */
static void say_what_is_wrong_with_cache(const numarch_t *machine) {
  const char *problem = numarch_measurement_problem(machine);
  if (problem)
    fprintf(stderr, "numarch: %s\n", problem);
}

static void say_where_it_comes_from(void) {
  const char *variable = source_variable();
  fprintf(stderr, "numarch: %s%s%s\n", variable ? variable : "this machine, as the kernel tells it",
          variable ? ": " : "", variable ? getenv(variable) : "");
}

static numarch_t *open_machine(bool allowed) {
  numarch_t *machine = numarch_open(allowed ? 0 : NUMARCH_WHOLE_MACHINE);
  if (!machine)
    say_why_not_opened(errno);
  return machine;
}

static int print(const struct request *request, const struct shown *shown) {
  errno = 0;
  if (request->print(shown) == 0)
    return commandline_close_output("numarch", EXIT_SUCCESS);
  if (errno != ENOMEM)
    return EXIT_INPUT;
  fputs("numarch: out of memory\n", stderr);
  return EXIT_MACHINE;
}

static int show(const struct request *request) {
  numarch_t *machine = open_machine(request->allowed);
  if (!machine)
    return source_variable() ? EXIT_INPUT : EXIT_MACHINE;
  if (request->measure_options.verbose)
    say_where_it_comes_from();
  if (!request->measure_options.quiet)
    say_what_is_wrong_with_cache(machine);
  struct shown shown = {.machine = machine,
                        .variable = source_variable(),
                        .whole = !request->allowed,
                        .report = request->report};
  int result = print(request, &shown);
  numarch_close(machine);
  return result;
}

/*===-- Measuring ----------------------------------------------------------===*/

static enum measure_outcome measure_machine(const struct request *request,
                                            struct numarch_measurement *values) {
  numarch_t *machine = open_machine(true);
  if (!machine)
    return MEASURE_FAILED;
  enum measure_outcome outcome = MEASURE_FAILED;
  if (numarch_is_this_system(machine))
    outcome = measure(machine, &request->measure_options, values);
  else
    fprintf(stderr,
            "numarch: only the running machine can be measured, and %s describes another: unset "
            "it\n",
            source_variable() ? source_variable() : "HWLOC_THISSYSTEM");
  numarch_close(machine);
  return outcome;
}

/* In place of what the file has, which nobody has seen yet. */
static int use_measured(numarch_t *machine, const struct numarch_measurement *values) {
  if (numarch_details(machine) != machine->details)
    return -1;
  machine->may_have_speeds = true;
  return numarch_measurement_use(machine->details, machine, values);
}

/* What is shown is this measurement, not what the file has besides. */
static int show_measured(const struct request *request, const struct numarch_measurement *values) {
  numarch_t *machine = open_machine(request->allowed);
  if (!machine)
    return EXIT_MACHINE;
  int result = EXIT_MACHINE;
  struct shown shown = {.machine = machine,
                        .variable = source_variable(),
                        .whole = !request->allowed,
                        .measured = true,
                        .report = request->report};
  if (use_measured(machine, values) == 0)
    result = print(request, &shown);
  else
    fputs("numarch: out of memory\n", stderr);
  numarch_close(machine);
  return result;
}

static int measure_and_show(const struct request *request) {
  struct numarch_measurement values;
  enum measure_outcome outcome = measure_machine(request, &values);
  if (outcome == MEASURE_FAILED)
    return EXIT_MACHINE;
  int saved = measure_save(&values);
  int result = show_measured(request, &values);
  numarch_measurement_free(&values);
  return saved == 0 && outcome == MEASURE_WHOLLY ? result : EXIT_MACHINE;
}

/*===-- The command line ---------------------------------------------------===*/

__attribute__((format(printf, 1, 2))) static bool refuse(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("numarch: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  return false;
}

/* "64M": a number and a unit of 1024, 1024², 1024³ bytes. 0: it is none, or of no use. */
static uint64_t parse_bytes(const char *text) {
  static const uint64_t least = UINT64_C(1) << 16;
  static const uint64_t most = UINT64_C(1) << 40;
  static const char units[] = "KMGT";
  char *end = NULL;
  errno = 0;
  uint64_t value = *text >= '0' && *text <= '9' ? strtoull(text, &end, 10) : 0;
  if (!end || errno != 0 || value > most)
    return 0;
  const char *unit = *end ? strchr(units, *end) : NULL;
  if (*end && (!unit || end[1]))
    return 0;
  uint64_t factor = unit ? UINT64_C(1) << (10 * (unit - units + 1)) : 1;
  return value <= most / factor && value * factor >= least ? value * factor : 0;
}

static bool choose_print(struct request *request, int print_chosen(const struct shown *shown)) {
  if (request->print != print_text && request->print != print_chosen)
    return refuse("--json, --csv and --svg exclude one another");
  request->print = print_chosen;
  return true;
}

static bool choose_measure(struct request *request, const char *how) {
  request->measure = true;
  request->measure_options.quick = how != NULL;
  if (how && strcmp(how, "quick") != 0)
    return refuse("--measure knows only 'quick', not '%s'", how);
  return true;
}

static bool choose_bytes(struct request *request, const char *text) {
  request->measure_options.bytes = parse_bytes(text);
  if (request->measure_options.bytes == 0)
    return refuse("--measure-bytes needs a size from 64K to 1T, such as 64M, not '%s'", text);
  return true;
}

/* An option that does not end the program. @return whether it is right */
static bool take_option(void *taken, int code, const char *argument) {
  struct request *request = taken;
  switch (code) {
  case OPTION_ALLOWED:
  case OPTION_WHOLE:
    request->allowed = code == OPTION_ALLOWED;
    return true;
  case OPTION_CSV:
    return choose_print(request, print_csv);
  case OPTION_JSON:
    return choose_print(request, print_json);
  case OPTION_SVG:
    return choose_print(request, print_svg);
  case OPTION_MEASURE:
    return choose_measure(request, argument);
  case OPTION_MEASURE_BYTES:
    return choose_bytes(request, argument);
  case OPTION_REPORT:
    request->report = argument;
    return true;
  case 'q':
    request->measure_options.quiet = true;
    return true;
  case 'v':
    request->measure_options.verbose = true;
    return true;
  default:
    return false;
  }
}

static bool is_consistent(const struct request *request) {
  if (request->report && request->print != print_svg)
    return refuse("--report is for --svg");
  if (request->measure_options.bytes && !request->measure)
    return refuse("--measure-bytes is for --measure");
  return true;
}

static const struct commandline command = {"numarch", usage, "hqv", options, take_option};

int main(int argc, char **argv) {
  struct request request = {.print = print_text};
  int status = commandline_read(&command, argc, argv, &request);
  if (status != COMMANDLINE_GOES_ON)
    return status;
  if (optind < argc)
    return commandline_unexpected(&command, argv[optind]);
  if (!is_consistent(&request))
    return commandline_misused(&command, NULL);
  /* Unasked, hwloc hides the memory of GPUs on some machines. */
  setenv("HWLOC_KEEP_NVIDIA_GPU_NUMA_NODES", "1", 0);
  return request.measure ? measure_and_show(&request) : show(&request);
}
