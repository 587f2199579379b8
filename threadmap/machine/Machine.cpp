//===-- Machine.cpp - the memory hierarchy as a tree ------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include "Tables.h"
#include "runtime/ask_for_cpus.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <hwloc.h>
#include <hwloc/cpukinds.h>
#include <map>
#include <memory>
#include <sys/stat.h>

using namespace threadmap;

namespace {

struct DestroyTopology {
  void operator()(hwloc_topology_t Topology) const { hwloc_topology_destroy(Topology); }
};
using TopologyPointer = std::unique_ptr<hwloc_topology, DestroyTopology>;

struct FreeBitmap {
  void operator()(hwloc_bitmap_t Bitmap) const { hwloc_bitmap_free(Bitmap); }
};
using BitmapPointer = std::unique_ptr<hwloc_bitmap_s, FreeBitmap>;

/// As many as Linux supports: descriptions are read, not trusted.  hwloc's time grows as the
/// square: a package of 16384 cores takes it half a minute.
constexpr uint64_t MaxCpus = 8192;

TopologyPointer newTopology() {
  hwloc_topology_t Topology = nullptr;
  return TopologyPointer(hwloc_topology_init(&Topology) == 0 ? Topology : nullptr);
}

/// Turns hwloc's tree into ours.
class MachineReader {
public:
  explicit MachineReader(hwloc_topology_t From) : Topology(From) {}

  Machine run() {
    findNodes();
    const auto Depth = static_cast<size_t>(hwloc_topology_get_depth(Topology));
    findHeights(Depth);
    add(hwloc_get_root_obj(Topology), 0);
    return std::move(Result);
  }

private:
  /// Parts without CPUs are left, of memory or of what this process may not use, and count nothing.
  static bool hasCpus(hwloc_obj_t Object) { return !hwloc_bitmap_iszero(Object->cpuset); }

  static bool branches(hwloc_obj_t Object) {
    int Parts = 0;
    for (hwloc_obj_t Child = Object->first_child; Child; Child = Child->next_sibling)
      Parts += hasCpus(Child);
    return Parts > 1;
  }

  void findHeights(size_t Depth) {
    Heights.assign(Depth, 0);
    uint32_t Height = 0;
    for (size_t D = Depth; D-- > 0;) {
      const int Level = static_cast<int>(D);
      bool Any = false;
      for (hwloc_obj_t O = nullptr; (O = hwloc_get_next_obj_by_depth(Topology, Level, O));)
        Any |= branches(O);
      Height += Any;
      Heights[D] = Height;
    }
  }

  /// A CPU belongs to the node with the fewest CPUs that has it, of several the first one: ordinary
  /// memory comes before what is beside it.
  void findNodes() {
    const auto Cpus = static_cast<size_t>(hwloc_get_nbobjs_by_type(Topology, HWLOC_OBJ_PU));
    std::vector<hwloc_obj_t> Of(Cpus, nullptr);
    for (hwloc_obj_t Node = nullptr;
         (Node = hwloc_get_next_obj_by_type(Topology, HWLOC_OBJ_NUMANODE, Node));)
      for (hwloc_obj_t Cpu = nullptr; (Cpu = hwloc_get_next_obj_inside_cpuset_by_type(
                                           Topology, Node->cpuset, HWLOC_OBJ_PU, Cpu));) {
        hwloc_obj_t &Known = Of[Cpu->logical_index];
        if (!Known || hwloc_bitmap_weight(Node->cpuset) < hwloc_bitmap_weight(Known->cpuset))
          Known = Node;
      }
    std::map<uint32_t, hwloc_obj_t> Nodes; // by OS index
    for (const hwloc_obj_t Node : Of)
      if (Node)
        Nodes[Node->os_index] = Node;
    for (const auto &[Index, Node] : Nodes)
      Result.Nodes.push_back(Index);
    for (const hwloc_obj_t Node : Of)
      NodeOfCpu.push_back(static_cast<uint32_t>(
          Node ? std::distance(Nodes.begin(), Nodes.find(Node->os_index)) : 0));
    std::vector<hwloc_obj_t> Objects;
    for (const auto &[Index, Node] : Nodes)
      Objects.push_back(Node);
    readTables(Topology, Objects, Result);
  }

  uint32_t newPart(uint32_t Parent, uint32_t Height) {
    Result.Parts.push_back({Parent, Height, {}, 0, 0, 0, 0, 0});
    const auto Index = static_cast<uint32_t>(Result.Parts.size() - 1);
    if (Index)
      Result.Parts[Parent].Children.push_back(Index);
    return Index;
  }

  void add(hwloc_obj_t Object, uint32_t Parent) {
    const bool OpensCore = Object->type == HWLOC_OBJ_CORE;
    CoreDepth += OpensCore;
    if (Object->type == HWLOC_OBJ_PU)
      addCpu(Object, Parent);
    else
      addObject(Object, Parent);
    CoreDepth -= OpensCore;
    // CPUs outside of cores, on machines that tell none, are cores of their own.
    if (OpensCore || (Object->type == HWLOC_OBJ_PU && !CoreDepth))
      ++Result.Cores;
  }

  void addCpu(hwloc_obj_t Object, uint32_t Parent) {
    const uint32_t Index = newPart(Parent, 0);
    Result.Parts[Index].Cpu = Object->os_index;
    Result.Parts[Index].Core = Result.Cores;
    Result.Parts[Index].Kind = kindOf(Object);
    Result.Parts[Index].Node = NodeOfCpu[Object->logical_index];
    ++Result.Cpus;
  }

  /// hwloc's kinds are ordered by efficiency, the least first, where it knows that.
  uint32_t kindOf(hwloc_obj_t Cpu) const {
    const int Kinds = hwloc_cpukinds_get_nr(Topology, 0);
    const int Kind = hwloc_cpukinds_get_by_cpuset(Topology, Cpu->cpuset, 0);
    int Efficiency = -1;
    if (Kind < 0 || hwloc_cpukinds_get_info(Topology, static_cast<unsigned>(Kind), nullptr,
                                            &Efficiency, nullptr, nullptr, 0) != 0)
      return 0;
    return Efficiency < 0 ? 0 : static_cast<uint32_t>(Kinds - 1 - Kind);
  }

  void addObject(hwloc_obj_t Object, uint32_t Parent) {
    const uint32_t Self =
        branches(Object) ? newPart(Parent, Heights[static_cast<size_t>(Object->depth)]) : Parent;
    for (hwloc_obj_t Child = Object->first_child; Child; Child = Child->next_sibling)
      if (hasCpus(Child))
        add(Child, Self);
  }

  hwloc_topology_t Topology;
  Machine Result;
  std::vector<uint32_t> Heights;   ///< by hwloc's depth
  std::vector<uint32_t> NodeOfCpu; ///< by hwloc's logical index
  int CoreDepth = 0;
};

std::optional<Machine> load(hwloc_topology_t Topology, std::string Name, std::string &Error) {
  const int Cpus = hwloc_get_nbobjs_by_type(Topology, HWLOC_OBJ_PU);
  if (Cpus < 1 || static_cast<uint64_t>(Cpus) > MaxCpus) {
    Error = Name + ": expected a machine with 1 to " + std::to_string(MaxCpus) + " CPUs, found " +
            std::to_string(Cpus);
    return std::nullopt;
  }
  Machine Result = MachineReader(Topology).run();
  Result.Name = std::move(Name);
  return Result;
}

bool isFile(const std::string &Name) {
  struct stat Status{};
  return stat(Name.c_str(), &Status) == 0;
}

std::optional<Machine> machineOfFile(const std::string &Name, std::string &Error) {
  struct stat Status{};
  const bool Regular = stat(Name.c_str(), &Status) == 0 && S_ISREG(Status.st_mode);
  const TopologyPointer Topology = newTopology();
  if (Regular && Topology && hwloc_topology_set_xml(Topology.get(), Name.c_str()) == 0 &&
      hwloc_topology_load(Topology.get()) == 0)
    return load(Topology.get(), Name, Error);
  Error = Name + ": hwloc cannot read a machine from it (lstopo --of xml FILE writes one)";
  return std::nullopt;
}

/// The numbers of `4x8x2`, those of too many digits as too large; none where it is not such a list.
std::vector<uint64_t> arities(const std::string &Text) {
  constexpr size_t MaxDigits = 6;
  std::vector<uint64_t> Result;
  for (const char *At = Text.c_str();;) {
    const size_t Digits = std::strspn(At, "0123456789");
    if (Digits == 0)
      return {};
    Result.push_back(Digits > MaxDigits ? MaxCpus + 1 : std::stoull(std::string(At, Digits)));
    At += Digits;
    if (!*At)
      return Result;
    if (*At++ != 'x')
      return {};
  }
}

/// hwloc's words for a list of arities; empty where it describes no machine.
std::string syntheticOf(const std::vector<uint64_t> &Arities) {
  uint64_t Cpus = 1;
  for (const uint64_t Arity : Arities) {
    if (Arity == 0 || (Cpus *= Arity) > MaxCpus)
      return "";
  }
  std::vector<std::string> Words;
  for (const uint64_t Arity : Arities)
    Words.push_back("group:" + std::to_string(Arity));
  const auto Rename = [&](size_t Index, const char *Type) {
    Words[Index] = Type + std::to_string(Arities[Index]);
  };
  const size_t Core = Words.size() > 2 ? Words.size() - 2 : Words.size() - 1;
  Rename(0, "package:");
  Rename(Core, "core:");
  if (Words.size() > 2)
    Rename(Core + 1, "pu:");
  else
    Words.emplace_back("pu:1");
  std::string Result;
  for (const std::string &Word : Words)
    Result += (Result.empty() ? "" : " ") + Word;
  return Result;
}

/// How many CPUs a description of hwloc's may mean, so that hwloc is not asked for too many: the
/// product of the numbers after colons, or of whole words, outside of attributes.
bool describesTooMany(const std::string &Description) {
  uint64_t Cpus = 1;
  int Attributes = 0;
  bool Counts = true; // at a location where a number is one of objects
  for (const char *At = Description.c_str(); *At && Cpus <= MaxCpus; ++At) {
    const size_t Digits = std::strspn(At, "0123456789");
    if (Counts && Digits && !Attributes) {
      const uint64_t Number = Digits > 9 ? MaxCpus + 1 : std::stoull(std::string(At, Digits));
      Cpus *= std::max<uint64_t>(Number, 1);
      At += Digits - 1;
    }
    Attributes += (*At == '(' || *At == '[') - (*At == ')' || *At == ']');
    Counts = *At == ':' || *At == ' ';
  }
  return Cpus > MaxCpus;
}

std::string tooMany(const std::string &Name) {
  return "expected a topology of 1 to " + std::to_string(MaxCpus) + " CPUs, found '" + Name + "'";
}

std::optional<Machine> syntheticMachine(const std::string &Description, const std::string &Name,
                                        std::string &Error) {
  if (describesTooMany(Description)) {
    Error = tooMany(Name);
    return std::nullopt;
  }
  const TopologyPointer Topology = newTopology();
  if (Topology && hwloc_topology_set_synthetic(Topology.get(), Description.c_str()) == 0 &&
      hwloc_topology_load(Topology.get()) == 0)
    return load(Topology.get(), Name, Error);
  Error = "expected a topology, found '" + Name +
          "', which is not a file, not arities such as 4x8x2 and not a synthetic description of "
          "hwloc's such as 'package:4 core:8 pu:2'";
  return std::nullopt;
}

/// Leaves out what this process may not use.
bool restrictToBinding(hwloc_topology_t Topology) {
  const BitmapPointer Bound(hwloc_bitmap_alloc());
  if (!Bound || !minas_may_ask_for_cpus() ||
      hwloc_get_cpubind(Topology, Bound.get(), HWLOC_CPUBIND_PROCESS) != 0)
    return true; // Where the kernel does not tell, all may be used.
  return hwloc_topology_restrict(Topology, Bound.get(), 0) == 0;
}

/// The variable by which the environment describes a machine to hwloc, or null.
const char *environmentName() {
  for (const char *Name : {"HWLOC_SYNTHETIC", "HWLOC_XMLFILE"}) {
    const char *Value = std::getenv(Name);
    if (Value && *Value)
      return Name;
  }
  return nullptr;
}

/// Tells hwloc what the variable says: it would pass over in silence what it cannot read.
bool describe(hwloc_topology_t Topology, const char *Variable) {
  if (!Variable)
    return true;
  const char *Value = std::getenv(Variable);
  return std::strcmp(Variable, "HWLOC_XMLFILE") == 0
             ? hwloc_topology_set_xml(Topology, Value) == 0
             : !describesTooMany(Value) && hwloc_topology_set_synthetic(Topology, Value) == 0;
}

} // namespace

std::optional<Machine> threadmap::describedMachine(const std::string &Description,
                                                   std::string &Error) {
  if (isFile(Description))
    return machineOfFile(Description, Error);
  const std::vector<uint64_t> Arities = arities(Description);
  if (Arities.empty())
    return syntheticMachine(Description, Description, Error);
  const std::string Synthetic = syntheticOf(Arities);
  if (!Synthetic.empty())
    return syntheticMachine(Synthetic, Description, Error);
  Error = tooMany(Description);
  return std::nullopt;
}

std::optional<Machine> threadmap::thisMachine(bool Whole, std::string &Error) {
  const char *Variable = environmentName();
  const std::string Name =
      Variable ? std::string(Variable) + "=" + std::getenv(Variable) : "this machine";
  const TopologyPointer Topology = newTopology();
  // hwloc would run on every CPU in turn to ask it what it is, having asked where it may run.
  unsigned long Flags = HWLOC_TOPOLOGY_FLAG_DONT_CHANGE_BINDING;
  if (Whole)
    Flags |= HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED;
  if (!Topology || hwloc_topology_set_flags(Topology.get(), Flags) != 0 ||
      !describe(Topology.get(), Variable) || hwloc_topology_load(Topology.get()) != 0 ||
      (!Whole && hwloc_topology_is_thissystem(Topology.get()) &&
       !restrictToBinding(Topology.get()))) {
    Error = "hwloc cannot read " + Name;
    return std::nullopt;
  }
  return load(Topology.get(), Name, Error);
}
