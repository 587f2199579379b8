//===-- ClassText.h - members that classes initialise -----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_TRACE_CLASS_TEXT_H
#define MINAS_TRACE_CLASS_TEXT_H

#include <string>
#include <vector>

namespace maiprof {

/// The members that a class allocates something for where it declares them, as in
/// "double *field = new double[N];", in their order, which is that of their allocations.
/// @param Lines of a source
/// @param Class its name, without namespaces and arguments
std::vector<std::string> initialisedMembers(const std::vector<std::string> &Lines,
                                            const std::string &Class);

} // namespace maiprof
#endif
