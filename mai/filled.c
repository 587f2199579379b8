/*===-- filled.c - arrays that are divided once they are filled --*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * What is in an array tells how far it is filled; which pages have been touched does not, as a huge
 * page reaches beyond.  Pages that nobody has touched are not looked into: that would bring them
 * in.
 */
#include "filled.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/single_threaded.h>

#include "arrays.h"
#include "kernel.h"
#include "mai.h"
#include "message.h"
#include "place.h"
#include "registry.h"
#include "settled.h"

enum { MOST_TRIES = 16, BATCH = 1024 };

/* How many arrays wait; freed ones may be counted still. */
static atomic_uint waiting;

void mai_filled_later(void) {
  atomic_fetch_add(&waiting, 1);
  mai_settled_change();
}

/* The end of what is not zero in [start, end); `start` where all is. */
static uintptr_t end_of_contents(uintptr_t start, uintptr_t end) {
  const char *bytes = (const char *)start;
  size_t count = end - start;
  if (bytes[0] == 0 && memcmp(bytes, bytes + 1, count - 1) == 0)
    return start;
  while (bytes[count - 1] == 0)
    count--;
  return start + count;
}

/* How many bytes from its start on hold everything that is in an array. */
static size_t filled_bytes(const struct mai_array *array) {
  int nodes[BATCH];
  size_t size = array->pages.page;
  uintptr_t first = array->shape.start;
  uintptr_t end = first + array->shape.bytes;
  uintptr_t base = first / size * size;
  size_t pages = (end - base + size - 1) / size;
  while (pages > 0) {
    size_t batch = (pages - 1) % BATCH + 1;
    if (mai_kernel_where(base + (pages - batch) * size, size, batch, nodes) != 0)
      return array->shape.bytes;
    for (; batch > 0; batch--, pages--) {
      uintptr_t page = base + (pages - 1) * size;
      uintptr_t from = page > first ? page : first;
      uintptr_t to = page + size < end ? page + size : end;
      uintptr_t last = nodes[batch - 1] == MAI_PAGE_UNTOUCHED ? from : end_of_contents(from, to);
      if (last > from)
        return last - first;
    }
  }
  return 0;
}

static void divide(struct mai_array *array, size_t bytes) {
  struct mai_moves moves = {0};
  mai_policy_t policy = array->policy;
  size_t rows = mai_shape_extent(&array->shape, 0);
  size_t filled = (bytes + array->shape.strides[0] - 1) / array->shape.strides[0];
  policy.flags &= ~MAI_FILLED;
  if (policy.count == 0 && filled >= rows / 2 && filled < rows && filled > policy.first)
    policy.count = filled - policy.first;
  if (mai_array_place_anew(array, &policy, !__libc_single_threaded, &moves) == 0)
    return;
  array->error = errno;
  array->policy.flags &= ~MAI_FILLED; /* no other try */
  mai_message("array '%s' is not divided: %s", array->name, strerror(errno));
}

/* While the registry is locked. @return how many arrays wait on */
static unsigned divide_filled(bool is_last_try) {
  unsigned left = 0;
  for (size_t i = 0; mai_registry_at(i); i++) {
    struct mai_array *array = mai_registry_at(i);
    if (!(array->policy.flags & MAI_FILLED) || array->replicas)
      continue;
    size_t bytes = filled_bytes(array);
    if (bytes || is_last_try)
      divide(array, bytes);
    else
      left++;
  }
  return left;
}

bool mai_filled_divide(const struct mai_openmp *openmp) {
  static unsigned tries; /* of the first thread, as all that follows */
  unsigned before = atomic_load_explicit(&waiting, memory_order_relaxed);
  if (!before)
    return false;
  /* The run-time is asked for the size of teams while the registry is locked, too. */
  if (openmp->get_level() > 0 || !mai_place_is_first_thread() || !mai_registry_try_lock())
    return true;
  unsigned left = divide_filled(++tries >= MOST_TRIES);
  mai_registry_unlock();
  return atomic_fetch_sub(&waiting, before - left) > before - left;
}
