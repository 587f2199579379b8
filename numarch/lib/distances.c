/*===-- distances.c - the distances between nodes ---------------*- C -*-===*\
|* Part of Minas, under the Apache License v2.0 with LLVM Exceptions.        *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   *|
\*===----------------------------------------------------------------------===*/
/*
 * ACPI's SLIT table gives distances relative to 10, a node's own memory.  hwloc hands the kernel's
 * copy of it on as a matrix of latencies "from the OS"; a matrix from elsewhere has other units.
 */
#include <stdbool.h>
#include <stdlib.h>

#include "discover.h"

enum { LOCAL_DISTANCE = 10, REMOTE_DISTANCE = 20 }; /* what Linux assumes without a SLIT */

static void assume_distances(uint32_t *distances, size_t nodes) {
  for (size_t from = 0; from < nodes; from++)
    for (size_t to = 0; to < nodes; to++)
      distances[from * nodes + to] = from == to ? LOCAL_DISTANCE : REMOTE_DISTANCE;
}

/* A matrix may come from a file: no distance is 0, which a NUMA factor would be divided by. */
static bool is_sane(const struct hwloc_distances_s *matrix) {
  size_t entries = (size_t)matrix->nbobjs * matrix->nbobjs;
  for (size_t i = 0; i < entries; i++)
    if (matrix->values[i] == 0 || matrix->values[i] > UINT32_MAX)
      return false;
  return true;
}

static void copy_distances(struct numarch_distances *distances, size_t nodes,
                           const struct hwloc_distances_s *matrix) {
  const hwloc_uint64_t *value = matrix->values;
  for (unsigned i = 0; i < matrix->nbobjs; i++)
    for (unsigned j = 0; j < matrix->nbobjs; j++) {
      size_t index = matrix->objs[i]->logical_index * nodes + matrix->objs[j]->logical_index;
      distances->values[index] = (uint32_t)*value++;
      distances->told[index] = true;
    }
}

static int allocate(struct numarch_distances *distances, size_t nodes) {
  distances->values = calloc(nodes, nodes * sizeof *distances->values);
  distances->told = calloc(nodes, nodes * sizeof *distances->told);
  if (distances->values && distances->told)
    return 0;
  free(distances->values);
  free(distances->told);
  return -1;
}

int numarch_discover_distances(struct numarch_distances *distances, hwloc_topology_t topology,
                               uint32_t nodes) {
  if (allocate(distances, nodes) != 0)
    return -1;
  assume_distances(distances->values, nodes);
  struct hwloc_distances_s *matrix;
  unsigned count = 1;
  unsigned long kind = HWLOC_DISTANCES_KIND_FROM_OS | HWLOC_DISTANCES_KIND_MEANS_LATENCY;
  if (hwloc_distances_get_by_type(topology, HWLOC_OBJ_NUMANODE, &count, &matrix, kind, 0) == 0 &&
      count > 0) {
    if (is_sane(matrix))
      copy_distances(distances, nodes, matrix);
    hwloc_distances_release(topology, matrix);
  }
  return 0;
}
