/*===-- close_output.h - the end of what is printed --------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MINAS_CLOSE_OUTPUT_H
#define MINAS_CLOSE_OUTPUT_H

/** Close standard output. Output that is buffered fails late: nothing is written until it is known
 *  to have arrived.
 *  @return the status, or, where something is lost, which is said, that of an error */
int commandline_close_output(const char *command, int status);

#endif /* MINAS_CLOSE_OUTPUT_H */
