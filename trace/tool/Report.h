//===-- Report.h - a profile for people and for programs --------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_TRACE_REPORT_H
#define MINAS_TRACE_REPORT_H

#include "Regions.h"
#include "Verdicts.h"
#include "trace/latencies/SampledLatencies.h"

namespace maiprof {

constexpr size_t ArraysShown = 20; ///< in a report, the largest first

/// What the profile does not have of the program's accesses, or not exactly; empty: nothing is
/// missing.
std::vector<std::string> gaps(const Profile &P);

/// How a profile was sampled, and which samples are missing.
std::string samplingText(const Profile &P);

/// What a cure saves, of samples with how far that may be off.
std::string gainPercentText(const Verdict &V, const Profile &P);

/// How it was counted, where that is not every access of all code; and how the program ended.
std::vector<std::string> conditions(const Profile &P);

/// A word for people, such as "heap".
std::string kindName(Array::Kind What);

/// The same for programs, such as "mai".
const char *kindWord(Array::Kind What);

/// Threads with the numbers of pages of the array that they touched first.
std::string firstTouchers(const Profile &P, const ArrayUse &A);

/// What the advisor says of an array, and why.
std::vector<std::string> adviceLines(const ArrayUse &A, const advice::Advice &Its);

/// What would help a region by itself, the most first; empty where nothing would.
std::string regionText(const Judgement &J, uint32_t Phase);

/// Which regions use memory in another way than those before them.
std::vector<std::string> changesText(const std::vector<RegionUse> &Regions);

/// What is in a profile, without judging it.
std::string infoText(const Profile &P, const Usage &U);
std::string infoJson(const Profile &P, const Usage &U, const Judgement &J);
std::string infoCsv(const Usage &U);

/// What there is to gain.
std::string verdictsText(const Profile &P, const Usage &U, const Judgement &J);

/// Verdicts, sharing, arrays.
std::string reportText(const Profile &P, const Usage &U, const Judgement &J, const Latencies &Times,
                       const SharingOptions &Options);
std::string reportJson(const Profile &P, const Usage &U, const Judgement &J, const Latencies &Times,
                       const SharingOptions &Options);
std::string reportHtml(const Profile &P, const Usage &U, const Judgement &J, const Latencies &Times,
                       const SharingOptions &Options);

/// The model of latencies in words, and the threads' remote accesses beside one another.
std::string modelText(const LatencyModel &M);
std::string threadsText(const Latencies &Times, const Profile &P);

std::string matrixCsv(const Matrix &M);
/// Only the pairs that share something; threads are numbered from 1.
std::string matrixMarket(const Matrix &M, bool IsSymmetric);
std::string sharingJson(const Profile &P, const Sharing &S, const SharingOptions &Options);

} // namespace maiprof
#endif
