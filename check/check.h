/*===-- check.h - what each rank of a program got -----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * `mai-run --check`: each rank runs the program in a child, reads from MAi's report where the
 * threads were, and leaves a record of that in a folder that all ranks share.  The first rank
 * gathers them to one table, with a verdict and what to write for the launcher.
 */
#ifndef MINAS_CHECK_H
#define MINAS_CHECK_H

#include <stdbool.h>

/**
 * Go on as the program's process, in a child, whose report is asked for by MAI_REPORT; the calling
 * process stays behind, and when the program has ended, it tells and gathers.
 * @param status the program's exit status, or 128 and the signal that ended it
 * @return true in the child; false behind it, or where there can be no child
 */
bool check_begin(int *status);

#endif /* MINAS_CHECK_H */
