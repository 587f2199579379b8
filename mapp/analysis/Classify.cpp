//===-- Classify.cpp - phase 2: how the threads use each array --*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Classify.h"

#include "AccessForm.h"
#include "CallGraph.h"
#include "PatternFinder.h"
#include "Placeable.h"
#include "StoredNumbers.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

using namespace mapp;

namespace {

/// Of a recursion by tasks its first round is one thread's: what that does there, the tasks do.
void joinRecursions(std::vector<Use> &Uses) {
  std::set<std::pair<const Function *, unsigned>> OfTasks;
  for (const Use &U : Uses)
    if (U.How == Pattern::SomeThread)
      OfTasks.insert({U.In, U.Line});
  if (OfTasks.empty())
    return;
  for (Use &U : Uses)
    if (U.How == Pattern::OneThread && OfTasks.contains({U.In, U.Line}))
      U.How = Pattern::SomeThread;
}

/// Makes a use that much heavier, as it passes over so much more.
void lengthenPass(Use &U, double Times) {
  U.Bytes *= Times;
  U.Steps *= Times;
  U.Pass *= Times;
}

/// A loop whose length nothing tells, and one whose length is known, as that which fills the array
/// first, go over the same elements.
void raiseGuessedPasses(std::vector<Use> &Uses) {
  double Known = 0, Guessed = 0;
  for (const Use &U : Uses) {
    if (!U.IsGuessedPass)
      Known = std::max(Known, U.Pass);
    else if (U.How != Pattern::OneThread && U.DividesMany)
      Guessed = std::max(Guessed, U.Pass);
  }
  if (Guessed == 0 || Known <= Guessed)
    return;
  for (Use &U : Uses)
    if (U.IsGuessedPass)
      lengthenPass(U, Known / Guessed);
}

/// Threads have copies of something, which they add up in the end, because they add to them more
/// than that: to each element once at least.
void raiseOwnCopies(std::vector<Use> &Uses) {
  const auto IsAdded = [](const Use &U) {
    return U.How == Pattern::PerThread && U.Mode == AccessMode::ReadWrite && U.Estimated;
  };
  double Added = 0, Summed = 0;
  for (const Use &U : Uses)
    if (IsAdded(U))
      Added += U.Bytes;
    else if (U.How == Pattern::Across && U.Mode == AccessMode::Read)
      Summed = std::max(Summed, U.Bytes);
  if (Added == 0 || Summed <= Added)
    return;
  for (Use &U : Uses)
    if (IsAdded(U))
      lengthenPass(U, Summed / Added);
}

/// What one thread does in passing over an array is no more than what the threads do: the same
/// elements may be counted by one variable in a nest of loops, `a[next++]`, whose lengths are all
/// guessed, and by one loop elsewhere. Statements that count on in the same loop make one pass
/// together. Of a loop whose length nothing tells, as that over a queue, this cannot be said, nor
/// of pairs of elements.
void limitSerialPasses(std::vector<Use> &Uses) {
  const auto IsGuessed = [](const Use &U) {
    return U.How == Pattern::OneThread && U.IsGuessedPass && !U.ComesBack;
  };
  const auto Pass = [](const Use &U) { return std::tuple(U.CountsIn, U.Within, U.Mode); };
  double Longest = 0;
  std::map<std::tuple<const Scope *, int64_t, AccessMode>, double> Together;
  for (const Use &U : Uses)
    if (U.How != Pattern::OneThread && U.DividesMany)
      Longest = std::max(Longest, U.Pass);
    else if (U.CountsIn && IsGuessed(U))
      Together[Pass(U)] += U.Pass;
  for (Use &U : Uses) {
    const double Steps = U.CountsIn ? Together[Pass(U)] : U.Pass;
    if (IsGuessed(U) && Longest > 0 && Steps > Longest)
      lengthenPass(U, Longest / Steps);
  }
}

/// So that what loops say in one function can be said where an array is placed, in another.
Sweep namingNumbers(Sweep Of, StoredNumbers &Numbers) {
  Of.Unit = Numbers.byMembers(Of.Unit);
  Of.Element = Numbers.byMembers(Of.Element);
  if (Of.Begin)
    Of.Begin = Numbers.byMembers(*Of.Begin);
  const auto Changes = [&](const std::optional<Polynomial> &F) {
    return F && Numbers.isChanged(*F);
  };
  Of.IsVarying = Changes(Of.First) || Changes(Of.Count);
  if (Of.First)
    Of.First = Numbers.byMembers(*Of.First);
  if (Of.Count) {
    Of.Used = Numbers.inUse(*Of.Count);
    Of.Count = Numbers.byMembers(*Of.Count);
  }
  return Of;
}

/// The pointer moved on before it was stored, over what lies in front of it in the same block.
void setElsewhere(Use &U, const std::optional<Polynomial> &Behind) {
  U.HasRange = false;
  U.IsShifted = U.IsBehind = true;
  if (!U.Moves)
    return;
  U.Moves = Sweep{.Unit = U.Moves->Unit,
                  .Element = U.Moves->Element,
                  .Rows = U.Moves->Rows,
                  .Level = U.Moves->Level,
                  .First = {},
                  .Count = {},
                  .Begin = sum(U.Moves->Begin, Behind)};
}

/// What was made of values that many uses have beside them, made once.
template <typename T> class Made {
public:
  Beside<T> of(const Beside<T> &From, llvm::function_ref<T(const T &)> Make) {
    const auto [Known, New] = All.try_emplace(&*From, From, Beside<T>());
    if (New)
      Known->second.second = Make(*From);
    return Known->second.second;
  }

private:
  /// By address, and with the value itself, so that it keeps that address.
  std::unordered_map<const T *, std::pair<Beside<T>, Beside<T>>> All;
};

/// Classifies the accesses of a program.
class Classifier {
public:
  explicit Classifier(const std::vector<Facts> &All)
      : Units(All), Arrays(All), Factors(All), Numbers(All, Factors),
        Calls(All, Factors, [this](const ResolvedAccess &Access) { add(Access); }) {}

  Classification run() {
    Classification Result;
    Result.Complete = Calls.run();
    keepLatest();
    Found.weigh([&](size_t Context) { return Calls.timesOf(Context); });
    Found.forEachManner([&](Manner &Of) { nameVariables(Of); });
    for (const auto &[Number, Key] : llvm::enumerate(Arrays.keys()))
      if (Found.isUsed(static_cast<uint32_t>(Number)))
        Result.NumberOf[Key] = static_cast<uint32_t>(Number);
    Calls.forEachAllocationByPath(
        [&](const std::string &Block, const CallPath &Path, const Allocations &Known) {
          Result.AllocatedByPath.emplace(std::pair(Block, Path), allocations(Known));
        });
    for (const Facts &Unit : Units)
      for (const ArrayDeclaration &Array : Unit.Arrays)
        if (const Allocations *All = Array.Allocated ? Calls.allocations(Array.Key) : nullptr)
          Result.Allocated.emplace(Array.Key, allocationsOf(*Array.Allocated, *All));
    Result.Found = std::move(Found);
    return Result;
  }

private:
  //===-- Accesses --------------------------------------------------------------===//

  /// Where an access goes in an array, as far as its manner depends on that.
  struct Place {
    const Shape *Declared;
    bool IsBlock;
    bool Elsewhere;
    std::optional<Polynomial> Behind; ///< only if it is elsewhere
    Polynomial Offset;

    bool is(const ResolvedAccess &Access, const Placeable::Part &Part, const Polynomial &At) const {
      return IsBlock == Part.IsBlock && Elsewhere == Access.Elsewhere && Offset == At &&
             (!Elsewhere || Behind == Access.Behind) &&
             (Declared == &Part.Declared || *Declared == Part.Declared);
    }
  };

  /// What one access does wherever its manner is the same, and the arrays there.
  struct Group {
    Place At;
    llvm::SmallVector<FoundUses::Entry, 1> Entries;
    std::vector<FoundUses::Target> Targets = {};
  };

  void add(const ResolvedAccess &Access) {
    if (std::exchange(Latest, Access.Order) != Access.Order)
      keepLatest();
    const uint32_t Paths = Found.add(Access.Paths);
    for (const Placeable::Part *Part : Arrays.at(Access.Array, Access.Offset, Access.Start)) {
      const std::optional<Polynomial> Offset =
          Access.Offset.minus(Polynomial(static_cast<int64_t>(Part->Within)));
      if (Offset)
        groupOf(Access, *Part, *Offset)
            .Targets.emplace_back(static_cast<uint32_t>(Part->Number), Paths);
    }
  }

  /// A pointer may lead to very many blocks, which are mostly of one shape.
  Group &groupOf(const ResolvedAccess &Access, const Placeable::Part &Part,
                 const Polynomial &Offset) {
    const auto Known =
        llvm::find_if(OfLatest, [&](const Group &G) { return G.At.is(Access, Part, Offset); });
    if (Known != OfLatest.end())
      return *Known;
    Group New{{&Part.Declared, Part.IsBlock, Access.Elsewhere, Access.Behind, Offset}, {}};
    for (Use &U : uses(Access, New.At))
      New.Entries.push_back(Found.entry(std::move(U), Access.Context));
    return OfLatest.emplace_back(std::move(New));
  }

  /// In different places, or arrays of different shapes, an access may be of one manner all the
  /// same.
  void keepLatest() {
    for (auto G = OfLatest.begin(); G != OfLatest.end(); ++G) {
      const auto Same = std::find_if(
          OfLatest.begin(), G, [&](const Group &Other) { return Other.Entries == G->Entries; });
      if (Same != G)
        llvm::append_range(Same->Targets, std::exchange(G->Targets, {}));
    }
    for (const Group &G : OfLatest)
      if (!G.Targets.empty())
        Found.add(G.Entries, G.Targets);
    OfLatest.clear();
  }

  std::vector<Use> uses(const ResolvedAccess &Access, const Place &At) {
    const SizedAccess Sized(Access, *At.Declared, At.IsBlock, At.Offset, Numbers);
    const EnclosingLoop *Outer = boundsMovedBy(Sized.by());
    if (!Outer)
      return {use(Access, At, Sized.offset(), Sized.row(), Sized.by())};
    std::vector<Use> Result;
    for (unsigned S = 0; S < Samples; ++S) {
      const FactorId Index = Outer->Loop->Factor;
      const int64_t Value = sample(*Outer, S);
      const Polynomial Moved = FactorTable::replaced(Sized.offset(), Index, Polynomial(Value));
      Use U = use(Access, At, Moved, Sized.row(), withIndex(Sized.by(), Index, Value));
      U.Sample = S;
      U.Bytes /= Samples;
      U.Steps /= Samples;
      Result.push_back(std::move(U));
    }
    return Result;
  }

  Use use(const ResolvedAccess &Access, const Place &At, const Polynomial &Offset,
          const Polynomial &Row, const Execution &By) {
    Use U;
    U.Mode = Access.Mode;
    U.In = &Access.In;
    U.Line = Access.Line;
    U.Order = Access.Order;
    if (!Access.By.Taken.isEmpty())
      U.Taken = Access.By.Taken;
    const std::optional<CountedAccess> Counted = countedFromBegin(Factors, Offset, By);
    const Execution &Shared = Counted ? Counted->By : By;
    const SizedAddress Address = {Counted ? Counted->Offset : Offset, Row, Shared};
    const FactorId Guide = PatternFinder(Factors, Numbers, *At.Declared, Address).find(U);
    if (Guide.Index != None) {
      U.Through = Calls.sourceOf(Guide);
      U.IsDelimited = Factors[Guide].Kind != FactorKind::Row;
    }
    U.Bytes *= Access.Words * Shared.Share;
    U.Steps *= Shared.Share;
    if (At.Elsewhere)
      setElsewhere(U, At.Behind);
    return U;
  }

  //===-- Names -------------------------------------------------------------------===//

  void nameVariables(Manner &Of) {
    if (Of.Rows)
      Of.Rows = NamedRows.of(Of.Rows, [&](const RowPointers &Own) { return namingVariables(Own); });
    if (Of.Moves)
      Of.Moves =
          NamedSweeps.of(Of.Moves, [&](const Sweep &Own) { return namingNumbers(Own, Numbers); });
  }

  RowPointers namingVariables(RowPointers Of) {
    Of.Variables = Calls.variablesBehind(Of.Read);
    return Of;
  }

  Allocations allocations(const Allocations &Known) {
    Allocations Named = Known;
    for (std::vector<Polynomial> &Values : Named.Values)
      for (Polynomial &Value : Values)
        Value = Numbers.byMembers(Value);
    return Named;
  }

  /// A number on which the size does not depend may be set later, and says nothing then.
  bool mayBeSetLater(const Polynomial &Value) {
    return llvm::any_of(Value.terms(), [&](const Term &T) {
      return llvm::any_of(T.Factors, [&](FactorId Id) { return !Numbers.isSetOnce(Id); });
    });
  }

  Allocations allocationsOf(const Block &B, const Allocations &Known) {
    Allocations Named = allocations(Known);
    for (std::vector<Polynomial> &Values : Named.Values)
      for (size_t I = 0; I < std::min(Values.size(), B.Values.size()); ++I)
        if (B.Values[I].IsBeside && mayBeSetLater(Values[I]))
          Values[I] = Polynomial();
    return Named;
  }

  const std::vector<Facts> &Units;
  const Placeable Arrays;
  FactorTable Factors;
  StoredNumbers Numbers;
  CallGraph Calls;
  FoundUses Found;
  size_t Latest = SIZE_MAX; ///< access, by its order
  std::vector<Group> OfLatest;
  Made<RowPointers> NamedRows;
  Made<Sweep> NamedSweeps;
};

} // namespace

Classification mapp::classify(const std::vector<Facts> &Units) { return Classifier(Units).run(); }

ArrayUses Classification::uses(const std::string &Key) const {
  const auto Number = NumberOf.find(Key);
  if (Number == NumberOf.end())
    return {};
  ArrayUses Of = Found.of(Number->second);
  joinRecursions(Of.All);
  raiseGuessedPasses(Of.All);
  raiseOwnCopies(Of.All);
  limitSerialPasses(Of.All);
  return Of;
}

std::map<CallPath, std::vector<Use>> Classification::byPath(const ArrayUses &Of) const {
  std::map<CallPath, std::vector<Use>> Result;
  for (const auto &[U, Paths] : llvm::zip_equal(Of.All, Of.Paths))
    for (const CallPath &Path : Found.paths(Paths))
      Result[Path].push_back(U);
  for (auto &[Path, Own] : Result)
    limitSerialPasses(Own);
  return Result;
}
