/*===-- main.c - minas: the command in front of the others --*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * `minas run` is mai-run, `minas doctor` a part of this program, and so on: commands.c has the
 * list. A command becomes the program that lies beside this one, wherever that is.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commandline/close_output.h"
#include "commandline/exit_status.h"
#include "commands.h"
#include "runtime/nearest.h"
#include "siblings.h"

enum { CANNOT_RUN = 126, NOT_FOUND = 127, MOST_PATH = 4096 };

static void print_help(FILE *stream) {
  fputs("usage: minas command [argument...]\n"
        "       minas help [command]\n"
        "Makes OpenMP programs fast on machines with non-uniform memory access.\n\n",
        stream);
  for (size_t i = 0; i < command_count; i++)
    fprintf(stream, "  %-9s %-13s %s\n", commands[i].name,
            commands[i].program ? commands[i].program : "", commands[i].purpose);
  fputs("\nExamples:\n"
        "  minas doctor                         what stands in the way here?\n"
        "  minas run --watch -r - ./solver      where has it its pages and threads?\n"
        "  minas help run\n"
        "\n"
        "-h, --help: this; --version. See also minas(1), minas(7).\n",
        stream);
}

static int unknown(const char *word, const char *const *known, size_t count) {
  const char *meant = minas_nearest_name(word, known, count);
  fprintf(stderr, "minas: there is no %s '%s'\n", *word == '-' ? "option" : "command", word);
  if (meant)
    fprintf(stderr, "minas: did you mean '%s'?\n", meant);
  fputs("Try 'minas help'.\n", stderr);
  return EXIT_USAGE;
}

static int unknown_word(const char *word) {
  static const char *const options[] = {"--help", "--version"};
  const char *names[MOST_COMMANDS];
  if (*word == '-')
    return unknown(word, options, sizeof options / sizeof *options);
  for (size_t i = 0; i < command_count; i++)
    names[i] = commands[i].name;
  return unknown(word, names, command_count);
}

/* Becomes the program of a command. @return the exit status where it cannot */
static int become(const struct command *command, char **arguments) {
  char path[MOST_PATH];
  char name[MOST_PATH];
  snprintf(name, sizeof name, "%s", command->program);
  arguments[0] = name;
  if (sibling_path(command->program, path, sizeof path))
    execv(path, arguments);
  else
    execvp(name, arguments);
  int error = errno;
  fprintf(stderr, "minas: %s: %s\n", command->program,
          error == ENOENT ? "is not installed, neither beside minas nor along PATH"
                          : strerror(error));
  return error == ENOENT ? NOT_FOUND : CANNOT_RUN;
}

static int run(const struct command *command, int count, char **arguments) {
  if (command->program)
    return become(command, arguments);
  char name[MOST_PATH]; /* messages begin with it */
  snprintf(name, sizeof name, "minas %s", command->name);
  arguments[0] = name;
  siblings_prefer();
  return command->run(count, arguments);
}

/* `minas help run` is `mai-run -h`. */
static int help(int count, char **arguments) {
  if (count > 2)
    return fprintf(stderr, "minas: unexpected argument '%s'\n", arguments[2]), EXIT_USAGE;
  const struct command *command = count == 2 ? command_named(arguments[1]) : NULL;
  if (count == 2 && !command)
    return unknown_word(arguments[1]);
  char option[] = "-h";
  char *asked[] = {arguments[0], option, NULL};
  if (command && (command->program || command->run))
    return run(command, 2, asked);
  print_help(stdout);
  return commandline_close_output("minas", EXIT_SUCCESS);
}

int main(int count, char **arguments) {
  const char *word = count > 1 ? arguments[1] : NULL;
  if (!word) {
    print_help(stderr);
    return EXIT_USAGE;
  }
  if (strcmp(word, "--version") == 0) {
    puts("minas (Minas) " MINAS_VERSION);
    return commandline_close_output("minas", EXIT_SUCCESS);
  }
  bool asks = strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0;
  if (asks || strcmp(word, "help") == 0)
    return help(asks ? 1 : count - 1, arguments + 1);
  const struct command *command = command_named(word);
  return command ? run(command, count - 1, arguments + 1) : unknown_word(word);
}
