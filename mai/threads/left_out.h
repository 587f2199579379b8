/*===-- left_out.h - run-times that the linker has left out ------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Linkers leave out libraries of which nothing is used (--as-needed, as gcc calls them for
 * -fopenmp), and a program that is linked with this one may have found here all that it calls of
 * its run-time.  Then the run-time is loaded that it would have been linked with.  Nothing is
 * loaded for programs that know nothing of MAi.
 */
#ifndef MAI_LEFT_OUT_H
#define MAI_LEFT_OUT_H

#include "openmp/objects.h"

/** Load the run-time that was left out of an object. @return whether there was one */
bool mai_left_out_load(const struct mai_object *object);

/** The same for the executable. */
void mai_left_out_load_of_program(void);

#endif /* MAI_LEFT_OUT_H */
