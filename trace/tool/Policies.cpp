//===-- Policies.cpp - a file of policies for runs that nobody traces *- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Policies.h"

#include "Cures.h"
#include "support/Text.h"
#include "trace/profile/SampleError.h"

#include "llvm/Support/Path.h"

#include <algorithm>
#include <map>
#include <set>

using namespace maiprof;
using support::oneLine;
using support::percentText;

namespace {

/// Of all accesses those that an array must have to be worth a line.
constexpr double LeastShare = 0.002;

/// An array, and how much it is used.
std::string shareOf(const ArrayUse &A, double All) {
  return oneLine(A.Name) + ": " + percentText(double(A.Accesses.sum()) / All) +
         " of the accesses; ";
}

/// What was counted that speaks for a policy.
std::string evidence(const ArrayUse &A, const advice::Advice &Its, double All) {
  return shareOf(A, All) + "remote " + percentText(Its.Now.Remote) + " -> " +
         percentText(Its.Then.Remote) + ", busiest node " + percentText(Its.Now.Busiest) + " -> " +
         percentText(Its.Then.Busiest) + "; " + oneLine(Its.Reason);
}

/// The same for one that is where it should be, and why it may not be in another run.
std::string asItIs(const ArrayUse &A, double All, bool IsReused) {
  return "    # " + shareOf(A, All) +
         (IsReused ? "comes and goes, and memory that is used again lies where it was\n"
                   : "well by first touch, unless huge pages hold parts of several threads\n");
}

/// The same for one that is left where it is, though one memory serves it.
std::string leftAlone(const ArrayUse &A, double All) {
  return "    # " + shareOf(A, All) +
         "without the first # one memory does not serve all, and more accesses may be remote\n";
}

/// What is allocated by malloc() and its like, or not at all.
bool isOfProgram(const ArrayUse &A) {
  return A.What == Array::Kind::Heap || A.What == Array::Kind::Static;
}

class Writer {
public:
  Writer(const Profile &Counted, const Usage &Used)
      : P(Counted), U(Used), Advisor(Counted, Used.Where, advice::Runs::Larger),
        All(double(std::max<uint64_t>(1, Used.Total.Accesses.sum() + Counted.OnOwnStacks.sum()))) {}

  std::string write(const std::string &File) {
    const std::vector<advice::Advice> OfArrays = Advisor.of(U.Arrays);
    for (size_t I = 0; I < U.Arrays.size(); ++I) /* most accesses first */
      if (isWorthALine(U.Arrays[I]))
        add(U.Arrays[I], OfArrays[I]);
    const std::string Missing = samplesMissing();
    const bool IsNothing = Found.empty() && Missing.empty();
    return head(File) + (IsNothing ? "# Nothing is to be gained.\n" : "") + lines() + Without +
           Missing;
  }

private:
  std::string head(const std::string &File) const {
    const std::string Program = llvm::sys::path::filename(P.Program).str();
    return "# Policies for " + oneLine(Program) + ", by " + oneLine(File) + ": " +
           std::to_string(P.Threads.size()) + " threads on " + std::to_string(U.Where.Nodes) +
           (U.Where.Imagined ? " imagined" : "") + " nodes.\n# mai-run -p @THIS-FILE ./" +
           oneLine(Program) +
           "    the first line that fits a block holds; change what you know better.\n";
  }

  bool isUsedMuch(const ArrayUse &A) const {
    return A.IsArray && double(A.Accesses.sum()) >= LeastShare * All;
  }

  bool isWorthALine(const ArrayUse &A) const {
    return isUsedMuch(A) && !isTooFew(P, double(A.Accesses.sum()));
  }

  /// Of how many arrays there are too few samples, and what to do; empty where there are enough.
  std::string samplesMissing() const {
    const auto Few = std::count_if(U.Arrays.begin(), U.Arrays.end(), [&](const ArrayUse &A) {
      return isUsedMuch(A) && isTooFew(P, double(A.Accesses.sum()));
    });
    return Few == 0 ? ""
                    : "# " + std::to_string(Few) + (Few == 1 ? " array has" : " arrays have") +
                          " too few samples for a policy: sample a longer run, or more often "
                          "(mai-trace record -F).\n";
  }

  void add(const ArrayUse &A, const advice::Advice &Its) {
    const bool IsReused = comesAndGoes(P, A);
    const std::set<std::string> Names = runNamesWithLines(P, A);
    const bool MayChange = IsReused || (Its.IsAsGood && A.What == Array::Kind::Heap);
    if (Its.IsWell && MayChange && !Its.OfRows && !Its.AsWell.empty())
      for (const std::string &Name : Names)
        addLine(A, Name, Its.AsWell, asItIs(A, All, IsReused));
    else if (Its.IsTouchedApart && !IsReused && isOfProgram(A) && !Its.OfRows)
      for (const std::string &Name : Names)
        addLine(A, Name, "local", asItIs(A, All, IsReused));
    if (Its.IsWell && !Its.Sparing.empty() && !Its.OfRows)
      for (const std::string &Name : Names)
        Without += "# " + Name + ": " + Its.Sparing + leftAlone(A, All);
    if (Its.IsWell || (IsReused && !Its.Divides))
      return;
    const std::string Evidence = "    # " + evidence(A, Its, All) + "\n";
    if (Its.Relative.empty() || Names.empty())
      Without += "# no policy for blocks of any size says \"" + Its.Policy +
                 (Its.OfRows ? " of its rows" : "") + "\"" + Evidence;
    else
      for (const std::string &Name : Names)
        addLine(A, (Its.OfRows ? "rows of " : "") + Name, Its.Relative, Evidence);
  }

  void addLine(const ArrayUse &A, const std::string &Name, const std::string &Policy,
               const std::string &Evidence) {
    Found.push_back({Name, Policy, Evidence});
    Accesses[Name][Policy] += A.Accesses.sum();
  }

  /// Of one name the policy holds that is for the most accesses.
  std::string lines() const {
    std::string Result;
    std::set<std::string> Written;
    for (const Line &Each : Found) {
      const std::map<std::string, uint64_t> &ByPolicy = Accesses.at(Each.Name);
      const auto Holds = std::max_element(
          ByPolicy.begin(), ByPolicy.end(),
          [](const auto &Left, const auto &Right) { return Left.second < Right.second; });
      const bool IsOther = Each.Policy != Holds->first;
      if (IsOther || Written.insert(Each.Name).second)
        Result += (IsOther ? "# the same place, where one policy holds: " : "") + Each.Name + ": " +
                  Each.Policy + Each.Evidence;
    }
    return Result;
  }

  struct Line {
    std::string Name, Policy, Evidence;
  };

  const Profile &P;
  const Usage &U;
  advice::ProfileAdvisor Advisor;
  double All;
  std::vector<Line> Found;
  std::map<std::string, std::map<std::string, uint64_t>> Accesses; ///< by name and policy
  std::string Without;
};

} // namespace

std::string maiprof::policiesText(const Profile &P, const Usage &U, const std::string &File) {
  return Writer(P, U).write(File);
}
