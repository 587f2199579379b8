/*===-- discover.c - read the machine with hwloc ----------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
#include "discover.h"

#include <errno.h>
#include <limits.h>
#include <linux/mempolicy.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "numarch.h"
#include "runtime/ask_for_cpus.h"
#include "runtime/folder.h"

/* Linux has no machine with more nodes (NODES_SHIFT is 10 at most). */
enum { MAX_NODES = 1024, BITS_PER_LONG = sizeof(unsigned long) * CHAR_BIT };

/* The value of an environment variable; NULL where it is unset or empty. */
static const char *variable(const char *name) {
  const char *value = getenv(name);
  return value && *value ? value : NULL;
}

/* hwloc reads these variables by itself, in this order, but where one names nothing that it can
   read, it describes the running machine instead and says nothing.  Given by name, it reports the
   error. */
static int choose_source(hwloc_topology_t topology) {
  const char *synthetic = variable("HWLOC_SYNTHETIC");
  if (synthetic)
    return hwloc_topology_set_synthetic(topology, synthetic);
  const char *file = variable("HWLOC_XMLFILE");
  if (file)
    return hwloc_topology_set_xml(topology, file);
  return 0;
}

static bool tells_topology(const char *cpu) {
  char path[sizeof "/sys/devices/system/cpu//topology" + 256];
  snprintf(path, sizeof path, "/sys/devices/system/cpu/%.255s/topology", cpu);
  return access(path, X_OK) == 0;
}

/* Where the kernel's files are hidden, as in sandboxes without /sys, hwloc would say so on the
   program's standard error.  It counts the CPUs then, and does so without looking for files, too.
 */
static int choose_components(hwloc_topology_t topology) {
  bool files_count =
      !variable("HWLOC_SYNTHETIC") && !variable("HWLOC_XMLFILE") && !variable("HWLOC_FSROOT");
  if (!files_count || minas_folder_has("/sys/devices/system/cpu", tells_topology) == 1)
    return 0;
  return hwloc_topology_set_components(topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "linux");
}

/* Caches of data and I/O devices need no word: hwloc's defaults keep the former and drop the
 * latter. */
static int choose_objects(hwloc_topology_t topology) {
  /* Without DONT_CHANGE_BINDING hwloc may run on every CPU in turn to ask it what it is. */
  unsigned long flags =
      HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED | HWLOC_TOPOLOGY_FLAG_DONT_CHANGE_BINDING;
  if (hwloc_topology_set_flags(topology, flags) != 0)
    return -1;
  if (hwloc_topology_set_icache_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_ALL) != 0)
    return -1;
  return hwloc_topology_set_type_filter(topology, HWLOC_OBJ_MISC, HWLOC_TYPE_FILTER_KEEP_NONE);
}

/* The CPUs to which some thread of the process may go or, where /proc is missing, this thread. */
static int keep_bound_cpus(hwloc_topology_t topology, hwloc_bitmap_t cpus) {
  if (hwloc_topology_is_thissystem(topology) && !minas_may_ask_for_cpus())
    return 0;
  hwloc_bitmap_t bound = hwloc_bitmap_alloc();
  if (!bound)
    return -1;
  int error = 0;
  if (hwloc_get_cpubind(topology, bound, HWLOC_CPUBIND_PROCESS) == 0 ||
      hwloc_get_cpubind(topology, bound, HWLOC_CPUBIND_THREAD) == 0)
    error = hwloc_bitmap_and(cpus, cpus, bound);
  hwloc_bitmap_free(bound);
  return error;
}

/* hwloc_get_membind() does not tell nodes that are merely preferred from those that memory must
   come from, and only the latter are a limit.  Relative nodes are none that could be compared. */
static bool memory_is_bound(int policy) {
  return (policy & ~MPOL_MODE_FLAGS) == MPOL_BIND && !(policy & MPOL_F_RELATIVE_NODES);
}

static int keep_bound_nodes(hwloc_topology_t topology, hwloc_bitmap_t nodes) {
  unsigned long mask[MAX_NODES / BITS_PER_LONG];
  int policy = 0;
  if (!hwloc_topology_is_thissystem(topology) ||
      syscall(SYS_get_mempolicy, &policy, mask, MAX_NODES + 1UL, NULL, 0UL) != 0 ||
      !memory_is_bound(policy))
    return 0;
  hwloc_bitmap_t bound = hwloc_bitmap_alloc();
  if (!bound)
    return -1;
  int error = hwloc_bitmap_from_ulongs(bound, MAX_NODES / BITS_PER_LONG, mask);
  if (error == 0)
    error = hwloc_bitmap_and(nodes, nodes, bound);
  hwloc_bitmap_free(bound);
  return error;
}

static int find_allowed(struct numarch_discovery *found) {
  hwloc_topology_t topology = found->topology;
  if (hwloc_bitmap_copy(found->allowed_cpus, hwloc_topology_get_allowed_cpuset(topology)) != 0 ||
      hwloc_bitmap_copy(found->allowed_nodes, hwloc_topology_get_allowed_nodeset(topology)) != 0)
    return -1;
  if (keep_bound_cpus(topology, found->allowed_cpus) != 0)
    return -1;
  return keep_bound_nodes(topology, found->allowed_nodes);
}

static int want(struct numarch_discovery *found, unsigned flags) {
  bool whole = flags & NUMARCH_WHOLE_MACHINE;
  hwloc_const_bitmap_t cpus =
      whole ? hwloc_topology_get_topology_cpuset(found->topology) : found->allowed_cpus;
  hwloc_const_bitmap_t nodes =
      whole ? hwloc_topology_get_topology_nodeset(found->topology) : found->allowed_nodes;
  if (hwloc_bitmap_copy(found->cpus, cpus) != 0)
    return -1;
  return hwloc_bitmap_copy(found->nodes, nodes);
}

static int allocate_sets(struct numarch_discovery *found) {
  found->cpus = hwloc_bitmap_alloc();
  found->nodes = hwloc_bitmap_alloc();
  found->allowed_cpus = hwloc_bitmap_alloc();
  found->allowed_nodes = hwloc_bitmap_alloc();
  return found->cpus && found->nodes && found->allowed_cpus && found->allowed_nodes ? 0 : -1;
}

/* hwloc's plugins know I/O devices, of which nothing is asked, and libxml2, for files.  Loading
   them, with X11, OpenCL and more behind them, takes twice as long as all the rest, and hwloc is
   kept from it by a variable only.  That is set where no other thread can be reading variables. */
static int init_without_plugins(hwloc_topology_t *topology) {
  static const char path[] = "HWLOC_PLUGINS_PATH";
  bool hide = NUMARCH_SINGLE_THREADED && !getenv(path) && !variable("HWLOC_XMLFILE");
  if (hide && setenv(path, "", 1) != 0)
    return -1;
  int error = hwloc_topology_init(topology);
  if (hide)
    unsetenv(path);
  return error;
}

static int load(struct numarch_discovery *found, unsigned flags) {
  if (init_without_plugins(&found->topology) != 0 || allocate_sets(found) != 0)
    return -1;
  if (choose_source(found->topology) != 0 || choose_components(found->topology) != 0 ||
      choose_objects(found->topology) != 0 || hwloc_topology_load(found->topology) != 0)
    return -1;
  return find_allowed(found) == 0 ? want(found, flags) : -1;
}

int numarch_discover(struct numarch_discovery *found, unsigned flags) {
  *found = (struct numarch_discovery){0};
  errno = 0;
  if (load(found, flags) == 0)
    return 0;
  /* hwloc sets many others, or none; to the caller they all mean that it cannot be read. */
  int error = errno == ENOMEM ? ENOMEM : EINVAL;
  numarch_discovery_free(found);
  errno = error;
  return -1;
}

void numarch_discovery_free(struct numarch_discovery *found) {
  hwloc_bitmap_free(found->allowed_nodes);
  hwloc_bitmap_free(found->allowed_cpus);
  hwloc_bitmap_free(found->nodes);
  hwloc_bitmap_free(found->cpus);
  if (found->topology)
    hwloc_topology_destroy(found->topology);
}
