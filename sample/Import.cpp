//===-- Import.cpp - mai-trace import -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Import.h"

#include "PerfFile.h"
#include "ProfileFile.h"
#include "support/Files.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

using namespace sample;

namespace {

/// The machine as the file tells it. It has no distances.
void describe(const PerfFile &From, maiprof::Profile &To) {
  To.Host = From.host();
  To.Arguments = From.command();
  for (const RecordedNode &Each : From.nodes()) {
    for (const uint32_t Cpu : Each.Cpus)
      To.Cpus.push_back({Cpu, static_cast<uint32_t>(To.Nodes.size())});
    To.Nodes.push_back({Each.OsIndex, Each.MemoryBytes});
  }
  for (size_t I = 0; I < To.Nodes.size(); ++I)
    for (size_t J = 0; J < To.Nodes.size(); ++J)
      To.Distances.push_back(I == J ? 10 : 20);
}

std::string lineOf(const Event &Its, const Sample &S) {
  char Text[256];
  std::snprintf(Text, sizeof Text, "%u/%u [%03u] %llu.%09llu: %llu %llx %llx %llu %llx\n",
                S.Process, S.Thread, S.Cpu, static_cast<unsigned long long>(Its.Time / 1000000000),
                static_cast<unsigned long long>(Its.Time % 1000000000),
                static_cast<unsigned long long>(S.Period), static_cast<unsigned long long>(S.Code),
                static_cast<unsigned long long>(S.Address),
                static_cast<unsigned long long>(S.Latency),
                static_cast<unsigned long long>(S.Served));
  return Text;
}

std::unique_ptr<llvm::MemoryBuffer> open(const std::string &File, std::string &Error) {
  std::unique_ptr<llvm::MemoryBuffer> Whole = support::mapped(File);
  if (!Whole)
    Error = File + ": " + std::strerror(errno);
  return Whole;
}

std::string_view textOf(const llvm::MemoryBuffer &Whole) {
  return {Whole.getBufferStart(), Whole.getBufferSize()};
}

} // namespace

std::string sample::listSamples(const std::string &File, std::string &Error) {
  const std::unique_ptr<llvm::MemoryBuffer> Whole = open(File, Error);
  if (!Whole)
    return "";
  std::string Text;
  const std::string Wrong = PerfFile(textOf(*Whole)).read([&](const Event &Its) {
    if (const auto *S = std::get_if<Sample>(&Its.What))
      Text += lineOf(Its, *S);
  });
  if (!Wrong.empty())
    Error = File + ": " + Wrong;
  return Text;
}

Imported sample::import(const std::string &File, const std::string &Output) {
  Imported Result;
  const std::unique_ptr<llvm::MemoryBuffer> Whole = open(File, Result.Error);
  if (!Whole)
    return Result;
  PerfFile From(textOf(*Whole));
  Processes All;
  bool HasNodes = false;
  const std::string Wrong = From.read([&](const Event &Its) {
    if (!HasNodes)
      for (const RecordedNode &Each : From.nodes())
        for (const uint32_t Cpu : Each.Cpus)
          All.setNode(Cpu, Each.OsIndex);
    if (!HasNodes)
      All.setMemory(From.memory());
    HasNodes = true;
    Result.Samples += std::holds_alternative<Sample>(Its.What);
    All.take(Its, From.sources());
  });
  Result.Skipped = From.unknown();
  if (!Wrong.empty()) {
    Result.Error = File + ": " + Wrong;
    return Result;
  }
  Run Its;
  describe(From, Its.Head);
  Its.Head.Sampled = samplingOf(From.sources(), All);
  const Process *Main = nullptr;
  for (const Process &Each : All.all())
    if (!Main || Each.Uses.size() > Main->Uses.size())
      Main = &Each;
  if (!Main || Main->Uses.empty())
    Result.Error = File + ": no sample tells an address (perf mem record, or perf record -d)";
  else
    Result.Written = writeProfiles(Its, All, nullptr, Main->Id, Output);
  Result.Replaced.assign(All.replaced().begin(), All.replaced().end());
  return Result;
}
