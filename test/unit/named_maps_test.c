/*===-- named_maps_test.c - tables of which thread belongs where ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Each row gives a machine as hwloc describes it, the size of a team and the map, worked out by
 * hand.  CPUs are OS indices, which here go by threads of cores first, as on many servers, or not.
 */
#include "mai/maps/named_maps.h"
#include "mai/maps/sharing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

struct row {
  const char *machine;
  unsigned threads;
  const char *compact;
};

/* Named maps that do not depend on the size of the team. */
struct named_row {
  const char *machine;
  enum mai_named_map map;
  const char *cpus;
};

/* Two packages of two cores of two CPUs; the second CPUs of the cores have the OS indices 4 to 7.
 */
#define SERVER "pack:2 [numa(memory=1GB)] core:2 pu:2(indexes=0,4,1,5,2,6,3,7)"

static const struct row rows[] = {
    {"numa:1 core:1 pu:1", 1, "0"},
    {"numa:1 core:1 pu:1", 8, "0"},
    {"numa:2 core:2 pu:1", 2, "0 1 2 3"},
    {"numa:2 core:2 pu:1", 4, "0 1 2 3"},
    {SERVER, 1, "0 1 2 3 4 5 6 7"},
    {SERVER, 2, "0 1 2 3 4 5 6 7"},
    {SERVER, 4, "0 1 2 3 4 5 6 7"},
    {SERVER, 5, "0 4 1 2 3 5 6 7"},
    {SERVER, 6, "0 4 1 5 2 3 6 7"},
    {SERVER, 8, "0 4 1 5 2 6 3 7"},
    {SERVER, 100, "0 4 1 5 2 6 3 7"},
    {"numa:2 core:2 pu:2", 3, "0 2 4 6 1 3 5 7"},
    {"numa:1 core:2 pu:4", 3, "0 1 4 5 2 6 3 7"},
};

/* Two packages of two nodes of two caches of two cores. */
#define DEEP "pack:2 numa:2 l3:2 core:2 pu:1"

static const struct named_row named_rows[] = {
    {"numa:1 core:1 pu:1", MAI_NAMED_MAP_SCATTER, "0"},
    {SERVER, MAI_NAMED_MAP_SCATTER, "0 2 1 3 4 6 5 7"},
    {SERVER, MAI_NAMED_MAP_PER_NODE, "0 2 1 3 4 6 5 7"},
    {DEEP, MAI_NAMED_MAP_SCATTER, "0 8 4 12 2 10 6 14 1 9 5 13 3 11 7 15"},
    {DEEP, MAI_NAMED_MAP_PER_CACHE, "0 2 4 6 8 10 12 14 1 3 5 7 9 11 13 15"},
    {DEEP, MAI_NAMED_MAP_PER_NODE, "0 4 8 12 1 5 9 13 2 6 10 14 3 7 11 15"},
    /* Without caches that are shared, a core is its own. */
    {"numa:2 core:3 pu:1", MAI_NAMED_MAP_PER_CACHE, "0 1 2 3 4 5"},
    {"numa:2 core:3 pu:1", MAI_NAMED_MAP_SCATTER, "0 3 1 4 2 5"},
};

/* Beside other programs: each CPU in the order of the topology is free ('.'), wanted ('w') or used ('u')
   by others. */
struct shared_row {
  const char *machine;
  enum mai_named_map map;
  unsigned threads;
  const char *uses;
  const char *cpus;
};

static const struct shared_row shared_rows[] = {
    /* Each of two programs of four threads on eight CPUs has four of its own. */
    {"numa:1 core:8 pu:1", MAI_NAMED_MAP_COMPACT, 4, "........", "0 1 2 3 4 5 6 7"},
    {"numa:1 core:8 pu:1", MAI_NAMED_MAP_COMPACT, 4, "uuuu....", "4 5 6 7 0 1 2 3"},
    {"numa:1 core:8 pu:1", MAI_NAMED_MAP_COMPACT, 4, "u.u.u.u.", "1 3 5 7 0 2 4 6"},
    /* One node, be there a CPU before it; a cache that is nobody's, be there one before it. */
    {"numa:2 core:4 pu:1", MAI_NAMED_MAP_COMPACT, 4, "u.......", "4 5 6 7 0 1 2 3"},
    {"numa:2 core:4 pu:1", MAI_NAMED_MAP_COMPACT, 5, "u.......", "1 2 3 4 5 0 6 7"},
    {DEEP, MAI_NAMED_MAP_COMPACT, 2, "................", "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15"},
    {DEEP, MAI_NAMED_MAP_COMPACT, 1, "u...............", "2 0 1 3 4 5 6 7 8 9 10 11 12 13 14 15"},
    {DEEP, MAI_NAMED_MAP_COMPACT, 3, "u...............", "4 5 6 0 1 2 3 7 8 9 10 11 12 13 14 15"},
    {DEEP, MAI_NAMED_MAP_COMPACT, 2, "u.u.uuuuu.uuuuuu", "1 3 0 2 4 5 6 7 8 9 10 11 12 13 14 15"},
    /* Within a node, caches that are nobody's before others. */
    {"numa:1 l3:3 core:2 pu:1", MAI_NAMED_MAP_COMPACT, 4, "u.....", "2 3 4 5 0 1"},
    {"numa:1 l3:3 core:2 pu:1", MAI_NAMED_MAP_COMPACT, 3, ".u....", "2 3 4 0 1 5"},
    /* Whole cores before parts of them, and a part before what others want. */
    {SERVER, MAI_NAMED_MAP_COMPACT, 2, "u.......", "2 3 0 1 4 5 6 7"},
    {SERVER, MAI_NAMED_MAP_COMPACT, 3, "u.......", "1 2 3 0 4 5 6 7"},
    {SERVER, MAI_NAMED_MAP_COMPACT, 4, "u.......", "1 5 2 3 0 4 6 7"},
    {SERVER, MAI_NAMED_MAP_COMPACT, 2, "u.u.u.u.", "4 5 0 1 2 3 6 7"},
    {SERVER, MAI_NAMED_MAP_COMPACT, 3, "u.u.u...", "4 3 7 0 1 2 5 6"},
    {SERVER, MAI_NAMED_MAP_COMPACT, 1, "u.wwuuuu", "4 0 1 2 3 5 6 7"},
    {SERVER, MAI_NAMED_MAP_COMPACT, 2, "u.wwwwuu", "1 2 0 3 4 5 6 7"},
    /* Short of CPUs: the others where most CPUs are not in use. */
    {"numa:2 core:4 pu:1", MAI_NAMED_MAP_COMPACT, 2, "uuuuuuuu", "0 4 1 2 3 5 6 7"},
    {"numa:2 core:4 pu:1", MAI_NAMED_MAP_COMPACT, 4, "uuuuuu..", "0 4 6 7 1 2 3 5"},
    {"numa:2 core:4 pu:1", MAI_NAMED_MAP_COMPACT, 8, "uuuu....", "0 1 2 3 4 5 6 7"},
    /* Other named maps leave out what others have. */
    {DEEP, MAI_NAMED_MAP_PER_NODE, 4, "................", "0 4 8 12 1 5 9 13 2 6 10 14 3 7 11 15"},
    {DEEP, MAI_NAMED_MAP_PER_NODE, 4, "u...w...........", "8 12 1 5 0 4 9 13 2 6 10 14 3 7 11 15"},
};

static void write_list(const struct mai_cpu_list *list, char *text, size_t size) {
  size_t used = 0;
  text[0] = '\0';
  for (uint32_t i = 0; i < list->count && used < size; i++)
    used += (size_t)snprintf(text + used, size - used, "%s%u", i ? " " : "", list->cpus[i]);
}

static void check(const char *what, const struct row *row, const struct mai_cpu_list *list,
                  const char *expected) {
  char found[256];
  write_list(list, found, sizeof found);
  if (strcmp(found, expected) != 0) {
    printf("%s of %s for %u threads: expected %s, found %s\n", what, row->machine, row->threads,
           expected, found);
    failures++;
  }
}

static void check_row(const struct row *row) {
  struct mai_cpu_list compact;
  struct mai_cpu_list all;
  setenv("HWLOC_SYNTHETIC", row->machine, 1);
  numarch_t *machine = numarch_open(0);
  if (!machine || mai_named_map_make(machine, MAI_NAMED_MAP_COMPACT, row->threads, &compact) != 0 ||
      mai_cpu_list_all(machine, &all) != 0) {
    printf("%s: not read\n", row->machine);
    exit(1);
  }
  check("compact", row, &compact, row->compact);
  for (uint32_t i = 0; i < all.count; i++)
    if (all.cpus[i] != i || mai_cpu_list_find(&all, i) != &all.cpus[i])
      check("all", row, &all, "0 1 2 ...");
  if (mai_cpu_list_find(&all, all.count))
    check("all", row, &all, "no more");
  mai_cpu_list_free(&compact);
  mai_cpu_list_free(&all);
  numarch_close(machine);
}

static void check_named_row(const struct named_row *row) {
  const struct row described = {row->machine, 0, NULL};
  struct mai_cpu_list list;
  enum mai_named_map found;
  setenv("HWLOC_SYNTHETIC", row->machine, 1);
  numarch_t *machine = numarch_open(0);
  if (!machine || mai_named_map_make(machine, row->map, 0, &list) != 0 ||
      !mai_named_map_by_name(mai_named_map_name(row->map), &found) || found != row->map) {
    printf("%s: not read\n", row->machine);
    exit(1);
  }
  check(mai_named_map_name(row->map), &described, &list, row->cpus);
  mai_cpu_list_free(&list);
  numarch_close(machine);
}

static void check_shared_row(const struct shared_row *row) {
  const struct row described = {row->machine, row->threads, NULL};
  uint8_t uses[64];
  struct mai_cpu_list list;
  setenv("HWLOC_SYNTHETIC", row->machine, 1);
  numarch_t *machine = numarch_open(0);
  for (size_t i = 0; row->uses[i]; i++)
    uses[i] = row->uses[i] == '.'   ? MAI_CPU_FREE
              : row->uses[i] == 'w' ? MAI_CPU_WANTED
                                    : MAI_CPU_USED;
  if (!machine || mai_named_map_make(machine, row->map, row->threads, &list) != 0 ||
      mai_named_map_share(machine, row->map, row->threads, uses, &list) != 0) {
    printf("%s: not read\n", row->machine);
    exit(1);
  }
  check(row->uses, &described, &list, row->cpus);
  mai_cpu_list_free(&list);
  numarch_close(machine);
}

int main(void) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    check_row(&rows[i]);
  for (size_t i = 0; i < sizeof named_rows / sizeof *named_rows; i++)
    check_named_row(&named_rows[i]);
  for (size_t i = 0; i < sizeof shared_rows / sizeof *shared_rows; i++)
    check_shared_row(&shared_rows[i]);
  printf("%d failures\n", failures);
  return failures != 0;
}
