/*===-- report_file.h - the file of each process's report -------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Processes that are started together have the same MAI_REPORT, and none writes over another's
 * report.  A report is another's if it was written after the process group began: that of the
 * shell's script, of mpirun, or of the command that the user has typed.  An older one is that of an
 * earlier run, and is replaced.
 */
#ifndef MAI_REPORT_FILE_H
#define MAI_REPORT_FILE_H

#include <stdbool.h>

#include "runtime/text.h"

/** Add the name of this process's report: the user's, with %p (process), %r (rank), %h (host) and
 *  %% replaced.
 *  @param users this is the program that the user has started; others have the number of the
 *    process before the name's suffix, where there is no % */
void mai_report_file_name(struct minas_text *path, const char *name, bool users);

/** Write the report.  Where another's is there, the number of the process is put before the name's
 *  suffix, and `path` is that name afterwards.
 *  @return 0, or -1 with errno */
int mai_report_file_write(struct minas_text *path, const struct minas_text *report);

#endif /* MAI_REPORT_FILE_H */
