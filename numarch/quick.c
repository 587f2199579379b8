/*===-- quick.c - reads the usual machine of one node -----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Programs read the machine when they start.  Where it has one node there is nothing to place, and
 * what is needed is who shares which cache: hwloc reads 60 files for each CPU and takes longer than
 * all else.  Here are the few of them that count, as far as they say just what they usually say;
 * for all others (several nodes, memory of known speed, sets that do not nest, other architectures,
 * another description than that of the running machine) hwloc is asked.
 *
 * hwloc's tree is found again from the sets alone: they nest, and siblings stand in the order of
 * their first CPUs.
 */
#include "quick.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "discover.h"
#include "measurement.h"

enum {
  MOST_CPUS = 1024,
  MOST_KINDS = 16,   /* objects that a CPU is in */
  MOST_INDICES = 10, /* caches of a CPU */
  MOST_LEVEL = 5,
  TEXT_BYTES = 8192 /* more than any list of so many CPUs, or what a node tells of its memory */
};

/* What CPUs have in common. */
enum kind { PACKAGE, DIE, CLUSTER, CORE, CACHE };

struct object {
  enum kind kind;
  unsigned index;             /* of a cache: the kernel's */
  struct numarch_cache cache; /* without its CPUs */
  hwloc_bitmap_t cpus;
};

struct place {
  uint32_t os_index;
  unsigned count;
  const struct object *in[MOST_KINDS]; /* the largest first */
};

struct reading {
  hwloc_bitmap_t allowed;
  hwloc_bitmap_t online; /* CPUs of the node */
  uint64_t memory;
  struct object *objects;
  unsigned object_count;
  unsigned object_room;
  struct place *places; /* of the CPUs that are allowed */
  uint32_t place_count;
};

/*===-- Files ----------------------------------------------------------------===*/

/* Most of the time goes into looking paths up: they begin at a folder. */
static int open_folder(const char *path) { return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC); }

static void close_folder(int folder) {
  if (folder >= 0)
    close(folder);
}

static bool exists(int folder, const char *path) { return faccessat(folder, path, F_OK, 0) == 0; }

static bool read_text(int folder, const char *path, char *text, size_t size) {
  int file = openat(folder, path, O_RDONLY | O_CLOEXEC);
  ssize_t length = file < 0 ? -1 : read(file, text, size - 1);
  if (file >= 0)
    close(file);
  if (length <= 0)
    return false;
  text[length] = '\0';
  return (size_t)length < size - 1;
}

static bool read_number(int folder, const char *path, uint64_t *number) {
  char text[32];
  char *end = NULL;
  if (!read_text(folder, path, text, sizeof text) || !isdigit((unsigned char)*text))
    return false;
  *number = strtoull(text, &end, 10);
  if (*end == 'K')
    *number *= 1024;
  return true;
}

/* A list of CPUs, such as 0-3,8. */
static hwloc_bitmap_t read_set(int folder, const char *path) {
  char text[TEXT_BYTES];
  if (!read_text(folder, path, text, sizeof text) || !isdigit((unsigned char)*text))
    return NULL;
  text[strcspn(text, "\n")] = '\0';
  hwloc_bitmap_t set = hwloc_bitmap_alloc();
  if (set && hwloc_bitmap_list_sscanf(set, text) == 0 && hwloc_bitmap_last(set) >= 0)
    return set;
  hwloc_bitmap_free(set);
  return NULL;
}

static bool says(int folder, const char *path, const char *expected) {
  char text[32];
  return read_text(folder, path, text, sizeof text) && strcmp(text, expected) == 0;
}

/*===-- Whether it is the usual machine -----------------------------------------===*/

static bool is_asked_for_another(void) {
  for (char **variable = environ; variable && *variable; variable++)
    if (strncmp(*variable, "HWLOC_", strlen("HWLOC_")) == 0)
      return true;
  return false;
}

static bool is_plain(int nodes) {
  return says(nodes, "online", "0\n") && says(nodes, "has_memory", "0\n") &&
         !exists(nodes, "node0/access0/initiators/read_bandwidth") &&
         !exists(nodes, "node0/access1/initiators/read_bandwidth");
}

static bool read_memory(struct reading *reading, int nodes) {
  static const char name[] = "MemTotal:";
  char text[TEXT_BYTES];
  if (!read_text(nodes, "node0/meminfo", text, sizeof text))
    return false;
  const char *found = strstr(text, name);
  unsigned long long kilobytes = 0;
  if (!found || sscanf(found + strlen(name), "%llu kB", &kilobytes) != 1)
    return false;
  reading->memory = (uint64_t)kilobytes * 1024;
  return kilobytes > 0;
}

static bool read_node(struct reading *reading) {
  int nodes = open_folder("/sys/devices/system/node");
  if (nodes < 0)
    return false;
  bool plain = is_plain(nodes) && read_memory(reading, nodes);
  if (plain)
    reading->online = read_set(nodes, "node0/cpulist");
  close_folder(nodes);
  return plain && reading->online && hwloc_bitmap_last(reading->online) < MOST_CPUS;
}

static bool read_allowed(struct reading *reading) {
  unsigned long mask[MOST_CPUS / (sizeof(unsigned long) * CHAR_BIT)] = {0};
  long bytes = syscall(SYS_sched_getaffinity, 0, sizeof mask, mask);
  reading->allowed = hwloc_bitmap_alloc();
  return bytes > 0 && reading->allowed &&
         hwloc_bitmap_from_ulongs(reading->allowed, (unsigned)((size_t)bytes / sizeof *mask),
                                  mask) == 0 &&
         !hwloc_bitmap_iszero(reading->allowed) &&
         hwloc_bitmap_isincluded(reading->allowed, reading->online);
}

/*===-- What CPUs share ----------------------------------------------------------===*/

static bool is_same(const struct object *left, const struct object *right) {
  return left->kind == right->kind && left->cache.level == right->cache.level &&
         left->cache.kind == right->cache.kind;
}

/* Takes the set over.  Objects of a kind are the same or apart, and all objects nest. */
static bool add(struct reading *reading, const struct object *new) {
  for (unsigned i = 0; i < reading->object_count; i++) {
    const struct object *known = &reading->objects[i];
    bool equal = hwloc_bitmap_isequal(known->cpus, new->cpus);
    if (is_same(known, new) && equal) {
      hwloc_bitmap_free(new->cpus);
      return true;
    }
    if (hwloc_bitmap_intersects(known->cpus, new->cpus) &&
        (is_same(known, new) || !(hwloc_bitmap_isincluded(known->cpus, new->cpus) ||
                                  hwloc_bitmap_isincluded(new->cpus, known->cpus)))) {
      hwloc_bitmap_free(new->cpus);
      return false;
    }
  }
  if (reading->object_count == reading->object_room) {
    hwloc_bitmap_free(new->cpus);
    return false;
  }
  reading->objects[reading->object_count++] = *new;
  return true;
}

/* @param needed without it hwloc is asked */
static bool read_shared(struct reading *reading, int cpu, enum kind kind, const char *file,
                        bool needed) {
  struct object new = {.kind = kind, .cpus = read_set(cpu, file)};
  if (!new.cpus)
    return !needed && !exists(cpu, file);
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

static const struct object *find_cache(const struct reading *reading, const struct object *like) {
  for (unsigned i = 0; i < reading->object_count; i++) {
    const struct object *known = &reading->objects[i];
    if (known->kind == CACHE && known->index == like->index &&
        hwloc_bitmap_isequal(known->cpus, like->cpus))
      return known;
  }
  return NULL;
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
  struct object new = {.kind = CACHE, .index = index, .cpus = read_set(folder, "shared_cpu_list")};
  if (!new.cpus)
    return false;
  bool known = find_cache(reading, &new);
  if (!known && read_cache(folder, &new.cache))
    return add(reading, &new);
  hwloc_bitmap_free(new.cpus);
  return known;
}

static bool read_caches(struct reading *reading, int cpu) {
  char name[32];
  for (unsigned index = 0; index < MOST_INDICES; index++) {
    snprintf(name, sizeof name, "cache/index%u", index);
    int folder = openat(cpu, name, O_PATH | O_DIRECTORY | O_CLOEXEC);
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
  int cpu = open_folder(path);
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
    if (reading->objects[i].kind == CORE && hwloc_bitmap_isset(reading->objects[i].cpus, cpu))
      core = &reading->objects[i];
  for (unsigned i = 0; i < reading->object_count && core; i++)
    if (hwloc_bitmap_intersects(reading->objects[i].cpus, core->cpus) &&
        !hwloc_bitmap_isincluded(core->cpus, reading->objects[i].cpus))
      return false;
  return core;
}

static bool read_objects(struct reading *reading) {
  reading->object_room = (unsigned)hwloc_bitmap_weight(reading->allowed) * MOST_KINDS;
  reading->objects = calloc(reading->object_room, sizeof *reading->objects);
  if (!reading->objects)
    return false;
  for (int cpu = hwloc_bitmap_first(reading->allowed); cpu >= 0;
       cpu = hwloc_bitmap_next(reading->allowed, cpu))
    if (!is_known(reading, (uint32_t)cpu) && !read_cpu(reading, (uint32_t)cpu))
      return false;
  for (unsigned i = 0; i < reading->object_count; i++)
    if (!hwloc_bitmap_isincluded(reading->objects[i].cpus, reading->online))
      return false;
  return true;
}

/*===-- The order of CPUs ----------------------------------------------------------===*/

static int by_weight(const void *left, const void *right) {
  const struct object *a = left;
  const struct object *b = right;
  return hwloc_bitmap_weight(b->cpus) - hwloc_bitmap_weight(a->cpus);
}

static int compare(uint32_t left, uint32_t right) { return (left > right) - (left < right); }

static int first_of(const struct place *place, unsigned i) {
  return i < place->count ? hwloc_bitmap_first(place->in[i]->cpus) : (int)place->os_index;
}

static int by_tree(const void *left, const void *right) {
  const struct place *a = left;
  const struct place *b = right;
  for (unsigned i = 0; i < MOST_KINDS; i++)
    if (first_of(a, i) != first_of(b, i))
      return first_of(a, i) - first_of(b, i);
  return compare(a->os_index, b->os_index);
}

static bool find_place(const struct reading *reading, struct place *place) {
  for (unsigned i = 0; i < reading->object_count; i++) {
    if (!hwloc_bitmap_isset(reading->objects[i].cpus, place->os_index))
      continue;
    if (place->count == MOST_KINDS)
      return false;
    place->in[place->count++] = &reading->objects[i];
  }
  return true;
}

static bool find_places(struct reading *reading) {
  uint32_t count = (uint32_t)hwloc_bitmap_weight(reading->allowed);
  qsort(reading->objects, reading->object_count, sizeof *reading->objects, by_weight);
  reading->places = calloc(count, sizeof *reading->places);
  if (!reading->places)
    return false;
  for (int cpu = hwloc_bitmap_first(reading->allowed); cpu >= 0;
       cpu = hwloc_bitmap_next(reading->allowed, cpu)) {
    struct place *place = &reading->places[reading->place_count++];
    place->os_index = (uint32_t)cpu;
    if (!find_place(reading, place))
      return false;
  }
  qsort(reading->places, count, sizeof *reading->places, by_tree);
  return true;
}

/*===-- The machine ----------------------------------------------------------------===*/

/* What of this kind the CPU is in, or NULL. */
static const struct object *object_of(const struct place *place, const struct object *kind) {
  for (unsigned i = 0; i < place->count; i++)
    if (is_same(place->in[i], kind))
      return place->in[i];
  return NULL;
}

static bool is_first_in(const struct reading *reading, uint32_t cpu, enum kind which) {
  const struct object kind = {.kind = which};
  return cpu == 0 ||
         object_of(&reading->places[cpu], &kind) != object_of(&reading->places[cpu - 1], &kind);
}

static void list_cpus(struct numarch *machine, const struct reading *reading) {
  for (uint32_t i = 0; i < reading->place_count; i++) {
    bool new_core = is_first_in(reading, i, CORE);
    machine->package_count += is_first_in(reading, i, PACKAGE);
    machine->core_count += new_core;
    machine->cpus[i] = (struct numarch_cpu){
        .os_index = reading->places[i].os_index,
        .core = machine->core_count - 1,
        .smt = new_core ? 0 : machine->cpus[i - 1].smt + 1,
        .package = machine->package_count - 1,
        .allowed = true,
    };
    machine->cpu_numbers[i] = machine->node_cpus[i] = i;
  }
  machine->cpu_count = reading->place_count;
}

static void list_caches_of(struct numarch *machine, const struct reading *reading,
                           const struct object *kind) {
  const struct object *before = NULL;
  for (uint32_t i = 0; i < machine->cpu_count; i++) {
    const struct object *object = object_of(&reading->places[i], kind);
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
  if (reading->place_count == 0 || reading->object_count == 0)
    return false;
  machine->cpus = calloc(reading->place_count, sizeof *machine->cpus);
  machine->cpu_numbers = calloc(reading->place_count, sizeof *machine->cpu_numbers);
  machine->node_cpus = calloc(reading->place_count, sizeof *machine->node_cpus);
  machine->caches = calloc(reading->object_count, sizeof *machine->caches);
  machine->nodes = calloc(1, sizeof *machine->nodes);
  machine->distances = calloc(1, sizeof *machine->distances);
  machine->distances_told = calloc(1, sizeof *machine->distances_told);
  return machine->cpus && machine->cpu_numbers && machine->node_cpus && machine->caches &&
         machine->nodes && machine->distances && machine->distances_told;
}

static void list_node(struct numarch *machine, const struct reading *reading) {
  machine->nodes[machine->node_count++] = (struct numarch_node){
      .cpu_count = machine->cpu_count,
      .cpus = machine->node_cpus,
      .memory_total = reading->memory,
      .allowed = true,
      .memory_kind = NUMARCH_MEMORY_DRAM,
  };
  machine->distances[0] = 10; /* hwloc asks for no distance where there is none */
}

static bool build(struct numarch *machine, const struct reading *reading) {
  if (!allocate(machine, reading))
    return false;
  machine->is_this_system = true;
  list_cpus(machine, reading);
  list_caches(machine, reading);
  list_node(machine, reading);
  return true;
}

static void free_reading(struct reading *reading) {
  for (unsigned i = 0; i < reading->object_count; i++)
    hwloc_bitmap_free(reading->objects[i].cpus);
  hwloc_bitmap_free(reading->allowed);
  hwloc_bitmap_free(reading->online);
  free(reading->objects);
  free(reading->places);
}

static bool read_machine(struct reading *reading) {
  return read_node(reading) && read_allowed(reading) && read_objects(reading) &&
         find_places(reading);
}

/* What the files of other architectures mean, hwloc knows. */
#ifdef __x86_64__
static const bool files_are_known = true;
#else
static const bool files_are_known = false;
#endif

numarch_t *numarch_read_quickly(void) {
  struct reading reading = {0};
  struct numarch *machine = NULL;
  int error = errno;
  if (files_are_known && NUMARCH_SINGLE_THREADED && !is_asked_for_another() &&
      !numarch_was_measured() && read_machine(&reading)) {
    machine = calloc(1, sizeof *machine);
    if (machine && !build(machine, &reading)) {
      numarch_close(machine);
      machine = NULL;
    }
  }
  free_reading(&reading);
  errno = error;
  return machine;
}
