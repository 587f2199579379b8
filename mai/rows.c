/*===-- rows.c - where each thread's rows begin -----------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "rows.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fail.h"
#include "filled.h"
#include "kernel.h"
#include "threads.h"

/*===-- Row pointers -------------------------------------------------------===*/

static uint64_t entry(const struct mai_rows *rows, size_t index) {
  const char *at = (const char *)rows->pointers + index * rows->size;
  uint32_t narrow;
  uint64_t wide;
  if (rows->size == sizeof narrow) {
    memcpy(&narrow, at, sizeof narrow);
    return narrow;
  }
  memcpy(&wide, at, sizeof wide);
  return wide;
}

/* The entry that ends the last row; where it is left out, that which begins it. */
static size_t last_entry(const struct mai_rows *rows) {
  size_t end = rows->first + rows->count;
  return end < rows->entries ? end : end - 1;
}

/* Whether the entries up to `last` ascend to at most `most`. */
static bool ascend(const struct mai_rows *rows, size_t last, uint64_t most) {
  uint64_t before = 0;
  for (size_t i = 0; i <= last; i++) {
    uint64_t now = entry(rows, i);
    if (now < before || now > most)
      return false;
    before = now;
  }
  return true;
}

/* The unit that an entry points to, no further than the array's end: some programs count from 1. */
static size_t unit_at(const struct mai_rows *rows, size_t index, size_t all) {
  size_t unit = (size_t)entry(rows, index) * rows->units;
  return unit < all ? unit : all;
}

int mai_rows_bounds(const struct mai_rows *rows, size_t all, size_t used, size_t parts,
                    unsigned long *bounds) {
  if (rows->count == 0 || rows->first >= rows->entries || rows->count > rows->entries - rows->first)
    return fail(EINVAL);
  size_t last = last_entry(rows);
  if (!ascend(rows, last, all / rows->units + 1))
    return fail(EINVAL);
  for (size_t part = 0; part <= parts; part++) {
    size_t row = rows->first + mai_share_begin(rows->count, parts, part);
    bounds[part] = unit_at(rows, row < last ? row : last, all);
  }
  bool reaches = bounds[parts] > bounds[0] && bounds[parts] >= used / 2;
  return reaches ? 0 : fail(EINVAL);
}

/*===-- Finding them -------------------------------------------------------===*/

static bool is_list_of_numbers(const struct mai_array *array) {
  size_t size = array->shape.strides[0];
  return array->shape.dimensions == 1 && (size == sizeof(uint32_t) || size == sizeof(uint64_t)) &&
         array->policy.kind != MAI_POLICY_NEXT_TOUCH; /* which is not to be read now */
}

/* With the rows that the policy names, or as many as the pointers that hold something. */
static struct mai_rows rows_of(const struct mai_array *pointers, const mai_policy_t *policy) {
  size_t size = pointers->shape.strides[0];
  struct mai_rows rows = {.pointers = (const void *)pointers->shape.start,
                          .entries = (mai_filled_bytes(pointers) + size - 1) / size,
                          .size = size,
                          .first = policy->first,
                          .count = policy->count,
                          .units = policy->value ? policy->value : 1};
  if (rows.count == 0 && rows.entries > rows.first)
    rows.count = rows.entries - rows.first - 1;
  return rows;
}

static size_t units_of(const struct mai_array *array) { return mai_shape_extent(&array->shape, 0); }

/* The best of those with the policy's name. @return 0, or -1 with errno EAGAIN */
static int find(const struct mai_array *array, size_t used, struct mai_rows *best) {
  unsigned long furthest = 0;
  for (size_t i = 0; mai_registry_at(i); i++) {
    const struct mai_array *pointers = mai_registry_at(i);
    unsigned long ends[2];
    if (strcmp(pointers->name, array->policy.along) != 0 || !is_list_of_numbers(pointers))
      continue;
    struct mai_rows rows = rows_of(pointers, &array->policy);
    if (mai_rows_bounds(&rows, units_of(array), used, 1, ends) != 0 || ends[1] <= furthest)
      continue;
    furthest = ends[1];
    *best = rows;
  }
  return furthest ? 0 : fail(EAGAIN);
}

/*===-- Sharing ------------------------------------------------------------===*/

/* From ends to lengths, none of which is too large for a share. */
static void set_shares(const unsigned long *bounds, size_t parts, unsigned long *shares) {
  unsigned shift = 0;
  while ((bounds[parts] - bounds[0]) >> shift > UINT32_MAX)
    shift++;
  for (size_t part = 0; part < parts; part++)
    shares[part] = (bounds[part + 1] >> shift) - (bounds[part] >> shift);
}

/* `bounds` and `shares` have a place for each part, and one more. */
static int divide(const struct mai_array *array, const struct mai_rows *rows, size_t parts,
                  unsigned long *bounds, struct mai_rows_shares *shares) {
  if (mai_rows_bounds(rows, units_of(array), 0, parts, bounds) != 0)
    return fail(EAGAIN);
  set_shares(bounds, parts, shares->shares);
  mai_policy_t *policy = &shares->policy;
  *policy = array->policy;
  policy->flags &= ~MAI_FILLED;
  policy->along = NULL;
  policy->first = bounds[0];
  policy->count = bounds[parts] - bounds[0];
  policy->value = 0;
  policy->share_count = (unsigned)parts;
  policy->shares = shares->shares;
  return 0;
}

int mai_rows_share(const struct mai_array *array, size_t used, struct mai_rows_shares *shares) {
  struct mai_rows rows;
  size_t parts = array->policy.threads ? array->policy.threads : mai_threads_team_size();
  parts = parts < MAI_MOST_NODES ? parts : MAI_MOST_NODES;
  if (!array->policy.along || find(array, used, &rows) != 0)
    return fail(EAGAIN);
  unsigned long *bounds = calloc(parts + 1, sizeof *bounds);
  shares->shares = calloc(parts, sizeof *shares->shares);
  int result = bounds && shares->shares ? divide(array, &rows, parts, bounds, shares) : -1;
  int error = errno;
  free(bounds);
  if (result != 0)
    mai_rows_free(shares);
  return result == 0 ? 0 : fail(error);
}

void mai_rows_free(struct mai_rows_shares *shares) {
  free(shares->shares);
  shares->shares = NULL;
}
