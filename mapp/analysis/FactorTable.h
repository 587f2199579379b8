//===-- FactorTable.h - the factors of the whole program --------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Looks factors up across translation units, and expresses what a function says of its parameters
// in terms of its caller.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_FACTORTABLE_H
#define MAPP_FACTORTABLE_H

#include "ThreadAnswers.h"

#include "mapp/facts/Facts.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <map>
#include <memory>
#include <unordered_map>
#include <utility>

namespace mapp {

/// What an argument or a pointer is: bytes from a base of the program, or a number.
struct Binding {
  uint32_t Base = None;
  Polynomial Offset;
  /// The constant bytes of a pointer before parameters were added to or taken from, and at least
  /// those to the member that the source names.
  int64_t Start = 0;
  uint32_t Inner = None; ///< of the program: the inner struct whose address it is
  bool IsOfPart = false; ///< a stored one: what was moved on is a pointer that callers had moved on
};

/// What callers have stored in structs of their own, by parameter and offset.
using PassedNumbers = std::map<std::pair<uint32_t, int64_t>, Polynomial>;

/// What a function's parameters are bound to in one visit.
struct Arguments {
  std::vector<Binding> Values;
  PassedNumbers Numbers = {}; ///< those that depend on the thread's number
  std::unordered_map<uint64_t, Polynomial> Substituted; ///< factors that depend on them, by Id
  uint32_t Path = 0; ///< of the calls that led there: its number; 0: they are not told apart
  size_t Own = 0;    ///< the context whose pointer variables are not those of others; 0: none
};

/// The loops and the thread's number that a factor depends on, however indirectly.
struct Dependence {
  llvm::SmallVector<FactorId, 4> Loops; ///< ascending
  bool Thread = false;
  bool Parameters = false;
  bool Memory = false; ///< it, or something it depends on, is read from memory
};

class FactorTable {
public:
  explicit FactorTable(const std::vector<Facts> &Program)
      : Units(Program), Answers(Program), Dependences(Program.size() + 1) {}

  const Factor &operator[](FactorId Id) const {
    return Id.Unit == Units.size() ? Own[Id.Index] : Units[Id.Unit].Factors[Id.Index];
  }
  const Dependence &dependence(FactorId Id);
  bool dependsOnThread(const Polynomial &F);

  FactorId add(Factor New);

  /// It is the number of the thread that is there.
  bool isThreadNumber(FactorId Id);
  bool isNumberOfThreads(FactorId Id) const {
    const Factor &F = (*this)[Id];
    return F.Kind == FactorKind::Symbol && F.Index == NumberOfThreads;
  }

  /// `F` with the parameters of its function replaced by what they are bound to.
  Polynomial inCaller(const Polynomial &F, Arguments &Bound);
  /// `F` with one factor replaced; `F` itself when the result is no form.
  static Polynomial replaced(const Polynomial &F, FactorId Old, const Polynomial &New);

private:
  using Replacement = llvm::function_ref<std::optional<Polynomial>(FactorId)>;
  static std::optional<Polynomial> substitute(const Polynomial &F, Replacement By);
  bool dependsOn(const Polynomial &F, bool Dependence::*What);
  bool isTested(FactorId Id) const;
  Polynomial tested(FactorId Id, Arguments &Bound);
  const Polynomial *passed(FactorId Id, const Arguments &Bound) const;
  const Base *parameterBase(FactorId Id) const;
  void addDependence(Dependence &To, FactorId Factor);
  std::optional<Polynomial> substituted(FactorId Id, Arguments &Bound);

  const std::string &asked(FactorId Id) const { return Units[Id.Unit].Asked[(*this)[Id].Index]; }

  const std::vector<Facts> &Units;
  ThreadAnswers Answers;
  std::vector<Factor> Own; ///< made by inCaller(); their Unit is the number of units
  std::vector<std::vector<std::unique_ptr<Dependence>>> Dependences; ///< by unit and index
};

} // namespace mapp

#endif // MAPP_FACTORTABLE_H
