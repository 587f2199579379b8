//===-- Input.cpp - sharing matrices from files -----------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Input.h"

#include "threadmap/matrix/Csv.h"
#include "threadmap/matrix/Entries.h"

#include "support/Progress.h"
#include "trace/profile/Analysis.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <sys/stat.h>

using namespace threadmap;

namespace {

/// Why a file cannot be read; null where it can.
const char *reasonAgainst(const std::string &File) {
  struct stat Status{};
  if (stat(File.c_str(), &Status) != 0)
    return strerror(errno);
  return S_ISDIR(Status.st_mode) ? strerror(EISDIR) : nullptr;
}

/// What profiles of mai-trace begin with; text cannot, nor is any of it lost by looking.
bool isProfile(std::istream &From) { return From.peek() == 'M'; }

/// One more than the greatest number of an OpenMP thread.
uint64_t threadsOf(const maiprof::Profile &Profile) {
  uint64_t Threads = 0;
  for (const maiprof::Thread &T : Profile.Threads)
    if (T.What == maiprof::Thread::Kind::OpenMP)
      Threads = std::max(Threads, uint64_t{T.Number} + 1);
  return Threads;
}

/// What the OpenMP threads have accessed of memory, by their numbers.
std::vector<double> accessesOf(const maiprof::Profile &Profile, size_t Threads) {
  std::vector<double> Result(Threads, 0);
  for (const auto *List : {&Profile.Lines, &Profile.Parts, &Profile.CoarsePages})
    for (const maiprof::Series &S : *List) {
      const maiprof::Thread &Of = Profile.Threads[S.Thread];
      if (Of.What == maiprof::Thread::Kind::OpenMP)
        for (const maiprof::Touch &T : S.Touches)
          Result[Of.Number] += static_cast<double>(T.Accesses.sum());
    }
  return Result;
}

/// What threads share in the whole run, or in one region only.
Matrix sharedIn(const maiprof::Profile &Profile, uint32_t Threads, const ProfileOptions &OfProfile,
                uint32_t Region) {
  // OpenMP's threads come first; there may be others, which MAi does not map.
  const maiprof::Sharing Sharing =
      maiprof::sharing(Profile, {.Writers = OfProfile.Writers, .Phase = Region});
  const maiprof::Matrix &Shared =
      OfProfile.Shared == Metric::Memory ? Sharing.Memory : Sharing.Accesses;
  Matrix Result(Threads);
  for (uint32_t A = 0; A < Threads; ++A)
    for (uint32_t B = 0; B < A; ++B)
      Result.set(A, B, static_cast<double>(Shared.at(A, B)));
  return Result;
}

/// The parallel regions in which threads share, but not all alike.
void addPhases(const maiprof::Profile &Profile, const ProfileOptions &OfProfile, Input &To) {
  for (uint32_t Region = 1; Region <= Profile.Phases.size(); ++Region) {
    Matrix Shared = sharedIn(Profile, To.Volumes.threads(), OfProfile, Region);
    if (!isHomogeneous(Shared))
      To.Phases.push_back({Region, Profile.Phases[Region - 1].name(), std::move(Shared)});
  }
  for (const maiprof::Thread &T : Profile.Threads)
    To.Entries = std::max(To.Entries, T.Entries);
}

std::optional<Input> readProfile(const std::string &File, const ProfileOptions &OfProfile,
                                 std::string &Message) {
  const std::optional<maiprof::Profile> Profile = maiprof::load(File, Message);
  if (!Profile)
    return std::nullopt;
  const uint64_t Threads = threadsOf(*Profile);
  // Checked before there is a matrix of them: a file of a few bytes may speak of many threads.
  if (Threads == 0 || std::max<uint64_t>(Threads, Profile->Threads.size()) > MaxThreads) {
    Message = File + ": expected a program of 1 to " + std::to_string(MaxThreads) +
              " OpenMP threads, found " + std::to_string(Threads) + " among " +
              std::to_string(Profile->Threads.size());
    return std::nullopt;
  }
  const bool ByMemory = OfProfile.Shared == Metric::Memory;
  Input Result{sharedIn(*Profile, static_cast<uint32_t>(Threads), OfProfile, maiprof::None),
               File + (ByMemory ? " (memory" : " (accesses") +
                   (OfProfile.Writers ? " to lines that one of the two writes)" : ")"),
               accessesOf(*Profile, Threads)};
  if (OfProfile.Phases)
    addPhases(*Profile, OfProfile, Result);
  return Result;
}

/// In whatever form it is written.
std::optional<Matrix> readMatrix(std::istream &From, const std::string &Name,
                                 std::string &Message) {
  const int First = From.peek();
  if (First == '%')
    return readMatrixMarket(From, Name, Message);
  return std::isalpha(First) ? readTriples(From, Name, Message) : readCsv(From, Name, Message);
}

/// Some editors write a byte order mark before the first line. @return whether the text can be read
bool skipByteOrderMark(std::istream &From) {
  if (From.peek() != 0xef)
    return true;
  char Bytes[3] = {};
  From.read(Bytes, sizeof Bytes);
  return From && std::memcmp(Bytes, "\xef\xbb\xbf", sizeof Bytes) == 0;
}

std::optional<Input> readText(std::istream &From, const std::string &Name,
                              const ProfileOptions &OfProfile, std::string &Message) {
  if (OfProfile.Shared || OfProfile.Writers || OfProfile.Phases) {
    Message = Name + ": a matrix as text has " +
              (OfProfile.Writers  ? "no writers; leave --writers out"
               : OfProfile.Shared ? "no metrics to choose from; leave --metric out"
                                  : "no parallel regions; leave --phases out");
    return std::nullopt;
  }
  if (!skipByteOrderMark(From)) {
    Message = Name + ":1:1: expected text, found the byte 0xef";
    return std::nullopt;
  }
  std::optional<Matrix> Volumes = readMatrix(From, Name, Message);
  if (!Volumes)
    return std::nullopt;
  return Input{std::move(*Volumes), Name};
}

} // namespace

std::optional<Input> threadmap::readInput(const std::string &File, const ProfileOptions &OfProfile,
                                          std::string &Message) {
  if (File == "-") {
    if (!isProfile(std::cin))
      return readText(std::cin, "standard input", OfProfile, Message);
    Message = "standard input: expected a matrix as text; name the file of a profile";
    return std::nullopt;
  }
  if (const char *Reason = reasonAgainst(File)) {
    Message = File + ": " + Reason;
    return std::nullopt;
  }
  const support::Progress Shown("reads " + File);
  std::ifstream Stream(File, std::ios::binary);
  if (!Stream) {
    Message = File + ": " + strerror(errno);
    return std::nullopt;
  }
  return isProfile(Stream) ? readProfile(File, OfProfile, Message)
                           : readText(Stream, File, OfProfile, Message);
}
