//===-- Modelled.cpp - what a model made of accesses ------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Modelled.h"

#include "PageOwners.h"

#include <algorithm>
#include <map>
#include <tuple>

using namespace maiprof;

namespace {

ModelledUse modelledUse(const CodeUse &Use, const Profile &P, const Layout &Where) {
  ModelledUse Result;
  Result.Accesses = Use.Accesses.sum();
  Result.Misses = Use.Model.Misses;
  Result.Predicted = Use.Model.Predicted;
  Result.RemoteCache = Use.Model.OtherCaches;
  const uint32_t Of = Where.OfThread[Use.Thread], At = nodeOfPage(P, Where, Use.Page);
  uint64_t &Memory = Of == None || At == None ? Result.UnknownMemory
                     : Of == At               ? Result.LocalMemory
                                              : Result.RemoteMemory;
  Memory = Use.Model.Memory;
  return Result;
}

} // namespace

void ModelledUse::add(const ModelledUse &Other) {
  Accesses += Other.Accesses;
  Misses += Other.Misses;
  Predicted += Other.Predicted;
  RemoteCache += Other.RemoteCache;
  LocalMemory += Other.LocalMemory;
  RemoteMemory += Other.RemoteMemory;
  UnknownMemory += Other.UnknownMemory;
}

Modelled maiprof::modelled(const Profile &P, const Usage &U) {
  Modelled Result;
  PageOwners Owners(P, U);
  std::map<std::tuple<std::string, uint32_t, std::string>, ModelledUse> Lines;
  Result.Arrays.resize(U.Arrays.size());
  for (const CodeUse &Each : P.Uses) {
    const ModelledUse Use = modelledUse(Each, P, U.Where);
    const Code &Its = P.Codes[Each.Code];
    Result.Total.add(Use);
    Lines[{Its.File, Its.Line, Its.Function}].add(Use);
    if (const uint32_t Array = Owners.of(Each.Page); Array != None)
      Result.Arrays[Array].add(Use);
  }
  for (const auto &[Place, Use] : Lines)
    if (Use.Misses > 0)
      Result.Lines.push_back({std::get<0>(Place), std::get<1>(Place), std::get<2>(Place), Use});
  std::stable_sort(
      Result.Lines.begin(), Result.Lines.end(),
      [](const ModelledLine &A, const ModelledLine &B) { return A.Use.Misses > B.Use.Misses; });
  return Result;
}
