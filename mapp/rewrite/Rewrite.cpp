//===-- Rewrite.cpp - phase 4: the new text ---------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Rewrite.h"

#include "mapp/choice/RangeText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>

using namespace mapp;

namespace {

//===-- Lines -----------------------------------------------------------------===//

class Text {
public:
  explicit Text(llvm::StringRef All) : Characters(All) {}

  size_t lineBegin(size_t Offset) const {
    const size_t Break = Characters.take_front(Offset).find_last_of('\n');
    return Break == llvm::StringRef::npos ? 0 : Break + 1;
  }

  /// Where the line's characters end: before its line break, if it has one.
  size_t lineEnd(size_t Offset) const {
    const size_t Break = std::min(Characters.find('\n', Offset), Characters.size());
    return Break > Offset && Characters[Break - 1] == '\r' ? Break - 1 : Break;
  }

  /// The line break in use at `Offset`; at the end of a file without one, that of its first line.
  std::string lineBreak(size_t Offset) const {
    size_t Break = Characters.find('\n', Offset);
    if (Break == llvm::StringRef::npos)
      Break = Characters.find('\n');
    const bool Windows =
        Break != llvm::StringRef::npos && Break > 0 && Characters[Break - 1] == '\r';
    return Windows ? "\r\n" : "\n";
  }

  std::string indentation(size_t Offset) const {
    return Characters.drop_front(lineBegin(Offset))
        .take_while([](char C) { return C == ' ' || C == '\t'; })
        .str();
  }

  /// Nothing but blanks and whole comments stand between `Offset` and the end of the line.
  bool onlyCommentsFollow(size_t Offset) const {
    llvm::StringRef Rest = Characters.slice(Offset, lineEnd(Offset)).ltrim(" \t\f\v");
    while (Rest.starts_with("/*")) {
      const size_t End = Rest.find("*/", 2);
      if (End == llvm::StringRef::npos)
        return false;
      Rest = Rest.drop_front(End + 2).ltrim(" \t\f\v");
    }
    const bool Continued = Rest.ends_with("\\") || Rest.ends_with("?\?/");
    return Rest.empty() || (Rest.starts_with("//") && !Continued);
  }

  llvm::StringRef Characters;
};

//===-- Statements --------------------------------------------------------------===//

/// The size of the memory that a pointer in the place of an array gets.
std::string heapSize(const Facts &Unit, const ArrayDeclaration &Array) {
  const HeapForm &Heap = Array.Heap;
  return "sizeof(" + Heap.ElementType +
         Unit.Text.substr(Heap.FirstBracket, Heap.LastBracketEnd - Heap.FirstBracket) + ")";
}

/// How many dimensions MAi has to know, as the names of its macros end.
std::string told(const Decision &D) {
  const unsigned Dimension = D.Chosen.policy().Dimension;
  return Dimension == 0 ? "" : llvm::formatv("_{0}D", Dimension + 1).str();
}

std::string statement(const Facts &Unit, const Decision &D, Mode M) {
  const ArrayDeclaration &Array = *D.At;
  const std::string Policy = policyEntry(D.Chosen.policy());
  // Reasons are made of identifiers and our own words: nothing in them ends a comment.
  const std::string Comment = "; /* mapp: " + D.Chosen.reason() + " */";
  if (M == Mode::Heap)
    return (Array.InFunction.empty() ? std::string("MAI_HEAP") : "MAI_HEAP_LOCAL") + told(D) + "(" +
           Array.Name + ", " + heapSize(Unit, Array) + ", " + Policy + ")" + Comment;
  const CountedBy &Counter = D.Chosen.policy().Counter;
  const std::string InUse =
      Counter.Name.empty() ? "" : llvm::formatv("{0}, {1}, ", Counter.Name, Counter.Units).str();
  const std::string Kind = told(D) + (InUse.empty() ? "" : "_IN_USE");
  if (Array.Object.empty())
    return "MAI_STATIC" + Kind + "(" + Array.Name + ", " + InUse + Policy + ")" + Comment;
  return "MAI_STATIC_PART" + Kind + "(" + Array.Identifier + ", " + Array.Written + ", " + InUse +
         Policy + ")" + Comment;
}

/// Equal for entries that differ in no more than names and numbers.
std::string likeness(const Decision &D) {
  const ArrayDeclaration &Array = *D.At;
  const Candidate &C = D.Chosen.policy();
  const bool IsNumbers = C.Range && !C.InParts; // That they are chosen by.
  return told(D) + C.Counter.Name + std::to_string(Array.Extents.size()) +
         (IsNumbers ? policyText(C) + " of a range" : policyEntry(C));
}

/// See Edit::Instead. A quotient by zero is no constant. The array comes first in the divisor, and
/// its bytes last.
std::string standIn(const Facts &Unit, const Decision &D, Mode M) {
  const ArrayDeclaration &Array = *D.At;
  const Candidate &C = D.Chosen.policy();
  const std::string Bytes = std::to_string(Array.Bytes);
  std::string Holds =
      M == Mode::Heap ? llvm::formatv("sizeof(*({0})) == {1}", Array.Name, Array.UnitBytes).str()
                      : llvm::formatv("sizeof({0}) == {1}", written(Array), Bytes).str();
  if (C.Range && !C.InParts && !llvm::all_of(C.Range->Count, llvm::isDigit))
    Holds += llvm::formatv(" && {0} == {1}", C.Range->Count, C.Count).str();
  if (M == Mode::Heap)
    Holds += " && " + heapSize(Unit, Array) + " == " + Bytes;
  else
    Holds += " && " + Bytes;
  return "enum { mai_static_" + (Array.Object.empty() ? Array.Name : Array.Identifier) +
         " = 1 / (" + Holds + ") };";
}

/// The last declaration of those that the entry names.
const Site &siteOf(const Decision &D) {
  const CountedBy &Counter = D.Chosen.policy().Counter;
  const bool Later = !Counter.Name.empty() && Counter.Edit.After > D.At->Edit.After;
  return Later ? Counter.Edit : D.At->Edit;
}

/// On a line of its own after the declaration, or right after its end where that line goes on.
Edit statementEdit(const Text &T, const Decision &D, const std::string &Statement) {
  const Site &At = siteOf(D);
  if (!T.onlyCommentsFollow(At.After))
    return {At.After, 0, " " + Statement};
  return {static_cast<uint32_t>(T.lineEnd(At.After)), 0,
          T.lineBreak(At.After) + T.indentation(At.BeginOffset) + Statement};
}

/// Nothing but insertions, all in the lines of the call.
void addBlockEdits(const Decision &D, std::vector<Edit> &Edits) {
  const Block &B = *D.At->Allocated;
  Edits.push_back({B.Begin, 0, D.Text.Before});
  for (const BlockText::Insertion &I : D.Text.Inside)
    Edits.push_back({I.Offset, 0, I.Text});
  Edits.push_back({B.End, 0, D.Text.Behind + " /* mapp: " + D.Chosen.reason() + " */)"});
}

/// The calls of this unit that blocks are placed by, each with its name.
std::map<uint32_t, CallersPolicy> namedCalls(const Facts &Unit, const Plan &P) {
  std::map<uint32_t, CallersPolicy> Found;
  for (const Decision &D : P.Decisions)
    if (D.What == Decision::Outcome::Place)
      for (const CallersPolicy &One : D.Chosen.policy().ByCaller)
        if (One.From.Unit == &Unit)
          Found.emplace(One.From.At->Begin, One);
  return Found;
}

/// What is put around a call stands outside of what is put around the block that it returns.
void addCallEdits(const std::map<uint32_t, CallersPolicy> &Calls, std::vector<Edit> &Edits) {
  std::vector<Edit> Begins;
  for (const auto &[Begin, One] : Calls) {
    const std::string About = "the call of line " + std::to_string(One.From.At->Line);
    Begins.push_back({Begin, 0, "MAI_CALLING(\"" + One.Caller + "\", ", {}, About});
    Edits.push_back({One.From.At->End, 0, ")", {}, About});
  }
  Edits.insert(Edits.begin(), Begins.begin(), Begins.end());
}

/// `T a[N][M]` becomes `T (*a)[M]`, `T a[N]` becomes `T *a`.
void addPointerEdits(const ArrayDeclaration &Array, std::vector<Edit> &Edits) {
  const HeapForm &Heap = Array.Heap;
  const bool Rows = Heap.LastBracketEnd > Heap.FirstBracketEnd;
  const std::string Star = Heap.Restrict ? "*" + Heap.RestrictKeyword + " " : "*";
  Edits.push_back({Array.Edit.NameOffset, 0, (Rows ? "(" : "") + Star});
  Edits.push_back({Heap.FirstBracket, Heap.FirstBracketEnd - Heap.FirstBracket, Rows ? ")" : ""});
}

/// Of the arrays that one statement declares, the first puts `static` in front of it.
void addStatic(const Site &At, std::vector<Edit> &Edits) {
  const auto IsThere = [&At](const Edit &E) { return E.Offset == At.BeginOffset; };
  if (At.MakeStatic && llvm::none_of(Edits, IsThere))
    Edits.push_back({At.BeginOffset, 0, "static "});
}

Edit includeEdit(const Text &T, uint32_t Offset) {
  const std::string Break = T.lineBreak(0);
  const std::string Directive = "#include <mai_static.h>" + Break;
  const size_t Begin = T.lineBegin(Offset);
  const llvm::StringRef Before = T.Characters.slice(Begin, Offset);
  if (Before.trim().empty())
    return {static_cast<uint32_t>(Begin), 0, Directive};
  const bool ByteOrderMark = Before == "\xEF\xBB\xBF";
  return {Offset, 0, ByteOrderMark ? Directive : Break + Directive};
}

/// Which number the compiler gives to a line, where the text has #line directives of its own, too.
class LineCounter {
public:
  explicit LineCounter(llvm::StringRef All) : Rest(All) {}

  /// @param Offset not before that of the last call
  uint64_t at(size_t Offset) {
    for (size_t Break = 0; (Break = Rest.find('\n')) < Offset - Begin; ++Line) {
      setBy(Rest.take_front(Break));
      Rest = Rest.drop_front(Break + 1);
      Begin += Break + 1;
    }
    return Line;
  }

private:
  void setBy(llvm::StringRef Text) {
    uint64_t Next = 0;
    Text = Text.ltrim(" \t");
    if (!Text.consume_front("#"))
      return;
    Text = Text.ltrim(" \t");
    Text.consume_front("line");
    if (!Text.ltrim(" \t").consumeInteger(10, Next))
      Line = Next - 1;
  }

  llvm::StringRef Rest;
  size_t Begin = 0;
  uint64_t Line = 1;
};

std::string directive(uint64_t Line) { return "#line " + std::to_string(Line); }

} // namespace

std::string mapp::applied(const std::string &Text, const std::vector<Edit> &Edits) {
  const llvm::StringRef Old = Text;
  std::string New;
  size_t Copied = 0;
  for (const Edit &E : Edits) {
    New += Old.slice(Copied, E.Offset);
    New += E.Inserted;
    Copied = E.Offset + E.Removed;
  }
  return New + Old.drop_front(Copied).str();
}

std::vector<Edit> mapp::edits(const Facts &Unit, const Plan &P, Mode M) {
  if (P.FirstTouch)
    return (*P.FirstTouch)[Unit.Unit];
  const Text T(Unit.Text);
  std::vector<const Decision *> Placed;
  for (const Decision &D : P.Decisions)
    if (D.Unit == &Unit && D.What == Decision::Outcome::Place)
      Placed.push_back(&D);
  const std::map<uint32_t, CallersPolicy> Named = namedCalls(Unit, P);
  if (Placed.empty() && Named.empty())
    return {};
  llvm::sort(Placed, [](const Decision *L, const Decision *R) {
    return L->At->Edit.NameOffset < R->At->Edit.NameOffset;
  });

  std::vector<Edit> Edits;
  const uint32_t Begin = std::min(Placed.empty() ? None : Placed[0]->At->Edit.NameOffset,
                                  Named.empty() ? None : Named.begin()->first);
  const bool Includes = Unit.HeaderOffset >= Begin; // None is the greatest.
  llvm::StringSet<> Said;                           // What an entry is like that is there already.
  for (const Decision *D : Placed) {
    const size_t First = Edits.size();
    if (D->At->Allocated) {
      addBlockEdits(*D, Edits);
    } else {
      addStatic(D->At->Edit, Edits);
      if (M == Mode::Heap)
        addPointerEdits(*D->At, Edits);
      Edits.push_back(statementEdit(T, *D, statement(Unit, *D, M)));
      if (!Said.insert(likeness(*D)).second)
        Edits.back().Instead = statementEdit(T, *D, standIn(Unit, *D, M)).Inserted;
    }
    for (Edit &E : llvm::drop_begin(Edits, First))
      E.About = D->At->Name + " of line " + std::to_string(D->At->Where.Line);
  }
  addCallEdits(Named, Edits);
  if (Includes)
    Edits.insert(Edits.begin(), includeEdit(T, Unit.IncludeOffset));
  llvm::stable_sort(Edits, [](const Edit &L, const Edit &R) { return L.Offset < R.Offset; });
  return Edits;
}

std::vector<Edit> mapp::keepingLines(const std::string &Before, const std::vector<Edit> &Given) {
  const Text T(Before);
  std::vector<Edit> Edits;
  for (const Edit &E : Given) // What stands in one place becomes one.
    if (!Edits.empty() && Edits.back().Removed == 0 && Edits.back().Offset == E.Offset)
      Edits.back() = {E.Offset, E.Removed, Edits.back().Inserted + E.Inserted};
    else
      Edits.push_back(E);
  LineCounter Lines(T.Characters);
  for (Edit &E : Edits) {
    const size_t Behind = E.Offset + E.Removed;
    const llvm::StringRef Inserted = E.Inserted;
    if (Inserted.count('\n') == T.Characters.slice(E.Offset, Behind).count('\n'))
      continue;
    const std::string Break = T.lineBreak(Behind);
    const uint64_t Line = Lines.at(Behind);
    const bool Broken = Inserted.ends_with("\n");
    const bool AtEnd = !Broken && T.lineEnd(Behind) == Behind;
    // What follows a line counts as that line. Where the line ends here, its break follows the
    // directive, and the next line the break.
    const std::string Same = Inserted.starts_with(Break) ? Break + directive(Line) : "";
    E.Inserted = Same + E.Inserted + (Broken ? "" : Break) + directive(AtEnd ? Line + 1 : Line) +
                 (AtEnd ? "" : Break);
  }
  return Edits;
}
