//===-- Polynomial.h - subscripts as polynomials ----------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Where an access lies in an array is known as a function of loop variables.  A *form* is that
// function: a sum of terms, each an integer coefficient times *factors* (loop variables, variables
// that do not change, values loaded from memory), such as 8*i*n + 8*j + 16.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_POLYNOMIAL_H
#define MAPP_POLYNOMIAL_H

#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>
#include <functional>
#include <optional>

namespace mapp {

/// Names a factor: entry `Index` of the table of translation unit `Unit`.
struct FactorId {
  uint32_t Unit;
  uint32_t Index;
  auto operator<=>(const FactorId &) const = default;
};

/// The factors of a product, ascending. Polynomials are copied all the time, so this is plain
/// memory; and a product of more factors is no subscript that anything could be said about.
class FactorList {
public:
  static constexpr size_t Capacity = 4;

  const FactorId *begin() const { return Items.data(); }
  const FactorId *end() const { return Items.data() + Count; }
  size_t size() const { return Count; }
  bool empty() const { return Count == 0; }

  /// False when the list is full.
  bool add(FactorId New) {
    if (Count == Capacity)
      return false;
    FactorId *Last = Items.data() + Count++;
    FactorId *Position = std::upper_bound(Items.data(), Last, New);
    std::move_backward(Position, Last, Last + 1);
    *Position = New;
    return true;
  }

  bool operator==(const FactorList &Other) const {
    return std::equal(begin(), end(), Other.begin(), Other.end());
  }
  bool operator<(const FactorList &Other) const {
    return std::lexicographical_compare(begin(), end(), Other.begin(), Other.end());
  }

private:
  std::array<FactorId, Capacity> Items;
  uint32_t Count = 0;
};

/// One product of a form. Without factors it is the constant.
struct Term {
  FactorList Factors;
  int64_t Coefficient = 0;
  bool operator==(const Term &) const = default;
};

/// A sum of terms, in the order of their factors, none with coefficient 0.
class Polynomial {
public:
  /// As many subscripts and offsets as anybody writes; more says nothing.
  static constexpr size_t MaxTerms = 12;

  Polynomial() = default;
  // A SmallVector's moves could throw, for all that it says, and tables that grow would copy.
  Polynomial(const Polynomial &) = default;
  Polynomial(Polynomial &&) noexcept = default;
  Polynomial &operator=(const Polynomial &) = default;
  Polynomial &operator=(Polynomial &&) noexcept = default;
  ~Polynomial() = default;
  explicit Polynomial(int64_t Constant);
  explicit Polynomial(FactorId Factor);

  const llvm::SmallVector<Term, 2> &terms() const { return Terms; }
  bool operator==(const Polynomial &) const = default;

  /// The value where the form is a constant.
  std::optional<int64_t> constant() const;
  /// The term without factors, 0 where there is none.
  int64_t constantTerm() const;
  bool mentions(FactorId Factor) const;

  /// The only term with a factor, if that is one factor that counts up: beside it may stand a
  /// number that is no larger than `Most`, either way.
  std::optional<Term> onlyTerm(int64_t Most) const;

  // These have no value where a coefficient overflows or the result exceeds the limits.
  std::optional<Polynomial> plus(const Polynomial &Other) const;
  std::optional<Polynomial> minus(const Polynomial &Other) const;
  std::optional<Polynomial> times(const Polynomial &Other) const;
  /// `minus(Other)` where that is a constant.
  std::optional<int64_t> distanceFrom(const Polynomial &Other) const;
  /// The quotient where every coefficient is a multiple of `Divisor`.
  std::optional<Polynomial> dividedBy(int64_t Divisor) const;

  /// The terms for which `Wanted` is true.
  Polynomial filtered(const std::function<bool(const Term &)> &Wanted) const;

private:
  bool add(const Term &Summand);

  llvm::SmallVector<Term, 2> Terms;
};

/// Where both are known.
inline std::optional<Polynomial> sum(const std::optional<Polynomial> &A,
                                     const std::optional<Polynomial> &B) {
  return A && B ? A->plus(*B) : std::nullopt;
}

} // namespace mapp

#endif // MAPP_POLYNOMIAL_H
