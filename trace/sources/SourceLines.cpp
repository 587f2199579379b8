//===-- SourceLines.cpp - source positions of allocations and regions *- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SourceLines.h"

#include "DebugInformation.h"
#include "SourceText.h"

#include "names/layout/layout.h"
#include "support/CallPlace.h"
#include "support/Files.h"
#include "trace/profile/SystemLibraries.h"

#include "llvm/Support/Path.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <map>
#include <set>

using namespace maiprof;
using support::isSystemFile;

namespace {

/// As the profile has them.
std::string sitesText(const std::vector<Site> &Sites) {
  std::string Text;
  for (const Site &Each : Sites)
    Text += Each.Position + "\n" + (Each.IsPart ? "." : "") + Each.Name + "\n";
  return Text;
}

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
        note(Its.Of.Module, *Its.At, Its.Of.Offset);
    for (Array &A : P.Arrays)
      place(A);
    placeCode(P.Phases, Found.Phases);
    placeCode(P.Tasks, Found.Tasks);
    placeChains();
    findLines();
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
  /// Samples see functions of the system's libraries, too, whose lines help nobody; where these
  /// have been installed, they take longer to read than a short program runs.
  void placeCode(std::vector<Phase> &List, std::vector<std::pair<uint32_t, std::string>> &To) {
    for (uint32_t I = 0; I < List.size(); ++I) {
      if (isSystemLibrary(List[I].Module))
        continue;
      if (const std::vector<Place> &All = Debug.places(List[I].Module, List[I].Offset);
          !All.empty())
        To.emplace_back(I, List[I].Position = text(All.back()));
    }
  }

  /// Of the system's libraries nobody knows the lines.
  const std::vector<Place> &placesOf(const Call &C) {
    static const std::vector<Place> Nowhere;
    return isOwn(C.Module) ? Debug.places(C.Module, C.Offset) : Nowhere;
  }

  bool isOwn(const std::string &Module) const {
    return Module == P.Program ||
           (!isSystemLibrary(Module) &&
            std::any_of(P.Modules.begin(), P.Modules.end(),
                        [&](const auto &M) { return M.Instrumented && M.Path == Module; }));
  }

  static std::string lineOf(const std::string &Module, const Place &At) {
    return Module + ":" + At.File + ":" + std::to_string(At.Line);
  }

  static std::string columnOf(const std::string &Module, const Place &At) {
    return lineOf(Module, At) + ":" + std::to_string(At.Column);
  }

  void note(const std::string &Module, const Place &At, uint64_t Offset) {
    CallsIn[lineOf(Module, At)].insert(Offset);
    CallsAt[columnOf(Module, At)].insert(Offset);
  }

  /// A call among those of its line, or of its column.
  static Among among(const std::set<uint64_t> &Calls, uint64_t Offset) {
    return {static_cast<size_t>(std::distance(Calls.begin(), Calls.find(Offset))), Calls.size()};
  }

  /// The variable that the call in that line is for. @param Inner where what it calls goes on
  std::string variable(const Place &At, const std::string &Module, uint64_t Offset,
                       const Place *Inner = nullptr) {
    return Files.variable(At, among(CallsIn[lineOf(Module, At)], Offset),
                          among(CallsAt[columnOf(Module, At)], Offset), Inner);
  }

  void place(Array &A) {
    if (A.What == Array::Kind::Static)
      nameStatic(A);
    else
      nameBlock(A);
  }

  void nameStatic(Array &A) {
    if (isSystemLibrary(A.Module))
      return;
    A.Variable = Debug.variable(A.Module, A.Name);
    if (!A.Variable.empty())
      found(A, A.Variable, A.Module);
    for (const names::StaticArray &Each : Debug.heldBy(A.Module, A.Name, A.Bytes))
      Found.Held.push_back({A.Rank, Each.Start, Each.Bytes, Each.Name});
  }

  void found(Array &A, const std::string &Name, const std::string &Module) {
    A.Short = Debug.withoutModule(Module, Name);
    Found.Arrays.emplace_back(A.Rank,
                              A.Position + "\n" + Name + (A.Short.empty() ? "" : "\n" + A.Short));
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
    const bool IsKnown = A.Offset && !isSystemLibrary(A.Module);
    return {IsKnown ? innermost(A.Module, A.Offset) : nullptr, {A.Module, A.Offset}};
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
    found(A, A.Name, Its.Of.Module);
  }

  void placeChains() {
    for (const CallChain &Chain : P.Chains)
      for (const Call &C : Chain.Calls)
        for (const Place &At : placesOf(C))
          note(C.Module, At, C.Offset);
    std::vector<Way> Ways;
    for (const CallChain &Chain : P.Chains)
      noteMembers(Ways.emplace_back(wayOf(Chain)));
    for (uint32_t I = 0; I < Ways.size(); ++I)
      if (std::string Text = sitesText(sitesOf(Ways[I])); !Text.empty())
        Found.Chains.emplace_back(I, std::move(Text));
  }

  /// The lines that lead to a chain's site, as mai-run finds them in the program when it runs.
  std::string linesOf(const CallChain &Chain) {
    std::string Text;
    std::string Last;
    unsigned Count = 0;
    for (const Call &C : Chain.Calls) {
      const support::CallPlace At =
          isSystemLibrary(C.Module) ? support::CallPlace() : Debug.callPlace(C.Module, C.Offset);
      if (At.Lines.empty() || Count == MINAS_NAMES_MOST_CALLS)
        continue;
      if (At.Lines != Last)
        Text += (Count++ ? "<" : "") + At.Lines;
      Last = At.Lines;
      if (At.IsOutlined)
        break;
    }
    return Text;
  }

  /// Several allocations of one statement have numbers.
  void findLines() {
    std::map<std::string, unsigned> Sites;
    for (uint32_t I = 0; I < P.Chains.size(); ++I)
      if (std::string Text = linesOf(P.Chains[I]); !Text.empty()) {
        const unsigned Order = ++Sites[Text];
        Found.Lines.emplace_back(I, Order > 1 ? Text + "#" + std::to_string(Order) : Text);
      }
  }

  /// The places in the program's own sources that a chain goes through, each with its variable.
  using Way = std::vector<std::pair<const Place *, std::string>>;

  Way wayOf(const CallChain &Chain) {
    Way All;
    for (const Call &C : Chain.Calls)
      for (const Place &At : placesOf(C))
        if (!isSystemFile(At.File))
          All.emplace_back(
              &At, variable(At, C.Module, C.Offset, All.empty() ? nullptr : All.back().first));
    return All;
  }

  /// Which members objects of a class have that are allocated for them.
  void noteMembers(const Way &Its) {
    for (const auto &[At, Variable] : Its)
      if (const std::optional<Lent> Part = Files.lent(*At, Variable); Part && !Part->Parameter)
        MembersOf[Part->Class].insert(Part->Member);
  }

  /// What a place calls that of which the last one with a name has a part; an object's only array
  /// is called like the object.
  std::string whole(const std::optional<Lent> &Part, const Place &At, const std::string &Variable) {
    const std::string Its = Part ? Files.lender(*Part, At, Variable) : "";
    const bool IsOnly = Part && !Part->Parameter && MembersOf[Part->Class].size() < 2;
    return Its.empty() || IsOnly ? Its : Its + Part->Member;
  }

  std::vector<Site> sitesOf(const Way &Its) {
    std::vector<Site> Sites;
    std::optional<Lent> Part;
    size_t Named = 0; ///< of these the last that has a name
    for (const auto &[At, Variable] : Its) {
      std::string Name = Variable;
      if (std::string Whole = whole(Part, *At, Name); !Whole.empty()) {
        Sites[Named].IsPart = true;
        Name = std::move(Whole);
      }
      Part = Name.empty() && Part ? SourceText::within(*Part, *At) : Files.lent(*At, Name);
      if (Name.empty() && Part && Part->Constructs)
        continue; /* a constructor that has another one construct tells nothing apart */
      Named = Name.empty() ? Named : Sites.size();
      Sites.push_back({text(*At), std::move(Name)});
    }
    return Sites;
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
  SourceText Files;
  std::map<std::string, std::set<uint64_t>> CallsIn;      ///< by line
  std::map<std::string, std::set<uint64_t>> CallsAt;      ///< by line and column
  std::map<std::string, std::set<std::string>> MembersOf; ///< by class
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
