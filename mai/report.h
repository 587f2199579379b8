/*===-- report.h - says where arrays and threads are -----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The report that MAI_REPORT asks for at the end of the program, and mai_report() at any time, as
 * text, JSON or a picture.  docs/man/minas.7 describes them.
 */
#ifndef MAI_REPORT_H
#define MAI_REPORT_H

#include <stdbool.h>

/** Read MAI_REPORT. */
void mai_report_prepare(void);

/** Whether a report will be written at the end of this process. A child of fork() writes none. */
bool mai_report_wanted(void);

/** Write the report if it is wanted. */
void mai_report_at_exit(void);

#endif /* MAI_REPORT_H */
