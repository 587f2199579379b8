//===-- Tables.h - what a model made of accesses, to read -------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_TRACE_MODEL_TABLES_H
#define MINAS_TRACE_MODEL_TABLES_H

#include "trace/profile/Analysis.h"

#include "llvm/Support/JSON.h"

namespace maiprof {

/// How regular accesses are and where lines come from, by arrays and lines of the source; empty
/// where the profile has no model.
std::string modelTables(const Profile &P, const Usage &U);

/// The same; null where the profile has no model.
llvm::json::Value modelJson(const Profile &P, const Usage &U);

} // namespace maiprof
#endif
