/*===-- arrays.h - the steps of placing an array ----------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * The steps of which every array's life consists, shared by the public calls and by static arrays.
 */
#ifndef MAI_ARRAYS_H
#define MAI_ARRAYS_H

#include "mai/memory/machine.h"
#include "mai/memory/placer.h"
#include "registry.h"

/** Give an array with a shape the policy that is asked for, or the one that the user sets for its
 *  name, and plan it. @return 0, or -1 with errno as mai_array_plan() */
int mai_array_choose(struct mai_array *array, const mai_policy_t *asked);

/** Give an array with a shape this policy, and plan it. @return as mai_array_plan() */
int mai_array_plan_by(struct mai_array *array, const mai_policy_t *policy);

/** Compute where the pages of an array with shape and policy belong.
 *  @return 0, or -1 with errno EINVAL, ENODEV or ENOMEM as mai_alloc() */
int mai_array_plan(struct mai_array *array);

/** Plan to leave an array to the kernel's first touch because of `error`, an errno. Reports tell
 *  that, and the policy that was asked for. */
void mai_array_leave_alone(struct mai_array *array, const mai_policy_t *asked, int error);

/**
 * Apply the plan to memory that nobody has written to, where the machine has something to place.
 * What cannot be applied is noted in array->error; it is a failure with MAI_STRICT, and when it is
 * for want of memory.
 *
 * @return 0, or -1 with errno
 */
int mai_array_place(struct mai_array *array);

/**
 * Apply the plan to memory that may have contents, as mai_placer_replace(), where the machine has
 * something to place; with MAI_NEXT_TOUCH begin to wait for touches.
 *
 * @return 0, or -1 with errno ENOMEM (with MAI_STRICT: not enough free on a node) or what the
 * kernel said
 */
int mai_array_replace(struct mai_array *array, bool from_file, struct mai_moves *moves);

/**
 * mai_array_replace() for memory that MAi has not allocated.
 *
 * @return as mai_array_replace(), or -1 with errno EACCES when it is not private and writable
 *   everywhere (blocks of the heap are not looked at: they are)
 */
int mai_array_take_over(struct mai_array *array, struct mai_moves *moves);

/** Have arrays that lie in [begin, end) wait no longer for touches: something is to be placed
 * there.
 *  @return 0, or -1 with errno EINVAL when an array lies there that MAi allocated or that is static
 */
int mai_array_make_room(uintptr_t begin, uintptr_t end);

/**
 * Apply the plan to memory that may have contents and that other threads may use meanwhile: pages
 * that are not in memory come to their node at first touch, the others are moved one by one.
 *
 * @return as mai_array_replace()
 */
int mai_array_follow(struct mai_array *array, struct mai_moves *moves);

/**
 * Place an array that may have contents by another policy, while it is held; what does not fit the
 * array, or the machine, leaves it as it is.
 *
 * @param policy NULL: the array's own
 * @param in_use other threads may access the array meanwhile: pages are moved one by one
 * @return 0, or -1 with errno as mai_replace()
 */
int mai_array_place_anew(struct mai_array *array, const mai_policy_t *policy, bool in_use,
                         struct mai_moves *moves);

/** How placements of this array are to be applied. */
struct mai_placing mai_array_placing(const struct mai_array *array);

/** What an array is to be. */
struct mai_array_request {
  struct mai_shape shape; /**< without its start */
  const mai_policy_t *policy;
  mai_options_t options;
  const char *name; /**< NULL: by its address */
  bool is_copy;     /**< of an array: the policy is not the user's to choose */
};

/** A new, placed array of zeroes that is in no registry yet. Errors as mai_alloc(). */
struct mai_array *mai_array_allocate(const struct mai_array_request *request);

/** mai_place() by a policy as a value. */
int mai_array_adopt(void *memory, size_t count, size_t size, const mai_policy_t *policy,
                    const char *name);

/** The shape of `count` units of `size` bytes.
 *  @return 0, or -1 with errno EINVAL (one is 0) or EOVERFLOW */
int mai_shape_of_units(size_t count, size_t size, struct mai_shape *shape);

#endif /* MAI_ARRAYS_H */
