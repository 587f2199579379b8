//===-- UseText.cpp - uses in words -----------------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "UseText.h"

using namespace mapp;

static std::string inFunction(const Use &U) { return " in " + U.In->Name + "()"; }

static std::string parallelLoop(const Use &U) {
  if (!U.Loop)
    return "the parallel loop" + inFunction(U);
  const std::string Index = U.Loop->Variable.empty() ? "" : "index " + U.Loop->Variable + " of ";
  return Index + "the parallel loop in " + U.Loop->Function + "()";
}

std::string mapp::describe(const Use &U, bool Rows) {
  const std::string What = Rows ? "rows" : "elements";
  const std::string Loop = parallelLoop(U);
  switch (U.How) {
  case Pattern::Block:
    return U.Through.empty() ? What + " follow " + Loop
                             : What + " that " + U.Through + " delimits follow " + Loop;
  case Pattern::Mirrored:
    return What + " follow " + Loop + ", backwards";
  case Pattern::Scattered:
    return !U.Loop || U.Loop->OrderText.empty()
               ? "distributed by thread number" + inFunction(U)
               : U.Loop->OrderText + " distributes its " + What + inFunction(U);
  case Pattern::Across:
    return U.Dimension > 0 ? Loop + " drives dimension " + std::to_string(U.Dimension) +
                                 (U.InOrder && U.Reversed ? ", backwards" : "")
                           : Loop + " does not drive its slowest index";
  case Pattern::Indirect:
    return "indexed indirectly" + (U.Through.empty() ? "" : " by " + U.Through) + inFunction(U);
  case Pattern::Everyone:
    return "every thread goes over it" + inFunction(U);
  case Pattern::PerThread:
    return "each thread has a part of its own, by its number," + inFunction(U);
  case Pattern::SomeThread:
    return "used by tasks or sections" + inFunction(U);
  case Pattern::OneThread:
    return "used by one thread only";
  }
  return "";
}
