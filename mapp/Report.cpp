//===-- Report.cpp - phase 5: what was decided, in words --------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Report.h"

#include "llvm/Support/raw_ostream.h"

#include <set>

using namespace mapp;

static std::string policyName(const Choice &C) {
  switch (C.What) {
  case Policy::Block:
    return "block";
  case Policy::BlockRange:
    return "block of units " + std::to_string(C.Before) + " to " +
           std::to_string(C.Before + C.Count - 1);
  case Policy::Cyclic:
    return "cyclic";
  case Policy::LeaveAlone:
    break;
  }
  return "left alone";
}

static std::string outcome(const Decision &D) {
  if (D.What == Decision::Outcome::AlreadyPlaced)
    return "already placed";
  const Choice &C = D.Chosen;
  std::string Text = policyName(C) + ": " + C.Reason;
  if (C.Evidence.Line > 0)
    Text += " (" + C.Evidence.File + ":" + std::to_string(C.Evidence.Line) + ")";
  return Text;
}

void mapp::report(llvm::raw_ostream &Stream, const Plan &P, uint64_t MinBytes) {
  std::set<std::string> Said; // Each unit has the static arrays of the headers it includes.
  for (const Decision &D : P.Decisions) {
    std::string Line = D.At->Where.File + ':' + std::to_string(D.At->Where.Line) + ": " +
                       D.At->Name + ": " + outcome(D) + '\n';
    if (const auto [Text, New] = Said.insert(std::move(Line)); New)
      Stream << *Text;
  }
  if (P.Small > 0)
    Stream << P.Small << (P.Small == 1 ? " array" : " arrays") << " smaller than " << MinBytes
           << " bytes left alone\n";
  if (!P.Complete)
    Stream << "not every chain of calls was followed: the program has too many\n";
}
