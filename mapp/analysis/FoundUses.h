//===-- FoundUses.h - accesses of one manner are one use --------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What was found of all accesses of a program. In large programs functions are called in very many
// contexts, in most of which an access is made in the same manner, and a pointer may lead to very
// many arrays, which it all uses in one manner. So each manner is kept once, and so is each list of
// arrays to which pointers lead; the uses of one array are made when somebody asks for them.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_FOUNDUSES_H
#define MAPP_FOUNDUSES_H

#include "Use.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <deque>

namespace mapp {

/// The uses of an array.
struct ArrayUses {
  std::vector<Use> All;
  std::vector<uint32_t> Paths; ///< by which the array is reached: their number, by use
};

class FoundUses {
public:
  /// Where an access may go: the number of an array, and that of the paths to it.
  using Target = std::pair<uint32_t, uint32_t>;

  /// One access in one context.
  struct Entry {
    uint32_t Manner; ///< its number
    uint32_t Context;
    bool Estimated;
    double Bytes, Steps;
    size_t Order;
    bool operator==(const Entry &) const = default;
  };

  /// @param Context see CallGraph::timesOf()
  Entry entry(Use Found, size_t Context);

  /// @param Paths as in ResolvedAccess
  /// @return their number
  uint32_t add(llvm::ArrayRef<const CallPath *> Paths);

  /// All these entries are uses of all these arrays. They come in the order of the program.
  void add(llvm::ArrayRef<Entry> Entries, const std::vector<Target> &Targets);

  /// Once all are found: how often each context is met.
  void weigh(llvm::function_ref<double(size_t)> TimesOf);
  void forEachManner(llvm::function_ref<void(Manner &)> Do);

  bool isUsed(uint32_t Array) const { return ListsOf.contains(Array); }

  /// Each with the weight of all accesses of its manner, in the order in which they were found.
  ArrayUses of(uint32_t Array) const;

  /// The paths with this number.
  const std::vector<CallPath> &paths(uint32_t Number) const { return AllPaths[Number]; }

private:
  uint32_t mannerOf(Manner Of);
  std::vector<Target> entriesOf(uint32_t Array) const;

  std::deque<Entry> All;
  std::vector<Manner> Manners;
  llvm::DenseMap<size_t, uint32_t> Latest; ///< manner by its hash ...
  std::vector<uint32_t> Earlier;           ///< ... and by that, the one with this hash before it
  std::map<std::vector<CallPath>, uint32_t> PathsNumber;
  std::vector<std::vector<CallPath>> AllPaths;
  std::map<std::vector<Target>, uint32_t> ListNumber;
  std::vector<std::vector<uint32_t>> EntriesIn; ///< by the number of the list
  /// By array: lists, and the paths by which the array is there.
  llvm::DenseMap<uint32_t, std::vector<Target>> ListsOf;
};

} // namespace mapp

#endif // MAPP_FOUNDUSES_H
