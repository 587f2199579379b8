//===-- Types.cpp - the types that lead to blocks of the heap ---*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Types.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/DebugInfo/DWARF/DWARFFormValue.h"
#include "llvm/DebugInfo/DWARF/DWARFUnit.h"

#include <optional>

using namespace names;
using namespace llvm;

namespace {

uint64_t sizeOf(DWARFDie Type) {
  Type = unqualified(Type);
  if (!Type)
    return 0;
  return Type.getTypeSize(Type.getDwarfUnit()->getAddressByteSize()).value_or(0);
}

bool isDeclaration(DWARFDie Entry) {
  return dwarf::toUnsigned(Entry.find(dwarf::DW_AT_declaration), 0) != 0;
}

/// What a member adds to the name of what it is in; nothing for members that users do not know.
std::string nameOfMember(DWARFDie Member, bool OfLibrary, bool Fortran) {
  const StringRef Name = nameOf(Member);
  if (isClosure(Member.getParent()) && !Name.empty())
    return MINAS_NAMES_ANEW + nameOfCaptured(Member);
  if (Member.getTag() == dwarf::DW_TAG_inheritance || Name.empty() ||
      ((OfLibrary || Fortran) && Name.starts_with("_")) || Name.starts_with("__"))
    return "";
  return (Fortran ? "%" : ".") + Name.str();
}

/// How many addresses, each at the begin of what the one before leads to, lead from an array's
/// descriptor to its elements: 1; 2 from its address to them; 0 where it is another way.
unsigned addressesToElements(const DWARFFormValue &DataLocation) {
  const auto Expression = DataLocation.getAsBlock();
  if (!Expression || Expression->size() < 2 || Expression->size() > 3 ||
      Expression->front() != dwarf::DW_OP_push_object_address)
    return 0;
  const auto Rest = Expression->drop_front();
  return all_of(Rest, [](uint8_t Each) { return Each == dwarf::DW_OP_deref; })
             ? static_cast<unsigned>(Rest.size())
             : 0;
}

DWARFDie memberNamed(DWARFDie Record, StringRef First, StringRef Second) {
  for (const DWARFDie Member : Record.children())
    if (Member.getTag() == dwarf::DW_TAG_member &&
        (nameOf(Member) == First || nameOf(Member) == Second))
      return Member;
  return DWARFDie();
}

} // namespace

std::vector<DWARFDie> names::parametersOf(DWARFDie Function) {
  std::vector<DWARFDie> Parameters;
  for (const DWARFDie Child : Function.children())
    if (Child.getTag() == dwarf::DW_TAG_formal_parameter)
      Parameters.push_back(Child);
  return Parameters;
}

/// clang gives it no name.
bool names::isClosure(DWARFDie Class) {
  if (nameOf(Class).starts_with("<lambda") || nameOf(Class).starts_with("(lambda"))
    return true;
  return nameOf(Class).empty() && any_of(Class.children(), [](DWARFDie Member) {
           return Member.getTag() == dwarf::DW_TAG_subprogram && nameOf(Member) == "operator()";
         });
}

std::string names::nameOfCaptured(DWARFDie Member) {
  StringRef Name = nameOf(Member);
  Name.consume_front("__"); // gcc's captures
  if (Name != "this")
    return Name.str();
  const DWARFDie Object = typeOf(Member);
  const bool ByPointer = Object && Object.getTag() == dwarf::DW_TAG_pointer_type;
  return classNameOf(ByPointer ? typeOf(Object) : Object) + "::";
}

std::string names::classNameOf(DWARFDie Class) {
  return nameOf(Class).take_until([](char C) { return C == '<'; }).str();
}

/*===-- Types that are only declared ---------------------------------------===*/

/// A class may be declared in one source and defined in another; then both mean the same.
void TypeGraph::indexDefinitions() {
  Indexed = true;
  for (const auto &Unit : Context.info_section_units()) {
    DWARFUnit &Whole = wholeOf(*Unit);
    for (const DWARFDebugInfoEntry &Each : Whole.dies()) {
      const DWARFDie Entry(&Whole, &Each);
      if (isRecord(Entry) && !isDeclaration(Entry) && !nameOf(Entry).empty())
        Definitions.try_emplace(qualifiedName(Entry), Entry);
    }
  }
}

DWARFDie TypeGraph::definition(DWARFDie Declaration) {
  if (!Indexed)
    indexDefinitions();
  return Definitions.lookup(qualifiedName(Declaration));
}

/*===-- One type ------------------------------------------------------------===*/

uint32_t TypeGraph::add(const minas_names_type &Type) {
  Into.Types.push_back(Type);
  return static_cast<uint32_t>(Into.Types.size() - 1);
}

uint32_t TypeGraph::reference(uint32_t Type) {
  return Type ? add({MINAS_NAMES_REFERENCE, Type, 0, 0, 0, 0}) : 0;
}

uint32_t TypeGraph::number(DWARFDie Type, unsigned Depth) {
  Type = unqualified(Type);
  if (Type && isRecord(Type) && isDeclaration(Type))
    Type = definition(Type);
  if (!Type || Depth > MostNesting)
    return 0;
  const auto Known = Numbers.find(Type.getDebugInfoEntry());
  if (Known != Numbers.end())
    return Known->second;
  const uint32_t Number = make(Type, Depth);
  Numbers[Type.getDebugInfoEntry()] = Number;
  return Number;
}

uint32_t TypeGraph::make(DWARFDie Type, unsigned Depth) {
  switch (Type.getTag()) {
  case dwarf::DW_TAG_pointer_type:
    return pointer(Type, MINAS_NAMES_POINTER);
  case dwarf::DW_TAG_reference_type:
  case dwarf::DW_TAG_rvalue_reference_type:
    return pointer(Type, MINAS_NAMES_REFERENCE);
  case dwarf::DW_TAG_array_type:
    return array(Type, Depth);
  case dwarf::DW_TAG_structure_type:
  case dwarf::DW_TAG_class_type:
  case dwarf::DW_TAG_union_type:
    return record(Type, Depth);
  default:
    return 0;
  }
}

uint32_t TypeGraph::pointer(DWARFDie Type, minas_names_kind Kind) {
  const DWARFDie Target = typeOf(Type);
  if (Target && Target.getTag() == dwarf::DW_TAG_subroutine_type)
    return 0;
  const uint32_t Number = add({static_cast<uint32_t>(Kind), 0, 0, 0, 0, 0});
  Targets.emplace_back(Number, Target);
  return Number;
}

uint32_t TypeGraph::array(DWARFDie Type, unsigned Depth) {
  const DWARFDie Element = typeOf(Type);
  const uint64_t Stride = sizeOf(Element);
  if (const auto DataLocation = Type.find(dwarf::DW_AT_data_location)) {
    const unsigned Addresses = addressesToElements(*DataLocation);
    if (Addresses == 0)
      return 0;
    const uint32_t Number = add({MINAS_NAMES_DESCRIPTOR, 0, 0, Stride, 0, 0});
    Targets.emplace_back(Number, Element);
    return Addresses == 1 ? Number : reference(Number);
  }
  const uint64_t Count = elementsOf(Type).value_or(0);
  const uint32_t Target = Count > 0 && Count <= UINT32_MAX ? number(Element, Depth + 1) : 0;
  return Target ? add({MINAS_NAMES_ARRAY, Target, Count, Stride, 0, 0}) : 0;
}

/// What a std::vector is in the end: its elements are more than the first.
uint32_t TypeGraph::range(DWARFDie Type) {
  const DWARFDie Begin = memberNamed(Type, "_M_start", "__begin_");
  const DWARFDie End = memberNamed(Type, "_M_finish", "__end_");
  if (!Begin || !End || offsetOf(Begin).value_or(1) != 0 || !offsetOf(End) ||
      typeOf(Begin).getTag() != dwarf::DW_TAG_pointer_type)
    return 0;
  const DWARFDie Element = typeOf(typeOf(Begin));
  const uint32_t Number =
      add({MINAS_NAMES_RANGE, 0, 0, sizeOf(Element), static_cast<uint32_t>(*offsetOf(End)), 0});
  Targets.emplace_back(Number, Element);
  return Number;
}

/// What a class is called in names that begin with it; "" of one that users do not know.
static std::string nameOfRecord(DWARFDie Type) {
  const bool IsKnown =
      !nameOf(Type).empty() && !isClosure(Type) && !isFortran(Type) && !isOfStandardLibrary(Type);
  return IsKnown ? qualifiedName(Type) : "";
}

uint32_t TypeGraph::record(DWARFDie Type, unsigned Depth) {
  const bool OfLibrary = isOfStandardLibrary(Type);
  if (const uint32_t Range = OfLibrary ? range(Type) : 0)
    return Range;
  const bool Fortran = isFortran(Type);
  std::vector<minas_names_member> Members;
  for (const DWARFDie Member : Type.children()) {
    const bool IsPart =
        Member.getTag() == dwarf::DW_TAG_member || Member.getTag() == dwarf::DW_TAG_inheritance;
    const std::optional<uint64_t> Offset = IsPart ? offsetOf(Member) : std::nullopt;
    if (!Offset || nameOf(Member).starts_with("_vptr"))
      continue;
    if (const uint32_t Number = number(typeOf(Member), Depth + 1))
      Members.push_back({Into.text(nameOfMember(Member, OfLibrary, Fortran)), Number, *Offset});
  }
  if (Members.empty())
    return 0;
  const auto First = static_cast<uint32_t>(Into.Members.size());
  Into.Members.insert(Into.Members.end(), Members.begin(), Members.end());
  return add({MINAS_NAMES_RECORD, First, Members.size(), 0, 0, Into.text(nameOfRecord(Type))});
}

void TypeGraph::finish() {
  while (!Targets.empty()) {
    const auto [Pointer, Target] = Targets.back();
    Targets.pop_back();
    const uint32_t Number = number(Target);
    Into.Types[Pointer].target = Number;
  }
}
