/*===-- close_output.c - the end of what is printed --------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "close_output.h"

#include <stdbool.h>
#include <stdio.h>

#include "exit_status.h"

int commandline_close_output(const char *command, int status) {
  bool failed = ferror(stdout);
  if (fclose(stdout) == 0 && !failed)
    return status;
  fprintf(stderr, "%s: cannot write to standard output\n", command);
  return EXIT_INPUT;
}
