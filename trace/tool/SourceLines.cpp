//===-- SourceLines.cpp - source positions of allocations and regions *- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The variable that an allocation is for is what stands before the '=' in its line of the source,
// if the source is there; those of C++'s vectors what is declared, the member that a constructor
// begins with, or the object whose function allocates. Programs in Fortran tell the
// names themselves: the compiler knows them.
//
//===----------------------------------------------------------------------===//

#include "SourceLines.h"

#include "DebugInformation.h"

#include "support/Files.h"

#include "llvm/Support/Path.h"

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

/// Of glibc, which calls main(), the debug information names files by where it was built.
bool isSystemFile(const std::string &File) {
  return File.starts_with("/usr/include") || File.starts_with("/usr/lib") ||
         File.find("/c++/") != std::string::npos || File.find("/sysdeps/") != std::string::npos;
}

/// By its suffix, such as .f90.
bool isFortran(const std::string &File) {
  const size_t Suffix = File.rfind('.');
  return Suffix != std::string::npos && Suffix + 1 < File.size() &&
         (File[Suffix + 1] == 'f' || File[Suffix + 1] == 'F');
}

bool isWord(char C) { return std::isalnum(static_cast<unsigned char>(C)) || C == '_'; }

/// A name in a line of the source.
struct Named {
  std::string Name;
  size_t At = 0; ///< where it begins
};

class Sources {
public:
  /// The variable that an allocation's line gives it to; empty where none is seen. Of several
  /// allocations in one line, this is number Index of Count by their code.
  std::string variable(const Place &At, size_t Index, size_t Count) {
    const std::vector<std::string> &Lines = file(At.File);
    if (At.Line == 0 || At.Line > Lines.size() || isFortran(At.File))
      return "";
    const std::string &Line = Lines[At.Line - 1];
    if (const std::string Member = initialised(Line, At); !Member.empty())
      return Member;
    if (const std::string Object = owner(Line, At.Column); !Object.empty())
      return Object;
    static const std::regex Aligned(R"(posix_memalign\s*\(\s*(?:\([^)]*\))?\s*&\s*(\w+))");
    std::smatch Match;
    if (std::regex_search(Line, Match, Aligned))
      return Match[1];
    return nameAt(seen(Line), At.Column, Index, Count);
  }

private:
  /// The member that a constructor begins with at a column, as in "Grid() : field(n) {}", or that
  /// gets what is allocated there, as in "Grid() : field(new double[n]) {}"; another constructor is
  /// no member.
  static std::string initialised(const std::string &Line, const Place &At) {
    const size_t Column = At.Column - size_t(1);
    const size_t Class = At.Function.rfind("::");
    if (At.Column == 0 || Column >= Line.size() || Class == std::string::npos ||
        !isConstructor(At.Function, Class))
      return "";
    std::string Member = memberAt(Line, Column);
    for (size_t Opener = openerBefore(Line, Column); Member.empty() && Opener < Line.size();
         Opener = openerBefore(Line, Opener))
      Member = memberAt(Line, nameBefore(Line, Opener));
    const bool IsMember = !Member.empty() && Member != At.Function.substr(Class + 2);
    return IsMember ? At.Function.substr(0, Class) + "::" + Member : "";
  }

  /// The parenthesis that a column lies in; the line's length where it lies in none.
  static size_t openerBefore(const std::string &Line, size_t Column) {
    int Depth = 0;
    for (size_t I = Column; I-- > 0;) {
      Depth += Line[I] == ')' || Line[I] == '}' ? 1 : 0;
      if ((Line[I] == '(' || Line[I] == '{') && Depth-- == 0)
        return I;
    }
    return Line.size();
  }

  /// Where the name in front of a parenthesis begins.
  static size_t nameBefore(const std::string &Line, size_t Opener) {
    size_t Begin = Opener;
    while (Begin > 0 && isWord(Line[Begin - 1]))
      --Begin;
    return Begin;
  }

  /// The member that begins there in a constructor's list; empty where none does.
  static std::string memberAt(const std::string &Line, size_t Begin) {
    const std::string Name = wordAt(Line, Begin);
    const size_t End = Begin + Name.size();
    const size_t Before = Line.find_last_not_of(' ', Begin - (Begin > 0 ? 1 : 0));
    const bool IsFirst = Begin == 0 || Before == std::string::npos;
    if (Name.empty() || End >= Line.size() || (Line[End] != '(' && Line[End] != '{') ||
        (!IsFirst && Line[Before] != ':' && Line[Before] != ','))
      return "";
    return Name;
  }

  /// "Grid::Grid", "Grid<int>::Grid".
  static bool isConstructor(const std::string &Function, size_t Separator) {
    const std::string Name = Function.substr(Separator + 2);
    const std::string Class = Function.substr(0, Function.find('<'));
    const size_t Last =
        Class.rfind("::", Class.size() == Function.size() ? Separator - 1 : Class.size());
    const std::string Own = Class.substr(Last == std::string::npos ? 0 : Last + 2);
    return Own == Name || Own == Name + "::" + Name;
  }

  /// The object whose function is called at a column, as in "field.resize(n)": gcc means the
  /// parenthesis, clang the function.
  static std::string owner(const std::string &Line, unsigned Column) {
    size_t At = Column - size_t(1);
    if (Column == 0 || At >= Line.size())
      return "";
    while (At > 0 && (isWord(Line[At]) || Line[At] == '(') && isWord(Line[At - 1]))
      --At;
    if (At >= 2 && Line[At - 1] == '>' && Line[At - 2] == '-')
      return expressionBefore(Line, At - 2);
    return At >= 1 && Line[At - 1] == '.' ? expressionBefore(Line, At - 1) : "";
  }

  /// Such as "domain.field" or "list" of "list[i]".
  static std::string expressionBefore(const std::string &Line, size_t End) {
    size_t Begin = End;
    int Depth = 0;
    for (; Begin > 0; --Begin) {
      const char C = Line[Begin - 1];
      Depth += C == ']' ? 1 : C == '[' ? -1 : 0;
      const bool IsArrow = C == '>' && Begin >= 2 && Line[Begin - 2] == '-';
      if (Depth < 0 || (Depth == 0 && !isWord(C) && C != '.' && C != '[' && C != ':' && !IsArrow &&
                        !(C == '-' && Line[Begin] == '>')))
        break;
    }
    std::string Text;
    for (size_t I = Begin; I < End; ++I) {
      Depth += Line[I] == '[' ? 1 : Line[I] == ']' ? -1 : 0;
      if (Depth == 0 && Line[I] != ']')
        Text += Line[I] == '>' ? std::string() : Line[I] == '-' ? "." : std::string(1, Line[I]);
    }
    return Text.starts_with("this.") ? Text.substr(5) : Text;
  }

  /// All that a line gives something to that it allocates.
  static std::vector<Named> seen(const std::string &Line) {
    static const std::regex Declared(R"(\w\s*<.*>\s*(?=\w+\s*[({]))");
    std::smatch Match;
    std::vector<Named> Names;
    if (std::regex_search(Line, Match, Declared))
      Names = listed(Line, static_cast<size_t>(Match.position(0) + Match.length(0)));
    if (Names.empty())
      Names = assigned(Line, true);
    if (Names.empty())
      Names = assigned(Line, false);
    return Names;
  }

  /// Of several the last in front of the column; where that is not known, as many as there are
  /// allocations are in their order.
  static std::string nameAt(const std::vector<Named> &Names, unsigned Column, size_t Index,
                            size_t Count) {
    std::string Found;
    for (const Named &Each : Names)
      if (Column > 0 ? Each.At < Column : Names.size() == 1)
        Found = Each.Name;
    if (Column > 0 || Names.empty() || !Found.empty())
      return Found;
    return Names.size() == Count ? Names[Index].Name : Count == 1 ? Names[0].Name : "";
  }

  /// The names in a list such as "a(n), b(n, 1.0)", which ends with the statement, the line or a
  /// parenthesis.
  static std::vector<Named> listed(const std::string &Line, size_t From) {
    std::vector<Named> Names;
    bool IsNext = true;
    int Depth = 0;
    for (size_t I = From; I < Line.size(); ++I) {
      const char C = Line[I];
      Depth += C == '(' || C == '{' || C == '[' ? 1 : C == ')' || C == '}' || C == ']' ? -1 : 0;
      if (Depth < 0 || (Depth == 0 && C == ';'))
        break;
      if (Depth == 0 && C == ',')
        IsNext = true;
      if (Depth > 0 || !IsNext || !isWord(C))
        continue;
      Names.push_back({wordAt(Line, I), I});
      I += Names.back().Name.size() - 1;
      IsNext = false;
    }
    return Names;
  }

  static std::string wordAt(const std::string &Line, size_t Begin) {
    size_t End = Begin;
    while (End < Line.size() && isWord(Line[End]))
      ++End;
    return Line.substr(Begin, End - Begin);
  }

  /// The variables that a line assigns something to, or only those that get what it allocates.
  static std::vector<Named> assigned(const std::string &Line, bool OnlyAllocated) {
    static const std::regex Assigned(R"((\w+)(\s*\[[^\]]*\]|\))*\s*=(?!=))");
    static const std::regex Allocates(
        R"(\b(\w*alloc\w*|new|mmap\w*|make_unique\w*|make_shared\w*)\b)", std::regex::icase);
    std::vector<Named> Names;
    for (std::sregex_iterator Each(Line.begin(), Line.end(), Assigned), End; Each != End;) {
      const std::smatch Match = *Each++;
      const auto Stop = Each == End ? Line.end() : (*Each)[0].first;
      if (!OnlyAllocated || std::regex_search(Match[0].second, Stop, Allocates))
        Names.push_back({Match[1], static_cast<size_t>(Match.position(1))});
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
  return llvm::sys::path::filename(At.File).str() + ":" + std::to_string(At.Line);
}

/// Finds the places of a profile's arrays, phases and tasks.
class Finder {
public:
  explicit Finder(Profile &Of) : P(Of) {}

  Places find() {
    for (const Array &A : P.Arrays)
      if (const Own Its = ownPlace(A); Its.At && A.What != Array::Kind::Static)
        CallsIn[lineOf(Its.Of.Module, *Its.At)].insert(Its.Of.Offset);
    for (Array &A : P.Arrays)
      place(A);
    placeCode(P.Phases, Found.Phases);
    placeCode(P.Tasks, Found.Tasks);
    placeChains();
    placeCodes();
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

  /// Where parallel regions or tasks stand: in their own functions, whatever is merged into these.
  void placeCode(std::vector<Phase> &List, std::vector<std::pair<uint32_t, std::string>> &To) {
    for (uint32_t I = 0; I < List.size(); ++I)
      if (const std::vector<Place> &All = Debug.places(List[I].Module, List[I].Offset);
          !All.empty())
        To.emplace_back(I, List[I].Position = text(All.back()));
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

  /// A place in the program's own sources, and the call that stands there.
  struct Own {
    const Place *At = nullptr;
    Call Of;
  };

  /// The innermost of those that have led to a block, past the functions of libraries, as far as
  /// these are known; else the call of the allocator itself.
  Own ownPlace(const Array &A) {
    if (A.Chain != None)
      for (const Call &C : P.Chains[A.Chain].Calls)
        for (const Place &At : placesOf(C))
          if (!isSystemFile(At.File))
            return {&At, C};
    return {A.Offset ? innermost(A.Module, A.Offset) : nullptr, {A.Module, A.Offset}};
  }

  void nameBlock(Array &A) {
    const Own Its = ownPlace(A);
    if (!Its.At)
      return;
    if (A.Name.empty())
      A.Name = variable(*Its.At, Its.Of.Module, Its.Of.Offset);
    A.Position = text(*Its.At);
    if (A.Name.empty() && Its.At->Column > 0 && CallsIn[lineOf(Its.Of.Module, *Its.At)].size() > 1)
      A.Position += ":" + std::to_string(Its.At->Column);
    if (A.Name.empty() && Its.At->Function.find("::") != std::string::npos)
      A.Name = Its.At->Function;
    A.Short = Debug.withoutModule(Its.Of.Module, A.Name);
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

  void placeCodes() {
    Found.Codes = P.Codes;
    for (Code &Each : Found.Codes)
      if (const Place *At = isOwn(Each.Module) ? innermost(Each.Module, Each.Offset) : nullptr) {
        Each.File = At->File;
        Each.Line = At->Line;
        Each.Function = At->Function;
      }
    P.Codes = Found.Codes;
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
  Places Found = Lines.find();
  Found.CodeTime = P.CodeTime;
  const std::error_code Failed = support::writeWhole(Path, withPlaces(*Bytes, Found));
  Error = Failed.message();
  return !Failed;
}
