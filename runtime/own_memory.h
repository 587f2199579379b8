/*===-- own_memory.h - reads the program's memory, and touches none *- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * What a library knows of a program's memory may be out of date: the program may have unmapped it,
 * hidden it, or given it to somebody else.  To read it as the program does would end the program
 * then.  The kernel reads it for us, by /proc/self/mem, and says where it cannot.
 */
#ifndef MINAS_OWN_MEMORY_H
#define MINAS_OWN_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** @return a file for minas_own_memory_read(), to be closed by minas_close(); or -1 with errno:
 *  /proc is not there, or the process keeps its memory to itself (PR_SET_DUMPABLE) */
int minas_own_memory_open(void);

/** Copy the bytes from `start` on. @return whether all are there to be read */
bool minas_own_memory_read(int file, uintptr_t start, void *copy, size_t bytes);

#endif /* MINAS_OWN_MEMORY_H */
