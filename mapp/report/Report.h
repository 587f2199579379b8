//===-- Report.h - phase 5: what was decided, in words ----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MAPP_REPORT_H
#define MAPP_REPORT_H

#include "mapp/choice/Plan.h"

namespace llvm {
class raw_ostream;
}

namespace mapp {

/// Prints one line an array, in colour where the stream has colours.
void report(llvm::raw_ostream &Stream, const Plan &P, uint64_t MinBytes);

/// The same for programs: an object with the members `version`, `arrays`, `warnings`, `notes`,
/// `small` and `complete`, see mapp-rewrite(1).
std::string reportJson(const Plan &P);

/// The same as SARIF 2.1.0, for whoever shows messages beside the source.
std::string reportSarif(const Plan &P);

/// Prints what has to be said in any case: that a profile which was given is of no use.
void reportUseless(llvm::raw_ostream &Stream, const Plan &P);

/// Everything that is known about the arrays of a name. False where there is none.
bool explain(llvm::raw_ostream &Stream, const Plan &P, const std::string &Name, const Machine &On);

} // namespace mapp

#endif // MAPP_REPORT_H
