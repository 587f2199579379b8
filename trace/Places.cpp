//===-- Places.cpp - source positions of allocations and regions *- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The variable that an allocation is for is what stands before the '=' in its line of the source,
// if the source is there; Fortran's is ALLOCATE's first argument.
//
//===----------------------------------------------------------------------===//

#include "Places.h"

#include "Tool.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

using namespace maiprof;

namespace {

constexpr size_t AddressesAtOnce = 500;

std::optional<std::string> output(const std::vector<std::string> &Command) {
  std::vector<char *> Argv;
  for (const std::string &Argument : Command)
    Argv.push_back(const_cast<char *>(Argument.c_str()));
  Argv.push_back(nullptr);
  int Pipe[2];
  if (pipe2(Pipe, O_CLOEXEC) != 0)
    return std::nullopt;
  posix_spawn_file_actions_t Actions;
  posix_spawn_file_actions_init(&Actions);
  posix_spawn_file_actions_adddup2(&Actions, Pipe[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&Actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t Child = 0;
  const int Failed = posix_spawnp(&Child, Argv[0], &Actions, nullptr, Argv.data(), environ);
  posix_spawn_file_actions_destroy(&Actions);
  close(Pipe[1]);
  std::string Text;
  char Buffer[4096];
  ssize_t Some = 0;
  while (!Failed && (Some = read(Pipe[0], Buffer, sizeof Buffer)) > 0)
    Text.append(Buffer, static_cast<size_t>(Some));
  close(Pipe[0]);
  int Status = 0;
  while (!Failed && waitpid(Child, &Status, 0) < 0 && errno == EINTR)
    ;
  errno = Failed;
  return Failed ? std::nullopt : std::optional(Text);
}

struct Position {
  std::string File;
  unsigned Line = 0;
};

bool isSystemFile(const std::string &File) {
  return File.starts_with("/usr/include") || File.starts_with("/usr/lib") ||
         File.find("/c++/") != std::string::npos;
}

/// The innermost frame of the program's own, of those that are one function to the processor.
class Resolver {
public:
  bool resolve(const std::string &Module, const std::set<uint64_t> &Offsets) {
    std::vector<std::string> Command;
    for (auto At = Offsets.begin(); At != Offsets.end();) {
      Command = {"addr2line", "-a", "-i", "-e", Module};
      for (size_t I = 0; I < AddressesAtOnce && At != Offsets.end(); ++I, ++At) {
        char Text[32];
        std::snprintf(Text, sizeof Text, "%#llx", static_cast<unsigned long long>(*At));
        Command.push_back(Text);
      }
      const std::optional<std::string> Answer = output(Command);
      if (!Answer)
        return false;
      read(Module, *Answer);
    }
    return true;
  }

  const Position *find(const std::string &Module, uint64_t Offset) const {
    const auto Found = Known.find({Module, Offset});
    return Found == Known.end() ? nullptr : &Found->second;
  }

private:
  void read(const std::string &Module, const std::string &Answer) {
    std::istringstream In(Answer);
    std::string Line;
    uint64_t Offset = 0;
    while (std::getline(In, Line)) {
      const size_t Colon = Line.rfind(':');
      if (Line.starts_with("0x") && Colon == std::string::npos) {
        Offset = std::strtoull(Line.c_str(), nullptr, 16);
        continue;
      }
      if (Colon == std::string::npos || Line[0] == '?')
        continue;
      const Position Here = {Line.substr(0, Colon),
                             static_cast<unsigned>(std::atoi(Line.c_str() + Colon + 1))};
      Position &Best = Known[{Module, Offset}];
      if (Here.Line && (Best.File.empty() || isSystemFile(Best.File)))
        Best = Here;
    }
  }

  std::map<std::pair<std::string, uint64_t>, Position> Known;
};

class Sources {
public:
  /// The variable that an allocation's line gives it to; empty where none is seen. Of several
  /// allocations in one line, this is number Index of Count by their code.
  std::string variable(const Position &At, size_t Index, size_t Count) {
    const std::vector<std::string> &Lines = file(At.File);
    if (At.Line == 0 || At.Line > Lines.size())
      return "";
    static const std::regex Allocate(R"(\ballocate\s*\(\s*(\w+))", std::regex::icase);
    static const std::regex Aligned(R"(posix_memalign\s*\(\s*(?:\([^)]*\))?\s*&\s*(\w+))");
    static const std::regex Declared(R"(vector\s*<.*>\s*(\w+)\s*[({])");
    std::smatch Match;
    for (const std::regex *R : {&Allocate, &Aligned, &Declared})
      if (std::regex_search(Lines[At.Line - 1], Match, *R))
        return Match[1];
    const std::vector<std::string> Names = assigned(Lines[At.Line - 1]);
    if (Names.size() == Count)
      return Names[Index];
    return Names.size() == 1 ? Names[0] : "";
  }

private:
  /// The variables that a line assigns what it allocates to; where it does not seem to allocate,
  /// the first one that it assigns.
  static std::vector<std::string> assigned(const std::string &Line) {
    static const std::regex Assigned(R"((\w+)(\s*\[[^\]]*\]|\))*\s*=(?!=))");
    static const std::regex Allocates(
        R"(\b(\w*alloc\w*|new|mmap\w*|make_unique\w*|make_shared\w*)\b)", std::regex::icase);
    std::vector<std::string> Names;
    std::string First;
    for (std::sregex_iterator Each(Line.begin(), Line.end(), Assigned), End; Each != End;) {
      const std::smatch Match = *Each++;
      const auto Stop = Each == End ? Line.end() : (*Each)[0].first;
      if (First.empty())
        First = Match[1];
      if (std::regex_search(Match[0].second, Stop, Allocates))
        Names.push_back(Match[1]);
    }
    if (Names.empty() && !First.empty())
      Names.push_back(First);
    return Names;
  }

  const std::vector<std::string> &file(const std::string &Path) {
    const auto [At, IsNew] = Known.try_emplace(Path);
    if (IsNew) {
      std::ifstream In(Path);
      for (std::string Line; std::getline(In, Line);)
        At->second.push_back(Line.substr(0, 400));
    }
    return At->second;
  }

  std::map<std::string, std::vector<std::string>> Known;
};

std::string text(const Position &At) {
  return At.File.substr(At.File.rfind('/') + 1) + ":" + std::to_string(At.Line);
}

} // namespace

bool maiprof::addPlaces(const std::string &Path, Profile &P, std::string &Error) {
  /* Sections refer to arrays by their order in the file, which load() gave up. */
  std::string Bytes;
  if (!readWhole(Path, Bytes)) {
    Error = std::strerror(errno);
    return false;
  }
  std::map<std::string, std::set<uint64_t>> Wanted;
  for (const Array &A : P.Arrays)
    if (A.Offset && !A.Module.empty())
      Wanted[A.Module].insert(A.Offset);
  for (const Phase &Region : P.Phases)
    if (!Region.Module.empty())
      Wanted[Region.Module].insert(Region.Offset);
  Resolver R;
  for (const auto &[Module, Offsets] : Wanted)
    if (!R.resolve(Module, Offsets)) {
      Error = std::string("addr2line: ") + std::strerror(errno) + " (it comes with binutils)";
      return false;
    }
  std::map<std::string, std::set<uint64_t>> SitesOfLine;
  const auto LineOf = [](const Array &A, const Position &At) {
    return A.Module + ":" + At.File + ":" + std::to_string(At.Line);
  };
  for (const Array &A : P.Arrays)
    if (const Position *At = A.Offset ? R.find(A.Module, A.Offset) : nullptr)
      SitesOfLine[LineOf(A, *At)].insert(A.Offset);
  Sources Files;
  Places Found;
  for (uint32_t I = 0; I < P.Arrays.size(); ++I) {
    const Position *At = R.find(P.Arrays[I].Module, P.Arrays[I].Offset);
    if (!At || At->File.empty() || !P.Arrays[I].Offset)
      continue;
    if (P.Arrays[I].Name.empty()) {
      const std::set<uint64_t> &Sites = SitesOfLine[LineOf(P.Arrays[I], *At)];
      const auto Site = Sites.find(P.Arrays[I].Offset);
      P.Arrays[I].Name = Files.variable(
          *At, static_cast<size_t>(std::distance(Sites.begin(), Site)), Sites.size());
    }
    P.Arrays[I].Place = text(*At);
    const std::string Name = P.Arrays[I].Name;
    Found.Arrays.emplace_back(P.Arrays[I].Rank, P.Arrays[I].Place + "\n" + Name);
  }
  for (uint32_t I = 0; I < P.Phases.size(); ++I) {
    const Position *At = R.find(P.Phases[I].Module, P.Phases[I].Offset);
    if (At && !At->File.empty())
      Found.Phases.emplace_back(I, P.Phases[I].Place = text(*At));
  }
  const std::string New = withPlaces(Bytes, Found);
  if (New.empty() || !writeWhole(Path, New)) {
    Error = std::strerror(errno);
    return false;
  }
  return true;
}
