/*===-- main.c - the tool numarch --------------------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Shows the machine as the library sees it.  Its interface, JSON included, is in numarch(1).
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool.h"

enum { EXIT_USAGE = 2 };
enum option_code { OPTION_HELP = 1, OPTION_JSON, OPTION_VERSION, OPTION_WHOLE };

static const char usage[] =
    "Usage: numarch [--json] [--whole]\n"
    "Show the NUMA nodes, CPUs and caches of this machine and the distances\n"
    "between its nodes.\n"
    "\n"
    "  --json     print JSON\n"
    "  --whole    show all of the machine, not only what this process may use\n"
    "  --help     print this and exit\n"
    "  --version  print the version and exit\n"
    "\n"
    "HWLOC_XMLFILE or HWLOC_SYNTHETIC in the environment name another machine.\n";

static const struct option options[] = {
    {"help", no_argument, NULL, OPTION_HELP},
    {"json", no_argument, NULL, OPTION_JSON},
    {"version", no_argument, NULL, OPTION_VERSION},
    {"whole", no_argument, NULL, OPTION_WHOLE},
    {NULL, 0, NULL, 0},
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

/* Buffered output fails late: nothing is written until it is known to have arrived. */
static int close_output(void) {
  bool failed = ferror(stdout);
  if (fclose(stdout) == 0 && !failed)
    return EXIT_SUCCESS;
  fputs("numarch: cannot write to standard output\n", stderr);
  return EXIT_FAILURE;
}

static int show(bool json, bool whole) {
  numarch_t *machine = numarch_open(whole ? NUMARCH_WHOLE_MACHINE : 0);
  if (!machine) {
    say_why_not_opened(errno);
    return EXIT_FAILURE;
  }
  int result = json ? print_json(machine, whole) : print_text(machine, source_variable(), whole);
  numarch_close(machine);
  if (result == 0)
    return close_output();
  fputs("numarch: out of memory\n", stderr);
  return EXIT_FAILURE;
}

static int misused(void) {
  fputs("Try 'numarch --help'.\n", stderr);
  return EXIT_USAGE;
}

int main(int argc, char **argv) {
  bool json = false;
  bool whole = false;
  int code = 0;
  while ((code = getopt_long(argc, argv, "", options, NULL)) != -1)
    switch (code) {
    case OPTION_HELP:
      fputs(usage, stdout);
      return close_output();
    case OPTION_VERSION:
      puts("numarch (Minas) " MINAS_VERSION);
      return close_output();
    case OPTION_JSON:
      json = true;
      break;
    case OPTION_WHOLE:
      whole = true;
      break;
    default:
      return misused();
    }
  if (optind == argc)
    return show(json, whole);
  fprintf(stderr, "numarch: unexpected argument '%s'\n", argv[optind]);
  return misused();
}
