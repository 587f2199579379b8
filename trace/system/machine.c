/*===-- machine.c - the machine, for the profile -----------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "machine.h"

#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <sys/sysinfo.h>

#include "kernel.h"
#include "text.h"

enum { NODES_MAX = 1024, CPUS_MAX = 8192, TEXT_BYTES = 1 << 15 };
enum { LOCAL = 10, REMOTE = 20 }; /* distances where the firmware tells none */

struct node {
  unsigned os_index;
  uint64_t memory;
  unsigned nearest; /* its index plus 1: itself, or where it has no memory the next that has */
};

/* One profile at a time is written. */
static struct {
  char text[TEXT_BYTES];
  struct node nodes[NODES_MAX];
  unsigned node_count;
  uint16_t home_of[CPUS_MAX]; /* index of a CPU's node plus 1 */
  bool is_online[CPUS_MAX];
} machine;

/*===-- Files ---------------------------------------------------------------===*/

/* The text of a file; "" where there is none. */
static const char *read_text(const char *path) {
  int file = kernel_open(path, O_RDONLY, 0);
  ssize_t length = file < 0 ? 0 : kernel_read(file, machine.text, sizeof machine.text - 1);
  if (file >= 0)
    kernel_close(file);
  machine.text[length > 0 ? length : 0] = '\0';
  return machine.text;
}

static const char *read_of_node(const struct node *node, const char *name) {
  char path[128];
  trace_format(path, sizeof path, "/sys/devices/system/node/node%u/%s", node->os_index, name);
  return read_text(path);
}

/* The next range of a list such as 0-3,8. @return whether there is one */
static bool next_range(const char **list, unsigned long *first, unsigned long *last) {
  if (!trace_parse(list, 10, first))
    return false;
  *last = *first;
  if (**list == '-') {
    ++*list;
    if (!trace_parse(list, 10, last))
      return false;
  }
  *list += **list == ',';
  return true;
}

/*===-- Nodes ---------------------------------------------------------------===*/

static void list_nodes(void) {
  unsigned long first, last;
  const char *list = read_text("/sys/devices/system/node/online");
  machine.node_count = 0;
  while (next_range(&list, &first, &last))
    for (; first <= last && machine.node_count < NODES_MAX; first++)
      machine.nodes[machine.node_count++] = (struct node){.os_index = (unsigned)first};
}

static void read_memory(struct node *node) {
  unsigned long kilobytes = 0;
  const char *total = read_of_node(node, "meminfo");
  while (*total && strncmp(total, "MemTotal:", strlen("MemTotal:")) != 0)
    total++;
  while (*total && *total != '\n' && (*total < '0' || *total > '9'))
    total++;
  if (trace_parse(&total, 10, &kilobytes))
    node->memory = (uint64_t)kilobytes * 1024;
}

/* The next distance of a node's row, to node `to`. */
static unsigned long next_distance(const char **row, unsigned from, unsigned to) {
  unsigned long distance;
  while (**row == ' ')
    ++*row;
  return trace_parse(row, 10, &distance) && distance ? distance : from == to ? LOCAL : REMOTE;
}

static void find_nearest(unsigned from) {
  unsigned long shortest = ULONG_MAX;
  const char *row = read_of_node(&machine.nodes[from], "distance");
  for (unsigned to = 0; to < machine.node_count; to++) {
    unsigned long distance = next_distance(&row, from, to);
    if (machine.nodes[to].memory && (distance < shortest || to == from)) {
      shortest = to == from ? 0 : distance;
      machine.nodes[from].nearest = to + 1;
    }
  }
}

static void read_nodes(void) {
  list_nodes();
  for (unsigned i = 0; i < machine.node_count; i++)
    read_memory(&machine.nodes[i]);
  for (unsigned i = 0; i < machine.node_count; i++)
    find_nearest(i);
}

/* Where the kernel knows of no nodes, all is one. */
static void assume_node(void) {
  struct sysinfo info = {.mem_unit = 0};
  minas_kernel_call(SYS_sysinfo, (long)&info, 0, 0, 0, 0, 0);
  machine.nodes[0] = (struct node){.memory = (uint64_t)info.totalram * info.mem_unit, .nearest = 1};
  machine.node_count = 1;
}

/*===-- CPUs ----------------------------------------------------------------===*/

static void note_cpus(const char *list, unsigned home) {
  unsigned long first, last;
  while (next_range(&list, &first, &last))
    for (; first <= last && first < CPUS_MAX; first++) {
      machine.is_online[first] = true;
      machine.home_of[first] = (uint16_t)home;
    }
}

static void read_cpus(void) {
  note_cpus(read_text("/sys/devices/system/cpu/online"), machine.node_count == 1);
  for (unsigned i = 0; i < machine.node_count; i++)
    note_cpus(read_of_node(&machine.nodes[i], "cpulist"), machine.nodes[i].nearest);
}

/*===-- MACH ----------------------------------------------------------------===*/

static void put_nodes(struct trace_output *output) {
  trace_put(output, machine.node_count);
  for (unsigned i = 0; i < machine.node_count; i++) {
    trace_put(output, machine.nodes[i].os_index);
    trace_put(output, machine.nodes[i].memory);
  }
  for (unsigned from = 0; from < machine.node_count; from++) {
    const char *row = read_of_node(&machine.nodes[from], "distance");
    for (unsigned to = 0; to < machine.node_count; to++)
      trace_put(output, next_distance(&row, from, to));
  }
}

static void put_cpus(struct trace_output *output) {
  unsigned count = 0;
  for (unsigned cpu = 0; cpu < CPUS_MAX; cpu++)
    count += machine.is_online[cpu];
  trace_put(output, count);
  for (unsigned cpu = 0; cpu < CPUS_MAX; cpu++)
    if (machine.is_online[cpu]) {
      trace_put(output, cpu);
      trace_put(output, machine.home_of[cpu]);
    }
}

void trace_machine_write(struct trace_output *output) {
  read_nodes();
  if (machine.node_count == 0)
    assume_node();
  read_cpus();
  trace_begin_section(output, "MACH");
  put_nodes(output);
  put_cpus(output);
  trace_end_section(output);
}
