//===-- PageElements.h - what pages consist of ------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_TRACE_PAGEELEMENTS_H
#define MINAS_TRACE_PAGEELEMENTS_H

#include <string>

namespace maiprof {

/// All up to the body's contents. The page loads nothing, and forbids itself all scripts and
/// styles but the ones that it has.
/// @param Title text, not HTML
/// @param Script what the page runs; null: nothing
std::string pageTop(const std::string &Title, const char *Script);

/// What SVG elements refer to.
extern const char *const PageDefinitions;

std::string code(const std::string &Text);

/// A bar of a table. Remote accesses are hatched wherever they are drawn.
/// @param Share from 0 to 1
std::string bar(double Share, bool IsRemote);
/// A table's cell with a bar and a text.
std::string barCell(double Share, bool IsRemote, const std::string &Text);
std::string shareCell(double Share, bool IsRemote);

} // namespace maiprof
#endif
