/*===-- adopt.c - places memory that the program allocated ------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include <errno.h>

#include "arrays.h"
#include "mai/process/call.h"
#include "runtime/fail.h"
#include "lifetime.h"
#include "next_touch.h"
#include "mai.h"
#include "mai/memory/memory.h"
#include "policy.h"

int mai_array_take_over(struct mai_array *array, struct mai_moves *moves) {
  const struct mai_placement *placement = &array->placement;
  uintptr_t end = placement->start + placement->pages * placement->page_size;
  struct mai_memory_kind kind = {.replaceable = true};
  if (placement->pages == 0 || !mai_machine_places(mai_machine()))
    return mai_array_place(array);
  if (!mai_array_is_of_heap(array))
    kind = mai_memory_kind(placement->start, end);
  if (!kind.replaceable)
    return fail(EACCES);
  return mai_array_replace(array, kind.from_file, moves);
}

int mai_array_make_room(uintptr_t begin, uintptr_t end) {
  struct mai_array *array;
  while (begin < end && (array = mai_lifetime_hold_in(begin, end, MAI_TO_CHANGE))) {
    bool ours = array->origin == MAI_ALLOCATED || array->origin == MAI_IN_PLACE;
    begin = mai_array_end(array);
    if (!ours)
      mai_array_end_next_touch(array);
    mai_registry_release(array);
    if (ours)
      return fail(EINVAL);
  }
  return 0;
}

/* @return 0, and then the array belongs to the registry; or -1 with errno */
static int adopt(struct mai_array *array, const mai_policy_t *policy) {
  struct mai_moves moves = {0};
  uintptr_t start = array->shape.start;
  if (mai_array_make_room(start, start + array->shape.bytes) != 0 ||
      mai_array_choose(array, policy) != 0 || mai_array_take_over(array, &moves) != 0)
    return -1;
  mai_lifetime_begin_in_place(array);
  return 0;
}

static struct mai_array *describe(void *memory, const struct mai_shape *shape, const char *name) {
  const struct mai_machine *machine = mai_machine();
  struct mai_array *array = machine ? mai_array_new(name, memory) : NULL;
  if (!array)
    return NULL;
  array->origin = MAI_ADOPTED;
  array->shape = *shape;
  array->shape.start = (uintptr_t)memory;
  array->pages = (struct mai_page_sizes){machine->page_size, machine->huge_page_size};
  return array;
}

int mai_array_adopt(void *memory, size_t count, size_t size, const mai_policy_t *policy,
                    const char *name) {
  struct mai_shape shape;
  if (mai_shape_of_units(count, size, &shape) != 0)
    return -1;
  if (shape.bytes > UINTPTR_MAX - (uintptr_t)memory)
    return fail(EOVERFLOW);
  struct mai_array *array = describe(memory, &shape, name);
  if (!array)
    return -1;
  int result = adopt(array, policy);
  int error = errno;
  if (result != 0)
    mai_array_delete(array);
  errno = error;
  return result;
}

int mai_place(void *memory, size_t count, size_t size, const char *policy, const char *name) {
  MAI_CALL;
  mai_policy_t asked;
  if (!memory)
    return fail(EINVAL);
  if (mai_policy_take(policy, &asked) != 0)
    return -1;
  int result = mai_array_adopt(memory, count, size, &asked, name);
  mai_policy_release(&asked);
  return result;
}

int mai_forget(void *memory) {
  MAI_CALL;
  struct mai_array *array = mai_registry_hold(memory);
  if (!array)
    return -1;
  if (array->origin != MAI_ADOPTED) {
    mai_registry_release(array);
    return fail(EINVAL);
  }
  mai_registry_remove(array);
  mai_lifetime_end_array(array);
  return 0;
}
