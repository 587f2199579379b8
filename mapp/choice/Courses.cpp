//===-- Courses.cpp - what single runs do to an array -----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Courses.h"

#include "llvm/ADT/STLExtras.h"

using namespace mapp;

bool mapp::areOfDifferentRuns(const Use &Left, const Use &Right) {
  return Left.Taken && Right.Taken && Left.Taken->excludes(*Right.Taken);
}

static bool isByTeam(const Use &U) { return U.How != Pattern::OneThread; }

/// Those in whose arms threads use the array. What one thread does there, as before a run ends for
/// an error, is no reason to run the program.
static std::vector<Course> coursesOfTeams(const std::vector<Use> &All) {
  constexpr size_t Most = 64; // Those that are left out are hardly of another kind.
  std::vector<Course> Result;
  for (const Use &U : All)
    if (isByTeam(U) && U.Taken && Result.size() < Most && !llvm::is_contained(Result, *U.Taken))
      Result.push_back(*U.Taken);
  return Result;
}

static UsesOfRun usesIn(const Course &Of, const std::vector<Use> &All) {
  UsesOfRun Result;
  for (const Use &U : All) {
    if (U.Taken && U.Taken->excludes(Of))
      continue;
    Result.Uses.push_back(U);
    if (isByTeam(U) && U.Taken && U.Taken->isWithin(Of) && U.Bytes >= Result.Main.Bytes)
      Result.Main = U;
  }
  return Result;
}

std::vector<UsesOfRun> mapp::usesByCourse(const std::vector<Use> &All) {
  std::vector<UsesOfRun> Result;
  for (const Course &Of : coursesOfTeams(All))
    if (UsesOfRun Runs = usesIn(Of, All); Runs.Uses.size() < All.size())
      Result.push_back(std::move(Runs));
  return Result;
}
