//===-- Regions.cpp - the variables of parallel regions ---------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Regions.h"

#include "Threads.h"
#include "names/debug/Location.h"
#include "names/debug/StaticArrays.h"
#include "support/CallPlace.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/DebugInfo/DWARF/DWARFFormValue.h"
#include "llvm/DebugInfo/DWARF/DWARFUnit.h"

#include <optional>

using namespace names;
using namespace llvm;

namespace {

/// The name of the function that a region is in; the region's own where that cannot be told.
StringRef outerName(StringRef Name) {
  return Name.take_front(
      std::min({Name.find("._omp_fn."), Name.find(".omp_outlined"), Name.size()}));
}

/// The function of C or Fortran that keeps a variable, in whatever block of it; not the main
/// program of Fortran. Symbols of C++ say it themselves.
std::string procedureOf(DWARFDie Variable) {
  DWARFDie Parent = Variable.getParent();
  while (Parent && Parent.getTag() == dwarf::DW_TAG_lexical_block)
    Parent = Parent.getParent();
  if (!Parent || Parent.getTag() != dwarf::DW_TAG_subprogram ||
      ::support::isOutlined(nameOf(Parent)) || Parent.find(dwarf::DW_AT_main_subprogram))
    return "";
  const char *Linkage = Parent.getLinkageName();
  return Linkage && StringRef(Linkage).starts_with("_Z") ? "" : nameOf(Parent).str();
}

bool isArray(DWARFDie Variable) {
  const DWARFDie Type = typeOf(Variable);
  return Type && Type.getTag() == dwarf::DW_TAG_array_type;
}

/// Where a variable lies in the structure of captured ones.
struct Captured {
  uint64_t Offset;
  bool ByReference; ///< its address lies there
};

/// By an expression that begins with the structure's address, which is in a register or on the
/// stack, as `Data` says.
std::optional<Captured> capturedAt(ArrayRef<uint8_t> Location, ArrayRef<uint8_t> Data) {
  Expression Of(Location);
  int64_t Offset = 0;
  if (Data.size() == 1 && Data[0] >= dwarf::DW_OP_reg0 && Data[0] <= dwarf::DW_OP_reg31) {
    if (!Of.take(static_cast<uint8_t>(dwarf::DW_OP_breg0 + (Data[0] - dwarf::DW_OP_reg0))))
      return std::nullopt;
    Offset = Of.signedNumber();
  } else {
    if (Data.empty() || Data[0] != dwarf::DW_OP_fbreg || Location.take_front(Data.size()) != Data)
      return std::nullopt;
    Of = Expression(Location.drop_front(Data.size()));
    if (!Of.take(dwarf::DW_OP_deref))
      return std::nullopt;
  }
  if (Of.take(dwarf::DW_OP_plus_uconst))
    Offset += static_cast<int64_t>(Of.unsignedNumber());
  const bool ByReference = Of.take(dwarf::DW_OP_deref);
  if (Offset < 0 || !Of.isAtEnd())
    return std::nullopt;
  return Captured{static_cast<uint64_t>(Offset), ByReference};
}

/// The regions, threads and static variables of one compile unit.
class UnitReader {
public:
  UnitReader(DWARFUnit &Of, TypeGraph &Graph, Table &Result)
      : Unit(Of), Types(Graph), Into(Result) {}

  void read();

private:
  void noteParameters(DWARFDie Function);
  void readFunction(DWARFDie Function);
  void readGcc(DWARFDie Function, Region &Of);
  void readMembers(DWARFDie Function, DWARFDie Captured, Region &Of);
  void readLocations(DWARFDie Function, DWARFDie Data, Region &Of);
  void readClang(DWARFDie Function, ArrayRef<DWARFDie> Parameters, Region &Of);
  void readStatic(DWARFDie Entry);
  Variable variable(DWARFDie Function, DWARFDie Entry, uint64_t Offset);

  DWARFUnit &Unit;
  TypeGraph &Types;
  Table &Into;
  /// "function:parameter" of all functions, by their names for the linker. Of what is static a
  /// function has none: "line:parameter", too.
  StringSet<> Parameters;
};

void UnitReader::noteParameters(DWARFDie Function) {
  const char *Linkage = Function.getLinkageName();
  const std::string Name = Linkage ? Linkage : nameOf(Function).str();
  for (const DWARFDie Parameter : parametersOf(Function)) {
    Parameters.insert(Name + ":" + nameOf(Parameter).str());
    if (const uint64_t Line = Parameter.getDeclLine())
      Parameters.insert(std::to_string(Line) + ":" + nameOf(Parameter).str());
  }
}

/// The name of an entry as the source has it: gfortran's copy of an assumed-shape array's address
/// is called array.0.
StringRef sourceNameOf(DWARFDie Entry) {
  const StringRef Name = nameOf(Entry);
  const auto [Source, Number] = Name.rsplit('.');
  return !Number.empty() && all_of(Number, isDigit) ? Source : Name;
}

/// What a region calls a variable. Members of the object whose function the region is in are known
/// by their class.
Variable UnitReader::variable(DWARFDie Function, DWARFDie Entry, uint64_t Offset) {
  const StringRef Name = sourceNameOf(Entry);
  Variable Result{Name.str(), Types.number(typeOf(Entry)), Offset, MINAS_NAMES_LOCAL};
  const bool IsObject = Name == "this" || Name == "__this";
  if (IsObject)
    Result.Name = classNameOf(typeOf(typeOf(Entry))) + "::";
  if (IsObject || Parameters.contains(std::to_string(Entry.getDeclLine()) + ":" + Result.Name) ||
      Parameters.contains(outerName(nameOf(Function)).str() + ":" + Result.Name))
    Result.Rank = MINAS_NAMES_PARAMETER;
  return Result;
}

void UnitReader::readGcc(DWARFDie Function, Region &Of) {
  const std::vector<DWARFDie> Given = parametersOf(Function);
  const DWARFDie Captured = Given.size() == 1 ? typeOf(typeOf(Given.front())) : DWARFDie();
  if (!Captured || Captured.getTag() != dwarf::DW_TAG_structure_type)
    return;
  if (Captured.hasChildren())
    readMembers(Function, Captured, Of);
  else
    readLocations(Function, Given.front(), Of);
}

void UnitReader::readMembers(DWARFDie Function, DWARFDie Captured, Region &Of) {
  for (const DWARFDie Member : Captured.children()) {
    const auto Location = Member.find(dwarf::DW_AT_data_member_location);
    const auto Offset = Location ? Location->getAsUnsignedConstant() : std::nullopt;
    if (!Offset || Member.getTag() != dwarf::DW_TAG_member)
      continue;
    Variable Each = variable(Function, Member, *Offset);
    if (Each.Type && !Each.Name.empty())
      Of.Variables.push_back(std::move(Each));
  }
}

/// gfortran describes the structure without its members. Then variables are where their locations
/// at the function's begin say, which are told from that of the structure's address.
void UnitReader::readLocations(DWARFDie Function, DWARFDie Data, Region &Of) {
  const std::vector<uint8_t> Address = firstLocation(Data);
  for (const DWARFDie Child : Function.children()) {
    if (Child.getTag() != dwarf::DW_TAG_variable)
      continue;
    const std::optional<Captured> Found = capturedAt(firstLocation(Child), Address);
    if (!Found)
      continue;
    Variable Each = variable(Function, Child, Found->Offset);
    if (Found->ByReference)
      Each.Type = Types.reference(Each.Type);
    if (Each.Type && !Each.Name.empty())
      Of.Variables.push_back(std::move(Each));
  }
}

void UnitReader::readClang(DWARFDie Function, ArrayRef<DWARFDie> Given, Region &Of) {
  constexpr size_t OfThread = 2;
  for (size_t I = OfThread; I < Given.size(); ++I) {
    Variable Each = variable(Function, Given[I], (I - OfThread) * sizeof(uint64_t));
    if (Each.Type && !Each.Name.empty())
      Of.Variables.push_back(std::move(Each));
  }
}

void UnitReader::readFunction(DWARFDie Function) {
  uint64_t Begin = 0;
  uint64_t End = 0;
  uint64_t Section = 0;
  if (!Function.getLowAndHighPC(Begin, End, Section))
    return;
  const std::vector<DWARFDie> Given = parametersOf(Function);
  Region Of{Begin, {}};
  if (nameOf(Function).contains("._omp_fn."))
    readGcc(Function, Of);
  else if (Given.size() >= 2 && nameOf(Given[0]) == ".global_tid." &&
           nameOf(Given[1]) == ".bound_tid.")
    readClang(Function, Given, Of);
  else if (auto Variables = variablesOfThread(Function, Types))
    Of.Variables = std::move(*Variables);
  else
    return;
  Into.Regions.push_back(std::move(Of));
}

void UnitReader::readStatic(DWARFDie Entry) {
  const auto Address = staticAddress(Entry);
  const StringRef Name = nameOf(Entry);
  if (!Address || Name.empty() || Name.starts_with("__") ||
      isOfStandardLibrary(declarationOf(Entry)))
    return;
  const std::string Function = procedureOf(Entry);
  const std::string Kept = Function.empty() ? "" : " (in " + Function + ")";
  if (const uint32_t Type = Types.number(typeOf(Entry)))
    Into.Statics.push_back({qualifiedName(declarationOf(Entry)) + (isFortran(Entry) ? Kept : ""),
                            Type, *Address, MINAS_NAMES_STATIC});
  if (!Kept.empty() && isArray(Entry))
    Into.Statics.push_back({Name.str() + Kept, 0, *Address, MINAS_NAMES_STATIC});
}

void UnitReader::read() {
  for (const DWARFDebugInfoEntry &Each : Unit.dies())
    if (Each.getTag() == dwarf::DW_TAG_subprogram)
      noteParameters(DWARFDie(&Unit, &Each));
  for (const DWARFDebugInfoEntry &Each : Unit.dies()) {
    const DWARFDie Entry(&Unit, &Each);
    if (Entry.getTag() == dwarf::DW_TAG_subprogram)
      readFunction(Entry);
    else if (Entry.getTag() == dwarf::DW_TAG_variable)
      readStatic(Entry);
  }
}

} // namespace

void names::readRegions(DWARFContext &Context, Table &Into) {
  TypeGraph Types(Into, Context);
  for (const auto &Unit : Context.info_section_units())
    UnitReader(wholeOf(*Unit), Types, Into).read();
  for (const StaticArray &Each : staticArrays(Context))
    Into.Statics.push_back({Each.Name, 0, Each.Start, MINAS_NAMES_STATIC, Each.Bytes});
  Types.finish();
}
