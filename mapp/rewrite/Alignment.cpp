//===-- Alignment.cpp - what of a text is left in an edited one -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A range whose text stands nowhere else is there, wherever somebody has moved it.  The others are
// looked for between those: tokens are aligned and, where there are too many, lines first, by those
// that stand once in both versions (a patience diff).  Among the tokens a range is one token that
// counts more than all else: an alignment that loses it for the sake of other text would take what
// was moved across it for the user's own.
//
//===----------------------------------------------------------------------===//

#include "Alignment.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

#include <algorithm>

using namespace mapp;

namespace {

constexpr size_t Nowhere = llvm::StringRef::npos;

//===-- Lines -------------------------------------------------------------------===//

/// The lines of a text, each with its line end.
std::vector<Range> linesOf(llvm::StringRef Text) {
  std::vector<Range> Lines;
  for (size_t Begin = 0; Begin < Text.size();) {
    const size_t Break = Text.find('\n', Begin);
    const size_t End = Break == Nowhere ? Text.size() : Break + 1;
    Lines.push_back({Begin, End});
    Begin = End;
  }
  return Lines;
}

size_t lineOf(llvm::ArrayRef<Range> Lines, size_t Offset) {
  return static_cast<size_t>(
      llvm::partition_point(Lines, [&](const Range &L) { return L.End <= Offset; }) -
      Lines.begin());
}

/// Pairs of equal lines, in the order of both texts.
class LineMatcher {
public:
  LineMatcher(llvm::StringRef Before, llvm::StringRef After) {
    llvm::StringMap<unsigned> Numbers;
    for (auto [Text, To] : {std::pair(Before, &Old), std::pair(After, &New)})
      for (const Range &Line : linesOf(Text))
        To->push_back(
            Numbers.try_emplace(Text.slice(Line.Begin, Line.End), Numbers.size()).first->second);
    Partner.assign(Old.size(), Nowhere);
    match({0, Old.size()}, {0, New.size()});
  }

  /// The line of the later text, for each of the earlier one.
  std::vector<size_t> Partner;

private:
  struct Pair {
    size_t Old, New;
  };

  void match(Range A, Range B) {
    for (; A.Begin < A.End && B.Begin < B.End && Old[A.Begin] == New[B.Begin]; ++A.Begin, ++B.Begin)
      Partner[A.Begin] = B.Begin;
    for (; A.Begin < A.End && B.Begin < B.End && Old[A.End - 1] == New[B.End - 1]; --A.End, --B.End)
      Partner[A.End - 1] = B.End - 1;
    const std::vector<Pair> Anchors = inOrder(uniquePairs(A, B));
    if (Anchors.empty())
      return;
    Range RestA = A, RestB = B;
    for (const Pair &P : Anchors) {
      match({RestA.Begin, P.Old + 1}, {RestB.Begin, P.New + 1});
      RestA.Begin = P.Old + 1;
      RestB.Begin = P.New + 1;
    }
    match(RestA, RestB);
  }

  /// Lines that stand once in both ranges, in the order of the earlier text.
  std::vector<Pair> uniquePairs(Range A, Range B) const {
    struct Places {
      unsigned InOld = 0, InNew = 0;
      size_t New = 0;
    };
    llvm::DenseMap<unsigned, Places> Of;
    for (size_t I = A.Begin; I < A.End; ++I)
      ++Of[Old[I]].InOld;
    for (size_t I = B.Begin; I < B.End; ++I) {
      Places &P = Of[New[I]];
      ++P.InNew;
      P.New = I;
    }
    std::vector<Pair> Pairs;
    for (size_t I = A.Begin; I < A.End; ++I)
      if (const Places &P = Of[Old[I]]; P.InOld == 1 && P.InNew == 1)
        Pairs.push_back({I, P.New});
    return Pairs;
  }

  /// The longest part of them that is in the order of the later text, too.
  static std::vector<Pair> inOrder(const std::vector<Pair> &Pairs) {
    std::vector<size_t> Tails, Previous(Pairs.size(), Nowhere);
    for (size_t I = 0; I < Pairs.size(); ++I) {
      const auto At =
          llvm::partition_point(Tails, [&](size_t Tail) { return Pairs[Tail].New < Pairs[I].New; });
      if (At != Tails.begin())
        Previous[I] = *std::prev(At);
      if (At == Tails.end())
        Tails.push_back(I);
      else
        *At = I;
    }
    std::vector<Pair> Chosen;
    for (size_t I = Tails.empty() ? Nowhere : Tails.back(); I != Nowhere; I = Previous[I])
      Chosen.push_back(Pairs[I]);
    std::reverse(Chosen.begin(), Chosen.end());
    return Chosen;
  }

  std::vector<unsigned> Old, New; ///< numbers that are equal for equal lines
};

//===-- Tokens ------------------------------------------------------------------===//

struct Token {
  Range At;
  size_t Kept = Nowhere; ///< the number of the range that it is
};

/// Words, and every other character.
void addTokens(llvm::StringRef Text, Range Of, std::vector<Token> &Tokens) {
  const auto IsWord = [](char C) { return llvm::isAlnum(C) || C == '_'; };
  for (size_t Begin = Of.Begin; Begin < Of.End;) {
    size_t End = Begin + 1;
    while (IsWord(Text[Begin]) && End < Of.End && IsWord(Text[End]))
      ++End;
    Tokens.push_back({{Begin, End}});
    Begin = End;
  }
}

/// Aligns the tokens of two stretches of text.
class TokenMatcher {
public:
  TokenMatcher(llvm::StringRef Earlier, llvm::StringRef Later, Range A, Range B,
               llvm::ArrayRef<Range> Ranges)
      : Before(Earlier), After(Later), NewEnd(B.End) {
    for (size_t I = 0; I < Ranges.size(); ++I) {
      if (Ranges[I].Begin < A.Begin || Ranges[I].End > A.End)
        continue;
      addTokens(Before, {A.Begin, Ranges[I].Begin}, Old);
      Old.push_back({Ranges[I], I});
      A.Begin = Ranges[I].End;
    }
    addTokens(Before, A, Old);
    addTokens(After, B, New);
  }

  size_t cells() const { return (Old.size() + 1) * (New.size() + 1); }

  /// Tells for each range in the stretch where it is.
  void run(std::vector<Found> &Result) {
    fill();
    trace();
    for (size_t I = 0; I < Old.size(); ++I)
      if (Old[I].Kept != Nowhere)
        Result[Old[I].Kept] = found(I);
  }

private:
  static constexpr unsigned RangeCounts = 1U << 16;
  enum Step : char { SkipOld, SkipNew, Match };

  llvm::StringRef text(const Token &T, llvm::StringRef Of) const {
    return Of.slice(T.At.Begin, T.At.End);
  }

  /// How many tokens of the later text the token is there, from `J` on; 0: none.
  size_t matches(const Token &T, size_t J) const {
    const llvm::StringRef Wanted = text(T, Before);
    if (T.Kept == Nowhere)
      return text(New[J], After) == Wanted;
    if (!After.drop_front(New[J].At.Begin).starts_with(Wanted))
      return 0;
    const size_t End = New[J].At.Begin + Wanted.size();
    size_t Next = J + 1;
    while (Next < New.size() && New[Next].At.Begin < End)
      ++Next;
    return (Next < New.size() ? New[Next].At.Begin : NewEnd) == End ? Next - J : 0;
  }

  static unsigned worth(const Token &T) {
    return T.Kept != Nowhere ? RangeCounts : static_cast<unsigned>(T.At.End - T.At.Begin);
  }

  /// The best that the rests of both can be worth, from the ends on.
  void fill() {
    const size_t Width = New.size() + 1;
    Steps.assign((Old.size() + 1) * Width, SkipNew);
    std::vector<uint64_t> Below(Width, 0), Row(Width, 0);
    for (size_t I = Old.size(); I-- > 0;) {
      Row[New.size()] = 0;
      Steps[I * Width + New.size()] = SkipOld;
      for (size_t J = New.size(); J-- > 0;) {
        const size_t Length = matches(Old[I], J);
        const uint64_t Matched = Length > 0 ? Below[J + Length] + worth(Old[I]) : 0;
        Row[J] = std::max({Matched, Below[J], Row[J + 1]});
        Steps[I * Width + J] = Length > 0 && Row[J] == Matched ? Match
                               : Row[J] == Below[J]            ? SkipOld
                                                               : SkipNew;
      }
      std::swap(Below, Row);
    }
  }

  void trace() {
    Partner.assign(Old.size(), Nowhere);
    for (size_t I = 0, J = 0; I < Old.size();)
      switch (Steps[I * (New.size() + 1) + J]) {
      case Match:
        Partner[I] = J;
        J += matches(Old[I], J);
        ++I;
        break;
      case SkipOld:
        ++I;
        break;
      default:
        ++J;
      }
  }

  /// Where the tokens of the later text end that the first `I` of the earlier one are.
  size_t endBefore(size_t I) const {
    while (I > 0 && Partner[I - 1] == Nowhere)
      --I;
    return I == 0 ? 0 : Partner[I - 1] + matches(Old[I - 1], Partner[I - 1]);
  }

  size_t beginBehind(size_t I) const {
    while (I + 1 < Old.size() && Partner[I + 1] == Nowhere)
      ++I;
    return I + 1 < Old.size() ? Partner[I + 1] : New.size();
  }

  Found found(size_t I) const {
    using What = Found::What;
    const auto Place = [&](size_t J) { return J < New.size() ? New[J].At.Begin : NewEnd; };
    if (Partner[I] != Nowhere)
      return {What::Whole, Place(Partner[I])};
    const size_t Begin = endBefore(I);
    if (Begin != beginBehind(I))
      return {What::Changed, Place(Begin)};
    const bool More =
        I > 0 && Partner[I - 1] == Nowhere && I + 1 < Old.size() && Partner[I + 1] == Nowhere;
    return {More ? What::Deleted : What::Alone, Place(Begin)};
  }

  llvm::StringRef Before, After;
  const size_t NewEnd;
  std::vector<Token> Old, New;
  std::vector<char> Steps;
  std::vector<size_t> Partner; ///< of each token of the earlier text, where it is in the later
};

//===-- The whole -----------------------------------------------------------------===//

/// Where a text stands, at places that do not overlap.
std::vector<size_t> placesOf(llvm::StringRef Text, llvm::StringRef All) {
  std::vector<size_t> Places;
  for (size_t At = All.find(Text); At != Nowhere; At = All.find(Text, At + Text.size()))
    Places.push_back(At);
  return Places;
}

class AlignmentSearch {
public:
  AlignmentSearch(llvm::StringRef Earlier, llvm::StringRef Later, llvm::ArrayRef<Range> Wanted)
      : Before(Earlier), After(Later), Ranges(Wanted), Result(Wanted.size()) {}

  std::vector<Found> run() {
    byText();
    for (size_t I = 0; I < Ranges.size();)
      I = isOpen(I) ? between(I) : I + 1;
    return std::move(Result);
  }

private:
  bool isOpen(size_t I) const { return Result[I].Is == Found::What::Unclear; }
  llvm::StringRef text(const Range &R) const { return Before.slice(R.Begin, R.End); }

  /// Ranges whose text stands nowhere else, and as often as before.
  void byText() {
    llvm::StringMap<std::vector<size_t>> Of;
    for (size_t I = 0; I < Ranges.size(); ++I)
      Of[text(Ranges[I])].push_back(I);
    for (const auto &Same : Of) {
      const std::vector<size_t> Places = placesOf(Same.first(), After);
      const std::vector<size_t> &Numbers = Same.second;
      if (Places.size() != Numbers.size() ||
          placesOf(Same.first(), Before).size() != Numbers.size())
        continue;
      for (size_t I = 0; I < Numbers.size(); ++I)
        Result[Numbers[I]] = {Found::What::Whole, Places[I]};
    }
  }

  /// Looks for ranges from this one on, up to the next that is found, between what is found.
  /// @return that next
  size_t between(size_t First) {
    size_t Next = First;
    while (Next < Ranges.size() && isOpen(Next))
      ++Next;
    Range A{0, Before.size()}, B{0, After.size()};
    if (First > 0 && Result[First - 1].Is == Found::What::Whole) {
      A.Begin = Ranges[First - 1].End;
      B.Begin = Result[First - 1].At + text(Ranges[First - 1]).size();
    }
    if (Next < Ranges.size() && Result[Next].At >= B.Begin) {
      A.End = Ranges[Next].Begin;
      B.End = Result[Next].At;
    }
    Stretch(*this, A, B).look(First, Next);
    return Next;
  }

  /// A part of both texts.
  class Stretch {
  public:
    Stretch(AlignmentSearch &Of, Range OfBefore, Range OfAfter) : S(Of), A(OfBefore), B(OfAfter) {}

    void look(size_t First, size_t Next) {
      if (byTokens(A, B, First, Next, FewCells))
        return;
      Old = linesOf(S.Before.slice(A.Begin, A.End));
      New = linesOf(S.After.slice(B.Begin, B.End));
      Partner = LineMatcher(S.Before.slice(A.Begin, A.End), S.After.slice(B.Begin, B.End)).Partner;
      for (size_t I = First; I < Next; ++I)
        byLines(I);
    }

  private:
    static constexpr size_t FewCells = size_t(1) << 22, ManyCells = size_t(1) << 25;

    bool byTokens(Range InBefore, Range InAfter, size_t First, size_t Next, size_t Most) {
      TokenMatcher Tokens(S.Before, S.After, InBefore, InAfter, S.Ranges);
      if (Tokens.cells() > Most)
        return false;
      std::vector<Found> Here(S.Ranges.size());
      Tokens.run(Here);
      std::copy(Here.begin() + First, Here.begin() + Next, S.Result.begin() + First);
      return true;
    }

    void byLines(size_t I) {
      const size_t Begin = S.Ranges[I].Begin - A.Begin, End = S.Ranges[I].End - A.Begin;
      size_t First = lineOf(Old, Begin), Last = lineOf(Old, End - 1);
      bool Same = Partner[First] != Nowhere;
      for (size_t L = First; Same && L <= Last; ++L)
        Same = Partner[L] == Partner[First] + (L - First);
      if (Same) {
        const size_t Place = New[Partner[First]].Begin + Begin - Old[First].Begin;
        S.Result[I] = {Found::What::Whole, B.Begin + Place};
        return;
      }
      while (First > 0 && Partner[First - 1] == Nowhere)
        --First;
      while (Last + 1 < Old.size() && Partner[Last + 1] == Nowhere)
        ++Last;
      const size_t NewFirst = First == 0 ? 0 : New[Partner[First - 1]].End;
      const size_t NewEnd = Last + 1 == Old.size() ? B.End - B.Begin : New[Partner[Last + 1]].Begin;
      S.Result[I].At = B.Begin + NewFirst;
      byTokens({A.Begin + Old[First].Begin, A.Begin + Old[Last].End},
               {B.Begin + NewFirst, B.Begin + NewEnd}, I, I + 1, ManyCells);
    }

    AlignmentSearch &S;
    const Range A, B;
    std::vector<Range> Old, New; ///< lines
    std::vector<size_t> Partner;
  };

  llvm::StringRef Before, After;
  llvm::ArrayRef<Range> Ranges;
  std::vector<Found> Result;
};

} // namespace

std::vector<Found> mapp::locate(llvm::StringRef Before, llvm::StringRef After,
                                llvm::ArrayRef<Range> Ranges) {
  return AlignmentSearch(Before, After, Ranges).run();
}
