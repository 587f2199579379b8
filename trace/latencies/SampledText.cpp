//===-- SampledText.cpp - how long accesses took, for people ----*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SampledLatencies.h"

#include "support/Text.h"

#include <algorithm>
#include <cstdio>

using namespace maiprof;
using support::countText;
using support::percentText;

namespace {

constexpr size_t SampledArraysShown = 10;

/// A name with what it has of all.
std::string rowText(const std::string &Name, const LatencySum &Its, double All) {
  char Text[512];
  std::snprintf(Text, sizeof Text, "%-34.200s %14s %8s %14s %12.0f\n", Name.c_str(),
                countText(Its.Total).c_str(), percentText(All > 0 ? Its.Total / All : 0).c_str(),
                countText(double(Its.Number)).c_str(), Its.average());
  return Text;
}

std::string headText(const char *Name) {
  char Text[128];
  std::snprintf(Text, sizeof Text, "%-34s %14s %8s %14s %12s\n", Name, "TL", "of all", "TN", "AL");
  return Text;
}

std::string sampledThreadsText(const SampledLatencies &Its, const Profile &P) {
  return "accesses of " + std::to_string(LongLatency) +
         " cycles and more of a thread: " + countText(Its.MeanLong) +
         " on average, standard deviation " + countText(Its.DeviationLong) +
         "; the critical thread is " + P.Threads[Its.Critical].name() + " with " +
         countText(double(Its.Long[Its.Critical])) + "\n";
}

} // namespace

const char *maiprof::servedText(Served By) {
  switch (By) {
  case Served::NotKnown:
    return "not known";
  case Served::Caches:
    return "caches";
  case Served::OtherCache:
    return "another CPU's cache";
  case Served::LocalMemory:
    return "local memory";
  case Served::RemoteCache:
    return "another node's cache";
  case Served::RemoteMemory:
    return "remote memory";
  }
  return "";
}

std::string maiprof::sampledText(const SampledLatencies &Its, const Profile &P) {
  std::string Out =
      "latency   measured by samples, in cycles; what several threads use of pages is "
      "shared\n";
  const double All = Its.total();
  Out += headText("data") + rowText("private", Its.Private, All) +
         rowText("shared", Its.Shared, All) + headText("served by");
  for (size_t I = 0; I < ServedKinds; ++I)
    if (Its.By[I].Number)
      Out += rowText(servedText(static_cast<Served>(I)), Its.By[I], All);
  Out += headText("array");
  for (size_t I = 0; I < std::min(SampledArraysShown, Its.Arrays.size()); ++I)
    Out += rowText(Its.Arrays[I].Name, Its.Arrays[I].Its, All);
  Out += "accesses that last at least";
  for (size_t I = 0; I < LatencyThresholds.size(); ++I)
    Out += (I ? ", " : " ") + std::to_string(LatencyThresholds[I]) + ": " +
           percentText(Its.AtLeast[I]);
  Out += "\n" + sampledThreadsText(Its, P);
  for (const Finding &Each : Its.Findings)
    Out += std::string(wordOf(Each.What)) + ": " + Each.Sentence + "\n";
  return Out;
}
