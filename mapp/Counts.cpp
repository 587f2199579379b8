//===-- Counts.cpp - what a profile counted of each array -------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Counts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mapp;

//===-- Reading ---------------------------------------------------------------===//

static size_t openMPThreads(const maiprof::Profile &P) {
  return static_cast<size_t>(llvm::count_if(
      P.Threads, [](const maiprof::Thread &T) { return T.What == maiprof::Thread::Kind::OpenMP; }));
}

std::optional<CountedRun> mapp::readCounts(const std::string &File) {
  std::string Error;
  std::optional<maiprof::Profile> P = maiprof::load(File, Error);
  if (P && openMPThreads(*P) < 2)
    Error = File + ": the profile is of one thread, and tells nothing of what threads share: run "
                   "the program with OMP_NUM_THREADS=8, say";
  if (!Error.empty()) {
    llvm::errs() << "mapp-rewrite: --profile " << labelled(Error, Topic::BadProfile);
    return std::nullopt;
  }
  return CountedRun{File, std::move(*P)};
}

//===-- Names -----------------------------------------------------------------===//

/// The name in the source of a symbol that may bear a number which tells it from others of its
/// name, as gcc gives to what functions declare: "work.3"; also "f.work", as clang does.
static llvm::StringRef plainName(llvm::StringRef Symbol) {
  while (true) {
    const auto [Name, Number] = Symbol.rsplit('.');
    if (Name.empty() || Number.empty() || !llvm::all_of(Number, llvm::isDigit))
      return Symbol;
    Symbol = Name;
  }
}

CountMatcher::CountMatcher(const CountedRun *Wanted) : Run(Wanted) {
  if (!Run)
    return;
  std::set<std::string> Instrumented;
  for (const maiprof::Module &M : Run->Profile.Modules)
    if (M.Instrumented)
      Instrumented.insert(M.Path);
  for (uint32_t I = 0; I < Run->Profile.Arrays.size(); ++I) {
    const maiprof::Array &Known = Run->Profile.Arrays[I];
    if (Known.What == maiprof::Array::Kind::Static && Known.Bytes > 0 &&
        (Instrumented.empty() || Instrumented.count(Known.Module)))
      ByName[plainName(Known.Name).str()].push_back(I);
  }
}

/// The arrays in the profile that may be this one: of its name, and from its file if that is known.
/// Where some are of its size, just those.
CountMatcher::Indices CountMatcher::candidates(const ArrayDeclaration &Array,
                                               const Facts &Unit) const {
  const std::string Variable = llvm::StringRef(Array.Name).split('.').first.str();
  Indices Found;
  for (const std::string &Name : {Variable, Array.InFunction + "." + Variable})
    if (const auto Same = ByName.find(Name); Same != ByName.end())
      Found.insert(Found.end(), Same->second.begin(), Same->second.end());
  const llvm::StringRef Declares = llvm::sys::path::filename(Array.Where.File);
  const llvm::StringRef Includes = llvm::sys::path::filename(Unit.File);
  llvm::erase_if(Found, [&](uint32_t I) {
    const llvm::StringRef File = llvm::sys::path::filename(Run->Profile.Arrays[I].Place);
    return !File.empty() && File != Declares && File != Includes;
  });
  const uint64_t Whole = Array.Object.empty() ? Array.Bytes : Array.ObjectBytes;
  const auto IsAlike = [&](uint32_t I) { return Run->Profile.Arrays[I].Bytes == Whole; };
  if (llvm::any_of(Found, IsAlike))
    llvm::erase_if(Found, [&](uint32_t I) { return !IsAlike(I); });
  return Found;
}

const Counted *CountMatcher::keep(const std::string &Key, const Indices &Found, uint64_t Within,
                                  uint64_t Bytes) {
  std::vector<maiprof::ArrayCounts::Part> Parts;
  for (const uint32_t I : Found) {
    const maiprof::Array &Known = Run->Profile.Arrays[I];
    Parts.push_back({Known.Start + Within, Bytes > 0 ? Bytes : Known.Bytes});
  }
  auto New =
      std::make_unique<Counted>(Counted{Run, Run->Profile.Arrays[Found[0]].name(),
                                        maiprof::ArrayCounts(Run->Profile, std::move(Parts))});
  return (ByKey[Key] = std::move(New)).get();
}

const Counted *CountMatcher::of(const ArrayDeclaration &Array, const Facts &Unit, bool IsShared) {
  if (!Run)
    return nullptr;
  const Indices Found = candidates(Array, Unit);
  Matched.insert(Found.begin(), Found.end());
  const bool IsMember = !Array.Object.empty();
  Remark Why;
  if (Found.empty())
    Why = {Topic::NotCounted, "the profile has no array of this name; estimated"};
  else if (Found.size() > 1)
    Why = {Topic::AmbiguousCounts,
           llvm::formatv("the profile has {0} arrays of this name; estimated", Found.size())};
  else if (IsMember && Run->Profile.Arrays[Found[0]].Bytes != Array.ObjectBytes)
    Why = {Topic::OtherLayout,
           "in the profile the struct has another size, so that its members lie "
           "elsewhere; estimated"};
  else if (const Counted *New = keep(Array.Key, Found, Array.Within, IsMember ? Array.Bytes : 0);
           New->Counts.accesses() > 0)
    return New;
  else
    Why = {Topic::NotCounted, "the profiled run has not used it; estimated"};
  if (IsShared)
    Notes.push_back({{Why.Number, Array.Name + ": " + Why.Text}, Array.Where});
  return nullptr;
}

//===-- What is left ------------------------------------------------------------===//

/// The arrays that the profile knows and the program has not, if they matter.
std::vector<Note> CountMatcher::notInProgram(uint64_t MinBytes) const {
  constexpr size_t MostLooked = 256;
  constexpr double Much = 0.01;
  std::vector<std::pair<double, uint32_t>> Left;
  double All = 0;
  for (const auto &[Key, Known] : ByKey)
    All += Known->Counts.accesses();
  for (const auto &[Name, Same] : ByName)
    for (const uint32_t I : Same) {
      const maiprof::Array &Known = Run->Profile.Arrays[I];
      if (Matched.count(I) || Known.Bytes < MinBytes || Left.size() >= MostLooked)
        continue;
      const maiprof::ArrayCounts Sum(Run->Profile, {{Known.Start, Known.Bytes}});
      Left.emplace_back(Sum.accesses(), I);
      All += Sum.accesses();
    }
  llvm::sort(Left, std::greater<>());
  std::vector<Note> Result;
  for (const auto &[Accesses, I] : Left)
    if (Accesses >= Much * All && Accesses > 0)
      Result.push_back(
          {{Topic::NotInProgram,
            llvm::formatv(
                "{0}: the profile has it, with {1:P1} of the accesses; the files given do not",
                Run->Profile.Arrays[I].name(), Accesses / All)},
           {Run->File, 0}});
  return Result;
}

std::vector<Note> CountMatcher::notes(uint64_t MinBytes) const {
  std::vector<Note> All = Notes;
  if (Run)
    llvm::append_range(All, notInProgram(MinBytes));
  return All;
}
