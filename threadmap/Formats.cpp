//===-- Formats.cpp - a map in the words of those who bind threads *- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What run-times read: OMP places in the order of threads, which `close` gives them one by one. The
// forms of taskset and numactl bind the program to the CPUs; its run-time decides then which thread
// has which.
//
//===----------------------------------------------------------------------===//

#include "Formats.h"

#include "support/Json.h"

#include <algorithm>

using namespace threadmap;
namespace json = llvm::json;

namespace {

std::vector<uint32_t> cpusOf(const Mapped &What) {
  std::vector<uint32_t> Result;
  for (const uint32_t Location : What.Of)
    Result.push_back(What.At.Cpu[Location]);
  return Result;
}

std::string joined(const std::vector<uint32_t> &Cpus, const char *Before, const char *Between,
                   const char *After) {
  std::string Result;
  for (const uint32_t Cpu : Cpus)
    Result += (Result.empty() ? "" : Between) + (Before + std::to_string(Cpu)) + After;
  return Result;
}

/// "0-3,8": each CPU once.
std::string rangesOf(std::vector<uint32_t> Cpus) {
  std::sort(Cpus.begin(), Cpus.end());
  Cpus.erase(std::unique(Cpus.begin(), Cpus.end()), Cpus.end());
  std::string Result;
  for (size_t I = 0; I < Cpus.size();) {
    size_t Last = I;
    while (Last + 1 < Cpus.size() && Cpus[Last + 1] == Cpus[Last] + 1)
      ++Last;
    Result += (Result.empty() ? "" : ",") + std::to_string(Cpus[I]);
    Result += Last > I ? "-" + std::to_string(Cpus[Last]) : "";
    I = Last + 1;
  }
  return Result;
}

std::string shellLines(Format Form, const std::vector<uint32_t> &Cpus) {
  switch (Form) {
  case Format::OmpPlaces:
    return "export OMP_PROC_BIND=close OMP_PLACES='" + joined(Cpus, "{", ",", "}") + "'\n";
  case Format::Gomp:
    return "export GOMP_CPU_AFFINITY='" + joined(Cpus, "", " ", "") + "'\n";
  case Format::Kmp:
    return "export KMP_AFFINITY='granularity=fine,explicit,proclist=[" + joined(Cpus, "", ",", "") +
           "]'\n";
  case Format::Taskset:
    return "taskset --cpu-list " + rangesOf(Cpus) + "\n";
  default:
    return "numactl --physcpubind=" + rangesOf(Cpus) + " --localalloc\n";
  }
}

json::Array threadsOf(const std::vector<uint32_t> &Cpus) {
  json::Array Result;
  for (size_t Thread = 0; Thread < Cpus.size(); ++Thread)
    Result.push_back(json::Object{{"thread", Thread}, {"cpu", Cpus[Thread]}});
  return Result;
}

/// The pairs that share most, the first of them first.
json::Array heaviestPairs(const Matrix &Volumes) {
  constexpr size_t PairsOfThread = 4, MostPairs = 1024;
  std::vector<SharingPair> Pairs = pairsOf(Volumes);
  std::stable_sort(Pairs.begin(), Pairs.end(),
                   [](const SharingPair &X, const SharingPair &Y) { return X.Volume > Y.Volume; });
  Pairs.resize(std::min({Pairs.size(), PairsOfThread * Volumes.threads(), MostPairs}));
  json::Array Result;
  for (const SharingPair &P : Pairs)
    Result.push_back(json::Object{{"threads", json::Array{P.A, P.B}}, {"volume", P.Volume}});
  return Result;
}

std::string jsonOf(const Mapped &What) {
  json::Object Root{{"mai_map", 1},
                    {"program", support::jsonText(What.Input)},
                    {"machine", support::jsonText(What.Machine)},
                    {"threads", threadsOf(cpusOf(What))},
                    {"shared_most", heaviestPairs(What.Volumes)}};
  if (!What.Costs.empty()) {
    json::Object Costs; // The names of rows are for people: "random (mean)".
    for (const Row &R : What.Costs)
      Costs[&R == &What.Costs.front() ? "map" : llvm::StringRef(R.Name).split(' ').first] = R.Cost;
    Root["costs"] = std::move(Costs);
  }
  if (What.Quality) {
    Root["no_map_costs_less_than"] = What.Quality->Bound;
    Root["is_cheapest"] = What.Quality->IsCheapest;
  }
  return support::jsonLines(std::move(Root));
}

} // namespace

std::string threadmap::textOf(Format Form, const Mapped &What) {
  if (Form == Format::Json)
    return jsonOf(What);
  if (Form == Format::MapFile)
    return commented(What.Comments) + mapFile(What.At, What.Of);
  // What stands in front of a command has no room for comments.
  const bool IsPrefix = Form == Format::Taskset || Form == Format::Numactl;
  return (IsPrefix ? "" : commented(What.Comments)) + shellLines(Form, cpusOf(What));
}
