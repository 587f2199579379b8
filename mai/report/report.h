/*===-- report.h - says where arrays and threads are -----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A report may be made when a signal ends the program in the middle of anything: it takes no memory
 * from the program's allocator and uses no stream of the C library.
 */
#ifndef MAI_REPORT_H
#define MAI_REPORT_H

/** See whether MAI_REPORT asks for a report of this process, and have it made when the process
 *  ends.  Called once, by mai_init(). */
void mai_report_prepare(void);

/** The process ends now: write the report that MAI_REPORT asks for, if that has not been done. */
void mai_report_at_end(void);

#endif /* MAI_REPORT_H */
