/*===-- options.c - a command's options, read as those of all -----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "options.h"

#include <stdio.h>
#include <stdlib.h>

#include "close_output.h"
#include "exit_status.h"
#include "misspelt_option.h"

int commandline_misused(const struct commandline *command, const char *what) {
  if (what)
    fprintf(stderr, "%s: %s\n", command->name, what);
  fprintf(stderr, "Try '%s --help'.\n", command->name);
  return EXIT_USAGE;
}

int commandline_unexpected(const struct commandline *command, const char *argument) {
  fprintf(stderr, "%s: unexpected argument '%s'\n", command->name, argument);
  return commandline_misused(command, NULL);
}

static int print_help(const struct commandline *command) {
  fputs(command->help, stdout);
  return commandline_close_output(command->name, EXIT_SUCCESS);
}

static int print_version(const struct commandline *command) {
  printf("%s (Minas) " MINAS_VERSION "\n", command->name);
  return commandline_close_output(command->name, EXIT_SUCCESS);
}

/* getopt_long() has said what is wrong. */
static int refuse(const struct commandline *command, char **arguments) {
  commandline_suggest(command->name, command->options, arguments);
  return commandline_misused(command, NULL);
}

int commandline_read(const struct commandline *command, int count, char **arguments,
                     void *request) {
  int option;
  while ((option = getopt_long(count, arguments, command->letters, command->options, NULL)) != -1) {
    if (option == 'h')
      return print_help(command);
    if (option == OPTION_VERSION)
      return print_version(command);
    if (option == '?')
      return refuse(command, arguments);
    if (!command->take(request, option, optarg))
      return commandline_misused(command, NULL);
  }
  return COMMANDLINE_GOES_ON;
}
