/*===-- doctor.c - minas doctor -----------------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "doctor.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commandline/close_output.h"
#include "commandline/exit_status.h"
#include "commandline/misspelt_option.h"

enum { OPTION_JSON = 256, OPTION_ROOT, OPTION_VERSION };

static const char help[] =
    "usage: minas doctor [--json] [-q | -v]\n"
    "Says in ten lines what this machine is for programs that place memory and pin threads, and\n"
    "what stands in the way of that, each with what to do.\n"
    "\n"
    "      --json      print JSON\n"
    "      --root DIR  read the kernel's files below this folder, as of another machine\n"
    "  -q, --quiet     print only what stands in the way\n"
    "  -v, --verbose   tell which files of the kernel are read, and what they say\n"
    "  -h, --help      print this and exit\n"
    "      --version   print the version and exit\n"
    "\n"
    "Examples:\n"
    "  minas doctor                     in the shell, the job or the container of the program\n"
    "  srun minas doctor --json         what does a node of a cluster look like?\n"
    "\n"
    "Exit status: 0 nothing was found, 1 something was, 2 wrong usage, 4 the machine cannot be "
    "read.\n"
    "See also minas(1).\n";

/* How it is printed. */
struct manner {
  bool json, quiet;
};

static int examine(const char *root, bool verbose, struct manner manner) {
  static struct doctor doctor;
  doctor.root = root;
  doctor.verbose = verbose;
  if (doctor_look_at_machine(&doctor) != 0) {
    fprintf(stderr, "minas doctor: the machine cannot be read: %s\n", strerror(errno));
    return EXIT_MACHINE;
  }
  doctor_look_at_kernel(&doctor);
  doctor_look_at_rights(&doctor);
  doctor_look_at_share(&doctor);
  doctor_look_at_processor(&doctor);
  doctor_look_at_environment(&doctor);
  if (manner.json)
    doctor_print_json(&doctor);
  else
    doctor_print_text(&doctor, manner.quiet);
  return commandline_close_output("minas doctor",
                                  doctor.finding_count > 0 ? EXIT_FOUND : EXIT_SUCCESS);
}

static int misused(void) {
  fputs("Try 'minas doctor --help'.\n", stderr);
  return EXIT_USAGE;
}

int doctor_main(int count, char **arguments) {
  static const struct option options[] = {{"help", no_argument, NULL, 'h'},
                                          {"json", no_argument, NULL, OPTION_JSON},
                                          {"quiet", no_argument, NULL, 'q'},
                                          {"root", required_argument, NULL, OPTION_ROOT},
                                          {"verbose", no_argument, NULL, 'v'},
                                          {"version", no_argument, NULL, OPTION_VERSION},
                                          {NULL, 0, NULL, 0}};
  const char *root = "";
  bool verbose = false;
  struct manner manner = {false, false};
  int option;
  while ((option = getopt_long(count, arguments, "hqv", options, NULL)) != -1) {
    switch (option) {
    case 'h':
      fputs(help, stdout);
      return commandline_close_output("minas doctor", EXIT_SUCCESS);
    case OPTION_VERSION:
      puts("minas doctor (Minas) " MINAS_VERSION);
      return commandline_close_output("minas doctor", EXIT_SUCCESS);
    case OPTION_JSON:
      manner.json = true;
      break;
    case 'q':
      manner.quiet = true;
      break;
    case 'v':
      verbose = true;
      break;
    case OPTION_ROOT:
      root = optarg;
      break;
    default:
      commandline_suggest("minas doctor", options, arguments);
      return misused();
    }
  }
  if (optind == count)
    return examine(root, verbose, manner);
  fprintf(stderr, "minas doctor: unexpected argument '%s'\n", arguments[optind]);
  return misused();
}
