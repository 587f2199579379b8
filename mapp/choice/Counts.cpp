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

std::optional<CountedRun> mapp::readCounts(const std::string &File) {
  std::string Error;
  std::optional<maiprof::Profile> P = maiprof::load(File, Error);
  if (P && !maiprof::hasTeam(*P))
    Error = File + ": the profile is of one thread, and tells nothing of what threads share: run "
                   "the program with OMP_NUM_THREADS=8, say";
  if (!Error.empty()) {
    llvm::errs() << "mapp-rewrite: --profile " << labelled(Error, Topic::BadProfile);
    return std::nullopt;
  }
  return CountedRun{File, std::move(*P)};
}

//===-- Names -----------------------------------------------------------------===//

/// Of samples nobody knows whether the run has used what none of them met.
static Remark whyNotCounted(const maiprof::Profile &P, const char *WhereAllIsCounted) {
  return {Topic::NotCounted, P.Sampled ? "no sample has met it; estimated" : WhereAllIsCounted};
}

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

CountMatcher::CountMatcher(const CountedRun *Wanted, const std::vector<Facts> &Units,
                           bool WithBlocks)
    : Run(Wanted) {
  if (!Run)
    return;
  if (WithBlocks)
    Allocated.emplace(Units, Run->Profile);
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
    const llvm::StringRef File = llvm::sys::path::filename(Run->Profile.Arrays[I].Position);
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
  const maiprof::Array &Known = Run->Profile.Arrays[Found[0]];
  auto New = std::make_unique<Counted>(
      Counted{Run, Known.name(),
              maiprof::ArrayCounts(Run->Profile,
                                   {{Known.Start + Within, Bytes > 0 ? Bytes : Known.Bytes}})});
  return (ByKey[Key] = std::move(New)).get();
}

/// What is known of an array, or a note why it is nothing.
const Counted *CountMatcher::answer(const ArrayDeclaration &Array, const Counted *New, Remark Why,
                                    bool IsShared) {
  Asked += IsShared ? 1 : 0;
  if (New && New->Counts.accesses() > 0) {
    Answered += IsShared ? 1 : 0;
    return New;
  }
  if (New)
    Why = whyNotCounted(Run->Profile, "the profiled run has not used it; estimated");
  if (IsShared)
    Notes.push_back({{Why.Number, Array.Name + ": " + Why.Text}, Array.Where});
  return nullptr;
}

const Counted *CountMatcher::of(const ArrayDeclaration &Array, const Facts &Unit, bool IsShared) {
  if (!Run)
    return nullptr;
  const Indices Found = candidates(Array, Unit);
  Matched.insert(Found.begin(), Found.end());
  const bool IsMember = !Array.Object.empty();
  Remark Why;
  if (Found.empty())
    Why = whyNotCounted(Run->Profile, "the profile has no array of this name; estimated");
  else if (Found.size() > 1)
    Why = {Topic::AmbiguousCounts,
           llvm::formatv("the profile has {0} arrays of this name; estimated", Found.size())};
  else if (IsMember && Run->Profile.Arrays[Found[0]].Bytes != Array.ObjectBytes)
    Why = {Topic::OtherLayout,
           "in the profile the struct has another size, so that its members lie "
           "elsewhere; estimated"};
  const Counted *New =
      Why.empty() ? keep(Array.Key, Found, Array.Within, IsMember ? Array.Bytes : 0) : nullptr;
  return answer(Array, New, std::move(Why), IsShared);
}

//===-- Blocks ----------------------------------------------------------------===//

Remark CountMatcher::whyNoBlock(const ArrayDeclaration &Array) const {
  if (Allocated->mayBeOf(Array))
    return {Topic::AmbiguousCounts,
            "which blocks of the profile are allocated here cannot be told; estimated"};
  return {Topic::NotCounted,
          llvm::formatv("the profile has no block of {0} bytes or more from here; estimated",
                        std::max<uint64_t>(1, Run->Profile.BlockBytes))};
}

const Counted *CountMatcher::ofBlock(const ArrayDeclaration &Array, std::optional<bool> AreRows,
                                     bool IsShared) {
  if (!Run || !Allocated)
    return nullptr;
  const Indices &Found = Allocated->of(Array);
  if (Found.empty())
    return answer(Array, nullptr, whyNoBlock(Array), IsShared);
  Matched.insert(Found.begin(), Found.end());
  const bool MayBeRows =
      Found.size() > 1 && llvm::any_of(Array.Allocated->Rows,
                                       [](const RowOfTable &Row) { return !Row.Number.empty(); });
  auto New = std::make_unique<Counted>(Counted{
      Run, Run->Profile.Arrays[Found[0]].name(),
      maiprof::ArrayCounts(Run->Profile, maiprof::apart(Run->Profile, Found)), Found.size()});
  if (MayBeRows && (AreRows ? *AreRows : New->Counts.belongToThreads())) {
    New->RowBytes = New->Counts.largestBytes();
    New->Counts = maiprof::ArrayCounts(Run->Profile, maiprof::asRows(Run->Profile, Found));
  }
  return answer(Array, (ByKey[Array.Key] = std::move(New)).get(), {}, IsShared);
}

//===-- What is left ------------------------------------------------------------===//

/// The arrays that the profile knows and the program has not. Blocks of the heap from one place are
/// one.
std::map<std::string, CountMatcher::Indices> CountMatcher::leftOver(uint64_t MinBytes) const {
  std::map<std::string, Indices> Left;
  const auto Add = [&](uint32_t I, const std::string &From) {
    const maiprof::Array &Known = Run->Profile.Arrays[I];
    if (!Matched.count(I) && Known.Bytes >= MinBytes)
      Left[Known.name() + From].push_back(I);
  };
  for (const auto &[Name, Same] : ByName)
    for (const uint32_t I : Same)
      Add(I, "");
  if (!Allocated)
    return Left;
  for (const uint32_t I : Allocated->others()) {
    const uint32_t Chain = Run->Profile.Arrays[I].Chain;
    const bool HasCaller = Chain != maiprof::None && Run->Profile.Chains[Chain].Sites.size() > 1;
    Add(I, HasCaller ? ", called from " + Run->Profile.Chains[Chain].Sites[1].Position : "");
  }
  return Left;
}

/// As far as they matter.
std::vector<Note> CountMatcher::notInProgram(uint64_t MinBytes) const {
  constexpr size_t MostLooked = 256;
  constexpr double Much = 0.01;
  std::vector<std::pair<double, std::string>> Left;
  double All = 0;
  for (const auto &[Key, Known] : ByKey)
    All += Known->Counts.accesses();
  for (const auto &[Name, Same] : leftOver(MinBytes)) {
    if (Left.size() >= MostLooked)
      break;
    const maiprof::ArrayCounts Sum(Run->Profile, maiprof::apart(Run->Profile, Same));
    Left.emplace_back(Sum.accesses(), Name);
    All += Sum.accesses();
  }
  llvm::sort(Left, std::greater<>());
  std::vector<Note> Result;
  for (const auto &[Accesses, Name] : Left)
    if (Accesses >= Much * All && Accesses > 0)
      Result.push_back(
          {{Topic::NotInProgram,
            llvm::formatv(
                "{0}: the profile has it, with {1:P1} of the accesses; the files given do not",
                Name, Accesses / All)},
           {Run->File, 0}});
  return Result;
}

std::optional<Note> CountMatcher::complaint() const {
  if (!Run || Asked == 0 || Answered > 0)
    return std::nullopt;
  const std::string &Program = Run->Profile.Program;
  return Note{{Topic::ForeignProfile,
               llvm::formatv("nothing that was counted{0} belongs to an array of the files given: "
                             "the estimates decide",
                             Program.empty() ? "" : " of " + Program)},
              {Run->File, 0}};
}

std::vector<Note> CountMatcher::notes(uint64_t MinBytes) const {
  std::vector<Note> All;
  if (!Run)
    return All;
  if (!complaint()) // It says so of all of them.
    All = Notes;
  llvm::append_range(All, notInProgram(MinBytes));
  return All;
}
