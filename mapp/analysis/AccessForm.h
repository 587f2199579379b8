//===-- AccessForm.h - accesses in the form that tells ----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Accesses are written in many ways.  Here they are brought into the form by which their patterns
// are told: with extents and numbers that follow from elsewhere, and counted from where a row
// begins.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_ACCESSFORM_H
#define MAPP_ACCESSFORM_H

#include "CallGraph.h"
#include "Placeable.h"
#include "StoredNumbers.h"

namespace mapp {

/// An access with the extents that follow from the array it goes to, and with the numbers that are
/// stored in variables.  What is said of a block of the heap is said in terms of these variables.
class SizedAccess {
public:
  SizedAccess(const ResolvedAccess &Access, const Shape &To, bool IsBlock,
              const Polynomial &Address, StoredNumbers &Numbers);
  SizedAccess(const SizedAccess &) = delete;
  SizedAccess &operator=(const SizedAccess &) = delete;

  const Polynomial &offset() const { return Offset; }
  const Polynomial &row() const { return Row; }
  const Execution &by() const { return *By; }

private:
  void setExtents(const ResolvedAccess &Access, const Shape &To);
  void replace(llvm::function_ref<Polynomial(const Polynomial &)> With);

  Polynomial Offset, Row;
  Execution Sized;
  const Execution *By;
};

//===-- Moving bounds -----------------------------------------------------------===//

/// Where the parallel loop goes over another part each time, as in a factorisation, so many of them
/// are looked at.
constexpr unsigned Samples = 4;

/// The loop around the divided one whose index moves the bounds of that, if its own are constant.
const EnclosingLoop *boundsMovedBy(const Execution &By);

/// The value of its index that the sample of this number has.
int64_t sample(const EnclosingLoop &L, unsigned Number);

/// The same with the index of one loop given.
Execution withIndex(const Execution &By, FactorId Index, int64_t Value);

//===-- Begins of rows and shares ------------------------------------------------===//

struct CountedAccess {
  Polynomial Offset;
  Execution By;
};

/// The access as if its inner loop began where the row of the parallel index does, or the thread's
/// share, which its subscript adds: `a[start[i] + k]`. Nothing where it is not so.
std::optional<CountedAccess> countedFromBegin(FactorTable &Factors, const Polynomial &Offset,
                                              const Execution &By);

} // namespace mapp

#endif // MAPP_ACCESSFORM_H
