//===-- Verify.cpp - is the new text a program? -----------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The new text is parsed again before it goes anywhere.  Most of it was parsed when the file was
// analysed, so an *excerpt* is parsed first, without what cannot have come to mean anything else:
//
//   - what follows the last edit, and functions without an edit.  An edit adds names that begin
//     with mai_ to the program, of which no identifier does (else all is parsed); and a pointer in
//     the place of an array means the same in every use but those for which analysis refuses it.
//   - of entries that say the same about different arrays all but the first.  In their places stand
//     declarations of the same names which hold only where the array is declared as it was.
//
// What is left out can make the excerpt fail, such as a table of functions; it cannot make it
// succeed.  Where the excerpt fails the whole text is parsed, and that decides.
//
//===----------------------------------------------------------------------===//

#include "Verify.h"

#include "Rewrite.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

#include <set>
#include <tuple>

using namespace mapp;

namespace {

/// Nothing in this text of a function means anything outside of it: there is no directive in it but
/// OpenMP's own, in whatever spelling.
bool standsAlone(llvm::StringRef Text) {
  for (size_t At = Text.find_first_of("#%?_"); At != llvm::StringRef::npos;
       At = Text.find_first_of("#%?_", At + 1)) {
    const llvm::StringRef Here = Text.drop_front(At);
    if (Here.starts_with("_Pragma") || Here.starts_with("%:") || Here.starts_with("?\?=") ||
        (Here[0] == '#' && !Here.drop_front().ltrim(" \t").starts_with("pragma omp ")))
      return false;
  }
  return true;
}

/// The names of the functions that static initialisers may mention.
llvm::StringSet<> functionsInTables(const Facts &Unit) {
  llvm::StringSet<> Names;
  for (const std::string &Key : Unit.AddressTaken)
    Names.insert(llvm::StringRef(Key).split('@').first);
  return Names;
}

/// The edits that make the excerpt, in the order of the text. Those of `Edits` are among them.
std::vector<Edit> excerpt(const Facts &Unit, const std::vector<Edit> &Edits) {
  std::vector<Edit> All = Edits;
  for (Edit &E : All)
    if (!E.Instead.empty())
      E.Inserted = E.Instead;
  const llvm::StringRef Text = Unit.Text;
  const llvm::StringSet<> Needed = functionsInTables(Unit);
  for (const BodyText &Body : Unit.Bodies) {
    const bool Whole = Body.Definition != None && !Needed.contains(Body.Function);
    const uint32_t Begin = Whole ? Body.Definition : Body.Begin;
    const uint32_t End = Whole ? Body.End + 1 : Body.End;
    const auto First = llvm::lower_bound(
        Edits, Begin, [](const Edit &E, uint32_t Offset) { return E.Offset < Offset; });
    const bool Edited = First != Edits.end() && First->Offset < End;
    if (!Edited && standsAlone(Text.slice(Begin, End)))
      All.push_back({Begin, End - Begin, ""});
  }
  llvm::stable_sort(All, [](const Edit &L, const Edit &R) { return L.Offset < R.Offset; });
  return All;
}

/// Parses the excerpt.
std::string reparseExcerpt(const Frontend &Clang, const Facts &Unit, const Plan &P,
                           const std::vector<Edit> &Edits, std::vector<PlacedArray> &Placed) {
  Frontend::Part Changed;
  for (const Decision &D : P.Decisions)
    if (D.Unit == &Unit && D.What == Decision::Outcome::Place)
      Changed.Bodies.insert(D.At->InFunction);
  std::vector<Edit> All = excerpt(Unit, Edits);
  const size_t Last = Edits.back().Offset + Edits.back().Removed;
  llvm::erase_if(All, [&](const Edit &E) { return E.Offset + E.Removed > Last; });
  const std::string Begin = applied(Unit.Text.substr(0, Last), All);
  Changed.End = Begin.size();
  return Clang.reparse(Unit, Begin + Unit.Text.substr(Last), &Changed, Placed);
}

/// What is wrong, given the first error of a parse and the arrays that it found placed.
Remark judge(const Facts &Unit, const Plan &P, const std::string &Error,
             const std::vector<PlacedArray> &Placed) {
  if (!Error.empty())
    return {Topic::WouldNotCompile, "the rewritten text would not compile: " + Error};
  std::set<std::tuple<std::string, std::string, uint64_t>> Found;
  for (const PlacedArray &Array : Placed)
    Found.emplace(Array.Name, Array.InFunction, Array.Bytes);
  const bool Complete = llvm::all_of(P.Decisions, [&](const Decision &D) {
    if (D.Unit != &Unit || D.What != Decision::Outcome::Place)
      return true;
    const bool IsBlock = D.At->Allocated.has_value();
    return Found.count({IsBlock ? D.Text.Object : D.At->Name, D.At->InFunction,
                        IsBlock ? 0 : D.At->Bytes}) > 0;
  });
  if (Complete)
    return {};
  return {Topic::MeansElse, "after its declaration its name or its type means something else"};
}

} // namespace

Remark mapp::fault(const Frontend &Clang, const Facts &Unit, const Plan &P,
                   const std::vector<Edit> &Edits) {
  std::vector<PlacedArray> Placed;
  if (!Unit.MentionsMAi && !Edits.empty()) {
    const std::string Error = reparseExcerpt(Clang, Unit, P, Edits, Placed);
    if (judge(Unit, P, Error, Placed).empty())
      return {};
    Placed.clear();
  }
  const std::string Error = Clang.reparse(Unit, applied(Unit.Text, Edits), nullptr, Placed);
  return judge(Unit, P, Error, Placed);
}
