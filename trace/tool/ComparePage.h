//===-- ComparePage.h - several runs beside one another, as a page -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_TRACE_COMPAREPAGE_H
#define MINAS_TRACE_COMPAREPAGE_H

#include "trace/latencies/Compare.h"

namespace maiprof {

/// One file of HTML that loads and runs nothing.
std::string comparedHtml(const std::vector<ComparedRun> &Runs);

} // namespace maiprof
#endif
