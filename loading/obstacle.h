/*===-- obstacle.h - why a program takes no libraries of ours ---*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef LOADING_OBSTACLE_H
#define LOADING_OBSTACLE_H

#ifdef __cplusplus
extern "C" {
#endif

/** Why libraries that are loaded into this program cannot be loaded into another one, which
 *  somebody is about to execute.  Of what cannot be read nothing is known to stand in the way.
 *  @param folder where a relative path begins, or AT_FDCWD
 *  @return "it has ...", or NULL */
const char *loading_obstacle(int folder, const char *path);

/** Open the file of a program to be read, which may be anything. @return its number, or -1 */
int loading_open(int folder, const char *path);

/** The same of a program that is open, as system calls that each program's start makes tell it: a
 *  filter may allow no others. */
const char *loading_obstacle_open(int file);

#ifdef __cplusplus
}
#endif

#endif /* LOADING_OBSTACLE_H */
