/*===-- look.c - where memory and threads of a process are --*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "look.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/folder.h"
#include "runtime/lines.h"

enum { MOST_PATH = 96, MOST_LINE = 1024, KIB = 1024 };

/*===-- Memory -------------------------------------------------------------===*/

/* A line of numa_maps: "7f... default anon=12 dirty=12 N0=4 N1=8 kernelpagesize_kB=4". Files that
   are mapped are not the program's to place. */
static void add_mapping(struct look *look, const char *line) {
  const char *unit = strstr(line, " kernelpagesize_kB=");
  uint64_t page = unit ? strtoull(unit + strlen(" kernelpagesize_kB="), NULL, 10) * KIB : 0;
  if (!strstr(line, " anon="))
    return;
  for (const char *at = strstr(line, " N"); at; at = strstr(at + 1, " N")) {
    char *end;
    unsigned long node = strtoul(at + 2, &end, 10);
    if (*end != '=' || end == at + 2 || node >= LOOK_MOST_NODES)
      continue;
    uint64_t bytes = strtoull(end + 1, NULL, 10) * page;
    look->bytes[node] += bytes;
    look->total += bytes;
  }
}

static void look_at_memory(struct look *look, pid_t process) {
  char path[MOST_PATH], line[MOST_LINE];
  struct look now = {0};
  snprintf(path, sizeof path, "/proc/%d/numa_maps", (int)process);
  FILE *file = fopen(path, "re");
  if (!file)
    return;
  while (fgets(line, sizeof line, file))
    add_mapping(&now, line);
  fclose(file);
  if (now.total > look->total) {
    memcpy(look->bytes, now.bytes, sizeof look->bytes);
    look->total = now.total;
  }
}

/*===-- Threads ------------------------------------------------------------===*/

struct search {
  struct look *look;
  const numarch_t *machine;
  pid_t process;
};

/* The word of a line of stat with this number behind the name, which may hold anything. */
static const char *word_behind_name(const char *line, unsigned number) {
  const char *at = strrchr(line, ')');
  while (at && number-- > 0) {
    at = strchr(at, ' ');
    at = at ? at + 1 : NULL;
  }
  return at;
}

static void add_thread(const char *name, void *context) {
  enum { STATE = 1, PROCESSOR = 37 };
  const struct search *search = context;
  char path[2 * MOST_PATH], line[MOST_LINE];
  snprintf(path, sizeof path, "/proc/%d/task/%.32s/stat", (int)search->process, name);
  if (minas_read_line(path, line, sizeof line) != 0)
    return;
  const char *state = word_behind_name(line, STATE), *cpu = word_behind_name(line, PROCESSOR);
  if (!state || !cpu || *state != 'R')
    return;
  uint32_t index = numarch_cpu_by_os_index(search->machine, (uint32_t)strtoul(cpu, NULL, 10));
  uint32_t node =
      index == NUMARCH_NONE ? NUMARCH_NONE : numarch_get_cpu(search->machine, index)->node;
  if (node == NUMARCH_NONE || numarch_get_node(search->machine, node)->os_index >= LOOK_MOST_NODES)
    return;
  search->look->threads[numarch_get_node(search->machine, node)->os_index]++;
  search->look->seen++;
}

static void look_at_threads(struct look *look, const numarch_t *machine, pid_t process) {
  char path[MOST_PATH];
  struct look now = {0};
  struct search search = {&now, machine, process};
  snprintf(path, sizeof path, "/proc/%d/task", (int)process);
  minas_folder_visit(path, add_thread, &search);
  if (now.seen > look->seen) {
    memcpy(look->threads, now.threads, sizeof look->threads);
    look->seen = now.seen;
  }
}

void look_at(struct look *look, const numarch_t *machine, pid_t process) {
  look_at_memory(look, process);
  look_at_threads(look, machine, process);
}

/*===-- What that means ----------------------------------------------------===*/

static double share(uint64_t part, uint64_t all) { return all ? (double)part / (double)all : 0; }

unsigned look_fullest(const struct look *look) {
  unsigned fullest = 0;
  for (unsigned node = 1; node < LOOK_MOST_NODES; node++)
    if (look->bytes[node] > look->bytes[fullest])
      fullest = node;
  return fullest;
}

double look_remote(const struct look *look) {
  double local = 0;
  for (unsigned node = 0; node < LOOK_MOST_NODES; node++)
    local += share(look->bytes[node], look->total) * share(look->threads[node], look->seen);
  return look->total && look->seen ? 1 - local : 0;
}

bool look_is_crowded(const struct look *look) {
  static const double most = 0.6;
  unsigned fullest = look_fullest(look);
  return share(look->bytes[fullest], look->total) > most && look->seen > 0 &&
         share(look->threads[fullest], look->seen) < most;
}
