/*===-- replicas.c - the copies of an array, and their end --*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "replicas.h"

#include <errno.h>
#include <sys/mman.h>

#include "mai/memory/budget.h"
#include "mai/memory/pool.h"
#include "next_touch.h"
#include "runtime/heap.h"

size_t mai_replicas_count(const struct mai_replicas *replicas) {
  return replicas ? replicas->count : 0;
}

const struct mai_placement *mai_replicas_placement(const struct mai_replicas *replicas,
                                                   size_t index) {
  return &replicas->copies[index].array->placement;
}

void mai_replicas_free(struct mai_replicas *replicas) {
  if (!replicas)
    return;
  for (size_t i = 0; i < replicas->count; i++)
    mai_array_discard(replicas->copies[i].array);
  minas_free(replicas);
}

void mai_array_discard(struct mai_array *array) {
  int error = errno;
  if (!array)
    return;
  mai_array_end_next_touch(array);
  mai_budget_change(array->pieces, 0);
  if (array->pool)
    mai_pool_give_back(array->pool, array->mapping, array->mapping_bytes, array->pieces);
  else if (array->mapping)
    munmap(array->mapping, array->mapping_bytes);
  mai_replicas_free(array->replicas);
  mai_array_delete(array);
  errno = error;
}
