//===-- Cures.h - lines to paste --------------------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_TRACE_CURES_H
#define MINAS_TRACE_CURES_H

#include "advice/ProfileAdvice.h"
#include "trace/profile/Analysis.h"

#include <set>

namespace maiprof {

/// "name: policy", as mai-run takes it, with a comma between several; empty: no command can set it.
std::string policyFor(const Profile &P, const ArrayUse &A, const advice::Advice &Its);

/// The names by which mai-run knows an array, as patterns: its symbol, the name that MAi has been
/// given, or the keys of the places that allocate it; none where it has none.
std::set<std::string> runNames(const Profile &P, const ArrayUse &A);

/// The same, with the lines that lead to these places: "main#2 at grid.cpp 7.12".
std::set<std::string> runNamesWithLines(const Profile &P, const ArrayUse &A);

/// From which size on mai-run has to know blocks to place these; 0: it knows them by default.
uint64_t leastSize(const Profile &P, const ArrayUse &A);

/// What gives an array the policy that is advised.
std::vector<std::string> placementCures(const Profile &P, const ArrayUse &A,
                                        const advice::Advice &Its);

/// What gives each node a copy.
std::string copyCure(const Profile &P, const ArrayUse &A);

/// For arrays that parallel regions divide in different ways.
/// @param MovingHelps whole pages change their users
std::vector<std::string> changingCures(const Profile &P, const ArrayUse &A, bool MovingHelps);

/// For lines of which threads use different bytes.
std::vector<std::string> paddingCures(const Profile &P, const ArrayUse &A);

/// Which bytes of a line threads use, in words.
/// @param Line its address
std::string bytesByThread(const Profile &P, uint64_t Line);

/// For lines that several threads write.
std::vector<std::string> lineCures(const Profile &P, const ArrayUse &A);

/// Which threads are on which node.
std::string groupsText(const Profile &P, const Layout &L, const std::vector<uint32_t> &NodeOf);

/// A CPU on its node for each of OpenMP's threads, in their order; empty where that is imagined, or
/// there are too few.
std::vector<uint32_t> cpusFor(const Profile &P, const Layout &L,
                              const std::vector<uint32_t> &NodeOf);

/// What puts the threads on these CPUs; where there are none, what finds out which.
std::vector<std::string> mapCures(const Profile &P, const std::vector<uint32_t> &Cpus);

} // namespace maiprof
#endif
