//===-- Views.cpp - extents that the run decides ----------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Views.h"

#include "FactorTable.h"

using namespace mapp;

Polynomial mapp::with(llvm::ArrayRef<Extent> Known, Polynomial F) {
  for (const Extent &E : Known)
    F = FactorTable::replaced(F, E.Factor, Polynomial(E.Value));
  return F;
}

/// The only factor of a form that holds no other.
static std::optional<FactorId> onlyFactor(const Polynomial &F) {
  std::optional<FactorId> Only;
  for (const Term &T : F.terms())
    for (const FactorId Id : T.Factors) {
      if (Only && *Only != Id)
        return std::nullopt;
      Only = Id;
    }
  return Only;
}

/// Of a form in one factor.
static long double valueAt(const Polynomial &F, int64_t Factor) {
  long double Sum = 0;
  for (const Term &T : F.terms()) {
    auto Product = static_cast<long double>(T.Coefficient);
    for (size_t I = 0; I < T.Factors.size(); ++I)
      Product *= static_cast<long double>(Factor);
    Sum += Product;
  }
  return Sum;
}

/// The positive value of the only factor for which the form is `Wanted`: sizes grow with extents.
static std::optional<int64_t> solve(const Polynomial &F, uint64_t Wanted) {
  const auto Goal = static_cast<long double>(Wanted);
  int64_t Below = 0, Least = static_cast<int64_t>(std::min<uint64_t>(Wanted, INT64_MAX));
  if (valueAt(F, Least) < Goal)
    return std::nullopt;
  while (Least - Below > 1) {
    const int64_t Middle = Below + (Least - Below) / 2;
    (valueAt(F, Middle) < Goal ? Below : Least) = Middle;
  }
  return valueAt(F, Least) == Goal ? std::optional(Least) : std::nullopt;
}

namespace {

/// Bytes by the view, and by the declaration.
struct Pair {
  const Polynomial *Viewed;
  uint64_t Declared;
  bool Whole; ///< of all: a view may leave out the array's end
};

} // namespace

/// A view of fewer dimensions is one of a row, or of a plane; of one that has more only the whole
/// is comparable.
static llvm::SmallVector<Pair, 4> pairs(const View &Through, llvm::ArrayRef<uint64_t> Sizes) {
  llvm::SmallVector<Pair, 4> Result;
  const bool More = Through.size() > Sizes.size();
  for (size_t I = 0; I < Through.size() && (I == 0 || !More); ++I) {
    const uint64_t Declared = Sizes[More ? 0 : Sizes.size() - Through.size() + I];
    if (!Through[I].terms().empty() && Declared > 0)
      Result.push_back({&Through[I], Declared, I == 0});
  }
  return Result;
}

llvm::SmallVector<Extent, 2> mapp::extentsOf(const View &Through, llvm::ArrayRef<uint64_t> Sizes,
                                             llvm::function_ref<bool(FactorId)> IsFixed) {
  llvm::SmallVector<Extent, 2> Known;
  const llvm::SmallVector<Pair, 4> All = pairs(Through, Sizes);
  for (size_t Before = SIZE_MAX; Before != Known.size();) {
    Before = Known.size();
    for (const Pair &P : All) {
      const Polynomial Viewed = with(Known, *P.Viewed);
      if (const std::optional<int64_t> Bytes = Viewed.constant()) {
        const auto Unsigned = static_cast<uint64_t>(*Bytes);
        if (P.Whole ? Unsigned > P.Declared : Unsigned != P.Declared)
          return {};
        continue;
      }
      const std::optional<FactorId> Unknown = onlyFactor(Viewed);
      if (!Unknown || !IsFixed(*Unknown))
        continue;
      if (const std::optional<int64_t> Value = solve(Viewed, P.Declared))
        Known.push_back({*Unknown, *Value});
      else if (!P.Whole)
        return {};
    }
  }
  return Known;
}
