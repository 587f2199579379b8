/*===-- omp_place_list.c - OMP_PLACES, and who is where ---------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "omp_place_list.h"

#include <ctype.h>
#include <stddef.h>

/*===-- Reading ------------------------------------------------------------===*/

static const char *skip_spaces(const char *at) {
  while (isspace((unsigned char)*at))
    at++;
  return at;
}

static bool skip(const char **at, char expected) {
  *at = skip_spaces(*at);
  if (**at != expected)
    return false;
  *at = skip_spaces(*at + 1);
  return true;
}

/* @return false where there is none, or one that is no CPU's */
static bool read_number(const char **at, long *number) {
  bool is_negative = skip(at, '-');
  if (!isdigit((unsigned char)**at))
    return false;
  for (*number = 0; isdigit((unsigned char)**at); (*at)++) {
    *number = *number * 10 + (**at - '0');
    if (*number > (long)MAI_AFFINITY_CPUS)
      return false;
  }
  if (is_negative)
    *number = -*number;
  *at = skip_spaces(*at);
  return true;
}

/* How often something is there, and how far apart. */
struct interval {
  long count;
  long stride;
};

static bool read_interval(const char **at, struct interval *interval) {
  *interval = (struct interval){1, 1};
  if (!skip(at, ':'))
    return true;
  return read_number(at, &interval->count) && interval->count > 0 &&
         (!skip(at, ':') || read_number(at, &interval->stride));
}

static void add(struct mai_cpu_mask *place, long cpu, const struct mai_cpu_mask *usable) {
  if (cpu >= 0 && mai_cpu_mask_has(usable, (uint32_t)cpu))
    mai_cpu_mask_add(place, (uint32_t)cpu);
}

/* The CPUs of {...}, moved by `shift`. */
static bool read_place(const char **at, long shift, const struct mai_cpu_mask *usable,
                       struct mai_cpu_mask *place) {
  *place = (struct mai_cpu_mask){0};
  if (!skip(at, '{'))
    return false;
  do {
    long first;
    struct interval cpus;
    if (!read_number(at, &first) || !read_interval(at, &cpus))
      return false;
    for (long i = 0; i < cpus.count; i++)
      add(place, first + shift + i * cpus.stride, usable);
  } while (skip(at, ','));
  return skip(at, '}');
}

bool mai_omp_place_list_read(const char *text, const struct mai_cpu_mask *usable,
                             bool (*visit)(const struct mai_cpu_mask *place, void *context),
                             void *context) {
  do {
    const char *end = text;
    struct mai_cpu_mask place;
    struct interval places;
    if (!read_place(&end, 0, usable, &place) || !read_interval(&end, &places))
      return false;
    for (long i = 0; i < places.count; i++) {
      const char *again = text;
      read_place(&again, i * places.stride, usable, &place);
      if (mai_cpu_mask_count(&place) && !visit(&place, context))
        return true;
    }
    text = end;
  } while (skip(&text, ','));
  return !*text;
}

/*===-- Who is where -------------------------------------------------------===*/

/* Of more threads than places.  libgomp has those that are over on the first places, libomp on
   places that are equally far apart. */
static unsigned place_of_many(unsigned thread, const struct mai_omp_team *team) {
  unsigned each = team->threads / team->places;
  unsigned over = team->threads % team->places;
  if (!team->is_llvm)
    return thread < each * team->places ? thread / each : thread - each * team->places;
  unsigned gap = over ? team->places / over : 1;
  unsigned place = 0;
  for (unsigned first = 0;; place++) {
    first += each + (place % gap == 0 && place / gap < over);
    if (thread < first)
      return place;
  }
}

/* Of parts of the places, which begin with it. */
static unsigned place_apart(unsigned thread, const struct mai_omp_team *team) {
  uint64_t places = team->places;
  if (team->is_llvm)
    return (unsigned)(thread * (places + 1) / team->threads);
  unsigned longer = team->places % team->threads;
  return thread * (team->places / team->threads) + (thread < longer ? thread : longer);
}

unsigned mai_omp_place_of(unsigned thread, const struct mai_omp_team *team) {
  if (team->bind == MAI_OMP_PRIMARY)
    return 0;
  if (team->threads > team->places)
    return place_of_many(thread, team);
  return team->bind == MAI_OMP_SPREAD ? place_apart(thread, team) : thread;
}
