/*===-- mapping_test.c - tables of which thread belongs where ----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Each row gives a machine as hwloc describes it, the size of a team and the mapping, worked out by
 * hand.  CPUs are OS indices, which here go by threads of cores first, as on many servers, or not.
 */
#include "mapping.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

struct row {
  const char *machine;
  unsigned threads;
  const char *compact;
};

/* Two packages of two cores of two CPUs; the second CPUs of the cores have the OS indices 4 to 7.
 */
#define SERVER "pack:2 [numa] core:2 pu:2(indexes=0,4,1,5,2,6,3,7)"

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
  if (!machine || mai_mapping_compact(machine, row->threads, &compact) != 0 ||
      mai_mapping_all(machine, &all) != 0) {
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

int main(void) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    check_row(&rows[i]);
  printf("%d failures\n", failures);
  return failures != 0;
}
