//===-- Rewrite.h - phase 4: the new text -----------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Turns decisions into text.  All that is not part of an edit stays as it is, byte for byte, and
// an edit follows the line ends and the indentation that it finds.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_REWRITE_H
#define MAPP_REWRITE_H

#include "mapp/choice/Plan.h"

namespace mapp {

/// What the decisions about its arrays change in a file, in the order of the text.
std::vector<Edit> edits(const Facts &Unit, const Plan &P, Mode M);

/// A text after edits that are in its order.
std::string applied(const std::string &Text, const std::vector<Edit> &Edits);

/// The same edits, with directives after which the compiler counts lines as in the text before.
std::vector<Edit> keepingLines(const std::string &Text, const std::vector<Edit> &Edits);

} // namespace mapp

#endif // MAPP_REWRITE_H
