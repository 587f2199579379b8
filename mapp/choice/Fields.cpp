//===-- Fields.cpp - fields that share a block ------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Fields.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <numeric>

using namespace mapp;

namespace {

/// Finds the fields of one block.
class FieldFinder {
public:
  FieldFinder(std::vector<Use> &All, const Polynomial &Size) : Uses(All), Whole(leading(Size)) {}

  void find() {
    if (!Whole || Whole->Coefficient <= 0 || !collectBegins())
      return;
    for (Use &U : Uses)
      if (U.isDivided())
        U.InField = fieldAt(*beginOf(U), *U.Moves);
  }

private:
  /// What grows fastest, if that is one product of numbers: rows at the edges are no fields.
  static std::optional<Term> leading(const Polynomial &Size) {
    const auto Degree = [](const Term &T) { return T.Factors.size(); };
    std::optional<Term> Found;
    for (const Term &T : Size.terms())
      if (!Found || Degree(T) > Degree(*Found))
        Found = T;
    const auto IsAsFast = [&](const Term &T) { return Degree(T) == Degree(*Found); };
    return Found && Degree(*Found) > 0 && llvm::count_if(Size.terms(), IsAsFast) == 1
               ? Found
               : std::nullopt;
  }

  /// Of what grows as the block does so much; nothing where something else counts.
  std::optional<int64_t> partOfWhole(const Polynomial &Bytes) const {
    int64_t Part = 0;
    for (const Term &T : Bytes.terms()) {
      if (!std::includes(Whole->Factors.begin(), Whole->Factors.end(), T.Factors.begin(),
                         T.Factors.end()))
        return std::nullopt;
      if (T.Factors == Whole->Factors)
        Part = T.Coefficient;
    }
    return Part;
  }

  std::optional<int64_t> beginOf(const Use &U) const {
    if (!U.Moves || U.Moves->Rows || U.Moves->Unit.terms().empty() || U.Reversed ||
        U.Team != Uses.front().Team)
      return std::nullopt;
    const std::optional<int64_t> Begin =
        U.Moves->Begin ? partOfWhole(*U.Moves->Begin) : std::nullopt;
    return Begin && *Begin >= 0 && *Begin < Whole->Coefficient ? Begin : std::nullopt;
  }

  bool collectBegins() {
    for (const Use &U : Uses) {
      if (!U.isDivided())
        continue;
      const std::optional<int64_t> Begin = beginOf(U);
      if (!Begin)
        return false;
      Begins.push_back(*Begin);
    }
    Begins.push_back(0);
    llvm::sort(Begins);
    Begins.erase(std::unique(Begins.begin(), Begins.end()), Begins.end());
    return Begins.size() > 1;
  }

  /// A loop that goes further than the field is over several.
  Field fieldAt(int64_t Begin, const Sweep &Moves) const {
    const auto Next = std::upper_bound(Begins.begin(), Begins.end(), Begin);
    const Field Found{Begin, Next == Begins.end() ? Whole->Coefficient : *Next, Whole->Coefficient};
    const std::optional<Polynomial> Length =
        Moves.Count ? Moves.Unit.times(*Moves.Count) : std::nullopt;
    const std::optional<int64_t> Reach = Length ? partOfWhole(*Length) : std::nullopt;
    return Reach && *Reach > Found.End - Found.Begin ? Field() : Found;
  }

  std::vector<Use> &Uses;
  const std::optional<Term> Whole;
  std::vector<int64_t> Begins; ///< of the fields, in order
};

} // namespace

void mapp::findFields(std::vector<Use> &Uses, const Polynomial &Size) {
  if (!Uses.empty())
    FieldFinder(Uses, Size).find();
}

//===-- Rows ------------------------------------------------------------------===//

/// Threads share out the columns of rows, in order.
static bool dividesColumns(const Use &U) {
  return U.How == Pattern::Across && U.Dimension == 2 && U.InOrder && U.Moves &&
         !U.Moves->Unit.terms().empty();
}

/// Whether something lies a whole number of rows from the array's start, but for what is added to
/// the columns.
static bool isAtRow(const Polynomial &Begin, const Polynomial &Row) {
  std::optional<int64_t> Number;
  for (const Term &T : Begin.terms()) {
    const auto Same =
        llvm::find_if(Row.terms(), [&](const Term &Of) { return Of.Factors == T.Factors; });
    if (Same == Row.terms().end() || Same->Coefficient < 0 ||
        T.Coefficient % Same->Coefficient != 0 ||
        Number.value_or(T.Coefficient / Same->Coefficient) != T.Coefficient / Same->Coefficient)
      return false;
    Number = T.Coefficient / Same->Coefficient;
  }
  return true;
}

/// It goes over one of these rows, as far as the threads share out columns elsewhere.
static bool isOfOneRow(const Use &U, const Use &Columns) {
  const Sweep &Of = *Columns.Moves;
  return U.isDivided() && U.Loop && U.Loop->Kind == ScopeKind::Divided && U.Moves &&
         !U.Moves->Rows && U.Reversed == Columns.Reversed && U.Team == Columns.Team &&
         U.Moves->Unit == Of.Element && U.Moves->Begin &&
         (U.Loop == Columns.Loop || (U.Moves->Count && U.Moves->Count == Of.Count)) &&
         isAtRow(*U.Moves->Begin, Of.Unit);
}

void mapp::findRows(std::vector<Use> &Uses) {
  const Use *Columns = nullptr;
  for (const Use &U : Uses)
    if (dividesColumns(U) && (!Columns || U.Bytes > Columns->Bytes))
      Columns = &U;
  if (!Columns)
    return;
  for (Use &U : Uses)
    if (isOfOneRow(U, *Columns)) {
      U.How = Pattern::Across;
      U.Dimension = 2;
      U.HasRange = false;
      U.Moves = Columns->Moves;
    }
}

std::vector<unsigned> mapp::proportionsOfFields(const std::vector<Use> &Uses) {
  constexpr size_t Most = 16;
  std::vector<int64_t> Ends = {0};
  for (const Use &U : Uses)
    if (U.InField)
      Ends.insert(Ends.end(), {U.InField.Begin, U.InField.End, U.InField.Whole});
  llvm::sort(Ends);
  Ends.erase(std::unique(Ends.begin(), Ends.end()), Ends.end());
  const int64_t Common =
      std::accumulate(Ends.begin(), Ends.end(), int64_t(0), std::gcd<int64_t, int64_t>);
  std::vector<unsigned> Parts;
  for (size_t I = 1; I < Ends.size(); ++I)
    Parts.push_back(static_cast<unsigned>((Ends[I] - Ends[I - 1]) / Common));
  return Parts.size() > 1 && Parts.size() <= Most ? Parts : std::vector<unsigned>();
}
