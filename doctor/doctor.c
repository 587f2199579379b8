/*===-- doctor.c - minas doctor -----------------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "doctor.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commandline/close_output.h"
#include "commandline/exit_status.h"
#include "commandline/options.h"

enum { OPTION_JSON = OPTION_OWN, OPTION_ROOT };

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

struct request {
  const char *root;
  bool json, quiet, verbose;
};

static bool take_option(void *taken, int option, const char *argument) {
  struct request *request = taken;
  request->json |= option == OPTION_JSON;
  request->quiet |= option == 'q';
  request->verbose |= option == 'v';
  if (option == OPTION_ROOT)
    request->root = argument;
  return true;
}

static const struct option options[] = {{"help", no_argument, NULL, 'h'},
                                        {"json", no_argument, NULL, OPTION_JSON},
                                        {"quiet", no_argument, NULL, 'q'},
                                        {"root", required_argument, NULL, OPTION_ROOT},
                                        {"verbose", no_argument, NULL, 'v'},
                                        {"version", no_argument, NULL, OPTION_VERSION},
                                        {NULL, 0, NULL, 0}};

static const struct commandline command = {"minas doctor", help, "hqv", options, take_option};

static int examine(const struct request *request) {
  static struct doctor doctor;
  doctor.root = request->root;
  doctor.verbose = request->verbose;
  if (doctor_look_at_machine(&doctor) != 0) {
    fprintf(stderr, "minas doctor: the machine cannot be read: %s\n", strerror(errno));
    return EXIT_MACHINE;
  }
  doctor_look_at_kernel(&doctor);
  doctor_look_at_rights(&doctor);
  doctor_look_at_share(&doctor);
  doctor_look_at_processor(&doctor);
  doctor_look_at_environment(&doctor);
  if (request->json)
    doctor_print_json(&doctor);
  else
    doctor_print_text(&doctor, request->quiet);
  return commandline_close_output(command.name,
                                  doctor.finding_count > 0 ? EXIT_FOUND : EXIT_SUCCESS);
}

int doctor_main(int count, char **arguments) {
  struct request request = {.root = ""};
  int status = commandline_read(&command, count, arguments, &request);
  if (status != COMMANDLINE_GOES_ON)
    return status;
  return optind < count ? commandline_unexpected(&command, arguments[optind]) : examine(&request);
}
