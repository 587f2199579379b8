//===-- StoredNumbers.h - numbers in variables of the whole program -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Programs keep the extents of their grids in variables with static storage, which are set once as
// they begin: `grid[0] = N`.  Where only one constant is stored in such a variable, it is what
// loops are taken to run to.  That is an estimate: input may change the number all the same.
// How many threads there are counts as a number, too.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_STOREDNUMBERS_H
#define MAPP_STOREDNUMBERS_H

#include "FactorTable.h"

#include "llvm/ADT/SmallVector.h"

#include <map>

namespace mapp {

/// So many units of something are in use: what a number of the program counts, each for some.
struct InUse {
  std::string Variable; ///< key of that with static storage in which it lies ...
  int64_t At;           ///< ... so many bytes from its start
  int64_t Units;
  bool operator==(const InUse &) const = default;
};

class StoredNumbers {
public:
  StoredNumbers(const std::vector<Facts> &Program, const FactorTable &Table);

  /// `F` with the numbers in the place of the variables.
  Polynomial in(Polynomial F);

  /// How many numbers that the run decides make up the product that a variable or member holds: 2
  /// of `grid->plane = nx * ny`; 1 where that is not known.
  size_t degree(FactorId Id);

  /// All that is assigned to the member that a factor was read from, in whichever struct; nothing
  /// where it changes by what it was.
  llvm::SmallVector<const Polynomial *, 4> assigned(FactorId Id);

  /// `F` with the members of structs in the place of what was read from them, whichever struct that
  /// was: `grid->rows` is the same number in all functions.
  Polynomial byMembers(const Polynomial &F);

  /// It was read from a member that stays what it is once it is set, in whichever struct.
  bool isSetOnce(FactorId Id);

  /// It depends on a variable with static storage, or on a member of whichever struct, that the
  /// program goes on changing by what it was: `mesh->cells++`.
  bool isChanged(const Polynomial &F);

  /// It is what the thread's copy of a variable holds, in which nothing but the thread's number is
  /// stored.
  bool isThreadNumber(FactorId Id);

  /// What a loop's count is, where a number in static storage tells it.
  std::optional<InUse> inUse(const Polynomial &Count) const;

private:
  /// All that is stored in one place.
  struct Stored {
    std::vector<const Polynomial *> Assigned;
    std::vector<const Polynomial *> Initial; ///< by initialisers
    bool Changes = false;                    ///< as the program runs
    bool Asked = false;                      ///< it is or was looked for
    std::optional<Polynomial> Number;        ///< the only one, once it was found
    size_t Degree = 0;                       ///< 0: not looked for yet
    std::optional<FactorId> Read;            ///< the first factor that was read from this member
  };

  std::optional<Polynomial> numberOf(FactorId Id);
  std::optional<Polynomial> onlyOne(const Stored &All);
  bool isNumber(const Polynomial &F) const;
  /// The key of the variable with static storage that a factor is read from, or null.
  const std::string *variableOf(FactorId Id) const;
  Stored *placeOf(FactorId Id);
  const std::string *memberOf(FactorId Id) const;
  Stored *memberAt(FactorId Id);
  size_t degreeOf(const Polynomial &F);

  const std::vector<Facts> &Units;
  const FactorTable &Factors;
  std::map<std::pair<std::string, int64_t>, Stored> Places; ///< by variable, and bytes in it
};

} // namespace mapp

#endif // MAPP_STOREDNUMBERS_H
