//===-- BlockText.cpp - what is written around an allocation ----*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "BlockText.h"

#include "mai_types.h"
#include "mapp/analysis/FactorTable.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <tuple>

using namespace mapp;

namespace {

constexpr int64_t PageBytes = 4096;
constexpr int64_t LittleBytes = PageBytes / 8; ///< pages would hardly differ

//===-- Numbers in the program's words ------------------------------------------===//

/// Factor * Value + Plus
struct Linear {
  int64_t Factor;
  int64_t Plus;
  bool operator==(const Linear &) const = default;
};

std::optional<Linear> asLinear(const Polynomial &Wanted, const Polynomial &Value) {
  const auto Part = llvm::find_if(Value.terms(), [](const Term &T) { return !T.Factors.empty(); });
  if (Part == Value.terms().end())
    return std::nullopt;
  const auto Same =
      llvm::find_if(Wanted.terms(), [&](const Term &T) { return T.Factors == Part->Factors; });
  if (Same == Wanted.terms().end() || Same->Coefficient % Part->Coefficient != 0 ||
      Same->Coefficient / Part->Coefficient <= 0)
    return std::nullopt;
  const int64_t Factor = Same->Coefficient / Part->Coefficient;
  const std::optional<Polynomial> Product = Value.times(Polynomial(Factor));
  const std::optional<Polynomial> Rest = Product ? Wanted.minus(*Product) : std::nullopt;
  if (!Rest || !Rest->constant())
    return std::nullopt;
  return Linear{Factor, *Rest->constant()};
}

std::string converted(const std::string &Text) {
  if (llvm::StringRef(Text).starts_with("sizeof "))
    return Text;
  const bool Simple = llvm::all_of(Text, [](char C) { return llvm::isAlnum(C) || C == '_'; });
  return "(unsigned long)" + (Simple ? Text : "(" + Text + ")");
}

/// Finds expressions for numbers.
class Speaker {
public:
  Speaker(const Block &Allocated, const std::vector<std::vector<Polynomial>> &All)
      : B(Allocated), Contexts(All) {}

  std::optional<std::string> say(const Polynomial &Wanted) const {
    if (const std::optional<int64_t> Constant = Wanted.constant())
      return *Constant >= 0 ? std::optional(std::to_string(*Constant)) : std::nullopt;
    if (Contexts.empty())
      return std::nullopt;
    std::optional<Phrase> Best;
    for (size_t Most = 2; !Best && Most <= MostFactors; ++Most)
      improveByProducts(Best, Wanted, {}, Most);
    return Best ? std::optional(text(*Best)) : std::nullopt;
  }

private:
  static constexpr size_t MostFactors = 3; ///< `n * n * n`
  using ValueProduct = llvm::SmallVector<size_t, MostFactors>;

  /// A multiple of the product of some values, and a number.
  struct Phrase {
    ValueProduct Values;
    Linear Is;

    /// What needs least besides the values themselves comes first.
    auto rank() const {
      return std::tuple(Is.Plus != 0, Is.Factor != 1, Values.size(), std::llabs(Is.Plus));
    }
  };

  /// By products that begin so, of at most so many values.
  void improveByProducts(std::optional<Phrase> &Best, const Polynomial &Wanted,
                         const ValueProduct &Begin, size_t Most) const {
    for (size_t I = Begin.empty() ? 0 : Begin.back(); I < B.Values.size(); ++I) {
      ValueProduct Longer = Begin;
      Longer.push_back(I);
      improve(Best, Wanted, Longer);
      if (Longer.size() < Most)
        improveByProducts(Best, Wanted, Longer, Most);
    }
  }

  void improve(std::optional<Phrase> &Best, const Polynomial &Wanted,
               llvm::ArrayRef<size_t> Values) const {
    const std::optional<Linear> Is = by(Wanted, Values);
    if (!Is)
      return;
    Phrase New{{Values.begin(), Values.end()}, *Is};
    if (!Best || New.rank() < Best->rank())
      Best = std::move(New);
  }

  /// By the product of these values: in every context the same.
  std::optional<Linear> by(const Polynomial &Wanted, llvm::ArrayRef<size_t> Which) const {
    std::optional<Linear> Found;
    for (const std::vector<Polynomial> &Values : Contexts) {
      std::optional<Polynomial> Product = Polynomial(1);
      for (const size_t I : Which)
        Product = Product && I < Values.size() && !B.Values[I].Text.empty()
                      ? Product->times(Values[I])
                      : std::nullopt;
      const std::optional<Linear> Here = Product ? asLinear(Wanted, *Product) : std::nullopt;
      if (!Here || (Found && *Found != *Here))
        return std::nullopt;
      Found = Here;
    }
    return Found;
  }

  std::string text(const Phrase &P) const {
    llvm::SmallVector<std::string, MostFactors> Factors;
    for (const size_t I : P.Values)
      Factors.push_back(converted(B.Values[I].Text));
    std::string Text = P.Is.Factor == 1 ? "" : std::to_string(P.Is.Factor) + " * ";
    Text += llvm::join(Factors, " * ");
    if (P.Is.Plus != 0)
      Text += (P.Is.Plus > 0 ? " + " : " - ") + std::to_string(std::llabs(P.Is.Plus));
    return Text;
  }

  const Block &B;
  const std::vector<std::vector<Polynomial>> &Contexts;
};

//===-- The text ------------------------------------------------------------------===//

class Writer {
public:
  Writer(const ArrayDeclaration &Declared, const std::deque<Scope> &All, const Allocations &Of,
         Candidate &Chosen, BlockText &Text)
      : Array(Declared), B(*Declared.Allocated), Scopes(All), Made(Of), Words(B, Of.Values),
        C(Chosen), Out(Text) {}

  Remark write() {
    if (!tellSize())
      return {Topic::BlockSize, "its size cannot be told: a macro or a conversion hides it"};
    if (C.What == Policy::Block && C.Dimension > 0)
      HidesRows = !sayColumns();
    else if (oneOfMany() && !row())
      sayNextRow();
    else if (C.Dimension == 0 && row() && (oneOfMany() || C.What == Policy::Cyclic))
      sayRow(*row());
    else if (C.OfOwners)
      HidesRows = !sayParts();
    else if (C.Dimension == 0)
      sayBlock();
    return {};
  }

  /// Columns were to be divided, or threads' parts, and nothing there says how long one is.
  bool hidesRows() const { return HidesRows; }

private:
  bool inLoop() const {
    for (uint32_t S = B.Scope; S != None; S = Scopes[S].Parent)
      if (Scopes[S].Kind == ScopeKind::Loop || Scopes[S].Kind == ScopeKind::Divided)
        return true;
    return false;
  }

  /// The function is called in a loop, for each of some objects that loops choose from. Of tables
  /// inside one another the inner ones may point to parts of one block.
  bool isOfObject() const {
    return Made.InLoop && C.Moves && C.Moves->Rows &&
           C.Moves->Level >= std::max(Made.RowLoops, B.Tables);
  }

  bool oneOfMany() const {
    const bool Divided = C.What == Policy::Block || (C.What == Policy::BlockCyclic && C.OfRows);
    return Divided && (((C.OfRows || (C.Moves && C.Moves->Rows)) && inLoop()) || isOfObject());
  }

  /// Which row it is of the table whose index is divided; of that which points to it otherwise.
  const RowOfTable *row() const {
    const bool IsTold = C.Moves && C.Moves->Rows;
    const unsigned Level = !oneOfMany() ? 0 : IsTold ? C.Moves->Level : outermost();
    return Level < B.Rows.size() && !B.Rows[Level].Number.empty() ? &B.Rows[Level] : nullptr;
  }

  /// That of the tables' levels which moves slowest.
  unsigned outermost() const {
    auto Level = static_cast<unsigned>(B.Rows.size());
    while (Level > 1 && B.Rows[Level - 1].Number.empty())
      --Level;
    return Level > 0 ? Level - 1 : 0;
  }

  /// One of the threads' rows, of which two would share a page. Of others there may be so many
  /// that what is between them takes more memory than they do.
  bool hasOwnPages() const {
    const bool IsShort = Array.Bytes < MAI_LEAST_BLOCK; // 0: the run decides
    return C.OfThreads && C.Before == 0 && oneOfMany() && row() && IsShort && mayAskForMore();
  }

  /// The call gets the size, or units that can be spoken of.
  bool mayAskForMore() const {
    return B.MayBeLonger && B.SizeFactor == 1 && !Sized && B.Pointer.empty() &&
           llvm::all_of(B.Sizes, [&](unsigned I) { return B.Arguments[I].IsSize; }) &&
           (B.Sizes.size() == 1 || !B.Arguments[B.Sizes.back()].Text.empty());
  }

  //===-- Its size --------------------------------------------------------------===//

  bool tellSize() {
    const bool Status = B.Callee.empty() && B.Sizes == std::vector<unsigned>{2};
    if (B.Sizes.empty() || (Status && B.Pointer.empty()))
      return false;
    Sized = llvm::any_of(
        B.Sizes, [&](unsigned I) { return I >= B.Arguments.size() || B.Arguments[I].End == 0; });
    if (llvm::any_of(B.Sizes, [&](unsigned I) {
          return I >= B.Arguments.size() || B.Arguments[I].Narrowed ||
                 (Sized && B.Arguments[I].Text.empty());
        }))
      return false;
    if (Sized)
      return B.Pointer.empty() || B.Behind;
    for (const unsigned I : B.Sizes) {
      Out.Inside.push_back({B.Arguments[I].Begin, aroundArgument(I)});
      Out.Inside.push_back({B.Arguments[I].End, ")"});
    }
    return true;
  }

  /// The macro in front of an argument that the size is a product of.
  std::string aroundArgument(unsigned I) const {
    const bool IsFirst = I == B.Sizes.front(), IsLast = I == B.Sizes.back();
    const bool IsSize = B.Arguments[I].IsSize;
    if (IsFirst && hasOwnPages())
      return IsLast ? "MAI_OWN_PAGES("
                    : "MAI_OWN_PAGES_OF(" + B.Arguments[B.Sizes.back()].Text + ", ";
    if (!IsLast)
      return IsSize ? "MAI_COUNT(" : "MAI_TIMES(";
    return IsSize && B.SizeFactor == 1 ? "MAI_BYTES("
                                       : llvm::formatv("MAI_UNITS({0}, ", B.SizeFactor).str();
  }

  std::string sizeText() const {
    if (B.Behind && B.IsOneElement)
      return "sizeof *" + B.Pointer;
    std::string Text = B.SizeFactor == 1 ? "" : std::to_string(B.SizeFactor);
    for (const unsigned I : B.Sizes)
      Text += (Text.empty() ? "" : " * ") + converted(B.Arguments[I].Text);
    return Text;
  }

  //===-- Its policy --------------------------------------------------------------===//

  void around(const std::string &Macro, const std::string &Units, const std::string &Policy) {
    const std::string Suffix = Sized ? "_SIZED" : "";
    Out.Object = blockName(Array);
    Out.Before = Macro + Suffix + "(" + Out.Object + ", ";
    Out.Behind = (Sized ? ", " + sizeText() : "") + ", " + Units + ", " + Policy;
  }

  /// As a statement of its own, with nothing inside.
  void behind(const std::string &Macro, const std::string &Unit, const std::string &Policy) {
    Out.Object = blockName(Array);
    Out.Before = "; " + Macro + "(" + Out.Object;
    Out.Behind = ", " + sizeText() + ", " + Unit + ", " + Policy;
  }

  /// Where many small blocks may be allocated, a call more for each of them would show.
  std::string placed() const { return B.IsNew && !inLoop() ? "MAI_PLACED_NEW" : "MAI_PLACED"; }

  /// Of a call that does not return the address, but puts it into a pointer.
  std::string setting() const {
    if (B.Pointer.empty())
      return "";
    return B.Callee.empty() ? "_AT" : B.IsVoid ? "_BY_VOID" : "_BY";
  }

  /// The macro in which the allocation stands.
  std::string placing() const { return B.Pointer.empty() ? placed() : "MAI_PLACED" + setting(); }

  std::string elementText() const {
    return B.ElementText.empty() ? std::to_string(Array.UnitBytes) : B.ElementText;
  }

  std::string unitText(const Polynomial &Unit) const {
    if (Unit.constant() == static_cast<int64_t>(Array.UnitBytes))
      return elementText();
    return Words.say(Unit).value_or("");
  }

  /// Pages would hardly differ.
  bool isLittle(const std::optional<Polynomial> &Units) const {
    const Sweep &S = *C.Moves;
    const int64_t UnitBytes = S.Rows ? PageBytes : S.Unit.constant().value_or(PageBytes);
    const std::optional<int64_t> Number = Units ? Units->constant() : std::nullopt;
    return Number && std::llabs(*Number) * std::min(UnitBytes, PageBytes) < LittleBytes;
  }

  /// In the place of members that the function sets what it sets them to.
  Polynomial asSetHere(Polynomial F) const {
    if (Made.Values.size() != 1)
      return F;
    const std::vector<Polynomial> &Is = Made.Values[0];
    for (size_t I = 0; I < std::min(Is.size(), B.Values.size()); ++I) {
      const auto Set = llvm::find_if(
          B.Values, [&](const NamedValue &V) { return !V.IsBeside && V.Text == B.Values[I].Text; });
      const std::optional<Term> Member = Is[I].onlyTerm(0);
      if (!B.Values[I].IsBeside || !Member || Set == B.Values.end())
        continue;
      const Polynomial &As = Is[static_cast<size_t>(Set - B.Values.begin())];
      if (!As.constant()) // The text is better known than its value.
        F = FactorTable::replaced(F, *Member->Factors.begin(), As);
    }
    return F;
  }

  /// The units that the loop runs over, unless they are all, but for so little that pages would
  /// hardly differ.
  std::optional<RangeText> range(const std::optional<Polynomial> &All) const {
    const Sweep &S = *C.Moves;
    if (!S.First || !S.Count)
      return std::nullopt;
    const Polynomial Begin = asSetHere(*S.First), Units = asSetHere(*S.Count);
    const std::optional<Polynomial> End = Begin.plus(Units);
    const std::optional<Polynomial> Left = End && All ? All->minus(*End) : std::nullopt;
    if (isLittle(Begin) && isLittle(Left))
      return std::nullopt;
    const std::optional<std::string> First = Words.say(Begin), Count = Words.say(Units);
    return First && Count ? std::optional(RangeText{*First, *Count}) : std::nullopt;
  }

  /// Where nothing tells how far the loop goes: what it leaves out in front, as the edge of a grid,
  /// it leaves out at the end as well.
  std::optional<RangeText> withinEdges(const std::string &All) const {
    constexpr int64_t WidestEdge = 8;
    const Sweep &S = *C.Moves;
    const std::optional<int64_t> Edge = S.First ? S.First->constant() : std::nullopt;
    if (!Edge || *Edge < 1 || *Edge > WidestEdge || isLittle(S.First) ||
        (S.Count && Words.say(*S.Count)))
      return std::nullopt;
    return RangeText{std::to_string(*Edge), All + " - " + std::to_string(2 * *Edge)};
  }

  /// How many units the whole block has, if that is one of the values.
  std::optional<Polynomial> unitsOf(const Polynomial &Unit) const {
    if (Made.Values.size() != 1 || B.Values.empty() || !B.Values.back().Text.empty() ||
        Made.Values[0].size() != B.Values.size())
      return std::nullopt;
    const Polynomial &Size = Made.Values[0].back();
    if (Unit.constant())
      return Size.dividedBy(*Unit.constant());
    for (const Polynomial &Value : Made.Values[0])
      if (Value.times(Unit) == Size)
        return Value;
    return std::nullopt;
  }

  std::string policy(std::optional<RangeText> Part) {
    if (C.What == Policy::BlockCyclic && C.Before > 0)
      Part = RangeText{std::to_string(C.Before), "0"};
    if (takesRange(C))
      C.Range = std::move(Part);
    return policyEntry(C);
  }

  /// How large a block is, the run may decide.
  std::string bySize(const std::string &Policy) const {
    return Array.Bytes >= MAI_LEAST_SHARED ? Policy : entryBySize(C, Policy);
  }

  /// Row pointers are placed, and known, however small their matrix is.
  std::string withLeast(const std::string &Policy) const {
    if (!C.IsAlong)
      return Policy;
    return Policy + (C.Range ? "" : ", 0, 0") + ", MAI_LEAST_ROW_POINTERS";
  }

  /// How long a row is, the run decides.
  std::string forLongRows(const std::string &Row, const std::string &Policy) const {
    if (!C.ForLongRows)
      return Policy;
    const auto [Kind, Range] = llvm::StringRef(Policy).split(',');
    return ("MAI_FOR_LONG_ROWS(" + Row + ", " + Kind + ")" + (Range.empty() ? "" : ",") + Range)
        .str();
  }

  /// The units that were counted to be divided, as parts of the block.
  std::optional<RangeText> counted(const std::string &Macro, const std::string &Unit) const {
    const auto Text = [&](unsigned Parts) {
      return Parts == 0 ? "0" : Macro + "(" + std::to_string(Parts) + Unit + ")";
    };
    return C.InParts && C.Count > 0
               ? std::optional(RangeText{Text(C.BeforeParts), Text(C.CountParts)})
               : std::nullopt;
  }

  std::optional<RangeText> rangeOfUnits() const {
    const std::optional<Polynomial> All = unitsOf(C.Moves->Unit);
    const std::optional<RangeText> Told = range(All);
    const std::optional<std::string> Units = All && !Told ? Words.say(*All) : std::nullopt;
    return Units ? withinEdges(*Units) : Told;
  }

  /// The loop divides the entries of the outermost table that points into the block.
  bool isByPlanes() const {
    return C.What == Policy::Block && C.Moves && C.Moves->Rows && !B.Planes.empty() &&
           C.Moves->Level + 1 == B.Tables;
  }

  void sayBlock() {
    if (!C.ByCaller.empty())
      return around(placing(), elementText(), policyEntry(C));
    std::string Unit;
    std::optional<RangeText> Part;
    if (C.What == Policy::Block && C.Moves && !C.Moves->Rows) {
      Unit = unitText(C.Moves->Unit);
      if (!Unit.empty())
        Part = rangeOfUnits();
    } else if (!C.InParts && isByPlanes()) {
      const std::string Planes = converted(B.Planes);
      Part = rangeOfRows(Planes);
      Unit = Part ? "MAI_ONE_OF(" + Planes + ")" : "";
    }
    if (Unit.empty())
      Unit = elementText();
    if (C.InParts)
      Part = counted("MAI_UNITS_IN_PARTS", ", " + Unit);
    const std::string Policy = withLeast(bySize(policy(Part)));
    if (B.Behind)
      return behind("MAI_PLACE_POINTER", Unit, Policy);
    around(placing(), Unit, Policy);
  }

  /// The parts that threads have by their numbers.
  bool sayParts() {
    const std::string Part = C.Moves ? unitText(C.Moves->Unit) : "";
    if (Part.empty())
      return false;
    if (B.Behind)
      behind("MAI_PLACE_POINTER", Part, policyEntry(C));
    else
      around(placing(), Part, policyEntry(C));
    return true;
  }

  /// The columns that the loop runs over, where their bytes can be told: elements make up the same
  /// shares of whole rows.
  std::optional<RangeText> rangeOfColumns(const std::string &Bytes) const {
    const std::optional<int64_t> Constant = C.Moves->Element.constant();
    return Bytes.empty() ? std::nullopt
                         : range(Constant ? C.Moves->Unit.dividedBy(*Constant) : std::nullopt);
  }

  bool sayColumns() {
    const std::string Row = C.Moves ? unitText(C.Moves->Unit) : "";
    if (Row.empty() || B.Behind || Sized)
      return false;
    const std::string Bytes = unitText(C.Moves->Element);
    around(B.Pointer.empty() ? placed() + "_2D" : "MAI_PLACED_2D" + setting(),
           Row + ", " + (Bytes.empty() ? elementText() : Bytes),
           forLongRows(Row, policy(rangeOfColumns(Bytes))));
    return true;
  }

  /// Rows count in the order in which they are allocated.
  void sayNextRow() {
    if (B.Behind)
      return behind("MAI_PLACE_NEXT_ROW_POINTER", elementText(), policy(std::nullopt));
    around("MAI_PLACED_NEXT_ROW" + setting(), elementText(), policy(std::nullopt));
  }

  std::optional<RangeText> rangeOfRows(const std::string &All) const {
    if (C.InParts)
      return counted("MAI_ROWS_IN_PARTS", "");
    if (C.What != Policy::Block || !C.Moves)
      return std::nullopt;
    const std::optional<RangeText> Told = range(std::nullopt);
    const bool IsAll = Told && Told->First == "0" && Told->Count == All;
    return IsAll ? std::nullopt : Told ? Told : withinEdges(All);
  }

  void sayRow(const RowOfTable &Row) {
    const std::string Count = converted(Row.Count);
    around("MAI_PLACED_ROW" + setting(), converted(Row.Number) + ", " + Count,
           policy(rangeOfRows(Count)) + (hasOwnPages() ? ", 0, 0, MAI_LEAST_OF_OWN_PAGES" : ""));
  }

  const ArrayDeclaration &Array;
  const Block &B;
  const std::deque<Scope> &Scopes;
  const Allocations &Made;
  const Speaker Words;
  Candidate &C;
  BlockText &Out;
  bool HidesRows = false;
  bool Sized = false; ///< the size is told beside the call, not in it
};

} // namespace

std::string mapp::blockName(const ArrayDeclaration &Array) {
  const bool Plain = llvm::all_of(Array.Name, [](char Ch) {
    return llvm::isAlnum(Ch) || llvm::StringRef("_.->[] +*()").contains(Ch);
  });
  if (!Array.Allocated->Pointer.empty())
    return Array.Allocated->Pointer;
  return Plain ? Array.Name : Array.InFunction + ":" + std::to_string(Array.Where.Line);
}

void mapp::setRanges(const ArrayDeclaration &Array, const std::deque<Scope> &Scopes,
                     const Allocations &Made, Choice &C) {
  for (Candidate &Of : C.Candidates) {
    BlockText Unused;
    Writer(Array, Scopes, Made, Of, Unused).write();
  }
}

Remark mapp::describeBlock(const ArrayDeclaration &Array, const std::deque<Scope> &Scopes,
                           const Allocations &Made, Choice &C, BlockText &Out) {
  while (C.policy().What != Policy::LeaveAlone) {
    Out = {};
    Writer Text(Array, Scopes, Made, C.policy(), Out);
    Remark Why = Text.write();
    if (!Text.hidesRows())
      return Why;
    const char *const NotHere = "nothing tells how long a row is where the block is allocated";
    if (C.policy().OfOwners)
      C.leaveOnly(Policy::LeaveAlone, {Topic::OwnParts, C.reason() + ToItsUser}, C.evidence());
    else
      C.policy().Excluded = NotHere;
    if (C.isExhausted())
      return {Topic::BlockSize, NotHere};
  }
  return {};
}
