//===-- SourceLines.cpp - source positions of allocations and regions *- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The variable that an allocation is for is what stands before the '=' in its line of the source,
// if the source is there; Fortran's are ALLOCATE's arguments, those of C++'s vectors what is
// declared.
//
//===----------------------------------------------------------------------===//

#include "SourceLines.h"

#include "support/Files.h"

#include <algorithm>
#include <cctype>
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

/// By its suffix, such as .f90: in other languages functions may be called as its statements are.
bool isFortran(const std::string &File) {
  const size_t Suffix = File.rfind('.');
  return Suffix != std::string::npos && Suffix + 1 < File.size() &&
         (File[Suffix + 1] == 'f' || File[Suffix + 1] == 'F');
}

/// Where code stands in the sources: one line, or of functions that compilers merged several, the
/// innermost first.
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

  const std::vector<Position> &all(const std::string &Module, uint64_t Offset) const {
    static const std::vector<Position> Nowhere;
    const auto Found = Known.find({Module, Offset});
    return Found == Known.end() ? Nowhere : Found->second;
  }

  /// The innermost of the program's own.
  const Position *find(const std::string &Module, uint64_t Offset) const {
    const std::vector<Position> &All = all(Module, Offset);
    for (const Position &At : All)
      if (!isSystemFile(At.File))
        return &At;
    return All.empty() ? nullptr : &All.back();
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
      if (Here.Line)
        Known[{Module, Offset}].push_back(Here);
    }
  }

  std::map<std::pair<std::string, uint64_t>, std::vector<Position>> Known;
};

class Sources {
public:
  /// The variable that an allocation's line gives it to; empty where none is seen. Of several
  /// allocations in one line, this is number Index of Count by their code.
  std::string variable(const Position &At, size_t Index, size_t Count) {
    const std::vector<std::string> &Lines = file(At.File);
    if (At.Line == 0 || At.Line > Lines.size())
      return "";
    const std::string &Line = Lines[At.Line - 1];
    static const std::regex Allocate(R"(\ballocate\s*\()", std::regex::icase);
    static const std::regex Aligned(R"(posix_memalign\s*\(\s*(?:\([^)]*\))?\s*&\s*(\w+))");
    static const std::regex Declared(R"(vector\s*<.*>\s*(?=\w+\s*[({]))");
    std::smatch Match;
    if (std::regex_search(Line, Match, Aligned))
      return Match[1];
    std::vector<std::string> Names;
    if ((isFortran(At.File) && std::regex_search(Line, Match, Allocate)) ||
        std::regex_search(Line, Match, Declared))
      Names = listed(Match.suffix());
    if (!Names.empty())
      return Names.size() == Count ? Names[Index] : Names[0];
    Names = assigned(Line, true);
    if (Names.size() > 1)
      return Names.size() == Count ? Names[Index] : "";
    if (Names.empty())
      Names = assigned(Line, false);
    return Names.empty() ? "" : Names.size() == Count ? Names[Index] : Names[0];
  }

private:
  /// The names in a list such as "a(n), b(0:n, m)", which ends with the line or a parenthesis.
  static std::vector<std::string> listed(const std::string &Text) {
    std::vector<std::string> Names(1);
    int Depth = 0;
    for (const char C : Text) {
      Depth += C == '(' || C == '{' || C == '[' ? 1 : C == ')' || C == '}' || C == ']' ? -1 : 0;
      if (Depth < 0)
        break;
      if (Depth == 0 && C == ',')
        Names.emplace_back();
      else if (Depth == 0 && (std::isalnum(static_cast<unsigned char>(C)) || C == '_'))
        Names.back() += C;
    }
    std::erase(Names, "");
    return Names;
  }

  /// The variables that a line assigns something to, or only those that get what it allocates.
  static std::vector<std::string> assigned(const std::string &Line, bool OnlyAllocated) {
    static const std::regex Assigned(R"((\w+)(\s*\[[^\]]*\]|\))*\s*=(?!=))");
    static const std::regex Allocates(
        R"(\b(\w*alloc\w*|new|mmap\w*|make_unique\w*|make_shared\w*)\b)", std::regex::icase);
    std::vector<std::string> Names;
    for (std::sregex_iterator Each(Line.begin(), Line.end(), Assigned), End; Each != End;) {
      const std::smatch Match = *Each++;
      const auto Stop = Each == End ? Line.end() : (*Each)[0].first;
      if (!OnlyAllocated || std::regex_search(Match[0].second, Stop, Allocates))
        Names.push_back(Match[1]);
    }
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

/// Finds the places of a profile's arrays and phases.
class Finder {
public:
  explicit Finder(Profile &Of) : P(Of) {}

  bool resolve(std::string &Error) {
    for (const Array &A : P.Arrays)
      want(A.Module, A.Offset);
    for (const Phase &Region : P.Phases)
      want(Region.Module, Region.Offset, true);
    for (const CallChain &Chain : P.Chains)
      for (const Call &C : Chain.Calls)
        if (isOwn(C.Module))
          want(C.Module, C.Offset);
    for (const auto &[Module, Offsets] : Wanted)
      if (!R.resolve(Module, Offsets)) {
        Error = std::string("addr2line: ") + std::strerror(errno) + " (it comes with binutils)";
        return false;
      }
    return true;
  }

  Places find() {
    for (const Array &A : P.Arrays)
      if (const Position *At = A.Offset ? R.find(A.Module, A.Offset) : nullptr)
        CallsIn[lineOf(A.Module, *At)].insert(A.Offset);
    for (Array &A : P.Arrays)
      place(A);
    for (uint32_t I = 0; I < P.Phases.size(); ++I)
      if (const Position *At = R.find(P.Phases[I].Module, P.Phases[I].Offset))
        Found.Phases.emplace_back(I, P.Phases[I].Position = text(*At));
    placeChains();
    return std::move(Found);
  }

private:
  void want(const std::string &Module, uint64_t Offset, bool AlsoZero = false) {
    if (!Module.empty() && (Offset || AlsoZero))
      Wanted[Module].insert(Offset);
  }

  /// Of the system's libraries nobody knows the lines.
  bool isOwn(const std::string &Module) const {
    return Module == P.Program ||
           std::any_of(P.Modules.begin(), P.Modules.end(),
                       [&](const auto &M) { return M.Instrumented && M.Path == Module; });
  }

  static std::string lineOf(const std::string &Module, const Position &At) {
    return Module + ":" + At.File + ":" + std::to_string(At.Line);
  }

  /// The variable that the call in that line is for.
  std::string variable(const Position &At, const std::string &Module, uint64_t Offset) {
    const std::set<uint64_t> &Calls = CallsIn[lineOf(Module, At)];
    return Files.variable(At, static_cast<size_t>(std::distance(Calls.begin(), Calls.find(Offset))),
                          Calls.size());
  }

  void place(Array &A) {
    const Position *At = A.Offset ? R.find(A.Module, A.Offset) : nullptr;
    if (!At)
      return;
    if (A.Name.empty())
      A.Name = variable(*At, A.Module, A.Offset);
    A.Position = text(*At);
    Found.Arrays.emplace_back(A.Rank, A.Position + "\n" + A.Name);
  }

  void placeChains() {
    for (const CallChain &Chain : P.Chains)
      for (const Call &C : Chain.Calls)
        for (const Position &At : R.all(C.Module, C.Offset))
          CallsIn[lineOf(C.Module, At)].insert(C.Offset);
    for (uint32_t I = 0; I < P.Chains.size(); ++I) {
      std::string Text;
      for (const Call &C : P.Chains[I].Calls)
        for (const Position &At : R.all(C.Module, C.Offset))
          if (!isSystemFile(At.File))
            Text += text(At) + "\n" + variable(At, C.Module, C.Offset) + "\n";
      if (!Text.empty())
        Found.Chains.emplace_back(I, std::move(Text));
    }
  }

  Profile &P;
  Resolver R;
  Sources Files;
  std::map<std::string, std::set<uint64_t>> Wanted;  ///< by module
  std::map<std::string, std::set<uint64_t>> CallsIn; ///< by line
  Places Found;
};

} // namespace

bool maiprof::addSourceLines(const std::string &Path, Profile &P, std::string &Error) {
  /* Sections refer to arrays by their order in the file, which load() gave up. */
  const std::optional<std::string> Bytes = readWhole(Path);
  if (!Bytes) {
    Error = std::strerror(errno);
    return false;
  }
  Finder Lines(P);
  if (!Lines.resolve(Error))
    return false;
  const std::error_code Failed = support::writeWhole(Path, withPlaces(*Bytes, Lines.find()));
  Error = Failed.message();
  return !Failed;
}
