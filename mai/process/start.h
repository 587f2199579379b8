/*===-- start.h - starts the library once -----------------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Every function that needs the library started calls mai_start(): it may be the first.  What there
 * is to start is known to mai/init.c only.
 */
#ifndef MAI_START_H
#define MAI_START_H

/** Start the library if that has not been done, and wait for another thread that does it.
 *  @return 0, or -1 with errno as mai_init(), or EAGAIN (the calling thread is starting it, or this
 *  library's own constructors have not run yet) */
int mai_start(void);

/** How it is started: @return 0 or an errno.  Called once, by a constructor. */
void mai_start_by(int (*start)(void));

#endif /* MAI_START_H */
