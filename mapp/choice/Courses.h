//===-- Courses.h - what single runs do to an array -------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MAPP_COURSES_H
#define MAPP_COURSES_H

#include "mapp/analysis/Classify.h"

#include <vector>

namespace mapp {

/// No run makes both.
bool areOfDifferentRuns(const Use &Left, const Use &Right);

/// The uses of an array that one run of the program may make.
struct UsesOfRun {
  std::vector<Use> Uses;
  Use Main; ///< that with most traffic among those that only such runs make
};

/// Runs that take different courses, and have their threads use an array in them. None where all
/// runs may do all.
std::vector<UsesOfRun> usesByCourse(const std::vector<Use> &All);

} // namespace mapp

#endif // MAPP_COURSES_H
