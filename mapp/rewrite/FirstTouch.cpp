//===-- FirstTouch.cpp - loops that touch arrays first ----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "FirstTouch.h"

#include "Rewrite.h"
#include "mapp/frontend/Frontend.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FormatVariadic.h"

#include <set>

using namespace mapp;

namespace {

/// A place in a function.
struct Spot {
  const Facts *Unit = nullptr;
  const Function *In = nullptr;
  unsigned Line = 0;
};

Remark none(std::string Why) { return {Topic::NoFirstTouch, std::move(Why)}; }

//===-- Where a function runs ---------------------------------------------------===//

/// The functions that may run within a parallel region. Those that pointers reach may: there others
/// would write to the array while the loop does.
std::set<std::string> functionsInRegions(const std::vector<Facts> &Units) {
  const auto IsInside = [](const Facts &Unit, uint32_t Scope) {
    for (; Scope != None; Scope = Unit.Scopes[Scope].Parent)
      if (Unit.Scopes[Scope].Kind == ScopeKind::Parallel)
        return true;
    return false;
  };
  std::set<std::string> Found;
  for (const Facts &Unit : Units)
    Found.insert(Unit.AddressTaken.begin(), Unit.AddressTaken.end());
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const Facts &Unit : Units)
      for (const Function &F : Unit.Functions)
        for (const Call &C : F.Calls)
          if (!C.Callee.empty() && (Found.count(F.Key) || IsInside(Unit, C.Scope)))
            Changed |= Found.insert(C.Callee).second;
  }
  return Found;
}

//===-- Where a loop can stand ----------------------------------------------------===//

/// The end of the line before that of `Offset`, where text may be inserted, and the start of it.
size_t lineBegin(llvm::StringRef Text, size_t Offset) {
  const size_t Break = Text.take_front(Offset).rfind('\n');
  return Break == llvm::StringRef::npos ? 0 : Break + 1;
}

bool isPragma(llvm::StringRef Line) {
  Line = Line.ltrim(" \t");
  return Line.consume_front("#") && Line.ltrim(" \t").starts_with("pragma");
}

/// The begin of the statement's line, or of the pragmas in front that belong to it; None where
/// something else stands in front of it in its line.
uint32_t insertionPoint(llvm::StringRef Text, uint32_t Statement) {
  size_t Begin = lineBegin(Text, Statement);
  const llvm::StringRef Before = Text.slice(Begin, Statement);
  if (!Before.trim(" \t").empty() && !isPragma(Before))
    return None;
  while (Begin > 0) {
    const size_t Above = lineBegin(Text, Begin - 1);
    const llvm::StringRef Line = Text.slice(Above, Begin).rtrim("\r\n");
    if (Line.ends_with("\\"))
      return None; // What it goes on from is not looked for.
    if (!isPragma(Line))
      break;
    Begin = Above;
  }
  return static_cast<uint32_t>(Begin);
}

//===-- One array -----------------------------------------------------------------===//

/// Looks for the loop of one array.
class Search {
public:
  Search(const Plan &P, const Decision &Of, const std::vector<Facts> &Program,
         const std::set<std::string> &InRegions)
      : D(Of), Array(*Of.At), Uses(P.usesOf(Of)), Units(Program), Regions(InRegions) {}

  /// Why there is no loop, or nothing after `Found` and `At` are set.
  Remark run(Edit &Found, Spot &At) const {
    if (Remark Why = fitsSchedule(); !Why.empty())
      return Why;
    const Use *First = firstWrite(Uses);
    if (!First)
      return none("nothing in the files given writes to it");
    if (First->How != Pattern::OneThread)
      return none("the threads are the first to write to it as it is");
    At = spotOf(*First);
    if (!At.In)
      return none("what writes it first is reached through a pointer whose origin is not plain");
    if (Regions.count(At.In->Key))
      return none(At.In->Name + "(), which writes it first, may be called by a team");
    return place(Found, At);
  }

private:
  /// A simple loop divides rows as schedule(static) does, and nothing else.
  Remark fitsSchedule() const {
    const Candidate &C = D.Chosen.policy();
    if (Array.Allocated)
      return none("its size is not that of what names it: it is a block of the heap");
    if (C.What != Policy::Block)
      return none("its pages are to be " + policyText(C) + ", which no simple loop does");
    if (C.Dimension > 0)
      return none("its columns are to be divided, which no simple loop does");
    if (C.Reversed)
      return none("its first thread has the last rows, which needs another loop");
    if (!C.Shares.empty() || C.InParts)
      return none("its parts are unequal, as counted, which no schedule knows");
    if (C.Count > 0 && C.Count < Array.Extents[0] * 7 / 8)
      return none("loops run over a part of it only");
    if (C.Filled || !C.By.Name.empty())
      return none("how much of it is used is known only when it is filled");
    return {};
  }

  bool isArray(const Facts &Unit, uint32_t Base) const {
    return Base != None && Unit.Bases[Base].Kind == BaseKind::Object &&
           Unit.Bases[Base].Key == (Array.Object.empty() ? Array.Key : Array.Object);
  }

  /// Where a function that knows the array by its name writes it first, or passes it to who does.
  Spot spotOf(const Use &First) const {
    for (const Facts &Unit : Units)
      for (const Function &F : Unit.Functions)
        if (&F == First.In)
          for (const Access &A : F.Accesses)
            if (A.Line == First.Line && isArray(Unit, A.Address.Base))
              return {&Unit, &F, A.Line};
    for (const Facts &Unit : Units)
      for (const Function &F : Unit.Functions)
        for (const Call &C : F.Calls)
          if (C.Callee == First.In->Key &&
              llvm::any_of(C.Arguments, [&](const Value &V) { return isArray(Unit, V.Base); }))
            return {&Unit, &F, C.Line};
    return {};
  }

  Remark place(Edit &Found, const Spot &At) const {
    const auto Body = llvm::find_if(At.Unit->Bodies,
                                    [&](const BodyText &B) { return B.Function == At.In->Name; });
    if (Body == At.Unit->Bodies.end())
      return none(At.In->Name + "(), which writes it first, is not in a file that is edited");
    const BodyStatement *Only = nullptr;
    for (const BodyStatement &S : Body->Statements)
      if (S.FirstLine <= At.Line && At.Line <= S.LastLine) {
        if (Only)
          return none("more than one statement stands in the line that writes it first");
        Only = &S;
      }
    const uint32_t Offset =
        Only && !Only->Declares ? insertionPoint(At.Unit->Text, Only->Begin) : None;
    if (Offset == None || Offset < Body->Begin)
      return none("in front of what writes it first no statement can be inserted");
    Found = {Offset, 0, text(*At.Unit, Only->Begin)};
    Found.About = Array.Name + " of line " + std::to_string(Array.Where.Line);
    return {};
  }

  //===-- Text --------------------------------------------------------------------===//

  std::string text(const Facts &Unit, uint32_t Statement) const {
    const llvm::StringRef All = Unit.Text;
    // Of the statement itself: pragmas in front of it have none.
    llvm::StringRef Rest = All.drop_front(lineBegin(All, Statement));
    while (isPragma(Rest.take_until([](char C) { return C == '\n'; })))
      Rest = Rest.split('\n').second;
    const std::string Indent = Rest.take_while([](char C) { return C == ' ' || C == '\t'; }).str();
    const size_t First = All.find('\n');
    const std::string Break =
        First != llvm::StringRef::npos && First > 0 && All[First - 1] == '\r' ? "\r\n" : "\n";
    std::string Result;
    for (const std::string &Line : lines(Unit.DeclaresInLoops))
      Result += (Line[0] == '#' ? "" : Indent) + Line + Break;
    return Result;
  }

  /// The loop, one string a line.
  std::vector<std::string> lines(bool DeclaresInLoops) const {
    constexpr uint64_t PageBytes = 4096;
    const std::string &Name = Array.Name;
    const std::string Row = "((volatile char *)&" + Name + "[mapp_i])";
    const bool Long = Array.UnitBytes > PageBytes;
    const std::string Type = DeclaresInLoops ? "unsigned long " : "";
    const int64_t Threads = D.Chosen.policy().Team;
    const std::string Team = Threads > 0 ? llvm::formatv(" num_threads({0})", Threads).str() : "";
    std::vector<std::string> Lines;
    if (!DeclaresInLoops)
      Lines.push_back(Long ? "{ unsigned long mapp_i, mapp_b;" : "{ unsigned long mapp_i;");
    Lines.push_back("#pragma omp parallel for schedule(static)" + Team +
                    (Long && !DeclaresInLoops ? " private(mapp_b)" : "") +
                    " /* mapp: first touch of " + Array.Name + " */");
    Lines.push_back(llvm::formatv(
        "for ({0}mapp_i = 0; mapp_i < sizeof {1} / sizeof {1}[0]; mapp_i++)", Type, Name));
    if (Long)
      Lines.push_back(llvm::formatv("  for ({0}mapp_b = 0; mapp_b < sizeof {1}[0]; mapp_b += {2})",
                                    Type, Name, PageBytes));
    const std::string Byte = Row + (Long ? "[mapp_b]" : "[0]");
    Lines.push_back((Long ? "    " : "  ") + Byte + " = " + Byte + ";");
    if (!DeclaresInLoops)
      Lines.push_back("} /* mapp_i */");
    return Lines;
  }

  const Decision &D;
  const ArrayDeclaration &Array;
  const std::vector<Use> Uses;
  const std::vector<Facts> &Units;
  const std::set<std::string> &Regions;
};

/// The first error of a file with these edits; empty where it is a program.
std::string errorOf(const Frontend &Clang, const Facts &Unit, const std::vector<Edit> &Edits) {
  std::vector<PlacedArray> Placed;
  return Clang.reparse(Unit, applied(Unit.Text, Edits), nullptr, Placed);
}

} // namespace

void mapp::suggestFirstTouch(Plan &P, const std::vector<Facts> &Units, const Frontend &Clang) {
  const std::set<std::string> Regions = functionsInRegions(Units);
  P.FirstTouch.emplace(Units.size());
  for (Decision &D : P.Decisions) {
    if (D.What != Decision::Outcome::Place)
      continue;
    Edit Found{};
    Spot At;
    Remark Why = Search(P, D, Units, Regions).run(Found, At);
    if (Why.empty())
      if (const std::string Error = errorOf(Clang, *At.Unit, {Found}); !Error.empty())
        Why = none("the text with a loop would not compile: " + Error);
    if (Why.empty()) {
      (*P.FirstTouch)[At.Unit->Unit].push_back(Found);
      P.Notes.push_back(
          {{Topic::FirstTouch, D.At->Name +
                                   ": a loop in front of this lets each thread touch first what it "
                                   "uses"},
           {At.In->File, At.Line}});
    } else {
      P.Notes.push_back(
          {{Why.Number, D.At->Name + ": no loop for first touch: " + Why.Text}, D.At->Where});
    }
    D.What = Decision::Outcome::LeftAlone;
  }
  for (std::vector<Edit> &Edits : *P.FirstTouch)
    llvm::stable_sort(Edits, [](const Edit &L, const Edit &R) { return L.Offset < R.Offset; });
}
