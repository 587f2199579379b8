//===-- Threads.cpp - what threads of std::thread begin with ----*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Threads.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/DebugInfo/DWARF/DWARFUnit.h"

#include <algorithm>

using namespace names;
using namespace llvm;

namespace {

/// The function to be called, or one of its arguments.
struct Element {
  DWARFDie Type;
  uint64_t Offset;
};

bool isPart(DWARFDie Child) {
  return Child.getTag() == dwarf::DW_TAG_member || Child.getTag() == dwarf::DW_TAG_inheritance;
}

/// The elements of the tuple in a class. It inherits that of the later ones before its own.
void findElements(DWARFDie Class, uint64_t Offset, unsigned Depth, std::vector<Element> &Found) {
  for (const DWARFDie Child : Class.children()) {
    const auto Within = isPart(Child) ? offsetOf(Child) : std::nullopt;
    const DWARFDie Type = Within ? typeOf(Child) : DWARFDie();
    if (!Type || Depth == MostNesting)
      continue;
    if (nameOf(Child) == "_M_head_impl")
      Found.push_back({Type, Offset + *Within});
    else if (isRecord(Type))
      findElements(Type, Offset + *Within, Depth + 1, Found);
  }
}

/// What std::ref() makes, and pointers, lead to.
DWARFDie targetOf(DWARFDie Type) {
  if (Type.getTag() == dwarf::DW_TAG_pointer_type)
    return typeOf(Type);
  if (!isOfStandardLibrary(Type) || classNameOf(Type) != "reference_wrapper")
    return {};
  for (const DWARFDie Child : Type.children())
    if (nameOf(Child) == "_M_data" && typeOf(Child))
      return typeOf(typeOf(Child));
  return {};
}

/// What the thread calls a thing whose type alone is known: an object after its class. What leads
/// from the C++ library's own, as std::async() has them, to a lambda expression has no name yet.
std::optional<Variable> byType(const Element &Of, TypeGraph &Types) {
  const DWARFDie Target = targetOf(Of.Type);
  const DWARFDie Class = Target ? Target : Of.Type;
  const bool OfLibrary = isOfStandardLibrary(Class);
  if (!isRecord(Class) || nameOf(Class).empty() || (OfLibrary && !nameOf(Class).starts_with("_")))
    return std::nullopt;
  return Variable{OfLibrary ? "" : classNameOf(Class) + "::", Types.number(Of.Type), Of.Offset,
                  MINAS_NAMES_PARAMETER};
}

void addCaptured(const Element &Closure, TypeGraph &Types, std::vector<Variable> &Into) {
  for (const DWARFDie Member : Closure.Type.children()) {
    const auto Within = isPart(Member) ? offsetOf(Member) : std::nullopt;
    const uint32_t Type = Within && !nameOf(Member).empty() ? Types.number(typeOf(Member)) : 0;
    if (!Type)
      continue;
    const std::string Name = nameOfCaptured(Member);
    const bool IsObject = StringRef(Name).ends_with("::");
    Into.push_back({Name, Type, Closure.Offset + *Within,
                    IsObject ? MINAS_NAMES_PARAMETER : MINAS_NAMES_LOCAL});
  }
}

/// The names of a function's parameters; none where its parameters have other types.
std::vector<std::string> namesWhereAlike(DWARFDie Function, ArrayRef<DWARFDie> Wanted) {
  const std::vector<DWARFDie> Own = parametersOf(Function);
  std::vector<std::string> Names;
  if (Own.size() != Wanted.size())
    return {};
  for (size_t I = 0; I < Own.size(); ++I)
    if (typeOf(Own[I]) == typeOf(Wanted[I]))
      Names.push_back(nameOf(Own[I]).str());
  return Names.size() == Own.size() ? Names : std::vector<std::string>();
}

/// What the parameters of a function of some type are called, where all of the unit's functions of
/// the type agree.
std::vector<std::string> parameterNames(DWARFDie OfType) {
  const std::vector<DWARFDie> Wanted = parametersOf(OfType);
  DWARFUnit &Unit = *OfType.getDwarfUnit();
  std::vector<std::string> Found;
  for (const DWARFDebugInfoEntry &Each : Unit.dies()) {
    if (Each.getTag() != dwarf::DW_TAG_subprogram)
      continue;
    const std::vector<std::string> Names = namesWhereAlike(DWARFDie(&Unit, &Each), Wanted);
    if (!Names.empty() && !Found.empty() && Names != Found)
      return {};
    if (!Names.empty())
      Found = Names;
  }
  return Found;
}

/// The names of the arguments, where the first element is the address of a function that has any.
std::vector<std::string> namesOfArguments(ArrayRef<Element> Elements) {
  const DWARFDie First = Elements.front().Type;
  const DWARFDie Called = First.getTag() == dwarf::DW_TAG_pointer_type ? typeOf(First) : DWARFDie();
  if (!Called || Called.getTag() != dwarf::DW_TAG_subroutine_type)
    return {};
  std::vector<std::string> Names = parameterNames(Called);
  return Names.size() + 1 == Elements.size() ? Names : std::vector<std::string>();
}

std::vector<Variable> variablesOf(ArrayRef<Element> Elements, TypeGraph &Types) {
  const std::vector<std::string> Names = namesOfArguments(Elements);
  std::vector<Variable> Variables;
  for (size_t I = 0; I < Elements.size(); ++I) {
    std::optional<Variable> Each;
    if (isClosure(Elements[I].Type))
      addCaptured(Elements[I], Types, Variables);
    else if (I > 0 && I <= Names.size() && !Names[I - 1].empty())
      Each = Variable{Names[I - 1], Types.number(Elements[I].Type), Elements[I].Offset,
                      MINAS_NAMES_PARAMETER};
    else
      Each = byType(Elements[I], Types);
    if (Each && Each->Type)
      Variables.push_back(std::move(*Each));
  }
  return Variables;
}

} // namespace

std::optional<std::vector<Variable>> names::variablesOfThread(DWARFDie Function, TypeGraph &Types) {
  if (nameOf(Function) != "_M_run")
    return std::nullopt;
  const std::vector<DWARFDie> Given = parametersOf(Function);
  const DWARFDie State = Given.size() == 1 ? typeOf(typeOf(Given.front())) : DWARFDie();
  if (!State || !isOfStandardLibrary(State) || classNameOf(State) != "_State_impl")
    return std::nullopt;
  std::vector<Element> Elements;
  findElements(State, 0, 0, Elements);
  std::reverse(Elements.begin(), Elements.end());
  return Elements.empty() ? std::vector<Variable>() : variablesOf(Elements, Types);
}
