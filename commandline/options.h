/*===-- options.h - a command's options, read as those of all -----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MINAS_OPTIONS_H
#define MINAS_OPTIONS_H

#include <getopt.h>
#include <stdbool.h>

/** Codes of long options. A command's own begin behind them. */
enum { OPTION_VERSION = 256, OPTION_OWN };

/** A command that has -h, --help and --version beside its own options. */
struct commandline {
  const char *name; /**< messages begin with it */
  const char *help;
  const char *letters;          /**< as getopt_long() wants them */
  const struct option *options; /**< the same; the three above are among them */
  /** Take an option of the command's own.  @return false: it is wrong, and that has been said */
  bool (*take)(void *request, int option, const char *argument);
};

enum { COMMANDLINE_GOES_ON = -1 };

/** Read the options; `optind` is that of the first argument then.
 *  @return COMMANDLINE_GOES_ON, or the status with which the command ends now */
int commandline_read(const struct commandline *command, int count, char **arguments, void *request);

/** Say on standard error what is wrong, and where help is.
 *  @param what NULL: it has been said  @return EXIT_USAGE */
int commandline_misused(const struct commandline *command, const char *what);

/** The same of an argument that nobody asked for. */
int commandline_unexpected(const struct commandline *command, const char *argument);

#endif /* MINAS_OPTIONS_H */
