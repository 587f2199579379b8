/*===-- misspelt_option.h - the option that is meant ------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MINAS_MISSPELT_OPTION_H
#define MINAS_MISSPELT_OPTION_H

#include <getopt.h>

/** Say on standard error which long option is nearest to the one that getopt_long() has just
 *  refused; nothing where none is near.
 *  @param arguments what getopt_long() reads */
void commandline_suggest(const char *command, const struct option *options, char *const *arguments);

#endif /* MINAS_MISSPELT_OPTION_H */
