/*===-- location.c - CPUs named by the objects they are in ------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "location.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "groups.h"
#include "runtime/heap.h"

enum { MOST_STEPS = 8 };

static const struct kind {
  const char *name;
  enum mai_group group;
} kinds[] = {{"package", MAI_GROUP_PACKAGE}, {"node", MAI_GROUP_NODE},  {"l4", MAI_GROUP_CACHE_4},
             {"l3", MAI_GROUP_CACHE_3},      {"l2", MAI_GROUP_CACHE_2}, {"l1", MAI_GROUP_CACHE_1},
             {"core", MAI_GROUP_CORE},       {"pu", MAI_GROUP_CPU}};

/* An object of the path, and where it stands. */
struct step {
  const struct kind *kind;
  const char *index_at;
  uint32_t first;
  uint32_t last;
  uint32_t stride;
};

struct location {
  struct mai_group_table *groups;
  const char *at;
  const char *end;
  uint32_t most;
  unsigned count;
  struct step steps[MOST_STEPS];
  struct mai_cpu_list *list;
  struct mai_location_error *error;
};

static int fail(struct location *location, const char *at, const char *expected) {
  location->error->at = at;
  snprintf(location->error->expected, sizeof location->error->expected, "%s", expected);
  return -1;
}

/*===-- Reading ------------------------------------------------------------===*/

bool mai_location_begins(char c) { return c >= 'a' && c <= 'z'; }

static bool accept(struct location *location, char c) {
  if (location->at == location->end || *location->at != c)
    return false;
  location->at++;
  return true;
}

static int parse_number(struct location *location, const char *expected, uint32_t *number) {
  const char *start = location->at;
  uint64_t value = 0;
  while (location->at < location->end && *location->at >= '0' && *location->at <= '9') {
    if (value < UINT32_MAX)
      value = 10 * value + (uint64_t)(*location->at - '0');
    location->at++;
  }
  *number = value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
  return location->at > start ? 0 : fail(location, start, expected);
}

static int parse_kind(struct location *location, struct step *step) {
  size_t left = (size_t)(location->end - location->at);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    size_t length = strlen(kinds[i].name);
    if (left > length && memcmp(location->at, kinds[i].name, length) == 0 &&
        location->at[length] == ':') {
      step->kind = &kinds[i];
      location->at += length + 1;
      return 0;
    }
  }
  return fail(location, location->at,
              location->count == 1 ? "a CPU number" : "package:, node:, l3:, core: or pu:");
}

static int parse_step(struct location *location) {
  if (location->count == MOST_STEPS)
    return fail(location, location->at, "fewer objects");
  struct step *step = &location->steps[location->count++];
  step->stride = 1;
  if (parse_kind(location, step) != 0)
    return -1;
  step->index_at = location->at;
  if (parse_number(location, "an index", &step->first) != 0)
    return -1;
  step->last = step->first;
  if (!accept(location, '-'))
    return 0;
  if (parse_number(location, "the last index of the range", &step->last) != 0)
    return -1;
  const char *stride_at = location->at + 1;
  if (accept(location, ':') &&
      (parse_number(location, "a stride of at least 1", &step->stride) ||
       (step->stride == 0 && fail(location, stride_at, "a stride of at least 1"))))
    return -1;
  return 0;
}

static int parse_path(struct location *location) {
  do
    if (parse_step(location) != 0)
      return -1;
  while (accept(location, '.'));
  return 0;
}

/*===-- Finding ------------------------------------------------------------===*/

/* CPUs by logical index, ascending. */
struct cpu_set {
  uint32_t *cpus;
  uint32_t count;
};

static bool is_first_of_group(const uint32_t *groups, const struct cpu_set *set,
                              uint32_t position) {
  uint32_t own = groups[set->cpus[position]];
  for (uint32_t i = position; i-- > 0;) /* the same group is mostly just before */
    if (groups[set->cpus[i]] == own)
      return false;
  return own != NUMARCH_NONE;
}

/* The group with number `index` among those of the set, in the order of the topology; NUMARCH_NONE
   when there are fewer, and `*count` receives how many. */
static uint32_t group_at(const uint32_t *groups, const struct cpu_set *set, uint32_t index,
                         uint32_t *count) {
  *count = 0;
  for (uint32_t i = 0; i < set->count; i++)
    if (is_first_of_group(groups, set, i) && (*count)++ == index)
      return groups[set->cpus[i]];
  return NUMARCH_NONE;
}

static const uint32_t *groups_of(struct location *location, enum mai_group kind) {
  const uint32_t *groups = mai_group_table_get(location->groups, kind);
  if (!groups)
    fail(location, location->at, strerrordesc_np(ENOMEM));
  return groups;
}

static int append(struct location *location, uint32_t cpu) {
  struct mai_cpu_list *list = location->list;
  if (list->count == location->most)
    return fail(location, location->at, "fewer CPUs");
  uint32_t *cpus = minas_resize(list->cpus, (list->count + 1) * sizeof *cpus);
  if (!cpus)
    return fail(location, location->at, strerrordesc_np(ENOMEM));
  list->cpus = cpus;
  list->cpus[list->count++] = numarch_get_cpu(location->groups->machine, cpu)->os_index;
  return 0;
}

static int append_first_of_cores(struct location *location, const struct cpu_set *set) {
  const uint32_t *cores = groups_of(location, MAI_GROUP_CORE);
  if (!cores)
    return -1;
  for (uint32_t i = 0; i < set->count; i++)
    if (is_first_of_group(cores, set, i) && append(location, set->cpus[i]) != 0)
      return -1;
  return 0;
}

static int expand(struct location *location, unsigned number, const struct cpu_set *set);

/* The CPUs of the set that are in group `wanted`, and what the rest of the path makes of them. */
static int descend(struct location *location, unsigned number, const uint32_t *groups,
                   const struct cpu_set *set, uint32_t wanted) {
  struct cpu_set inner = {minas_alloc_list(set->count, sizeof *inner.cpus), 0};
  if (!inner.cpus)
    return fail(location, location->at, strerrordesc_np(ENOMEM));
  for (uint32_t i = 0; i < set->count; i++)
    if (groups[set->cpus[i]] == wanted)
      inner.cpus[inner.count++] = set->cpus[i];
  int result = expand(location, number + 1, &inner);
  minas_free(inner.cpus);
  return result;
}

static int fail_missing(struct location *location, const struct step *step, uint32_t count) {
  char expected[80];
  if (count)
    snprintf(expected, sizeof expected, "%s: 0 to %u, which this process may use here",
             step->kind->name, count - 1);
  else
    snprintf(expected, sizeof expected, "another object: there is no %s here", step->kind->name);
  return fail(location, step->index_at, expected);
}

static int expand(struct location *location, unsigned number, const struct cpu_set *set) {
  if (number == location->count)
    return append_first_of_cores(location, set);
  const struct step *step = &location->steps[number];
  const uint32_t *groups = groups_of(location, step->kind->group);
  if (!groups)
    return -1;
  bool upwards = step->first <= step->last;
  uint32_t distance = upwards ? step->last - step->first : step->first - step->last;
  for (uint32_t offset = 0;; offset += step->stride) {
    uint32_t count;
    uint32_t index = upwards ? step->first + offset : step->first - offset;
    uint32_t group = group_at(groups, set, index, &count);
    if (group == NUMARCH_NONE)
      return fail_missing(location, step, count);
    if (descend(location, number, groups, set, group) != 0)
      return -1;
    if (distance - offset < step->stride)
      return 0;
  }
}

static int find_cpus(struct location *location) {
  struct cpu_set all = {NULL, numarch_cpu_count(location->groups->machine)};
  all.cpus = minas_alloc_list(all.count, sizeof *all.cpus);
  if (!all.cpus)
    return fail(location, location->at, strerrordesc_np(ENOMEM));
  for (uint32_t i = 0; i < all.count; i++)
    all.cpus[i] = i;
  int result = expand(location, 0, &all);
  minas_free(all.cpus);
  return result;
}

int mai_location_parse(struct mai_group_table *groups, const char **at, const char *end,
                       uint32_t most, struct mai_cpu_list *list, struct mai_location_error *error) {
  struct location location = {
      .groups = groups, .at = *at, .end = end, .most = most, .list = list, .error = error};
  *list = (struct mai_cpu_list){0};
  if (parse_path(&location) != 0 || find_cpus(&location) != 0) {
    mai_cpu_list_free(list);
    return -1;
  }
  *at = location.at;
  return 0;
}
