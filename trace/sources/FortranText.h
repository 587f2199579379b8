//===-- FortranText.h - what ALLOCATE lists -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_TRACE_FORTRAN_TEXT_H
#define MINAS_TRACE_FORTRAN_TEXT_H

#include <string>
#include <vector>

namespace maiprof {

/// The statement of a line, with the lines in which it begins and goes on.
std::string fortranStatement(const std::vector<std::string> &Lines, size_t Line);

/// What statements allocate, in their order and without subscripts: "u", "state%grid". Fortran does
/// not tell capitals apart.
std::vector<std::string> allocatedIn(const std::string &Statement);

} // namespace maiprof
#endif
