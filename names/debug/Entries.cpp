//===-- Entries.cpp - what entries of debug information say ---- *- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Entries.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/DebugInfo/DWARF/DWARFFormValue.h"

using namespace names;
using namespace llvm;

namespace {

/// Only forms for negative numbers have a sign: 255 may be a byte.
std::optional<int64_t> constantOf(DWARFDie Dimension, dwarf::Attribute Attribute) {
  const auto Value = Dimension.find(Attribute);
  const std::optional<uint64_t> Number = Value ? Value->getAsUnsignedConstant() : std::nullopt;
  if (Number && *Number <= INT64_MAX)
    return static_cast<int64_t>(*Number);
  return Value ? Value->getAsSignedConstant() : std::nullopt;
}

/// The elements along a dimension, whose indices begin with 1 in Fortran where nothing is said.
std::optional<uint64_t> lengthOf(DWARFDie Dimension) {
  if (const auto Count = Dimension.find(dwarf::DW_AT_count))
    return Count->getAsUnsignedConstant();
  const std::optional<int64_t> Upper = constantOf(Dimension, dwarf::DW_AT_upper_bound);
  const bool HasLower = Dimension.find(dwarf::DW_AT_lower_bound).has_value();
  const std::optional<int64_t> Lower = HasLower
                                           ? constantOf(Dimension, dwarf::DW_AT_lower_bound)
                                           : std::optional<int64_t>(isFortran(Dimension) ? 1 : 0);
  int64_t Length = 0;
  if (!Upper || !Lower || __builtin_sub_overflow(*Upper, *Lower, &Length) ||
      __builtin_add_overflow(Length, 1, &Length) || Length < 0)
    return std::nullopt;
  return static_cast<uint64_t>(Length);
}

/// Also of what is declared elsewhere.
DWARFDie typeAttribute(DWARFDie Entry) {
  const auto Type = Entry ? Entry.findRecursively(dwarf::DW_AT_type) : std::nullopt;
  return Type ? Entry.getAttributeValueAsReferencedDie(*Type) : DWARFDie();
}

bool isQualifier(dwarf::Tag Tag) {
  return Tag == dwarf::DW_TAG_typedef || Tag == dwarf::DW_TAG_const_type ||
         Tag == dwarf::DW_TAG_volatile_type || Tag == dwarf::DW_TAG_restrict_type ||
         Tag == dwarf::DW_TAG_atomic_type;
}

} // namespace

DWARFDie names::unqualified(DWARFDie Type) {
  for (unsigned I = 0; I < MostNesting && Type && isQualifier(Type.getTag()); ++I)
    Type = typeAttribute(Type);
  return Type;
}

DWARFDie names::typeOf(DWARFDie Entry) { return unqualified(typeAttribute(Entry)); }

StringRef names::nameOf(DWARFDie Entry) {
  const char *Name = Entry.getShortName();
  return Name ? Name : "";
}

bool names::isRecord(DWARFDie Type) {
  const dwarf::Tag Tag = Type.getTag();
  return Tag == dwarf::DW_TAG_structure_type || Tag == dwarf::DW_TAG_class_type ||
         Tag == dwarf::DW_TAG_union_type;
}

std::optional<uint64_t> names::offsetOf(DWARFDie Member) {
  const auto Location = Member.find(dwarf::DW_AT_data_member_location);
  if (!Location)
    return Member.getParent().getTag() == dwarf::DW_TAG_union_type ? std::optional<uint64_t>(0)
                                                                   : std::nullopt;
  return Location->getAsUnsignedConstant();
}

DWARFUnit &names::wholeOf(DWARFUnit &Unit) {
  const DWARFDie Whole = Unit.getNonSkeletonUnitDIE(false);
  return Whole ? *Whole.getDwarfUnit() : Unit;
}

DWARFDie names::declarationOf(DWARFDie Entry) {
  const DWARFDie Declaration = Entry.getAttributeValueAsReferencedDie(dwarf::DW_AT_specification);
  return Declaration ? Declaration : Entry;
}

std::string names::qualifiedName(DWARFDie Entry) {
  std::string Name = nameOf(Entry).str();
  for (DWARFDie Parent = Entry.getParent(); Parent; Parent = Parent.getParent()) {
    const dwarf::Tag Tag = Parent.getTag();
    if (Tag == dwarf::DW_TAG_module)
      Name = nameOf(Parent).str() + "%" + Name;
    else if ((Tag == dwarf::DW_TAG_namespace || isRecord(Parent)) && !nameOf(Parent).empty())
      Name = nameOf(Parent).str() + "::" + Name;
  }
  return Name;
}

bool names::isFortran(DWARFDie Entry) {
  switch (dwarf::toUnsigned(Entry.getDwarfUnit()->getUnitDIE().find(dwarf::DW_AT_language), 0)) {
  case dwarf::DW_LANG_Fortran77:
  case dwarf::DW_LANG_Fortran90:
  case dwarf::DW_LANG_Fortran95:
  case dwarf::DW_LANG_Fortran03:
  case dwarf::DW_LANG_Fortran08:
    return true;
  default:
    return false;
  }
}

bool names::isOfStandardLibrary(DWARFDie Entry) {
  for (DWARFDie Parent = Entry; Parent; Parent = Parent.getParent())
    if (Parent.getTag() == dwarf::DW_TAG_namespace &&
        (nameOf(Parent) == "std" || nameOf(Parent) == "__gnu_cxx"))
      return true;
  return false;
}

std::optional<uint64_t> names::elementsOf(DWARFDie Array) {
  uint64_t Count = 1;
  for (const DWARFDie Dimension : Array.children()) {
    if (Dimension.getTag() != dwarf::DW_TAG_subrange_type)
      continue;
    const std::optional<uint64_t> Length = lengthOf(Dimension);
    if (!Length || __builtin_mul_overflow(Count, *Length, &Count))
      return std::nullopt;
  }
  return Count;
}
