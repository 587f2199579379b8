//===-- AllocationSites.cpp - whose blocks a profile knows ------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "AllocationSites.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Path.h"

using namespace mapp;

//===-- Names -----------------------------------------------------------------===//

/// The last name in an expression that is assigned to, as mai-trace finds it in a line: `row` of
/// `g->row[i]`. Empty where the block is not named by such.
static std::string lastName(llvm::StringRef Text) {
  if (Text.contains(':')) // The function and the line.
    return "";
  for (Text = Text.rtrim(" )"); Text.ends_with("]"); Text = Text.rtrim(" )")) {
    unsigned Depth = 0;
    do {
      Depth += Text.back() == ']' ? 1 : 0;
      Depth -= Text.back() == '[' ? 1 : 0;
      Text = Text.drop_back();
    } while (Depth > 0 && !Text.empty());
  }
  const size_t Before = Text.find_last_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                              "0123456789_");
  return Text.drop_front(Before == llvm::StringRef::npos ? 0 : Before + 1).str();
}

static std::string fileOf(llvm::StringRef Position) {
  return llvm::sys::path::filename(Position.rsplit(':').first).str();
}

static unsigned lineOf(llvm::StringRef Position) {
  unsigned Line = 0;
  return Position.rsplit(':').second.getAsInteger(10, Line) ? 0 : Line;
}

//===-- The program's blocks ----------------------------------------------------===//

AllocationSites::AllocationSites(const std::vector<Facts> &Units, const maiprof::Profile &Of) {
  for (const Facts &Unit : Units) {
    for (const ArrayDeclaration &Array : Unit.Arrays)
      if (Array.Allocated)
        add(Array, Unit);
    for (const Function &F : Unit.Functions)
      for (const std::string &Key : F.Blocks)
        FunctionOf.emplace(Key, F.Key);
  }
  for (uint32_t I = 0; I < Of.Arrays.size(); ++I)
    if (Of.Arrays[I].What == maiprof::Array::Kind::Heap && Of.Arrays[I].Bytes > 0)
      match(I, Of);
}

/// Compilers say of a call that goes on for several lines that it is in one of these.
void AllocationSites::add(const ArrayDeclaration &Array, const Facts &Unit) {
  const std::string File = llvm::sys::path::filename(Array.Where.File).str();
  const Block &B = *Array.Allocated;
  const llvm::StringRef Text = llvm::StringRef(Unit.Text).slice(B.Begin, B.End);
  for (unsigned More = 0; More <= Text.count('\n'); ++More)
    ByLine[{File, Array.Where.Line + More}].push_back(&Array);
  if (const std::string Last = lastName(Array.Name); !Last.empty())
    ByName[{File, Last}].push_back(&Array);
}

//===-- Which of them it is -----------------------------------------------------===//

/// The same call in a function that several files include.
static bool areOne(const std::vector<const ArrayDeclaration *> &All) {
  return llvm::all_of(All, [&](const ArrayDeclaration *Array) {
    return Array->Where.File == All[0]->Where.File && Array->Where.Line == All[0]->Where.Line &&
           Array->Name == All[0]->Name && Array->InFunction == All[0]->InFunction &&
           (Array == All[0] || Array->Key != All[0]->Key) &&
           Array->Refusal.Number == Topic::BlockHeader;
  });
}

/// What is allocated there: more than one where that cannot be told.
AllocationSites::Blocks AllocationSites::at(const maiprof::Site &Where) const {
  const std::string File = fileOf(Where.Position);
  const auto Named = ByName.find({File, Where.Name});
  const auto There = ByLine.find({File, lineOf(Where.Position)});
  const bool HasName = !Where.Name.empty() && Named != ByName.end();
  if (There == ByLine.end())
    return HasName && Named->second.size() == 1 ? Named->second : Blocks{};
  Blocks Same;
  for (const ArrayDeclaration *Array : There->second)
    if (HasName && lastName(Array->Name) == Where.Name)
      Same.push_back(Array);
  if (!Same.empty())
    return Same;
  // Something else is in that line now.
  const bool IsMoved = HasName && Named->second.size() == 1 &&
                       llvm::all_of(There->second, [](const ArrayDeclaration *Array) {
                         return !lastName(Array->Name).empty();
                       });
  return IsMoved ? Named->second : There->second;
}

static std::vector<maiprof::Site> sitesOf(const maiprof::Array &A, const maiprof::Profile &Of) {
  if (A.Chain != maiprof::None && !Of.Chains[A.Chain].Sites.empty())
    return Of.Chains[A.Chain].Sites;
  return {{A.Position, A.Name}};
}

void AllocationSites::match(uint32_t Index, const maiprof::Profile &Of) {
  const maiprof::Array &A = Of.Arrays[Index];
  if (A.Position.empty()) // A library's own.
    return;
  std::set<std::string> HandedOnBy;
  for (const maiprof::Site &Where : sitesOf(A, Of)) {
    const Blocks Here = at(Where);
    if (Here.empty())
      break;
    if (llvm::all_of(Here,
                     [](const ArrayDeclaration *Array) { return Array->Allocated->HandedOn; })) {
      for (const ArrayDeclaration *Array : Here)
        HandedOnBy.insert(FunctionOf[Array->Key]);
      continue;
    }
    const bool IsOne = Here.size() == 1 || areOne(Here);
    for (const ArrayDeclaration *Array : Here)
      if (IsOne)
        Found[Array->Key].push_back(Index);
      else
        Uncertain.insert(Array->Key);
    return;
  }
  Uncertain.insert(HandedOnBy.begin(), HandedOnBy.end());
  Others.push_back(Index);
}

const std::vector<uint32_t> &AllocationSites::of(const ArrayDeclaration &Array) const {
  static const std::vector<uint32_t> Nothing;
  const auto There = Found.find(Array.Key);
  return There == Found.end() ? Nothing : There->second;
}

bool AllocationSites::mayBeOf(const ArrayDeclaration &Array) const {
  return Uncertain.count(Array.Key) || Uncertain.count(Array.Allocated->Callee);
}
