//===-- Candidate.cpp - what an array could get, and what it gets -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Candidate.h"

extern "C" {
#include "mai/policy/policy.h"
}

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace mapp;

std::string mapp::sentence(const std::vector<Reason> &Reasons) {
  return llvm::join(llvm::map_range(Reasons, [](const Reason &R) { return R.Link + R.Text; }),
                    "; ");
}

//===-- Which is chosen ---------------------------------------------------------===//

Choice Choice::leftAlone(Remark Why) {
  Choice C;
  C.Candidates.emplace_back();
  C.Rule = std::move(Why);
  return C;
}

const Candidate &Choice::policy() const {
  return *llvm::find_if(Candidates, [](const Candidate &C) { return C.Excluded.empty(); });
}

void Choice::leaveOnly(Policy What, Remark Why, SourcePosition Where) {
  for (Candidate &C : Candidates)
    C.Excluded = C.What == What ? "" : Why.Text;
  Rule = std::move(Why);
  RuleFrom = std::move(Where);
}

void Choice::confirm() {
  const char *const Words = "the counts agree";
  if (isRuled())
    Rule.Text += std::string("; ") + Words;
  else
    policy().Reasons.push_back({Words});
}

//===-- As text -----------------------------------------------------------------===//

namespace {

unsigned kindOf(Policy What) {
  switch (What) {
  case Policy::Block:
    return MAI_POLICY_BLOCK;
  case Policy::BlockCyclic:
    return MAI_POLICY_BLOCK_CYCLIC;
  case Policy::Cyclic:
    return MAI_POLICY_CYCLIC;
  case Policy::Skew:
    return MAI_POLICY_SKEW;
  case Policy::Prime:
    return MAI_POLICY_PRIME;
  case Policy::Weighted:
    return MAI_POLICY_WEIGHTED;
  case Policy::Replicate:
    return MAI_POLICY_REPLICATE;
  case Policy::Given:
  case Policy::LeaveAlone:
    break;
  }
  return MAI_POLICY_FIRST_TOUCH;
}

/// A candidate as a policy of MAi.
class PolicyValue {
public:
  explicit PolicyValue(const Candidate &Of) : Shares(Of.Shares.begin(), Of.Shares.end()) {
    P.kind = kindOf(Of.What);
    if (Of.What == Policy::BlockCyclic || Of.What == Policy::Prime)
      P.value = Of.Value;
    if (Of.What != Policy::Block && Of.What != Policy::BlockCyclic)
      return;
    P.threads = static_cast<unsigned>(std::max<int64_t>(Of.Team, 0));
    P.unit = Of.Dimension > 0 ? MAI_UNIT_DIMENSION : MAI_UNIT_DEFAULT;
    P.dimension = Of.Dimension;
  }

  PolicyValue &withContents(const Candidate &C) {
    P.flags = C.Filled ? MAI_FILLED : 0;
    if (C.By.Name.empty())
      return *this;
    P.along = C.By.Name.c_str();
    P.value = C.By.Units > 1 ? C.By.Units : 0;
    P.first = C.By.First;
    P.count = C.By.Count;
    return *this;
  }

  PolicyValue &overThreads() {
    if (P.kind == MAI_POLICY_CYCLIC || P.kind == MAI_POLICY_SKEW || P.kind == MAI_POLICY_PRIME)
      P.flags |= MAI_THREAD_NODES;
    return *this;
  }

  std::string text() const {
    mai_policy_t Whole = P;
    Whole.shares = Shares.data();
    Whole.share_count = static_cast<unsigned>(Shares.size());
    std::string Text(static_cast<size_t>(mai_policy_format(&Whole, nullptr, 0)), '\0');
    mai_policy_format(&Whole, Text.data(), Text.size() + 1);
    return Text;
  }

private:
  std::vector<unsigned long> Shares;
  mai_policy_t P{};
};

} // namespace

std::string mapp::policyText(const Candidate &C) {
  if (C.What == Policy::Given)
    return C.Text;
  if (C.What == Policy::LeaveAlone)
    return "left alone";
  return PolicyValue(C).withContents(C).overThreads().text();
}

bool mapp::takesRange(const Candidate &C) {
  return (C.What == Policy::Block || C.What == Policy::BlockCyclic) && !C.Filled &&
         C.By.Name.empty();
}

static std::string withRange(const std::string &Policy, const Candidate &C) {
  return C.Range ? Policy + ", " + C.Range->First + ", " + C.Range->Count : Policy;
}

std::string mapp::policyEntry(const Candidate &C) {
  std::string Quoted;
  llvm::raw_string_ostream Stream(Quoted);
  Stream << '"';
  Stream.write_escaped(policyText(C)) << '"';
  return withRange(Quoted, C);
}

std::string mapp::plainEntry(const Candidate &C) { return withRange(policyText(C), C); }
