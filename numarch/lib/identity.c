/*===-- identity.c - names the machine by its hardware ----------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * Home directories are shared by the machines of a cluster, so that each needs a name of its own.
 * The identity is a hash (FNV-1a, Fowler, Noll and Vo, 64 bits) of what makes its memory as fast as
 * it is, and of what identifies the installation.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "measurement.h"

static uint64_t hash(const char *text, size_t size) {
  uint64_t value = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < size; i++)
    value = (value ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
  return value;
}

/* Machines with equal hardware differ in their memory modules all the same. */
static void describe_installation(FILE *stream) {
  char name[256] = "";
  FILE *file = fopen("/etc/machine-id", "re");
  bool known = file && fgets(name, sizeof name, file) && strcspn(name, "\n") > 0;
  if (file)
    fclose(file);
  if (!known && gethostname(name, sizeof name - 1) != 0)
    name[0] = '\0';
  fprintf(stream, "installation %s\n", name);
}

static void describe_packages(FILE *stream, hwloc_topology_t topology) {
  hwloc_obj_t package = NULL;
  while ((package = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PACKAGE, package))) {
    const char *model = hwloc_obj_get_info_by_name(package, "CPUModel");
    fprintf(stream, "package %s\n", model ? model : "");
  }
}

/* hwloc shows the memory of a GPU to some and hides it from others
   (HWLOC_KEEP_NVIDIA_GPU_NUMA_NODES
   ), and it is the same machine. */
static bool is_gpu_memory(hwloc_obj_t node) {
  return (node->subtype && strstr(node->subtype, "GPU")) ||
         hwloc_obj_get_info_by_name(node, "PCIBusID");
}

/* How much memory a node has is left out: virtual machines are given more and less of it as they
   run, and it is as fast as before. */
static void describe_node(FILE *stream, hwloc_obj_t node) {
  char *cpus = NULL;
  if (is_gpu_memory(node) || hwloc_bitmap_list_asprintf(&cpus, node->cpuset) < 0)
    return;
  fprintf(stream, "node %u memory %d cpus %s\n", node->os_index,
          node->attr->numanode.local_memory > 0, cpus);
  free(cpus);
}

static void describe(FILE *stream, hwloc_topology_t topology) {
  describe_installation(stream);
  describe_packages(stream, topology);
  hwloc_obj_t node = NULL;
  while ((node = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, node)))
    describe_node(stream, node);
}

int numarch_machine_identity(hwloc_topology_t topology, char identity[NUMARCH_IDENTITY_SIZE]) {
  char *text = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&text, &size);
  if (!stream)
    return -1;
  describe(stream, topology);
  bool failed = ferror(stream);
  if (fclose(stream) == 0 && !failed) {
    snprintf(identity, NUMARCH_IDENTITY_SIZE, "%016" PRIx64, hash(text, size));
    free(text);
    return 0;
  }
  free(text);
  return -1;
}
