/*===-- recorder.h - who samples the program is told of arrays ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * mai-trace record loads a library into the program that has a function for this.  Without it
 * nothing is done.
 */
#ifndef MAI_RECORDER_H
#define MAI_RECORDER_H

#include <stddef.h>

/** An array begins. @param name NULL: nobody has given it one */
void mai_recorder_note(const void *start, size_t bytes, const char *name);

/** It ends. */
void mai_recorder_forget(const void *start);

#endif /* MAI_RECORDER_H */
