/*===-- start.c - what a start needs, from the kernel's files -----*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Programs read the machine when they start.  hwloc reads 60 files for each CPU and takes longer
 * than all else, and it calls functions of the C library that the program may have redefined.  Here
 * are three files for each node and one for each package, last cache and core of several CPUs, as
 * far as they say just what they usually say: nodes that all have CPUs and ordinary memory.  For
 * all others (memory without CPUs or of known speed, sets that do not nest, other architectures,
 * another description than that of the running machine) hwloc is asked at once.
 *
 * CPUs stand in the order of hwloc's tree: siblings in it stand in the order of their first CPUs.
 */
#include "start.h"

#include <errno.h>
#include <linux/mempolicy.h>
#include <stdio.h>
#include <string.h>

#include "build.h"
#include "cpu_set.h"
#include "measurement.h"
#include "runtime/heap.h"
#include "runtime/sort.h"
#include "runtime/system.h"

enum {
  MOST_NODES = 64,
  TEXT_BYTES = 8192 /* more than any list of so many CPUs, or what a node tells of its memory */
};

/* What CPUs have in common, the largest first. */
enum kind { PACKAGE, NODE, LAST_CACHE, CORE, KINDS };

/* A CPU, and of each object that it is in the first CPU. */
struct leaf {
  uint32_t os_index;
  uint32_t first[KINDS];
};

struct node {
  uint32_t os_index;
  uint64_t memory;
  struct cpu_set cpus;
  uint32_t distances[MOST_NODES]; /* to the others, in the order of OS indices */
  uint32_t row;                   /* the node's number in that order */
  struct leaf leaf;               /* its first CPU */
};

struct reading {
  int system; /* the folder of the kernel's devices */
  struct cpu_set allowed;
  struct cpu_set allowed_nodes;
  struct cpu_set online;
  struct node nodes[MOST_NODES];
  uint32_t node_count;
  struct cpu_set known[KINDS];            /* the CPUs of which `first` is known */
  uint32_t first[KINDS][MOST_CPUS];       /* by OS index, as in a leaf */
  struct leaf leaves[MOST_CPUS];          /* of the CPUs that are listed */
  struct numarch_place places[MOST_CPUS]; /* likewise */
  uint32_t leaf_count;
};

/*===-- Files ----------------------------------------------------------------===*/

/* Most of the time goes into looking paths up: they begin at a folder. */
static int open_folder(int parent, const char *path) {
  return (int)minas_system(SYS_openat, parent, (long)path, O_PATH | O_DIRECTORY | O_CLOEXEC, 0, 0,
                           0);
}

static void close_folder(int folder) {
  if (folder >= 0)
    minas_close(folder);
}

static bool exists(int folder, const char *path) {
  return minas_system(SYS_faccessat, folder, (long)path, F_OK, 0, 0, 0) == 0;
}

static bool read_text(int folder, const char *path, char *text, size_t size) {
  int file = (int)minas_system(SYS_openat, folder, (long)path, O_RDONLY | O_CLOEXEC, 0, 0, 0);
  long length = file < 0 ? -1 : minas_read(file, text, size - 1);
  if (file >= 0)
    minas_close(file);
  if (length <= 0)
    return false;
  text[length] = '\0';
  return (size_t)length < size - 1;
}

static bool read_set(int folder, const char *path, struct cpu_set *set) {
  char text[TEXT_BYTES];
  return read_text(folder, path, text, sizeof text) && cpu_set_read(set, text);
}

/*===-- Nodes ------------------------------------------------------------------===*/

static bool read_memory(struct node *node, int folder) {
  static const char name[] = "MemTotal:";
  char text[TEXT_BYTES];
  if (!read_text(folder, "meminfo", text, sizeof text))
    return false;
  const char *found = strstr(text, name);
  const char *at = found ? found + strlen(name) : "";
  uint64_t kilobytes = 0;
  at += strspn(at, " ");
  if (!minas_scan_number(&at, 10, &kilobytes) || kilobytes > UINT64_MAX / 1024)
    return false;
  node->memory = kilobytes * 1024;
  return kilobytes > 0;
}

/* A row has a number for each node. */
static bool read_distances(struct node *node, int folder, uint32_t count) {
  char text[TEXT_BYTES];
  const char *at = text;
  if (!read_text(folder, "distance", text, sizeof text))
    return false;
  for (uint32_t to = 0; to < count; to++) {
    uint64_t distance = 0;
    at += strspn(at, " ");
    if (!minas_scan_number(&at, 10, &distance) || distance == 0 || distance > UINT32_MAX)
      return false;
    node->distances[to] = (uint32_t)distance;
  }
  return *at == '\n';
}

/* The speed of memory is for hwloc to read. */
static bool is_plain(int folder) {
  return !exists(folder, "access0/initiators/read_bandwidth") &&
         !exists(folder, "access1/initiators/read_bandwidth");
}

static bool read_node(struct node *node, int nodes, uint32_t count) {
  char name[32];
  snprintf(name, sizeof name, "node%u", node->os_index);
  int folder = open_folder(nodes, name);
  bool read = folder >= 0 && is_plain(folder) && read_memory(node, folder) &&
              read_set(folder, "cpulist", &node->cpus) && read_distances(node, folder, count);
  close_folder(folder);
  return read;
}

static bool list_online(struct reading *reading, int nodes) {
  struct cpu_set online;
  struct cpu_set with_memory;
  if (!read_set(nodes, "online", &online) || !read_set(nodes, "has_memory", &with_memory) ||
      !cpu_set_is_equal(&online, &with_memory) || cpu_set_count(&online) > MOST_NODES)
    return false;
  for (int node = cpu_set_next(&online, -1); node >= 0; node = cpu_set_next(&online, node)) {
    reading->nodes[reading->node_count] =
        (struct node){.os_index = (uint32_t)node, .row = reading->node_count};
    reading->node_count++;
  }
  return true;
}

static bool read_nodes(struct reading *reading) {
  int nodes = open_folder(reading->system, "node");
  bool read = nodes >= 0 && list_online(reading, nodes);
  for (uint32_t i = 0; i < reading->node_count && read; i++) {
    struct node *node = &reading->nodes[i];
    read = read_node(node, nodes, reading->node_count) &&
           !cpu_set_intersects(&reading->online, &node->cpus);
    cpu_set_add(&reading->online, &node->cpus);
  }
  close_folder(nodes);
  return read;
}

/*===-- What this process may use ------------------------------------------------===*/

static bool read_allowed_cpus(struct reading *reading) {
  struct cpu_set *allowed = &reading->allowed;
  long bytes =
      minas_system(SYS_sched_getaffinity, 0, sizeof allowed->words, (long)allowed->words, 0, 0, 0);
  cpu_set_keep(allowed, &reading->online);
  return bytes > 0 && cpu_set_count(allowed) > 0;
}

/* What a policy of this thread forbids is for hwloc to find out. */
static bool read_allowed_nodes(struct reading *reading) {
  struct cpu_set *allowed = &reading->allowed_nodes;
  struct cpu_set bound = {{0}};
  int policy = 0;
  if (minas_system(SYS_get_mempolicy, (long)&policy, (long)bound.words, MOST_CPUS + 1, 0, 0, 0) ==
          0 &&
      (policy & ~MPOL_MODE_FLAGS) != MPOL_BIND &&
      minas_system(SYS_get_mempolicy, 0, (long)allowed->words, MOST_CPUS + 1, 0,
                   MPOL_F_MEMS_ALLOWED, 0) == 0)
    return true;
  cpu_set_put(allowed, reading->nodes[0].os_index);
  return reading->node_count == 1; /* a kernel without NUMA has no such call */
}

/* Where some memory is forbidden, what is left is for hwloc to list. */
static bool may_use_all_memory(const struct reading *reading) {
  for (uint32_t i = 0; i < reading->node_count; i++)
    if (!cpu_set_has(&reading->allowed_nodes, reading->nodes[i].os_index))
      return false;
  return true;
}

/*===-- What CPUs share ----------------------------------------------------------===*/

static void note(struct reading *reading, enum kind kind, const struct cpu_set *cpus) {
  uint32_t first = (uint32_t)cpu_set_next(cpus, -1);
  for (int cpu = cpu_set_next(cpus, -1); cpu >= 0; cpu = cpu_set_next(cpus, cpu))
    reading->first[kind][cpu] = first;
  cpu_set_add(&reading->known[kind], cpus);
}

/* What was read with another CPU of the same object is not read again. */
static bool read_shared(struct reading *reading, enum kind kind, int cpus, uint32_t cpu) {
  static const char *const files[KINDS] = {[PACKAGE] = "topology/package_cpus_list",
                                           [LAST_CACHE] = "cache/index3/shared_cpu_list",
                                           [CORE] = "topology/core_cpus_list"};
  char path[64];
  struct cpu_set set;
  if (cpu_set_has(&reading->known[kind], cpu))
    return true;
  snprintf(path, sizeof path, "cpu%u/%s", cpu, files[kind]);
  if (read_set(cpus, path, &set) && cpu_set_has(&set, cpu)) {
    note(reading, kind, &set);
    return true;
  }
  reading->first[kind][cpu] = reading->first[CORE][cpu];
  return kind == LAST_CACHE && !exists(cpus, path);
}

static bool read_cpu(struct reading *reading, int cpus, uint32_t cpu) {
  return read_shared(reading, PACKAGE, cpus, cpu) && read_shared(reading, CORE, cpus, cpu) &&
         read_shared(reading, LAST_CACHE, cpus, cpu);
}

/* Where no core has several CPUs, the kernel says so at once. */
static void read_threads(struct reading *reading, int cpus) {
  char active[8];
  if (!read_text(cpus, "smt/active", active, sizeof active) || strcmp(active, "0\n") != 0)
    return;
  for (uint32_t cpu = 0; cpu < MOST_CPUS; cpu++)
    reading->first[CORE][cpu] = cpu;
  reading->known[CORE] = reading->online;
}

/* Of a node whose CPUs this process may not use, one CPU tells where it is. */
static bool read_cpus(struct reading *reading, const struct cpu_set *wanted) {
  int cpus = open_folder(reading->system, "cpu");
  struct cpu_set read = *wanted;
  for (uint32_t i = 0; i < reading->node_count; i++) {
    note(reading, NODE, &reading->nodes[i].cpus);
    cpu_set_put(&read, (uint32_t)cpu_set_next(&reading->nodes[i].cpus, -1));
  }
  read_threads(reading, cpus);
  bool known = cpus >= 0;
  for (int cpu = cpu_set_next(&read, -1); cpu >= 0 && known; cpu = cpu_set_next(&read, cpu))
    known = read_cpu(reading, cpus, (uint32_t)cpu);
  close_folder(cpus);
  return known;
}

/*===-- The order --------------------------------------------------------------===*/

static int compare(uint32_t left, uint32_t right) { return (left > right) - (left < right); }

static int by_tree(const void *left, const void *right) {
  const struct leaf *a = left;
  const struct leaf *b = right;
  for (unsigned kind = 0; kind < KINDS; kind++)
    if (a->first[kind] != b->first[kind])
      return compare(a->first[kind], b->first[kind]);
  return compare(a->os_index, b->os_index);
}

static int by_tree_of_node(const void *left, const void *right) {
  return by_tree(&((const struct node *)left)->leaf, &((const struct node *)right)->leaf);
}

static struct leaf leaf_of(const struct reading *reading, uint32_t cpu) {
  struct leaf leaf = {.os_index = cpu};
  for (unsigned kind = 0; kind < KINDS; kind++)
    leaf.first[kind] = reading->first[kind][cpu];
  return leaf;
}

/* Whether the CPUs of each package, node and core follow one another, as they do where these nest.
 */
static bool is_tree(const struct reading *reading, enum kind kind) {
  struct cpu_set met = {{0}};
  for (uint32_t i = 0; i < reading->leaf_count; i++) {
    uint32_t first = reading->leaves[i].first[kind];
    if (i > 0 && first == reading->leaves[i - 1].first[kind])
      continue;
    if (cpu_set_has(&met, first))
      return false;
    cpu_set_put(&met, first);
  }
  return true;
}

static bool order_cpus(struct reading *reading, const struct cpu_set *wanted) {
  for (int cpu = cpu_set_next(wanted, -1); cpu >= 0; cpu = cpu_set_next(wanted, cpu))
    reading->leaves[reading->leaf_count++] = leaf_of(reading, (uint32_t)cpu);
  minas_sort(reading->leaves, reading->leaf_count, sizeof *reading->leaves, by_tree);
  return is_tree(reading, PACKAGE) && is_tree(reading, NODE) && is_tree(reading, CORE);
}

static void order_nodes(struct reading *reading) {
  for (uint32_t i = 0; i < reading->node_count; i++)
    reading->nodes[i].leaf = leaf_of(reading, (uint32_t)cpu_set_next(&reading->nodes[i].cpus, -1));
  minas_sort(reading->nodes, reading->node_count, sizeof *reading->nodes, by_tree_of_node);
}

static uint32_t package_of(const struct node *node) { return node->leaf.first[PACKAGE]; }

/* hwloc puts nodes into groups by their distances, which may stand in another order.  They do not
   where the distance tells no more than whether two nodes are in one package. */
static bool has_plain_distances(const struct reading *reading) {
  enum { SELF, SAME_PACKAGE, OTHER_PACKAGE };
  uint32_t distances[3] = {0};
  for (uint32_t i = 0; i < reading->node_count; i++)
    for (uint32_t j = 0; j < reading->node_count; j++) {
      const struct node *from = &reading->nodes[i];
      const struct node *to = &reading->nodes[j];
      uint32_t distance = from->distances[to->row];
      uint32_t *expected = &distances[i == j                               ? SELF
                                      : package_of(from) == package_of(to) ? SAME_PACKAGE
                                                                           : OTHER_PACKAGE];
      if (*expected && *expected != distance)
        return false;
      *expected = distance;
    }
  return (!distances[SAME_PACKAGE] || distances[SELF] < distances[SAME_PACKAGE]) &&
         (!distances[OTHER_PACKAGE] || (distances[SELF] < distances[OTHER_PACKAGE] &&
                                        distances[SAME_PACKAGE] <= distances[OTHER_PACKAGE]));
}

/*===-- The machine ----------------------------------------------------------------===*/

static bool list_cpus(struct numarch *machine, struct reading *reading) {
  for (uint32_t i = 0; i < reading->leaf_count; i++)
    reading->places[i] = (struct numarch_place){.os_index = reading->leaves[i].os_index,
                                                .core = reading->leaves[i].first[CORE],
                                                .package = reading->leaves[i].first[PACKAGE]};
  if (numarch_number_cpus(machine, reading->places, reading->leaf_count) != 0)
    return false;
  for (uint32_t i = 0; i < machine->cpu_count; i++)
    machine->cpus[i].allowed = cpu_set_has(&reading->allowed, machine->cpus[i].os_index);
  return true;
}

static uint32_t list_cpus_of_node(struct numarch *machine, const struct node *node, uint32_t index,
                                  uint32_t used) {
  machine->nodes[index].cpus = machine->node_cpus + used;
  for (uint32_t cpu = 0; cpu < machine->cpu_count; cpu++)
    if (cpu_set_has(&node->cpus, machine->cpus[cpu].os_index)) {
      machine->cpus[cpu].node = index;
      machine->node_cpus[used + machine->nodes[index].cpu_count++] = cpu;
    }
  return used + machine->nodes[index].cpu_count;
}

static bool list_nodes(struct numarch *machine, const struct reading *reading) {
  uint32_t used = 0;
  machine->nodes = minas_alloc_list(reading->node_count, sizeof *machine->nodes);
  machine->node_cpus = minas_alloc_list(machine->cpu_count, sizeof *machine->node_cpus);
  if (!machine->nodes || !machine->node_cpus)
    return false;
  machine->node_count = reading->node_count;
  for (uint32_t i = 0; i < reading->node_count; i++) {
    machine->nodes[i] = (struct numarch_node){
        .os_index = reading->nodes[i].os_index,
        .memory_total = reading->nodes[i].memory,
        .allowed = cpu_set_has(&reading->allowed_nodes, reading->nodes[i].os_index),
        .memory_kind = NUMARCH_MEMORY_DRAM};
    used = list_cpus_of_node(machine, &reading->nodes[i], i, used);
  }
  return true;
}

/* hwloc asks for no distance where there is one node. */
static bool list_distances(struct numarch *machine, const struct reading *reading) {
  size_t count = reading->node_count;
  machine->distances = minas_alloc_list(count * count, sizeof *machine->distances);
  machine->distances_told = minas_alloc_list(count * count, sizeof *machine->distances_told);
  if (!machine->distances || !machine->distances_told)
    return false;
  for (size_t from = 0; from < count; from++)
    for (size_t to = 0; to < count; to++) {
      machine->distances_told[from * count + to] = count > 1;
      machine->distances[from * count + to] =
          count > 1 ? reading->nodes[from].distances[reading->nodes[to].row] : 10;
    }
  return true;
}

static bool read_machine(struct reading *reading, bool whole) {
  if (!read_nodes(reading) || !read_allowed_cpus(reading) || !read_allowed_nodes(reading) ||
      (!whole && !may_use_all_memory(reading)))
    return false;
  const struct cpu_set *wanted = whole ? &reading->online : &reading->allowed;
  if (!read_cpus(reading, wanted) || !order_cpus(reading, wanted))
    return false;
  order_nodes(reading);
  return has_plain_distances(reading);
}

static bool build(struct numarch *machine, struct reading *reading) {
  return list_cpus(machine, reading) && list_nodes(machine, reading) &&
         list_distances(machine, reading);
}

bool numarch_build_start(struct numarch *machine, const char *folder, bool whole) {
  struct numarch built = {.is_this_system = true, .may_have_speeds = numarch_was_measured()};
  struct reading *reading = minas_alloc(sizeof *reading);
  int error = errno;
  bool done = false;
  if (reading) {
    reading->system = open_folder(AT_FDCWD, folder);
    done = reading->system >= 0 && read_machine(reading, whole) && build(&built, reading);
    close_folder(reading->system);
  }
  minas_free(reading);
  if (done)
    *machine = built;
  else
    numarch_start_free(&built);
  errno = error;
  return done;
}
