/*===-- adopt.c - places memory that the program allocated ------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include <errno.h>

#include "fail.h"
#include "arrays.h"
#include "mai.h"
#include "memory.h"
#include "next_touch.h"
#include "report.h"

int mai_array_take_over(struct mai_array *array, struct mai_moves *moves) {
  const struct mai_placement *placement = &array->placement;
  uintptr_t end = placement->start + placement->pages * placement->page_size;
  if (placement->pages == 0 || !mai_machine_places(mai_machine()))
    return mai_array_place(array);
  struct mai_memory_kind kind = mai_memory_kind(placement->start, end);
  if (!kind.replaceable)
    return fail(EACCES);
  return mai_array_replace(array, kind.from_file, moves);
}

/* While the registry is locked. */
static int adopt(struct mai_array *array, const mai_policy_t *policy) {
  const struct mai_placement *placement = &array->placement;
  struct mai_moves moves = {0};
  uintptr_t start = array->shape.start;
  uintptr_t end = start + array->shape.bytes;
  if (mai_registry_check_adoptable(start, end) != 0 || mai_array_choose(array, policy) != 0)
    return -1;
  mai_next_touch_end(placement->start, placement->pages * placement->page_size, NULL);
  if (mai_array_take_over(array, &moves) != 0)
    return -1;
  mai_registry_forget(start, end);
  return mai_registry_add_locked(array);
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

int mai_place(void *memory, size_t count, size_t size, const mai_policy_t *policy,
              const char *name) {
  struct mai_shape shape;
  if (!memory || !policy)
    return fail(EINVAL);
  if (mai_shape_of_units(count, size, &shape) != 0)
    return -1;
  if (shape.bytes > UINTPTR_MAX - (uintptr_t)memory)
    return fail(EOVERFLOW);
  struct mai_array *array = describe(memory, &shape, name);
  if (!array)
    return -1;
  mai_registry_lock();
  int result = adopt(array, policy);
  mai_registry_unlock();
  int error = errno;
  if (result != 0)
    mai_array_delete(array);
  errno = error;
  return result;
}

int mai_forget(void *memory) {
  struct mai_array *array = mai_registry_take(memory, MAI_ADOPTED, mai_report_wanted());
  if (!array)
    return fail(EINVAL);
  const struct mai_placement *placement = &array->placement;
  mai_next_touch_end(placement->start, placement->pages * placement->page_size, NULL);
  mai_array_delete(array);
  return 0;
}
