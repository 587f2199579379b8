/*===-- rows.c - where each thread's rows begin -----------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "rows.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "runtime/fail.h"
#include "contents.h"
#include "lifetime.h"
#include "runtime/heap.h"
#include "runtime/own_memory.h"
#include "runtime/system.h"
#include "mai/threads/threads.h"

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

static size_t units_of(const struct mai_array *array) { return mai_shape_extent(&array->shape, 0); }

enum { MOST_OF_ANY_NAME = 128, TRIES_OF_ANY_NAME = 4, MOST_TRIES = 16 };

static bool is_any(const char *name) { return strcmp(name, "*") == 0; }

unsigned mai_rows_tries(const mai_policy_t *policy) {
  return policy->along && is_any(policy->along) ? TRIES_OF_ANY_NAME : MOST_TRIES;
}

/* Not one that waits for row pointers itself: two arrays could wait for each other.  Of a block of
   the heap only the bytes are known. */
static bool is_list_of_numbers(const struct mai_array *array, const char *name) {
  size_t size = array->shape.strides[0];
  return array->shape.dimensions == 1 &&
         (size == sizeof(uint32_t) || size == sizeof(uint64_t) || (size == 1 && is_any(name))) &&
         !array->policy.along &&
         array->policy.kind != MAI_POLICY_NEXT_TOUCH; /* which is not to be read now */
}

/* A copy of the entries that hold something; NULL when they cannot be read. */
static void *copy_entries(const struct mai_array *pointers, size_t entries, size_t size) {
  void *copy = minas_alloc_list(entries, size);
  int memory = minas_own_memory_open();
  bool read = copy && memory >= 0 &&
              minas_own_memory_read(memory, pointers->shape.start, copy, entries * size);
  if (memory >= 0)
    minas_close(memory);
  if (read)
    return copy;
  minas_free(copy);
  return NULL;
}

/* The first and the last entry of so many bytes each; none where a page is untouched, which to read
   would populate. */
static bool read_ends(const struct mai_array *pointers, size_t size, uint64_t ends[2]) {
  size_t last = (pointers->shape.bytes / size - 1) * size;
  int memory = mai_contents_are_touched(pointers, last) ? minas_own_memory_open() : -1;
  if (memory < 0)
    return false;
  char both[2 * sizeof(uint64_t)];
  bool read = minas_own_memory_read(memory, pointers->shape.start, both, size) &&
              minas_own_memory_read(memory, pointers->shape.start + last, both + size, size);
  minas_close(memory);
  struct mai_rows rows = {.pointers = both, .size = size};
  for (size_t i = 0; read && i < 2; i++)
    ends[i] = entry(&rows, i);
  return read;
}

/* Of a block of the heap only the bytes are known. */
static bool may_have_entries(const struct mai_array *pointers, size_t size) {
  enum { LEAST_ROWS = 64 };
  const struct mai_shape *shape = &pointers->shape;
  return (shape->strides[0] == 1 || shape->strides[0] == size) && shape->bytes % size == 0 &&
         shape->bytes / size > LEAST_ROWS;
}

/* How many units of an array each entry counts, if entries end just where it ends, and begin with 0
   or, in Fortran, 1; else 0. */
static unsigned long units_by_ends(const uint64_t ends[2], size_t all) {
  enum { MOST_UNITS = 64 };
  if (ends[0] > 1 || ends[1] <= ends[0])
    return 0;
  uint64_t counted = ends[1] - ends[0];
  return all % counted == 0 && all / counted <= MOST_UNITS ? all / counted : 0;
}

static bool are_addresses(const uint64_t ends[2], const struct mai_array *array) {
  return ends[0] == array->shape.start && ends[1] > ends[0] && ends[1] <= mai_array_end(array);
}

/* What entries tell of an array. */
struct meaning {
  size_t size;         /* bytes of an entry; 0: nothing */
  unsigned long units; /* of the array, that an entry counts */
  bool are_addresses;
};

/* What has no name that is known is taken for row pointers if it points into the array, or ends
   just where the array does. */
static struct meaning recognise(const struct mai_array *pointers, const struct mai_array *array) {
  for (size_t size = sizeof(uint64_t); size >= sizeof(uint32_t); size -= sizeof(uint32_t)) {
    uint64_t ends[2];
    if (!may_have_entries(pointers, size) || !read_ends(pointers, size, ends))
      continue;
    if (size == sizeof(uint64_t) && are_addresses(ends, array))
      return (struct meaning){size, 1, true};
    unsigned long units = units_by_ends(ends, units_of(array));
    if (units)
      return (struct meaning){size, units, false};
  }
  return (struct meaning){.size = 0};
}

/* From addresses to units of the array; those of other arrays become too large. */
static void count_units(uint64_t *entries, size_t count, const struct mai_array *array) {
  for (size_t i = 0; i < count; i++)
    entries[i] = (entries[i] - array->shape.start) / array->shape.strides[0];
}

/* With the rows that the array's policy names, or as many as the pointers that hold something.
   @param certain receives whether they can be of no other array
   @return a copy of the pointers, for the caller to free; NULL when they cannot be read */
static void *read_rows(const struct mai_array *from, const struct mai_array *array,
                       struct mai_rows *rows, bool *certain) {
  const mai_policy_t *policy = &array->policy;
  struct meaning meaning = {from->shape.strides[0], policy->value ? policy->value : 1, false};
  if (is_any(policy->along))
    meaning = recognise(from, array);
  if (meaning.size == 0)
    return NULL;
  size_t entries = (mai_contents_bytes(from) + meaning.size - 1) / meaning.size;
  void *pointers = copy_entries(from, entries, meaning.size);
  *rows = (struct mai_rows){.pointers = pointers,
                            .entries = entries,
                            .size = meaning.size,
                            .first = policy->first,
                            .count = policy->count,
                            .units = meaning.units};
  if (rows->count == 0 && entries > rows->first)
    rows->count = entries - rows->first - 1;
  if (pointers && meaning.are_addresses)
    count_units(pointers, entries, array);
  *certain = meaning.are_addresses;
  return pointers;
}

/* An array that is looked for: what the registry is asked while it is locked. */
struct wanted {
  const char *name;
  uintptr_t start; /* of the array that was looked at */
  uintptr_t end;
};

static bool has_name(const struct mai_array *array, void *context) {
  struct wanted *wanted = context;
  wanted->start = array->shape.start;
  wanted->end = mai_array_end(array);
  return (is_any(wanted->name) || strcmp(array->name, wanted->name) == 0) &&
         is_list_of_numbers(array, wanted->name);
}

/* Hold the first array from `begin` on that may hold the row pointers; NULL when there is none. */
static struct mai_array *hold_next(const char *name, uintptr_t begin) {
  struct wanted wanted = {.name = name, .end = begin};
  do {
    begin = wanted.end;
    bool found = mai_registry_look(begin, UINTPTR_MAX, has_name, &wanted);
    struct mai_array *array =
        found ? mai_lifetime_hold((const void *)wanted.start, MAI_TO_LOOK) : NULL;
    if (array && has_name(array, &wanted))
      return array;
    if (array)
      mai_registry_release(array);
  } while (wanted.end > begin);
  return NULL;
}

/* How far the row pointers reach in the array, ULONG_MAX for those that are certain; 0: they make
   no sense for it. */
static unsigned long reach(const struct mai_array *pointers, const struct mai_array *array,
                           size_t used) {
  unsigned long ends[2];
  struct mai_rows rows;
  bool certain;
  void *copy = read_rows(pointers, array, &rows, &certain);
  bool sensible = copy && mai_rows_bounds(&rows, units_of(array), used, 1, ends) == 0;
  minas_free(copy);
  if (!sensible)
    return 0;
  return certain ? ULONG_MAX : ends[1];
}

/*===-- Of several matrices ------------------------------------------------===*/

enum { MOST_MATRICES = 64 };

/* Of several arrays of a name each has its own row pointers, in the order in which they were made,
   but for the last ones, where there are not as many row pointers. */
struct order {
  const struct mai_array *of;
  uintptr_t end;                         /* of the array that was looked at */
  unsigned long all;                     /* others of its name */
  unsigned long older;                   /* of these */
  unsigned long pointers[MOST_MATRICES]; /* the numbers of the first row pointers, ascending */
  unsigned long known;
};

static void add_pointers(struct order *order, unsigned long number) {
  unsigned long at = order->known;
  while (at > 0 && order->pointers[at - 1] > number)
    at--;
  if (at == MOST_MATRICES)
    return;
  order->known += order->known < MOST_MATRICES;
  for (unsigned long i = order->known - 1; i > at; i--)
    order->pointers[i] = order->pointers[i - 1];
  order->pointers[at] = number;
}

static bool add_to_order(const struct mai_array *array, void *context) {
  struct order *order = context;
  const struct mai_array *of = order->of;
  order->end = mai_array_end(array);
  if (strcmp(array->name, of->policy.along) == 0 && is_list_of_numbers(array, array->name))
    add_pointers(order, array->number);
  if (array->number != of->number && strcmp(array->name, of->name) == 0) {
    order->all++;
    order->older += array->number < of->number;
  }
  return true;
}

static void find_order(struct order *order) {
  uintptr_t begin;
  do
    begin = order->end;
  while (mai_registry_look(begin, UINTPTR_MAX, add_to_order, order) && order->end > begin);
}

static bool belong_to_another(const struct mai_array *pointers, const struct order *order) {
  return order->all > 0 && order->all < MOST_MATRICES && order->older < order->known &&
         pointers->number != order->pointers[order->older];
}

/* Hold the best of those with the policy's name; NULL with errno EAGAIN.  Of any name not all are
   looked into, as programs have thousands of blocks, and their order says nothing. */
static struct mai_array *hold_best(const struct mai_array *array, size_t used) {
  bool any = is_any(array->policy.along);
  struct order order = {.of = array};
  if (!any)
    find_order(&order);
  unsigned left = any ? MOST_OF_ANY_NAME : UINT_MAX;
  unsigned long furthest = 0;
  uintptr_t best = 0, begin = 0;
  struct mai_array *pointers;
  while (left-- && (pointers = hold_next(array->policy.along, begin))) {
    unsigned long reached = belong_to_another(pointers, &order) ? 0 : reach(pointers, array, used);
    if (reached > furthest) {
      furthest = reached;
      best = pointers->shape.start;
    }
    begin = mai_array_end(pointers);
    mai_registry_release(pointers);
  }
  pointers = furthest ? mai_lifetime_hold((const void *)best, MAI_TO_LOOK) : NULL;
  if (!pointers)
    errno = EAGAIN;
  return pointers;
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

static int share_rows(const struct mai_array *array, const struct mai_rows *rows,
                      struct mai_rows_shares *shares) {
  size_t parts = array->policy.threads ? array->policy.threads : mai_threads_team_size();
  parts = parts < MAI_MOST_NODES ? parts : MAI_MOST_NODES;
  unsigned long *bounds = minas_alloc_list(parts + 1, sizeof *bounds);
  shares->shares = minas_alloc_list(parts, sizeof *shares->shares);
  int result = bounds && shares->shares ? divide(array, rows, parts, bounds, shares) : fail(ENOMEM);
  minas_free(bounds);
  if (result != 0)
    mai_rows_free(shares);
  return result;
}

static int share(const struct mai_array *array, const struct mai_array *pointers,
                 struct mai_rows_shares *shares) {
  struct mai_rows rows;
  bool certain;
  void *copy = read_rows(pointers, array, &rows, &certain);
  int result = copy ? share_rows(array, &rows, shares) : fail(EAGAIN);
  minas_free(copy);
  return result;
}

int mai_rows_share(const struct mai_array *array, size_t used, struct mai_rows_shares *shares) {
  struct mai_array *pointers = array->policy.along ? hold_best(array, used) : NULL;
  if (!pointers)
    return fail(EAGAIN);
  int result = share(array, pointers, shares);
  int error = errno;
  mai_registry_release(pointers);
  return result == 0 ? 0 : fail(error);
}

void mai_rows_free(struct mai_rows_shares *shares) {
  minas_free(shares->shares);
  shares->shares = NULL;
}
