/*===-- quick.c - reads an ordinary machine without hwloc ---------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Programs read the machine when they start.  hwloc reads 60 files for each CPU and takes longer
 * than all else, and it calls functions of the C library that the program may have redefined.  Here
 * are the few files that count, as far as they say just what they usually say: nodes that all have
 * CPUs and ordinary memory.  For all others (memory without CPUs or of known speed, sets that do
 * not nest, other architectures, another description than that of the running machine) hwloc is
 * asked.
 *
 * hwloc's tree is found again from the sets alone: they nest, and siblings stand in the order of
 * their first CPUs.
 */
#include "quick.h"

#include <errno.h>
#include <limits.h>
#include <linux/mempolicy.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_set.h"
#include "discover.h"
#include "measurement.h"
#include "runtime/lines.h"
#include "runtime/system.h"

enum {
  MOST_NODES = 64,
  MOST_KINDS = 16,   /* objects that a CPU is in */
  MOST_INDICES = 10, /* caches of a CPU */
  MOST_LEVEL = 5,
  TEXT_BYTES = 8192 /* more than any list of so many CPUs, or what a node tells of its memory */
};

/* What CPUs have in common. */
enum kind { PACKAGE, NODE, DIE, CLUSTER, CORE, CACHE };

struct object {
  enum kind kind;
  unsigned index;             /* of a cache: the kernel's */
  struct numarch_cache cache; /* without its CPUs */
  struct cpu_set cpus;
  unsigned first; /* of the CPUs */
  unsigned count;
};

/* A CPU, and what it is in. */
struct leaf {
  uint32_t os_index;
  unsigned count;
  const struct object *in[MOST_KINDS]; /* the largest first */
};

struct node {
  uint32_t os_index;
  uint64_t memory;
  struct cpu_set cpus;
  uint32_t distances[MOST_NODES]; /* to the others, in the order of OS indices */
  uint32_t row;                   /* the node's number in that order */
  struct leaf leaf;               /* one of its CPUs */
};

struct reading {
  struct cpu_set allowed;
  struct cpu_set online;
  struct node nodes[MOST_NODES];
  uint32_t node_count;
  struct object *objects;
  unsigned object_count;
  unsigned object_room;
  struct leaf *leaves; /* of the CPUs that are allowed */
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

static bool read_number(int folder, const char *path, uint64_t *number) {
  char text[32];
  const char *at = text;
  if (!read_text(folder, path, text, sizeof text) || !minas_scan_number(&at, 10, number))
    return false;
  if (*at == 'K')
    *number *= 1024;
  return true;
}

static bool read_set(int folder, const char *path, struct cpu_set *set) {
  char text[TEXT_BYTES];
  return read_text(folder, path, text, sizeof text) && cpu_set_read(set, text);
}

/*===-- Nodes ------------------------------------------------------------------===*/

static bool is_asked_for_another(void) {
  for (char **variable = environ; variable && *variable; variable++)
    if (strncmp(*variable, "HWLOC_", strlen("HWLOC_")) == 0)
      return true;
  return false;
}

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
  int nodes = open_folder(AT_FDCWD, "/sys/devices/system/node");
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

static bool read_allowed(struct reading *reading) {
  struct cpu_set *allowed = &reading->allowed;
  long bytes =
      minas_system(SYS_sched_getaffinity, 0, sizeof allowed->words, (long)allowed->words, 0, 0, 0);
  return bytes > 0 && cpu_set_count(allowed) > 0 && cpu_set_is_in(allowed, &reading->online);
}

/* Where some memory is forbidden hwloc is asked. */
static bool may_use_all_memory(const struct reading *reading) {
  struct cpu_set nodes = {{0}};
  struct cpu_set bound = {{0}};
  int policy = 0;
  if (minas_system(SYS_get_mempolicy, (long)&policy, (long)bound.words, MOST_CPUS + 1, 0, 0, 0) !=
          0 ||
      (policy & ~MPOL_MODE_FLAGS) == MPOL_BIND ||
      minas_system(SYS_get_mempolicy, 0, (long)nodes.words, MOST_CPUS + 1, 0, MPOL_F_MEMS_ALLOWED,
                   0) != 0)
    return reading->node_count == 1; /* a kernel without NUMA has no such call */
  for (uint32_t i = 0; i < reading->node_count; i++)
    if (!cpu_set_has(&nodes, reading->nodes[i].os_index))
      return false;
  return true;
}

/*===-- What CPUs share ----------------------------------------------------------===*/

static bool is_same_kind(const struct object *left, const struct object *right) {
  return left->kind == right->kind && left->cache.level == right->cache.level &&
         left->cache.kind == right->cache.kind;
}

static bool has_same_cpus(const struct object *left, const struct object *right) {
  return left->first == right->first && left->count == right->count &&
         cpu_set_is_equal(&left->cpus, &right->cpus);
}

static bool add(struct reading *reading, const struct object *new) {
  for (unsigned i = 0; i < reading->object_count; i++)
    if (is_same_kind(&reading->objects[i], new) && has_same_cpus(&reading->objects[i], new))
      return true;
  if (reading->object_count == reading->object_room)
    return false;
  reading->objects[reading->object_count++] = *new;
  return true;
}

static void count_cpus(struct object *object) {
  object->first = (unsigned)cpu_set_next(&object->cpus, -1);
  object->count = cpu_set_count(&object->cpus);
}

/* @param needed without it hwloc is asked */
static bool read_shared(struct reading *reading, int cpu, enum kind kind, const char *file,
                        bool needed) {
  struct object new = {.kind = kind};
  if (!read_set(cpu, file, &new.cpus))
    return !needed && !exists(cpu, file);
  count_cpus(&new);
  return add(reading, &new);
}

static bool read_cache_kind(int folder, enum numarch_cache_kind *kind) {
  static const char *const names[] = {[NUMARCH_CACHE_UNIFIED] = "Unified\n",
                                      [NUMARCH_CACHE_DATA] = "Data\n",
                                      [NUMARCH_CACHE_INSTRUCTION] = "Instruction\n"};
  char text[32];
  if (!read_text(folder, "type", text, sizeof text))
    return false;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(text, names[i]) == 0) {
      *kind = (enum numarch_cache_kind)i;
      return true;
    }
  return false;
}

static bool is_cache_known(const struct reading *reading, const struct object *like) {
  for (unsigned i = 0; i < reading->object_count; i++) {
    const struct object *known = &reading->objects[i];
    if (known->kind == CACHE && known->index == like->index && has_same_cpus(known, like))
      return true;
  }
  return false;
}

static bool read_cache(int folder, struct numarch_cache *cache) {
  uint64_t level = 0;
  uint64_t line = 0;
  if (!read_cache_kind(folder, &cache->kind) || !read_number(folder, "level", &level) ||
      level == 0 || level > MOST_LEVEL || !read_number(folder, "size", &cache->size) ||
      !read_number(folder, "coherency_line_size", &line) || line > UINT32_MAX)
    return false;
  cache->level = (uint32_t)level;
  cache->line_size = (uint32_t)line;
  return true;
}

/* One that was read with another CPU is the same. */
static bool add_cache(struct reading *reading, int folder, unsigned index) {
  struct object new = {.kind = CACHE, .index = index};
  if (!read_set(folder, "shared_cpu_list", &new.cpus))
    return false;
  count_cpus(&new);
  return is_cache_known(reading, &new) || (read_cache(folder, &new.cache) && add(reading, &new));
}

static bool read_caches(struct reading *reading, int cpu) {
  char name[32];
  for (unsigned index = 0; index < MOST_INDICES; index++) {
    snprintf(name, sizeof name, "cache/index%u", index);
    int folder = open_folder(cpu, name);
    if (folder < 0)
      return index > 0 && errno == ENOENT; /* virtual machines may hide all, and hwloc knows more */
    bool read = add_cache(reading, folder, index);
    close_folder(folder);
    if (!read)
      return false;
  }
  return false;
}

static bool read_cpu(struct reading *reading, uint32_t number) {
  char path[64];
  snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%u", number);
  int cpu = open_folder(AT_FDCWD, path);
  bool read = cpu >= 0 && read_shared(reading, cpu, PACKAGE, "topology/package_cpus_list", true) &&
              read_shared(reading, cpu, DIE, "topology/die_cpus_list", false) &&
              read_shared(reading, cpu, CLUSTER, "topology/cluster_cpus_list", false) &&
              read_shared(reading, cpu, CORE, "topology/core_cpus_list", true) &&
              read_caches(reading, cpu);
  close_folder(cpu);
  return read;
}

/* A CPU whose core was read with another one is where that is, unless the core shares less. */
static bool is_known(const struct reading *reading, uint32_t cpu) {
  const struct object *core = NULL;
  for (unsigned i = 0; i < reading->object_count && !core; i++)
    if (reading->objects[i].kind == CORE && cpu_set_has(&reading->objects[i].cpus, cpu))
      core = &reading->objects[i];
  for (unsigned i = 0; i < reading->object_count && core; i++)
    if (cpu_set_has(&reading->objects[i].cpus, core->first) &&
        !cpu_set_is_in(&core->cpus, &reading->objects[i].cpus))
      return false;
  return core;
}

/* Of a node whose CPUs this process may not use, one CPU tells where it is. */
static int cpu_of_node(const struct reading *reading, const struct node *node) {
  struct cpu_set usable = node->cpus;
  cpu_set_keep(&usable, &reading->allowed);
  int cpu = cpu_set_next(&usable, -1);
  return cpu >= 0 ? cpu : cpu_set_next(&node->cpus, -1);
}

static bool read_cpus(struct reading *reading, const struct cpu_set *cpus) {
  for (int cpu = cpu_set_next(cpus, -1); cpu >= 0; cpu = cpu_set_next(cpus, cpu))
    if (!is_known(reading, (uint32_t)cpu) && !read_cpu(reading, (uint32_t)cpu))
      return false;
  return true;
}

static bool add_nodes(struct reading *reading, struct cpu_set *cpus) {
  for (uint32_t i = 0; i < reading->node_count; i++) {
    struct node *node = &reading->nodes[i];
    struct object new = {.kind = NODE, .cpus = node->cpus};
    count_cpus(&new);
    if (!add(reading, &new))
      return false;
    node->leaf.os_index = (uint32_t)cpu_of_node(reading, node);
    cpu_set_put(cpus, node->leaf.os_index);
  }
  return true;
}

static bool read_objects(struct reading *reading) {
  struct cpu_set cpus = reading->allowed;
  reading->object_room =
      (cpu_set_count(&reading->allowed) + reading->node_count) * (unsigned)MOST_KINDS;
  reading->objects = calloc(reading->object_room, sizeof *reading->objects);
  if (!reading->objects || !add_nodes(reading, &cpus) || !read_cpus(reading, &cpus))
    return false;
  for (unsigned i = 0; i < reading->object_count; i++)
    if (!cpu_set_is_in(&reading->objects[i].cpus, &reading->online))
      return false;
  return true;
}

/*===-- The tree -------------------------------------------------------------------===*/

static int by_size(const void *left, const void *right) {
  const struct object *a = left;
  const struct object *b = right;
  return (a->count < b->count) - (a->count > b->count);
}

static int compare(uint32_t left, uint32_t right) { return (left > right) - (left < right); }

static uint32_t first_of(const struct leaf *leaf, unsigned i) {
  return i < leaf->count ? leaf->in[i]->first : leaf->os_index;
}

static int by_tree(const void *left, const void *right) {
  const struct leaf *a = left;
  const struct leaf *b = right;
  for (unsigned i = 0; i < MOST_KINDS; i++)
    if (first_of(a, i) != first_of(b, i))
      return compare(first_of(a, i), first_of(b, i));
  return compare(a->os_index, b->os_index);
}

static int by_tree_of_node(const void *left, const void *right) {
  return by_tree(&((const struct node *)left)->leaf, &((const struct node *)right)->leaf);
}

/* Whether what a CPU is in nests, and is of one kind each. */
static bool can_hold(const struct leaf *leaf, const struct object *object) {
  for (unsigned i = 0; i < leaf->count; i++)
    if (is_same_kind(leaf->in[i], object) || !cpu_set_is_in(&object->cpus, &leaf->in[i]->cpus))
      return false;
  return leaf->count < MOST_KINDS;
}

static bool find_leaf(const struct reading *reading, struct leaf *leaf) {
  for (unsigned i = 0; i < reading->object_count; i++) {
    const struct object *object = &reading->objects[i];
    if (!cpu_set_has(&object->cpus, leaf->os_index))
      continue;
    if (!can_hold(leaf, object))
      return false;
    leaf->in[leaf->count++] = object;
  }
  return true;
}

static bool find_leaves(struct reading *reading) {
  uint32_t count = cpu_set_count(&reading->allowed);
  qsort(reading->objects, reading->object_count, sizeof *reading->objects, by_size);
  reading->leaves = calloc(count, sizeof *reading->leaves);
  if (!reading->leaves)
    return false;
  for (int cpu = cpu_set_next(&reading->allowed, -1); cpu >= 0;
       cpu = cpu_set_next(&reading->allowed, cpu)) {
    struct leaf *leaf = &reading->leaves[reading->leaf_count++];
    leaf->os_index = (uint32_t)cpu;
    if (!find_leaf(reading, leaf))
      return false;
  }
  qsort(reading->leaves, count, sizeof *reading->leaves, by_tree);
  return true;
}

static bool order_nodes(struct reading *reading) {
  for (uint32_t i = 0; i < reading->node_count; i++)
    if (!find_leaf(reading, &reading->nodes[i].leaf))
      return false;
  qsort(reading->nodes, reading->node_count, sizeof *reading->nodes, by_tree_of_node);
  return true;
}

/* What of this kind the CPU is in, or NULL. */
static const struct object *object_of(const struct leaf *leaf, const struct object *kind) {
  for (unsigned i = 0; i < leaf->count; i++)
    if (is_same_kind(leaf->in[i], kind))
      return leaf->in[i];
  return NULL;
}

static const struct object *package_of(const struct node *node) {
  return object_of(&node->leaf, &(struct object){.kind = PACKAGE});
}

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

static bool is_first_in(const struct reading *reading, uint32_t cpu, enum kind which) {
  const struct object kind = {.kind = which};
  return cpu == 0 ||
         object_of(&reading->leaves[cpu], &kind) != object_of(&reading->leaves[cpu - 1], &kind);
}

static void list_cpus(struct numarch *machine, const struct reading *reading) {
  for (uint32_t i = 0; i < reading->leaf_count; i++) {
    bool new_core = is_first_in(reading, i, CORE);
    machine->package_count += is_first_in(reading, i, PACKAGE);
    machine->core_count += new_core;
    machine->cpus[i] = (struct numarch_cpu){
        .os_index = reading->leaves[i].os_index,
        .core = machine->core_count - 1,
        .smt = new_core ? 0 : machine->cpus[i - 1].smt + 1,
        .package = machine->package_count - 1,
        .allowed = true,
    };
    machine->cpu_numbers[i] = i;
  }
  machine->cpu_count = reading->leaf_count;
}

static void list_caches_of(struct numarch *machine, const struct reading *reading,
                           const struct object *kind) {
  const struct object *before = NULL;
  for (uint32_t i = 0; i < machine->cpu_count; i++) {
    const struct object *object = object_of(&reading->leaves[i], kind);
    if (object && object != before) {
      machine->caches[machine->cache_count] = object->cache;
      machine->caches[machine->cache_count++].cpus = machine->cpu_numbers + i;
    }
    if (object)
      machine->caches[machine->cache_count - 1].cpu_count++;
    before = object;
  }
}

/* In the order of hwloc's types: of each level first those that hold data. */
static void list_caches(struct numarch *machine, const struct reading *reading) {
  static const enum numarch_cache_kind kinds[] = {NUMARCH_CACHE_DATA, NUMARCH_CACHE_UNIFIED,
                                                  NUMARCH_CACHE_INSTRUCTION};
  for (uint32_t level = 1; level <= MOST_LEVEL; level++)
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
      const struct object kind = {.kind = CACHE, .cache = {.level = level, .kind = kinds[i]}};
      list_caches_of(machine, reading, &kind);
    }
}

static bool allocate(struct numarch *machine, const struct reading *reading) {
  size_t nodes = reading->node_count;
  if (reading->leaf_count == 0 || nodes == 0)
    return false;
  machine->cpus = calloc(reading->leaf_count, sizeof *machine->cpus);
  machine->cpu_numbers = calloc(reading->leaf_count, sizeof *machine->cpu_numbers);
  machine->node_cpus = calloc(reading->leaf_count, sizeof *machine->node_cpus);
  machine->caches = calloc(reading->object_count, sizeof *machine->caches);
  machine->nodes = calloc(nodes, sizeof *machine->nodes);
  machine->distances = calloc(nodes * nodes, sizeof *machine->distances);
  machine->distances_told = calloc(nodes * nodes, sizeof *machine->distances_told);
  return machine->cpus && machine->cpu_numbers && machine->node_cpus && machine->caches &&
         machine->nodes && machine->distances && machine->distances_told;
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

static void list_nodes(struct numarch *machine, const struct reading *reading) {
  uint32_t used = 0;
  machine->node_count = reading->node_count;
  for (uint32_t i = 0; i < reading->node_count; i++) {
    machine->nodes[i] = (struct numarch_node){.os_index = reading->nodes[i].os_index,
                                              .memory_total = reading->nodes[i].memory,
                                              .allowed = true,
                                              .memory_kind = NUMARCH_MEMORY_DRAM};
    used = list_cpus_of_node(machine, &reading->nodes[i], i, used);
  }
}

/* hwloc asks for no distance where there is one node. */
static void list_distances(struct numarch *machine, const struct reading *reading) {
  for (uint32_t from = 0; from < reading->node_count; from++)
    for (uint32_t to = 0; to < reading->node_count; to++) {
      size_t entry = (size_t)from * reading->node_count + to;
      machine->distances_told[entry] = reading->node_count > 1;
      machine->distances[entry] =
          reading->node_count > 1 ? reading->nodes[from].distances[reading->nodes[to].row] : 10;
    }
}

static bool build(struct numarch *machine, const struct reading *reading) {
  if (!allocate(machine, reading))
    return false;
  machine->is_this_system = true;
  list_cpus(machine, reading);
  list_caches(machine, reading);
  list_nodes(machine, reading);
  list_distances(machine, reading);
  return true;
}

static bool read_machine(struct reading *reading) {
  return read_nodes(reading) && read_allowed(reading) && may_use_all_memory(reading) &&
         read_objects(reading) && find_leaves(reading) && order_nodes(reading) &&
         has_plain_distances(reading);
}

static struct numarch *read_and_build(struct reading *reading) {
  struct numarch *machine = read_machine(reading) ? calloc(1, sizeof *machine) : NULL;
  if (machine && !build(machine, reading)) {
    numarch_close(machine);
    machine = NULL;
  }
  free(reading->objects);
  free(reading->leaves);
  return machine;
}

/* What the files of other architectures mean, hwloc knows. */
#ifdef __x86_64__
static const bool files_are_known = true;
#else
static const bool files_are_known = false;
#endif

numarch_t *numarch_read_quickly(void) {
  struct numarch *machine = NULL;
  int error = errno;
  if (files_are_known && NUMARCH_SINGLE_THREADED && !is_asked_for_another() &&
      !numarch_was_measured()) {
    struct reading *reading = calloc(1, sizeof *reading);
    machine = reading ? read_and_build(reading) : NULL;
    free(reading);
  }
  errno = error;
  return machine;
}
