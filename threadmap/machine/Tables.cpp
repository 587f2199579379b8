//===-- Tables.cpp - what the firmware tells of nodes -----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Tables.h"

#include <algorithm>
#include <cstring>
#include <hwloc/distances.h>
#include <hwloc/memattrs.h>

using namespace threadmap;

namespace {

using Table = std::vector<double>;
using Nodes = std::vector<hwloc_obj_t>;

/// Empty where a value is missing, or 0, which means that it is not known.
Table complete(Table Values) {
  const bool Known = std::none_of(Values.begin(), Values.end(), [](double V) { return V <= 0; });
  return Known ? Values : Table();
}

/// The values of the nodes in a matrix of hwloc's, which may have them in another order, and
/// others.
Table valuesOf(const hwloc_distances_s &Matrix, const Nodes &Of) {
  std::vector<size_t> Index;
  for (const hwloc_obj_t Node : Of) {
    const size_t Object = static_cast<size_t>(
        std::find(Matrix.objs, Matrix.objs + Matrix.nbobjs, Node) - Matrix.objs);
    if (Object == Matrix.nbobjs)
      return {};
    Index.push_back(Object);
  }
  Table Result;
  for (const size_t From : Index)
    for (const size_t To : Index)
      Result.push_back(static_cast<double>(Matrix.values[From * Matrix.nbobjs + To]));
  return complete(std::move(Result));
}

/// The first matrix of nodes that has such values.
/// @param IsSlit whether it is to be the kernel's table, or not to be
Table matrix(hwloc_topology_t From, const Nodes &Of, unsigned long Kind, bool IsSlit) {
  constexpr unsigned Most = 16;
  hwloc_distances_s *Found[Most];
  unsigned Count = Most;
  if (hwloc_distances_get_by_type(From, HWLOC_OBJ_NUMANODE, &Count, Found, Kind, 0) != 0)
    return {};
  Table Result;
  for (unsigned I = 0; I < std::min(Count, Most); ++I) {
    const char *Name = hwloc_distances_get_name(From, Found[I]);
    const bool Fits = (Name && std::strcmp(Name, "NUMALatency") == 0) == IsSlit;
    if (Fits && Result.empty())
      Result = valuesOf(*Found[I], Of);
    hwloc_distances_release(From, Found[I]);
  }
  return Result;
}

/// An attribute of the memory of each node, seen from the CPUs of each.
Table attribute(hwloc_topology_t From, const Nodes &Of, hwloc_memattr_id_t Id) {
  Table Result;
  for (const hwloc_obj_t Initiator : Of)
    for (const hwloc_obj_t Target : Of) {
      hwloc_location At{};
      At.type = HWLOC_LOCATION_TYPE_CPUSET;
      At.location.cpuset = Initiator->cpuset;
      hwloc_uint64_t Value = 0;
      if (hwloc_memattr_get_value(From, Id, Target, &At, 0, &Value) != 0)
        return {};
      Result.push_back(static_cast<double>(Value));
    }
  return complete(std::move(Result));
}

Table firstOf(Table First, Table Second) { return First.empty() ? Second : First; }

} // namespace

void threadmap::readTables(hwloc_topology_t From, const std::vector<hwloc_obj_t> &Nodes,
                           Machine &Into) {
  Into.Slit = matrix(From, Nodes, HWLOC_DISTANCES_KIND_MEANS_LATENCY, true);
  Into.Latency = firstOf(attribute(From, Nodes, HWLOC_MEMATTR_ID_LATENCY),
                         matrix(From, Nodes, HWLOC_DISTANCES_KIND_MEANS_LATENCY, false));
  Into.Bandwidth = firstOf(firstOf(attribute(From, Nodes, HWLOC_MEMATTR_ID_BANDWIDTH),
                                   attribute(From, Nodes, HWLOC_MEMATTR_ID_READ_BANDWIDTH)),
                           matrix(From, Nodes, HWLOC_DISTANCES_KIND_MEANS_BANDWIDTH, false));
}
