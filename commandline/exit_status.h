/*===-- exit_status.h - what the commands' exit statuses mean ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MINAS_EXIT_STATUS_H
#define MINAS_EXIT_STATUS_H

/** Beside EXIT_SUCCESS. minas(7) has the same list for users. */
enum exit_status {
  EXIT_FOUND = 1,   /**< what the command looks for is there */
  EXIT_USAGE = 2,   /**< the command line is wrong */
  EXIT_INPUT = 3,   /**< a file cannot be read, or makes no sense, or cannot be written */
  EXIT_MACHINE = 4, /**< this machine cannot be read or does not do what is needed */
};

#endif /* MINAS_EXIT_STATUS_H */
