/*===-- arrays.h - allocates arrays and places them ------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The steps of which every array's life consists, shared by the public allocation calls and by
 * static arrays.
 */
#ifndef MAI_ARRAYS_H
#define MAI_ARRAYS_H

#include "machine.h"
#include "registry.h"

/** Compute where the pages of an array with shape and policy belong.
 *  @return 0, or -1 with errno EINVAL, ENODEV or ENOMEM as mai_alloc() */
int mai_array_plan(struct mai_array *array);

/**
 * Apply the plan to memory that nobody has written to, where the machine has something to place.
 * What cannot be applied is noted in array->error and is a failure only with MAI_STRICT.
 *
 * @return 0, or -1 with errno
 */
int mai_array_place(struct mai_array *array);

/** A new, placed array of zeroes that is in no registry yet. Errors as mai_alloc(). */
struct mai_array *mai_array_allocate(size_t bytes, size_t unit, const mai_policy_t *policy,
                                     const char *name);

#endif /* MAI_ARRAYS_H */
