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
