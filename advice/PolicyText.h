//===-- PolicyText.h - a policy as minas(7) describes it --------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_ADVICE_POLICYTEXT_H
#define MINAS_ADVICE_POLICYTEXT_H

#include "Alternative.h"

extern "C" {
#include "mai/policy/policy.h"
}

#include <string>

namespace advice {

/// A policy of MAi, to be written.
class PolicyValue {
public:
  explicit PolicyValue(const Alternative &Of);

  /// Of all units the range that a loop runs over.
  PolicyValue &withRange(const Alternative &Of);

  /// What the array holds is divided.
  PolicyValue &filled();
  /// @param Name of the row pointers; it must outlive this
  PolicyValue &along(const std::string &Name, uint64_t Units, uint64_t First, uint64_t Count);
  /// What is distributed goes to nodes with threads only.
  PolicyValue &overThreads();

  std::string text() const;

private:
  void set(Policy What, uint64_t Value);
  void divide(const Alternative &Of);
  void setRange(uint64_t First, uint64_t Count);

  std::vector<unsigned long> Shares;
  mai_policy_t P{};
};

/// As minas(7) describes policies; "left alone".
std::string policyText(const Alternative &A);

} // namespace advice

#endif // MINAS_ADVICE_POLICYTEXT_H
