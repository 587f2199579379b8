//===-- Report.h - phase 5: what was decided, in words ----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MAPP_REPORT_H
#define MAPP_REPORT_H

#include "Plan.h"

namespace llvm {
class raw_ostream;
}

namespace mapp {

/// Prints one line an array.
void report(llvm::raw_ostream &Stream, const Plan &P, uint64_t MinBytes);

} // namespace mapp

#endif // MAPP_REPORT_H
