/*===-- rights.h - programs with rights that their caller lacks -*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * A program that runs as another user or group (set-ID), or with capabilities of its file, is
 * started by somebody who may not do what it may.  What that somebody has set in the environment
 * would make it read and write files with these rights, so there every variable is as if not set.
 */
#ifndef MINAS_RIGHTS_H
#define MINAS_RIGHTS_H

#include <stdbool.h>
#include <sys/auxv.h>

/** Whether the process was started with rights that its caller has not. */
static inline bool minas_has_others_rights(void) { return getauxval(AT_SECURE) != 0; }

#endif /* MINAS_RIGHTS_H */
