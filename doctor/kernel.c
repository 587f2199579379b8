/*===-- kernel.c - the kernel's settings for memory ---------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "doctor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINE = 256 };

/* A number in a file; 0 where there is none. */
static long number_in(const struct doctor *doctor, const char *path) {
  char line[MOST_LINE];
  return doctor_read(doctor, path, line, sizeof line) ? strtol(line, NULL, 10) : 0;
}

/* The word in brackets of "always [madvise] never"; "" where there is none. */
static void chosen_word(const char *line, char *word, size_t size) {
  const char *begin = strchr(line, '[');
  size_t length = begin ? strcspn(begin + 1, "]") : 0;
  snprintf(word, size, "%.*s", (int)length, begin ? begin + 1 : "");
}

static void look_at_balancing(struct doctor *doctor) {
  long balancing = number_in(doctor, "/proc/sys/kernel/numa_balancing");
  if (balancing && !doctor->one_node)
    doctor_find(doctor, "numa-balancing",
                "as root: sysctl -w kernel.numa_balancing=0; what MAi has placed stays anyway",
                "the kernel balances by itself (kernel.numa_balancing=%ld): it moves pages that "
                "MAi has not placed, and takes time for it",
                balancing);
  long reclaim = number_in(doctor, "/proc/sys/vm/zone_reclaim_mode");
  if (reclaim && !doctor->one_node)
    doctor_find(doctor, "zone-reclaim", "as root: sysctl -w vm.zone_reclaim_mode=0",
                "a node that is full frees its own pages before it uses others' memory "
                "(vm.zone_reclaim_mode=%ld): programs wait then",
                reclaim);
  doctor_tell(doctor, "balancing", "%s; zone reclaim %s", balancing ? "on" : "off",
              reclaim ? "on" : "off");
}

static void look_at_huge_pages(struct doctor *doctor) {
  char line[MOST_LINE], word[MOST_LINE];
  bool known =
      doctor_read(doctor, "/sys/kernel/mm/transparent_hugepage/enabled", line, sizeof line);
  chosen_word(known ? line : "", word, sizeof word);
  doctor_tell(doctor, "huge pages", "%s", *word ? word : "not known");
  if (strcmp(word, "never") == 0)
    doctor_find(doctor, "no-huge-pages",
                "as root: echo madvise > /sys/kernel/mm/transparent_hugepage/enabled",
                "transparent huge pages are off: large arrays wait for address translation");
}

void doctor_look_at_kernel(struct doctor *doctor) {
  char release[MOST_LINE];
  bool contained = doctor_has(doctor, "/.dockerenv") || doctor_has(doctor, "/run/.containerenv");
  if (!doctor_read(doctor, "/proc/sys/kernel/osrelease", release, sizeof release))
    snprintf(release, sizeof release, "not known");
  doctor_tell(doctor, "kernel", "Linux %.100s%s", release, contained ? ", in a container" : "");
  look_at_balancing(doctor);
  look_at_huge_pages(doctor);
}
