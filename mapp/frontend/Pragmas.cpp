//===-- Pragmas.cpp - reads a pragma of ours ---------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Pragmas.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

using namespace mapp;

bool mapp::parsePragma(const std::string &Text, Pragma &Out) {
  llvm::StringRef Rest = llvm::StringRef(Text).trim();
  if (Rest == "off") {
    Out.What = Pragma::Kind::Off;
    return true;
  }
  const bool Place = Rest.consume_front("place"), Keep = !Place && Rest.consume_front("keep");
  Rest = Rest.trim();
  if (!(Place || Keep) || !Rest.consume_front("(") || !Rest.consume_back(")"))
    return false;
  const auto [Names, Policy] = Rest.split(':');
  Out.What = Place ? Pragma::Kind::Place : Pragma::Kind::Keep;
  Out.Policy = Place ? Policy.trim().str() : "keep";
  llvm::SmallVector<llvm::StringRef, 4> Each;
  Names.split(Each, ',');
  for (const llvm::StringRef Name : Each)
    Out.Names.push_back(Name.trim().str());
  const bool Complete = llvm::none_of(Out.Names, [](const std::string &N) { return N.empty(); });
  return Complete && Place == !Policy.trim().empty();
}
