//===-- ThreadAnswers.h - functions that say whose share it is ---*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Programs ask for a thread's number, and for where its share begins, by functions of their own,
// often of another file: `for (i = first_row(a); i < end_row(a); i++)`.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_THREADANSWERS_H
#define MAPP_THREADANSWERS_H

#include "mapp/facts/Facts.h"

#include "llvm/ADT/StringSet.h"

namespace mapp {

class ThreadAnswers {
public:
  explicit ThreadAnswers(const std::vector<Facts> &Program);

  /// What the function of this key returns differs from thread to thread.
  bool dependOnThread(llvm::StringRef Key) const { return Asking.contains(Key); }
  /// It is the thread's number.
  bool areThread(llvm::StringRef Key) const { return Returning.contains(Key); }

private:
  llvm::StringSet<> Asking;
  llvm::StringSet<> Returning;
};

} // namespace mapp

#endif // MAPP_THREADANSWERS_H
