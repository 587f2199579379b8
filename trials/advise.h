/*===-- advise.h - what to run a program with ---------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * `minas advise -- PROGRAM...`: runs an unmodified program once as it is and looks from outside
 * where its memory and its threads are, then with each of a few settings of mai-run, and tells
 * which took least time.
 */
#ifndef MINAS_ADVISE_H
#define MINAS_ADVISE_H

/** The command. @return its exit status */
int advise_main(int count, char **arguments);

#endif /* MINAS_ADVISE_H */
