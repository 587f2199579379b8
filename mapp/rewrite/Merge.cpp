//===-- Merge.cpp - taking edits back out of an edited text -----*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Only what is ours has to be found in the text as it is now; all around it stays, byte for byte.
// Where it is not certain what is ours, that is a conflict:
//
//   - what we wrote has been changed, or what we took away would be put where all else is gone;
//   - of the edits about one array some are there and others are not;
//   - what we wrote stands there twice, or elsewhere and changed: somebody copied or moved it.
//
//===----------------------------------------------------------------------===//

#include "Merge.h"

#include "Alignment.h"
#include "Rewrite.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mapp;

namespace {

/// What we wrote, as a range of the new text, and what stood there.
struct Written {
  Range At;
  std::string Old;
  std::string About;
};

/// What belongs together is one range: an array's name with the star before it and the bracket that
/// is gone behind it, and brackets that are closed one behind the other.
bool continues(const Edit &E, const Edit *Previous, llvm::StringRef Between) {
  const auto IsLoose = [](char C) { return llvm::isAlnum(C) || C == '_' || C == '\n'; };
  return Previous && Previous->About == E.About &&
         (E.Removed > 0 || llvm::none_of(Between, IsLoose));
}

std::vector<Written> rangesOf(llvm::StringRef Original, const std::vector<Edit> &Edits) {
  std::vector<Written> All;
  const Edit *Previous = nullptr;
  size_t Grown = 0; // by which the new text is longer so far
  for (const Edit &E : Edits) {
    const size_t End = E.Offset + E.Removed;
    const Range At{E.Offset + Grown, E.Offset + Grown + E.Inserted.size()};
    const size_t Last = Previous ? Previous->Offset + Previous->Removed : 0;
    if (continues(E, Previous, Original.slice(Last, E.Offset))) {
      All.back().At.End = At.End;
      All.back().Old += Original.slice(Last, End);
    } else {
      All.push_back({At, Original.slice(E.Offset, End).str(), E.About});
    }
    Grown += E.Inserted.size() - E.Removed;
    Previous = &E;
  }
  return All;
}

/// The identifiers in a text that only Minas gives.
std::vector<llvm::StringRef> ownWords(llvm::StringRef Text) {
  const auto IsWord = [](char C) { return llvm::isAlnum(C) || C == '_'; };
  std::vector<llvm::StringRef> Words;
  while (!(Text = Text.drop_until(IsWord)).empty()) {
    const llvm::StringRef Word = Text.take_while(IsWord);
    if (Word.starts_with("MAI_") || Word.starts_with("mapp_"))
      Words.push_back(Word);
    Text = Text.drop_front(Word.size());
  }
  return Words;
}

class Reverting {
public:
  Reverting(const std::string &Before, const std::vector<Edit> &Edits, const std::string &Current)
      : Original(Before), Given(applied(Before, Edits)), Now(Current),
        All(rangesOf(Before, Edits)) {}

  Merged run() {
    if (Now == Given)
      return {Original, std::nullopt};
    std::vector<Range> Ranges;
    for (const Written &W : All)
      Ranges.push_back(W.At);
    Places = locate(Given, Now, Ranges);
    if (!isInEffect())
      return {Now, std::nullopt};
    if (!eachIsCertain() || !groupsAreWhole())
      return {"", Problem};
    const std::string Text = merged();
    return Problem || !nothingIsLeft(Text) ? Merged{"", Problem} : Merged{Text, std::nullopt};
  }

private:
  bool conflict(size_t At, const std::string &What) {
    const llvm::StringRef Before = llvm::StringRef(Now).take_front(At);
    Problem = {Before.count('\n') + 1, What};
    return false;
  }

  llvm::StringRef textOf(const Written &W) const {
    return llvm::StringRef(Given).slice(W.At.Begin, W.At.End);
  }

  static std::string forWhat(const Written &W) { return W.About.empty() ? "" : " for " + W.About; }

  bool isWhole(size_t I) const { return Places[I].Is == Found::What::Whole; }

  /// A program that was ended before it changed the file has left its record.
  bool isInEffect() const {
    for (size_t I = 0; I < All.size(); ++I)
      if (isWhole(I) || llvm::any_of(ownWords(textOf(All[I])),
                                     [&](llvm::StringRef Word) { return isMoreOften(Word, Now); }))
        return true;
    return false;
  }

  bool isMoreOften(llvm::StringRef Word, const std::string &Text) const {
    return llvm::StringRef(Text).count(Word) > llvm::StringRef(Original).count(Word);
  }

  bool eachIsCertain() {
    for (size_t I = 0; I < All.size(); ++I) {
      const Found &Place = Places[I];
      const std::string What = "what was written" + forWhat(All[I]);
      if (Place.Is == Found::What::Changed)
        return conflict(Place.At, What + " has been changed");
      if (Place.Is == Found::What::Unclear)
        return conflict(Place.At, "too much has been changed to find " + What);
      if (Place.Is == Found::What::Alone && !All[I].Old.empty())
        return conflict(Place.At, What + " has been removed, and not what it belongs to");
      if (!ownWords(textOf(All[I])).empty() &&
          llvm::StringRef(Now).count(textOf(All[I])) > llvm::StringRef(Given).count(textOf(All[I])))
        return conflict(Now.rfind(textOf(All[I])), What + " has been copied");
    }
    return true;
  }

  bool groupsAreWhole() {
    llvm::StringMap<size_t> First;
    for (size_t I = 0; I < All.size(); ++I) {
      const size_t Other = First.try_emplace(All[I].About, I).first->second;
      if (!All[I].About.empty() && isWhole(I) != isWhole(Other))
        return conflict(Places[isWhole(I) ? Other : I].At,
                        "of what was written" + forWhat(All[I]) + " a part has been removed");
    }
    return true;
  }

  /// The text as it is now, with what was there in the place of what is ours.
  std::string merged() {
    std::vector<size_t> Order;
    for (size_t I = 0; I < All.size(); ++I)
      if (isWhole(I))
        Order.push_back(I);
    llvm::stable_sort(Order, [&](size_t L, size_t R) { return Places[L].At < Places[R].At; });
    std::string Text;
    size_t Copied = 0;
    for (const size_t I : Order) {
      if (Places[I].At < Copied)
        conflict(Places[I].At,
                 "too much has been changed to find what was written" + forWhat(All[I]));
      Text += llvm::StringRef(Now).slice(Copied, Places[I].At);
      Text += All[I].Old;
      Copied = Places[I].At + textOf(All[I]).size();
    }
    return Text + Now.substr(std::min(Copied, Now.size()));
  }

  /// What somebody has changed may look as if it were removed and something else written.
  bool nothingIsLeft(const std::string &Text) {
    for (size_t I = 0; I < All.size(); ++I)
      if (!isWhole(I))
        for (const llvm::StringRef Word : ownWords(textOf(All[I])))
          if (isMoreOften(Word, Text))
            return conflict(placeOutside(Word),
                            "what was written" + forWhat(All[I]) + " has been changed");
    return true;
  }

  /// Where a word stands that is in nothing that is whole.
  size_t placeOutside(llvm::StringRef Word) const {
    const auto IsOurs = [&](size_t At) {
      for (size_t I = 0; I < All.size(); ++I)
        if (isWhole(I) && At >= Places[I].At && At - Places[I].At < textOf(All[I]).size())
          return true;
      return false;
    };
    size_t At = Now.find(Word);
    while (At != std::string::npos && IsOurs(At))
      At = Now.find(Word, At + 1);
    return std::min(At, Now.size());
  }

  const std::string &Original;
  const std::string Given;
  const std::string &Now;
  const std::vector<Written> All;
  std::vector<Found> Places;
  std::optional<Conflict> Problem;
};

} // namespace

Merged mapp::withoutEdits(const std::string &Original, const std::vector<Edit> &Edits,
                          const std::string &Now) {
  return Reverting(Original, Edits, Now).run();
}
