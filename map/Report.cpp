//===-- Report.cpp - what a map costs beside others, its file ---*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Report.h"

#include "Cost.h"

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace threadmap;

namespace {

constexpr const char *RandomName = "random (mean of 100)";

double meanOfRandom(const Matrix &Volumes, const Places &At, uint64_t Seed) {
  constexpr int Maps = 100;
  std::mt19937_64 Random(Seed);
  double Sum = 0;
  for (int I = 0; I < Maps; ++I)
    Sum += costOf(Volumes, At, randomMap(At, Volumes.threads(), Random));
  return Sum / Maps;
}

template <typename... Values> std::string formatted(const char *Format, Values... V) {
  char Text[160];
  std::snprintf(Text, sizeof Text, Format, V...);
  return Text;
}

bool fail(const std::string &File, const char *Reason) {
  std::fprintf(stderr, "mai-map: %s: %s\n", File.c_str(), Reason);
  return false;
}

bool writeAll(int Descriptor, const std::string &Text) {
  for (size_t Written = 0; Written < Text.size();) {
    const ssize_t Count = write(Descriptor, Text.data() + Written, Text.size() - Written);
    if (Count < 0 && errno != EINTR)
      return false;
    Written += Count > 0 ? static_cast<size_t>(Count) : 0;
  }
  return true;
}

/// Into a device or a pipe, which cannot be replaced.
bool writeInto(const std::string &File, const std::string &Text) {
  const int Descriptor = open(File.c_str(), O_WRONLY | O_CLOEXEC);
  const bool Written = Descriptor >= 0 && writeAll(Descriptor, Text);
  const int Error = errno;
  const bool Closed = Descriptor < 0 || close(Descriptor) == 0;
  return (Written && Closed) || fail(File, strerror(Written ? errno : Error));
}

/// The permissions that a new file of this name gets: those of the one that it replaces.
mode_t modeFor(const std::string &File) {
  struct stat Status{};
  if (stat(File.c_str(), &Status) == 0)
    return Status.st_mode & 07777U;
  const mode_t Mask = umask(0);
  umask(Mask);
  return 0666U & ~Mask;
}

/// What a symbolic link stands for is replaced, not the link.
std::string target(const std::string &File) {
  char Real[PATH_MAX];
  return realpath(File.c_str(), Real) ? Real : File;
}

bool replace(const std::string &File, const std::string &Text) {
  const std::string Target = target(File);
  std::string Temporary = Target + ".XXXXXX";
  const int Descriptor = mkstemp(Temporary.data());
  if (Descriptor < 0)
    return fail(File, strerror(errno));
  const bool Written = writeAll(Descriptor, Text) && fchmod(Descriptor, modeFor(Target)) == 0;
  int Error = errno;
  const bool Closed = close(Descriptor) == 0;
  if (Written && !Closed)
    Error = errno;
  if (Written && Closed && rename(Temporary.c_str(), Target.c_str()) == 0)
    return true;
  if (Written && Closed)
    Error = errno;
  unlink(Temporary.c_str());
  return fail(File, strerror(Error));
}

} // namespace

std::vector<Row> threadmap::costsBeside(const Matrix &Volumes, const Places &At, const Map &Of,
                                        Algorithm How, uint64_t Seed) {
  const auto Cost = [&](const Map &M) { return costOf(Volumes, At, M); };
  return {{"this map", Cost(Of)},
          {"compact", Cost(compactMap(At, Volumes.threads()))},
          {"scatter", Cost(scatteredMap(At, Volumes.threads()))},
          {RandomName, meanOfRandom(Volumes, At, Seed)},
          {"worst", Cost(mapOf(Volumes, At, How, /*Worst=*/true, Seed))}};
}

std::string threadmap::table(const std::vector<Row> &Rows) {
  double Random = 0;
  for (const Row &R : Rows)
    if (R.Name == RandomName)
      Random = R.Cost;
  std::string Result = formatted("%-20s  %14s  %9s\n", "map", "cost", "/ random");
  for (const Row &R : Rows) {
    Result += formatted("%-20s  %14.8g", R.Name.c_str(), R.Cost);
    Result += Random > 0 ? formatted("  %9.3f\n", R.Cost / Random) : "\n";
  }
  return Result;
}

std::string threadmap::mapFile(const std::vector<std::string> &Comments, const Places &At,
                               const Map &Of) {
  constexpr size_t PerLine = 16;
  std::string Result;
  for (const std::string &Comment : Comments) {
    Result += "# ";
    for (const char C : Comment) // A line end would end the comment.
      Result += C >= ' ' && C != 0x7f ? C : '?';
    Result += '\n';
  }
  for (size_t Thread = 0; Thread < Of.size(); ++Thread) {
    Result += std::to_string(At.Cpu[Of[Thread]]);
    const bool EndsLine = Thread % PerLine == PerLine - 1 || Thread + 1 == Of.size();
    Result += EndsLine ? '\n' : ' ';
  }
  return Result;
}

bool threadmap::writeWhole(const std::string &File, const std::string &Text) {
  if (File.empty())
    return writeAll(STDOUT_FILENO, Text) || fail("standard output", strerror(errno));
  struct stat Status{};
  const bool Exists = stat(File.c_str(), &Status) == 0;
  if (Exists && S_ISDIR(Status.st_mode))
    return fail(File, strerror(EISDIR));
  return Exists && !S_ISREG(Status.st_mode) ? writeInto(File, Text) : replace(File, Text);
}
