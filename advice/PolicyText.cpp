//===-- PolicyText.cpp - a policy as minas(7) describes it ------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "PolicyText.h"

#include <algorithm>

using namespace advice;

static unsigned kindOf(Policy What) {
  switch (What) {
  case Policy::Bind:
    return MAI_POLICY_BIND;
  case Policy::Local:
    return MAI_POLICY_LOCAL;
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

static const std::vector<unsigned> &numbersOf(const Alternative &A) {
  return A.SliceParts.empty() ? A.Shares : A.SliceParts;
}

PolicyValue::PolicyValue(const Alternative &Of)
    : Shares(numbersOf(Of).begin(), numbersOf(Of).end()) {
  set(Of.What, Of.Value);
  if (Of.What == Policy::Block || Of.What == Policy::BlockCyclic)
    divide(Of);
}

PolicyValue &PolicyValue::withRange(const Alternative &Of) {
  if (Of.What == Policy::Block && Of.Count > 0)
    setRange(Of.Before, Of.Count);
  return *this;
}

void PolicyValue::set(Policy What, uint64_t Value) {
  P.kind = kindOf(What);
  if (What == Policy::BlockCyclic || What == Policy::Prime)
    P.value = Value;
  if (What == Policy::Bind)
    P.node = static_cast<unsigned>(Value);
}

void PolicyValue::divide(const Alternative &Of) {
  P.threads = static_cast<unsigned>(std::max<int64_t>(Of.Team, 0));
  P.unit = Of.Dimension > 0 ? MAI_UNIT_DIMENSION : MAI_UNIT_DEFAULT;
  P.dimension = Of.Dimension;
  if (Of.Slices > 0) {
    P.unit = MAI_UNIT_SLICES;
    P.block[0] = Of.SliceParts.empty() ? Of.Slices : 0;
  }
  if (Of.EndsEmpty)
    Shares.pop_back();
  P.along = Of.ByRows ? "*" : nullptr;
  P.flags |=
      (Of.Reversed ? MAI_REVERSED : 0U) | (Of.FilledParts > 0 || Of.EndsEmpty ? MAI_FILLED : 0U);
}

void PolicyValue::setRange(uint64_t First, uint64_t Count) {
  P.first = First;
  P.count = Count;
}

PolicyValue &PolicyValue::filled() {
  P.flags |= MAI_FILLED;
  return *this;
}

PolicyValue &PolicyValue::along(const std::string &Name, uint64_t Units, uint64_t First,
                                uint64_t Count) {
  P.along = Name.c_str();
  P.value = Units > 1 ? Units : 0;
  setRange(First, Count);
  return *this;
}

PolicyValue &PolicyValue::overThreads() {
  if (P.kind == MAI_POLICY_CYCLIC || P.kind == MAI_POLICY_SKEW || P.kind == MAI_POLICY_PRIME)
    P.flags |= MAI_THREAD_NODES;
  return *this;
}

std::string PolicyValue::text() const {
  mai_policy_t Whole = P;
  Whole.shares = Shares.data();
  Whole.share_count = static_cast<unsigned>(Shares.size());
  std::string Text(static_cast<size_t>(mai_policy_format(&Whole, nullptr, 0)), '\0');
  mai_policy_format(&Whole, Text.data(), Text.size() + 1);
  return Text;
}

std::string advice::policyText(const Alternative &A) {
  return A.What == Policy::LeaveAlone ? "left alone" : PolicyValue(A).withRange(A).text();
}
