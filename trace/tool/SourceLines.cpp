//===-- SourceLines.cpp - source positions of allocations and regions *- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The variable that an allocation is for is what stands before the '=' in its line of the source,
// if the source is there; those of C++'s vectors what is declared. Programs in Fortran tell the
// names themselves: the compiler knows them.
//
//===----------------------------------------------------------------------===//

#include "SourceLines.h"

#include "DebugInformation.h"

#include "support/Files.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>

using namespace maiprof;

namespace {

bool isSystemFile(const std::string &File) {
  return File.starts_with("/usr/include") || File.starts_with("/usr/lib") ||
         File.find("/c++/") != std::string::npos;
}

/// By its suffix, such as .f90.
bool isFortran(const std::string &File) {
  const size_t Suffix = File.rfind('.');
  return Suffix != std::string::npos && Suffix + 1 < File.size() &&
         (File[Suffix + 1] == 'f' || File[Suffix + 1] == 'F');
}

class Sources {
public:
  /// The variable that an allocation's line gives it to; empty where none is seen. Of several
  /// allocations in one line, this is number Index of Count by their code.
  std::string variable(const Place &At, size_t Index, size_t Count) {
    const std::vector<std::string> &Lines = file(At.File);
    if (At.Line == 0 || At.Line > Lines.size() || isFortran(At.File))
      return "";
    const std::string &Line = Lines[At.Line - 1];
    static const std::regex Aligned(R"(posix_memalign\s*\(\s*(?:\([^)]*\))?\s*&\s*(\w+))");
    static const std::regex Declared(R"(vector\s*<.*>\s*(?=\w+\s*[({]))");
    std::smatch Match;
    if (std::regex_search(Line, Match, Aligned))
      return Match[1];
    std::vector<std::string> Names;
    if (std::regex_search(Line, Match, Declared))
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
  /// The names in a list such as "a(n), b(n, 1.0)", which ends with the line or a parenthesis.
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

std::string text(const Place &At) {
  return At.File.substr(At.File.rfind('/') + 1) + ":" + std::to_string(At.Line);
}

/// Finds the places of a profile's arrays and phases.
class Finder {
public:
  explicit Finder(Profile &Of) : P(Of) {}

  Places find() {
    for (const Array &A : P.Arrays)
      if (const Place *At = A.Offset ? innermost(A.Module, A.Offset) : nullptr)
        CallsIn[lineOf(A.Module, *At)].insert(A.Offset);
    for (Array &A : P.Arrays)
      place(A);
    for (uint32_t I = 0; I < P.Phases.size(); ++I)
      if (const Place *At = innermost(P.Phases[I].Module, P.Phases[I].Offset))
        Found.Phases.emplace_back(I, P.Phases[I].Position = text(*At));
    placeChains();
    return std::move(Found);
  }

private:
  /// Where code stands: the innermost of the program's own functions.
  const Place *innermost(const std::string &Module, uint64_t Offset) {
    const std::vector<Place> &All = Debug.places(Module, Offset);
    for (const Place &At : All)
      if (!isSystemFile(At.File))
        return &At;
    return All.empty() ? nullptr : &All.back();
  }

  /// Of the system's libraries nobody knows the lines.
  const std::vector<Place> &placesOf(const Call &C) {
    static const std::vector<Place> Nowhere;
    return isOwn(C.Module) ? Debug.places(C.Module, C.Offset) : Nowhere;
  }

  bool isOwn(const std::string &Module) const {
    return Module == P.Program ||
           std::any_of(P.Modules.begin(), P.Modules.end(),
                       [&](const auto &M) { return M.Instrumented && M.Path == Module; });
  }

  static std::string lineOf(const std::string &Module, const Place &At) {
    return Module + ":" + At.File + ":" + std::to_string(At.Line);
  }

  /// The variable that the call in that line is for.
  std::string variable(const Place &At, const std::string &Module, uint64_t Offset) {
    const std::set<uint64_t> &Calls = CallsIn[lineOf(Module, At)];
    return Files.variable(At, static_cast<size_t>(std::distance(Calls.begin(), Calls.find(Offset))),
                          Calls.size());
  }

  void place(Array &A) {
    if (A.What == Array::Kind::Static)
      nameStatic(A);
    else
      nameBlock(A);
  }

  void nameStatic(Array &A) {
    A.Variable = Debug.variable(A.Module, A.Name);
    if (!A.Variable.empty())
      Found.Arrays.emplace_back(A.Rank, A.Position + "\n" + A.Variable);
  }

  void nameBlock(Array &A) {
    const Place *At = A.Offset ? innermost(A.Module, A.Offset) : nullptr;
    if (!At)
      return;
    if (A.Name.empty())
      A.Name = variable(*At, A.Module, A.Offset);
    A.Position = text(*At);
    A.Short = Debug.withoutModule(A.Module, A.Name);
    Found.Arrays.emplace_back(A.Rank,
                              A.Position + "\n" + A.Name + (A.Short.empty() ? "" : "\n" + A.Short));
  }

  void placeChains() {
    for (const CallChain &Chain : P.Chains)
      for (const Call &C : Chain.Calls)
        for (const Place &At : placesOf(C))
          CallsIn[lineOf(C.Module, At)].insert(C.Offset);
    for (uint32_t I = 0; I < P.Chains.size(); ++I) {
      std::string Text;
      for (const Call &C : P.Chains[I].Calls)
        for (const Place &At : placesOf(C))
          if (!isSystemFile(At.File))
            Text += text(At) + "\n" + variable(At, C.Module, C.Offset) + "\n";
      if (!Text.empty())
        Found.Chains.emplace_back(I, std::move(Text));
    }
  }

  Profile &P;
  DebugInformation Debug;
  Sources Files;
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
  const std::error_code Failed = support::writeWhole(Path, withPlaces(*Bytes, Lines.find()));
  Error = Failed.message();
  return !Failed;
}
