//===-- Polynomial.cpp - subscripts as polynomials --------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Polynomial.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cstdlib>

using namespace mapp;

Polynomial::Polynomial(int64_t Constant) {
  if (Constant != 0)
    Terms.push_back({{}, Constant});
}

Polynomial::Polynomial(FactorId Factor) {
  Term T;
  T.Factors.add(Factor);
  T.Coefficient = 1;
  Terms.push_back(T);
}

std::optional<int64_t> Polynomial::constant() const {
  if (Terms.empty())
    return 0;
  if (Terms.size() == 1 && Terms[0].Factors.empty())
    return Terms[0].Coefficient;
  return std::nullopt;
}

int64_t Polynomial::constantTerm() const {
  // No factors sort before any.
  return !Terms.empty() && Terms[0].Factors.empty() ? Terms[0].Coefficient : 0;
}

bool Polynomial::mentions(FactorId Factor) const {
  return llvm::any_of(Terms, [&](const Term &T) { return llvm::is_contained(T.Factors, Factor); });
}

std::optional<Term> Polynomial::onlyTerm(int64_t Most) const {
  std::optional<Term> Only;
  for (const Term &T : Terms) {
    if (T.Factors.empty()) {
      if (std::abs(T.Coefficient) > Most)
        return std::nullopt;
      continue;
    }
    if (Only || T.Factors.size() > 1 || T.Coefficient <= 0)
      return std::nullopt;
    Only = T;
  }
  return Only;
}

/// Adds in place; false on overflow or when the form becomes too large.
bool Polynomial::add(const Term &Summand) {
  auto *Position = std::lower_bound(
      Terms.begin(), Terms.end(), Summand,
      [](const Term &Left, const Term &Right) { return Left.Factors < Right.Factors; });
  if (Position == Terms.end() || Position->Factors != Summand.Factors) {
    Terms.insert(Position, Summand);
    return Terms.size() <= MaxTerms;
  }
  if (__builtin_add_overflow(Position->Coefficient, Summand.Coefficient, &Position->Coefficient))
    return false;
  if (Position->Coefficient == 0)
    Terms.erase(Position);
  return true;
}

std::optional<Polynomial> Polynomial::plus(const Polynomial &Other) const {
  std::optional<Polynomial> Sum = *this;
  for (const Term &T : Other.Terms)
    if (!Sum->add(T))
      return std::nullopt;
  return Sum;
}

std::optional<Polynomial> Polynomial::minus(const Polynomial &Other) const {
  std::optional<Polynomial> Difference = *this;
  for (Term T : Other.Terms)
    if (__builtin_sub_overflow(0, T.Coefficient, &T.Coefficient) || !Difference->add(T))
      return std::nullopt;
  return Difference;
}

std::optional<int64_t> Polynomial::distanceFrom(const Polynomial &Other) const {
  const auto Moving = [](const Polynomial &F) {
    return llvm::ArrayRef(F.Terms).drop_while([](const Term &T) { return T.Factors.empty(); });
  };
  int64_t Distance = 0;
  if (Moving(*this) != Moving(Other) ||
      __builtin_sub_overflow(constantTerm(), Other.constantTerm(), &Distance))
    return std::nullopt;
  return Distance;
}

std::optional<Polynomial> Polynomial::times(const Polynomial &Other) const {
  std::optional<Polynomial> Product = Polynomial();
  for (const Term &Left : Terms)
    for (const Term &Right : Other.Terms) {
      Term T = Left;
      if (__builtin_mul_overflow(T.Coefficient, Right.Coefficient, &T.Coefficient))
        return std::nullopt;
      const bool Fits =
          llvm::all_of(Right.Factors, [&](FactorId Factor) { return T.Factors.add(Factor); });
      if (!Fits || !Product->add(T))
        return std::nullopt;
    }
  return Product;
}

std::optional<Polynomial> Polynomial::dividedBy(int64_t Divisor) const {
  // -1 would overflow with the least coefficient; it does not occur in subscripts.
  if (Divisor <= 0 ||
      llvm::any_of(Terms, [&](const Term &T) { return T.Coefficient % Divisor != 0; }))
    return std::nullopt;
  std::optional<Polynomial> Quotient = *this;
  for (Term &T : Quotient->Terms)
    T.Coefficient /= Divisor;
  return Quotient;
}

Polynomial Polynomial::filtered(const std::function<bool(const Term &)> &Wanted) const {
  Polynomial Result;
  llvm::copy_if(Terms, std::back_inserter(Result.Terms), Wanted);
  return Result;
}
