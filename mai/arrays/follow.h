/*===-- follow.h - arrays follow the program's team -------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#ifndef MAI_FOLLOW_H
#define MAI_FOLLOW_H

/** The team's size or its threads' CPUs have changed: place anew what is divided by them. */
void mai_follow_team(void);

#endif /* MAI_FOLLOW_H */
