//===-- LocalText.h - variables of a function's own -------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_TRACE_LOCAL_TEXT_H
#define MINAS_TRACE_LOCAL_TEXT_H

#include <string>

namespace maiprof {

/// Whether statements declare a name, as "double *field = nullptr, *flux;" does both.
bool declares(const std::string &Statements, const std::string &Name);

} // namespace maiprof
#endif
