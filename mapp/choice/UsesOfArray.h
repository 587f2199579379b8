//===-- UsesOfArray.h - what the uses of an array are like together *- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MAPP_USESOFARRAY_H
#define MAPP_USESOFARRAY_H

#include "Candidate.h"

#include <array>
#include <initializer_list>
#include <optional>
#include <vector>

namespace mapp {

/// Equal traffic: writes say more than reads, they are made once an element.
bool isHeavier(const Use &Left, const Use &Right);

/// The uses of one array, summed up by pattern.
class UsesByPattern {
public:
  explicit UsesByPattern(const std::vector<Use> &Uses) {
    for (const Use &U : Uses) {
      double &Sum = Bytes[static_cast<size_t>(U.How)];
      Sum += U.Bytes;
      const Use *&Best = Heaviest[static_cast<size_t>(U.How)];
      if (!Best || isHeavier(U, *Best))
        Best = &U;
    }
  }

  double bytes(Pattern P) const { return Bytes[static_cast<size_t>(P)]; }
  const Use *heaviest(Pattern P) const { return Heaviest[static_cast<size_t>(P)]; }

  /// The pattern of these with most traffic, or nothing where none occurs.
  std::optional<Pattern> dominant(std::initializer_list<Pattern> Among) const {
    std::optional<Pattern> Best;
    for (const Pattern P : Among)
      if (heaviest(P) && (!Best || bytes(P) > bytes(*Best)))
        Best = P;
    return Best;
  }

private:
  static constexpr size_t Patterns = static_cast<size_t>(Pattern::OneThread) + 1;
  std::array<double, Patterns> Bytes{};
  std::array<const Use *, Patterns> Heaviest{};
};

/// How a loop moves through the array: by those of its uses that write, and of a stencil's by the
/// middle one.
std::optional<Sweep> sweepBy(const std::vector<Use> &Uses, const Use &OfLoop);

/// No thread writes parts of others, whoever reads them afterwards, such as a sum over the threads.
bool isWrittenByOwners(const std::vector<Use> &Uses);

/// The blocks of a table whose numbers can be told.
bool isNumberedRow(const ArrayDeclaration &Array);

/// Each thread has a part of its own, by its number, first touch is not right, and MAi can give
/// rows to their threads.
bool wantsOwnRows(const ArrayDeclaration &Array, const std::vector<Use> &Uses);

/// Small, and serial code writes it all before the threads read it, each anything of it.
bool isReadOnlyTable(const ArrayDeclaration &Array, const std::vector<Use> &Uses);

/// One thread clears it before threads write their parts of it.
bool isClearedBefore(const std::vector<Use> &Uses);

/// The heaviest use, where threads look rows up in lists of which each has a share, and divide none
/// otherwise: lists tell rows in their order as a rule, as those of all that is active, and where
/// not, a share is as far away as any other part. Null: it is not so.
const Use *listedUse(const std::vector<Use> &Uses);

} // namespace mapp

#endif // MAPP_USESOFARRAY_H
