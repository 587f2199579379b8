//===-- Drawing.h - a report as a picture -----------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PICTURE_DRAWING_H
#define PICTURE_DRAWING_H

#include "Report.h"

namespace picture {

/// As SVG: of each array a title and its pages as coloured cells in rows, a colour for each node;
/// then the threads of each node. Freed arrays have a title only.
std::string drawing(const Report &R);

} // namespace picture

#endif // PICTURE_DRAWING_H
