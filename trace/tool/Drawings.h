//===-- Drawings.h - matrices and pages as pictures --------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_TRACE_DRAWINGS_H
#define MINAS_TRACE_DRAWINGS_H

#include "trace/profile/Analysis.h"

namespace maiprof {

/// Rows of text for a terminal, a character or two a cell, darker for more. The diagonal, which is
/// private, is left out of the scale and drawn as dots.
std::string blocks(const Matrix &M);

/// The same as an SVG element, with a title for each cell; `Unit` is said in them.
std::string svg(const Matrix &M, const std::string &Unit);

/// The same as the bytes of a PNG file. Empty when libpng fails.
std::string png(const Matrix &M);

/// A line of text with the number of the thread (0-9, a-z, A-Z, then +) that uses each part of an
/// array most; '*' where several share it alike.
std::string pageLine(const ArrayUse &A, size_t Width);

} // namespace maiprof
#endif
