//===-- StaticArrays.cpp - the arrays that static variables hold *- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "StaticArrays.h"

#include "Entries.h"
#include "Location.h"

#include "llvm/BinaryFormat/Dwarf.h"

#include <map>
#include <optional>
#include <set>

using namespace names;
using namespace llvm;

namespace {

/// So many members of a variable are looked at: broken types may have any number of them.
constexpr unsigned MostMembers = 1 << 16;

uint64_t bytesOf(DWARFDie Array, unsigned Depth);

uint64_t bytesOfElement(DWARFDie Array, unsigned Depth) {
  DWARFDie Element = typeOf(Array);
  if (!Element || Depth > MostNesting)
    return 0;
  return Element.getTag() == dwarf::DW_TAG_array_type
             ? bytesOf(Element, Depth + 1)
             : Element.getTypeSize(Array.getDwarfUnit()->getAddressByteSize()).value_or(0);
}

/// The bytes of an array; 0 where that is not known.
uint64_t bytesOf(DWARFDie Array, unsigned Depth) {
  uint64_t Bytes = bytesOfElement(Array, Depth);
  const std::optional<uint64_t> Elements = elementsOf(Array);
  return Elements && !__builtin_mul_overflow(Bytes, *Elements, &Bytes) ? Bytes : 0;
}

bool isStructure(DWARFDie Type) {
  return Type && isRecord(Type) && Type.getTag() != dwarf::DW_TAG_union_type;
}

/// What a member adds to the name of what it is in. The C++ library's own names are nobody's.
std::string named(DWARFDie Member, const std::string &Of) {
  const StringRef Name = nameOf(Member);
  if (Member.getTag() == dwarf::DW_TAG_inheritance || Name.empty() ||
      isOfStandardLibrary(Member.getParent()))
    return Of;
  return Of + (isFortran(Member) ? "%" : ".") + Name.str();
}

/// Collects the arrays of one static variable, or of a common block as one source has it.
class Holder {
public:
  void add(DWARFDie Type, uint64_t Start, const std::string &Name, unsigned Depth = 0) {
    if (!Type || Depth > MostNesting || ++Members > MostMembers)
      return;
    if (Type.getTag() == dwarf::DW_TAG_array_type)
      addArray(Start, bytesOf(Type, Depth), Name);
    else if (isStructure(Type))
      for (const DWARFDie Member : Type.children())
        addMember(Member, Start, Name, Depth);
  }

  std::vector<StaticArray> Arrays;

private:
  void addArray(uint64_t Start, uint64_t Bytes, const std::string &Name) {
    if (Bytes >= LeastHeldBytes && Bytes <= UINT64_MAX - Start)
      Arrays.push_back({Start, Bytes, Name});
  }

  void addMember(DWARFDie Member, uint64_t Start, const std::string &Name, unsigned Depth) {
    const bool IsPart =
        Member.getTag() == dwarf::DW_TAG_member || Member.getTag() == dwarf::DW_TAG_inheritance;
    if (const std::optional<uint64_t> Offset = IsPart ? offsetOf(Member) : std::nullopt)
      add(typeOf(Member), Start + *Offset, named(Member, Name), Depth + 1);
  }

  unsigned Members = 0; ///< that have been looked at
};

/// A common block as all sources have it.
class CommonBlock {
public:
  void add(const StaticArray &Array) {
    const auto [At, IsNew] = Arrays.try_emplace(Array.Start, Array);
    IsOneForAll = IsOneForAll && At->second.Bytes == Array.Bytes;
  }

  /// Of one that a source does not use outside of parallel regions compilers say no place.
  void addWithoutPlace(uint64_t Bytes) { WithoutPlace.insert(Bytes); }

  /// Its arrays, if no two overlap.
  std::vector<StaticArray> arrays() const {
    std::vector<StaticArray> All;
    std::set<uint64_t> Unknown = WithoutPlace;
    for (const auto &[Start, Array] : Arrays) {
      Unknown.erase(Array.Bytes);
      if (!IsOneForAll || (!All.empty() && All.back().Start + All.back().Bytes > Start))
        return {};
      All.push_back(Array);
    }
    return Unknown.empty() ? All : std::vector<StaticArray>();
  }

private:
  std::map<uint64_t, StaticArray> Arrays;
  std::set<uint64_t> WithoutPlace; ///< by their bytes
  bool IsOneForAll = true;
};

/// Collects those of a program.
class Reader {
public:
  void read(DWARFUnit &Unit) {
    for (const DWARFDebugInfoEntry &Each : Unit.dies()) {
      const DWARFDie Entry(&Unit, &Each);
      if (Entry.getTag() == dwarf::DW_TAG_common_block)
        readCommon(Entry);
      else if (Entry.getTag() == dwarf::DW_TAG_variable &&
               Entry.getParent().getTag() != dwarf::DW_TAG_common_block)
        readVariable(Entry);
    }
  }

  std::vector<StaticArray> arrays() {
    for (const auto &[Name, Block] : Commons)
      keep(Block.arrays());
    std::vector<StaticArray> All;
    for (auto &[Start, Array] : Kept)
      All.push_back(std::move(Array));
    return All;
  }

private:
  void readCommon(DWARFDie Block) {
    const std::string Within = " (in /" + nameOf(Block).str() + "/)";
    Holder Its;
    Holder Elsewhere;
    for (const DWARFDie Variable : Block.children()) {
      const std::optional<uint64_t> Start = staticAddress(Variable);
      (Start ? Its : Elsewhere).add(typeOf(Variable), Start.value_or(0), nameOf(Variable).str());
    }
    CommonBlock &Of = Commons[nameOf(Block).str()];
    for (const StaticArray &Each : Its.Arrays)
      Of.add({Each.Start, Each.Bytes, Each.Name + Within});
    for (const StaticArray &Each : Elsewhere.Arrays)
      Of.addWithoutPlace(Each.Bytes);
  }

  void readVariable(DWARFDie Variable) {
    const DWARFDie Type = typeOf(Variable);
    const DWARFDie Declared = declarationOf(Variable);
    const std::optional<uint64_t> Start = isStructure(Type) && !isOfStandardLibrary(Declared)
                                              ? staticAddress(Variable)
                                              : std::nullopt;
    if (!Start || nameOf(Declared).empty())
      return;
    Holder Its;
    Its.add(Type, *Start, qualifiedName(Declared));
    keep(std::move(Its.Arrays));
  }

  /// What holds one array is that array.
  void keep(std::vector<StaticArray> Of) {
    for (StaticArray &Each : Of)
      if (Of.size() > 1)
        Kept.try_emplace(Each.Start, std::move(Each));
  }

  std::map<std::string, CommonBlock> Commons;
  std::map<uint64_t, StaticArray> Kept;
};

} // namespace

std::vector<StaticArray> names::staticArrays(DWARFContext &Context) {
  Reader All;
  for (const auto &Unit : Context.info_section_units())
    All.read(wholeOf(*Unit));
  return All.arrays();
}
