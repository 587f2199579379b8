//===-- Ranks.cpp - the ranks of a program, mapped together -----*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Ranks.h"

#include "Report.h"
#include "threadmap/ranks/Layout.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <sys/stat.h>

using namespace threadmap;

namespace {

/// A message is written and read, 8 bytes at a time, as other accesses are; of lines, its bytes
/// count. What a matrix as text has is taken to be in the unit of the messages.
double volumeOfByte(const ProfileOptions &OfProfile, bool FromProfiles) {
  return FromProfiles && OfProfile.Shared != Metric::Memory ? 2.0 / 8 : 1;
}

std::string nameFor(const std::string &Pattern, uint32_t Rank) {
  std::string Result = Pattern;
  return Result.replace(Result.find("%r"), 2, std::to_string(Rank));
}

bool exists(const std::string &File) {
  struct stat Status{};
  return stat(File.c_str(), &Status) == 0;
}

/// What the threads of each rank share. @param FromProfiles whether it is counted in accesses
std::optional<std::vector<Matrix>> readRanks(const std::string &Pattern,
                                             const ProfileOptions &OfProfile, bool &FromProfiles,
                                             std::string &Message) {
  std::vector<Matrix> Result;
  FromProfiles = false;
  do {
    const auto Rank = static_cast<uint32_t>(Result.size());
    std::optional<Input> Read = readInput(nameFor(Pattern, Rank), OfProfile, Message);
    if (!Read)
      return std::nullopt;
    FromProfiles |= !Read->Accesses.empty();
    Result.push_back(std::move(Read->Volumes));
  } while (Result.size() <= MaxRanks &&
           exists(nameFor(Pattern, static_cast<uint32_t>(Result.size()))));
  if (Result.size() <= MaxRanks)
    return Result;
  Message = Pattern + ": more than " + std::to_string(MaxRanks) + " ranks";
  return std::nullopt;
}

/// What ranks send, as volumes.
std::optional<Matrix> readMessages(const std::string &File, uint32_t Ranks, double OfByte,
                                   std::string &Message) {
  if (File.empty())
    return Matrix(Ranks, {});
  const std::optional<Input> Read = readInput(File, {}, Message);
  if (!Read)
    return std::nullopt;
  if (Read->Volumes.threads() > Ranks) {
    Message = File + ": messages of " + std::to_string(Read->Volumes.threads()) +
              " ranks, but files of " + std::to_string(Ranks);
    return std::nullopt;
  }
  std::vector<SharingPair> Pairs = pairsOf(Read->Volumes);
  for (SharingPair &P : Pairs)
    P.Volume *= OfByte;
  return Matrix(Ranks, Pairs);
}

std::optional<Job> readJob(const std::string &Pattern, const ProfileOptions &OfProfile,
                           const std::string &Messages, std::string &Message) {
  bool FromProfiles = false;
  std::optional<std::vector<Matrix>> Shared = readRanks(Pattern, OfProfile, FromProfiles, Message);
  if (!Shared)
    return std::nullopt;
  std::optional<Matrix> Sent = readMessages(Messages, static_cast<uint32_t>(Shared->size()),
                                            volumeOfByte(OfProfile, FromProfiles), Message);
  if (!Sent)
    return std::nullopt;
  return Job{std::move(*Shared), std::move(*Sent)};
}

uint64_t threadsOf(const Job &Of) {
  uint64_t Threads = 0;
  for (const Matrix &M : Of.Shared)
    Threads += M.threads();
  return Threads;
}

std::string title(const Job &Of, const std::string &Pattern, const std::string &Machine,
                  size_t Hosts) {
  return std::to_string(Of.ranks()) + " ranks, " + std::to_string(threadsOf(Of)) + " threads of " +
         Pattern + " on " + (Hosts > 1 ? std::to_string(Hosts) + " x " : "") + Machine;
}

/// How a file is used, for those that have comments.
std::string usage(Launcher Which) {
  return Which == Launcher::OpenMpi
             ? "mpirun --mca rmaps_rank_file_physical 1 --rankfile THIS ./program"
             : "srun --cpu-bind=none, mpirun --bind-to none or mpiexec, then: sh THIS ./program";
}

std::string tableOf(const Layout &Found, const Job &Of, const Cluster &On) {
  std::vector<Row> Rows = {{"this map", Found.Cost}};
  for (const auto &[Name, Cost] : costsOfOthers(Of, On))
    Rows.push_back({Name, Cost});
  return table(Rows);
}

} // namespace

std::optional<std::vector<std::string>> threadmap::readHosts(const std::string &Text) {
  llvm::SmallVector<llvm::StringRef, 16> Names;
  llvm::StringRef(Text).split(Names, ',');
  std::vector<std::string> Result;
  for (const llvm::StringRef Name : Names) {
    const auto IsWrong = [](char C) {
      return !llvm::isAlnum(C) && C != '.' && C != '-' && C != '_';
    };
    if (Name.empty() || Name.front() == '-' || llvm::any_of(Name, IsWrong))
      return std::nullopt;
    Result.push_back(Name.str());
  }
  return Result;
}

std::optional<MappedRanks>
threadmap::mapRanks(const std::string &Pattern, const ProfileOptions &OfProfile,
                    const RankOptions &Opts, const std::function<Locations(uint32_t)> &LocationsFor,
                    const std::string &Machine, uint64_t Seed, std::string &Message) {
  const std::optional<Job> Of = readJob(Pattern, OfProfile, Opts.Messages, Message);
  if (!Of)
    return std::nullopt;
  if (threadsOf(*Of) > MaxThreads) {
    Message = Pattern + ": more than " + std::to_string(MaxThreads) + " threads";
    return std::nullopt;
  }
  const Cluster On{static_cast<uint32_t>(Opts.Hosts.size()), LocationsFor};
  const std::optional<Layout> Found = layoutOf(*Of, On, takesOneList(Opts.For), Seed);
  if (!Found) {
    Message = Pattern + ": this launcher has one list of CPUs for all hosts, and these ranks have "
                        "different numbers of threads; use --format=script";
    return std::nullopt;
  }
  const std::string Title = title(*Of, Pattern, Machine, Opts.Hosts.size());
  const std::string Comments =
      commented({"Map of ranks of mai-map " MINAS_VERSION ", for " + Title, usage(Opts.For)});
  return MappedRanks{textOf(Opts.For,
                            {Opts.Hosts, divisionOf(*Found, Of->ranks()), cpusByRank(*Of, *Found)},
                            Comments),
                     Title + "\n" + tableOf(*Found, *Of, On)};
}
