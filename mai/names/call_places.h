/*===-- call_places.h - the lines that lead to a place ----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Sites of one key are numbered as they come, which depends on the program's input.  The lines of
 * the sources that calls stand in do not.
 */
#ifndef MAI_NAMES_CALL_PLACES_H
#define MAI_NAMES_CALL_PLACES_H

#include <stddef.h>
#include <stdint.h>

/** Find the lines of the program's own sources in which calls stand, up to what a parallel region
 * or a task has become: "grid.cpp 7.12<main.cpp 31.5", with the columns where these are known.
 *  @param code addresses behind the calls, the innermost first
 *  @param text receives them, cut off after size - 1 characters; "" where there is no debug
 *    information */
void mai_call_places(const uintptr_t *code, unsigned count, char *text, size_t size);

#endif /* MAI_NAMES_CALL_PLACES_H */
