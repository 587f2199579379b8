//===-- Plan.cpp - the decisions about a whole program ----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Plan.h"

#include "Fields.h"
#include "RangeText.h"
#include "Reconsider.h"
#include "Together.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace mapp;

namespace {

/// One declaration of an array and the unit that it stands in.
struct Declared {
  const ArrayDeclaration *Array;
  const Facts *Unit;
};

/// The declaration where the array is placed: its definition, and of tentative ones that say the
/// same the last, where all that it depends on is declared. Null if there is none among the files.
const Declared *definition(const std::vector<Declared> &All) {
  const Declared *Best = nullptr;
  for (const Declared &D : All) {
    if (!D.Array->Definition || (D.Array->Bytes == 0 && !D.Array->Allocated))
      continue;
    const bool Better = !Best || (!Best->Array->Refusal.empty() && D.Array->Refusal.empty()) ||
                        (Best->Unit == D.Unit && D.Array->Refusal.empty());
    if (Better)
      Best = &D;
  }
  return Best;
}

Decision leaveAloneAt(const Declared &At, Remark Why) {
  return {Decision::Outcome::LeftAlone, At.Array, At.Unit, Choice::leftAlone(std::move(Why))};
}

/// Why `Array` may not become a pointer that MAi sets, or empty.
Remark heapRefusal(const ArrayDeclaration &Array, const std::vector<Facts> &Units) {
  const auto Early =
      llvm::find_if(Units, [](const Facts &Unit) { return !Unit.EarlyConstructor.empty(); });
  if (Early == Units.end())
    return Array.Heap.Refusal;
  return {Topic::HeapEarly,
          "the constructor " + Early->EarlyConstructor + "() may run before MAi has its memory"};
}

/// Decides about the arrays of a program, one after the other.
class Planner {
public:
  Planner(const std::vector<Facts> &Program, const PlanOptions &Wanted)
      : Units(Program), Options(Wanted), Requested(Program, Wanted.Requested),
        Counts(Wanted.Counts ? &*Wanted.Counts : nullptr, Program, Wanted.HeapBlocks) {}

  Plan run() {
    Plan P;
    P.Classified = classify(Units);
    P.Complete = P.Classified.Complete;
    llvm::MapVector<std::string, std::vector<Declared>, std::map<std::string, unsigned>> ByKey;
    for (const Facts &Unit : Units)
      for (const ArrayDeclaration &Array : Unit.Arrays)
        if (!Array.Allocated || Options.HeapBlocks)
          ByKey[Array.Key].push_back({&Array, &Unit});
    for (const auto &[Key, Declarations] : ByKey)
      add(P, Key, Declarations);
    divideTogether(P);
    for (Decision &D : P.Decisions)
      if (Candidate &C = D.Chosen.policy(); D.What == Decision::Outcome::Place && C.Rows)
        findRowPointers(P, D, *C.Rows, C.By);
    for (Decision &D : P.Decisions)
      if (Candidate &C = D.Chosen.policy(); D.What == Decision::Outcome::Place && mayBeCounted(D))
        findCounter(P, D, C);
    for (Decision &D : P.Decisions)
      setTexts(D, allocations(P, D.At->Key));
    llvm::stable_sort(P.Decisions, [](const Decision &Left, const Decision &Right) {
      return std::pair(Left.Unit->Unit, Left.At->Where.Line) <
             std::pair(Right.Unit->Unit, Right.At->Where.Line);
    });
    P.Complaints = Requested.complaints();
    if (const std::optional<Note> Foreign = Counts.complaint())
      P.Complaints.push_back({Foreign->What, Foreign->Where});
    P.Notes = Counts.notes(Options.MinBytes);
    complainOfSeveralPrograms(P);
    return P;
  }

private:
  /// Of less than that part of the smallest array that is placed there may be too many to keep
  /// account of.
  static constexpr uint64_t LittlePart = 8;

  /// Of external arrays and functions with the same name in each of them just one would be meant.
  void complainOfSeveralPrograms(Plan &P) const {
    const Function *First = nullptr;
    for (const Facts &Unit : Units)
      for (const Function &F : Unit.Functions) {
        if (F.Key != "main")
          continue;
        if (First)
          P.Complaints.push_back(
              {{Topic::SeveralPrograms, "another main() is in " + First->File +
                                            ": give the files of one program at a time"},
               {F.File, 0}});
        else
          First = &F;
      }
  }

  /// Rows of a matrix that as a whole is not small.
  bool mayBeMany(const ArrayDeclaration &Array) const {
    return llvm::any_of(Array.Allocated->Rows, [&](const RowOfTable &Row) {
      return !Row.Number.empty() && (Row.Constant <= 0 || static_cast<uint64_t>(Row.Constant) >=
                                                              Options.MinBytes / Array.Bytes);
    });
  }

  /// Each block is one of some objects', and these are divided.
  static bool isDividedByObjects(const Decision &D) {
    return D.What == Decision::Outcome::Place && !D.Chosen.isRuled() &&
           D.Chosen.policy().What == Policy::Block && D.Chosen.policy().Moves &&
           D.Chosen.policy().Moves->Rows;
  }

  void add(Plan &P, const std::string &Key, const std::vector<Declared> &Declarations) {
    uint64_t Bytes = 0; // Of a declaration with an incomplete type it is 0.
    for (const Declared &D : Declarations)
      Bytes = std::max(Bytes, D.Array->Bytes);
    const bool Placed =
        llvm::any_of(Declarations, [](const Declared &D) { return D.Array->AlreadyPlaced; });
    const ArrayDeclaration &Array = *Declarations[0].Array;
    const bool AtRunTime = Array.Allocated && (Bytes == 0 || mayBeMany(Array));
    const bool IsSmall = Bytes < Options.MinBytes && !Placed && !AtRunTime;
    const Allocations &Made = allocations(P, Key);
    if (IsSmall && !(Made.InLoop && Bytes >= Options.MinBytes / LittlePart)) {
      P.Small += Bytes > 0;
      return;
    }
    Decision New = decide(P, Key, Declarations, Made);
    if (IsSmall && !isDividedByObjects(New)) {
      ++P.Small;
      return;
    }
    if (New.At->Refusal.Number == Topic::OnStack && !New.isRefused())
      return; // What one thread uses lies well on its stack.
    P.Decisions.push_back(std::move(New));
  }

  template <typename Key>
  static const Allocations &in(const std::map<Key, Allocations> &All, const Key &Of) {
    static const Allocations Nowhere = {{}, false};
    const auto Made = All.find(Of);
    return Made == All.end() ? Nowhere : Made->second;
  }

  static const Allocations &allocations(const Plan &P, const std::string &Key) {
    return in(P.Classified.Allocated, Key);
  }

  //===-- Row pointers --------------------------------------------------------===//

  static std::string nameAtRunTime(const ArrayDeclaration &Array) {
    return Array.Allocated ? blockName(Array) : Array.Object.empty() ? Array.Name : Array.Written;
  }

  /// Whether these are elements of the array, which is a list of numbers.
  static bool holds(const ArrayDeclaration &Array, const RowPointers &Rows) {
    const bool Member = !Array.Object.empty();
    const auto Offset = static_cast<uint64_t>(Rows.Offset);
    return Rows.Variables.count(Member ? Array.Object : Array.Key) > 0 && Rows.Offset >= 0 &&
           (!Member || (Offset >= Array.Within && Offset < Array.Within + Array.Bytes)) &&
           static_cast<uint64_t>(Rows.EntryBytes) == Array.UnitBytes &&
           (Array.UnitBytes == 4 || Array.UnitBytes == 8);
  }

  /// A function puts rows together by pointers that its threads then change, as when rows are moved
  /// to where the one before ends.  These say nothing of the array when MAi can look at them,
  /// between two regions.
  static bool changeBehind(const std::vector<Use> &Uses, const std::vector<Use> &Pointers) {
    const Function *In = nullptr;
    size_t Last = 0;
    for (const Use &U : Uses) {
      Last = std::max(Last, U.Last);
      const bool IsByRows = U.Rows && U.isDivided();
      if (IsByRows && In && U.In != In)
        return false;
      if (IsByRows)
        In = U.In;
    }
    return llvm::any_of(Pointers, [&](const Use &U) {
      return U.Mode != AccessMode::Read && U.How != Pattern::OneThread && U.In == In &&
             U.Last > Last;
    });
  }

  /// What MAi is told of the row pointers that delimit an array's parts, where it knows them.
  static void findRowPointers(Plan &P, const Decision &Of, const RowPointers &Rows, Along &Out) {
    const ArrayDeclaration &Array = *Of.At;
    const std::vector<Use> Uses = P.usesOf(Of);
    const ArrayDeclaration *Pointers = nullptr;
    std::vector<Decision *> Known;
    for (Decision &D : P.Decisions) {
      if (D.What != Decision::Outcome::Place || !holds(*D.At, Rows))
        continue;
      if ((Pointers && nameAtRunTime(*Pointers) != nameAtRunTime(*D.At)) ||
          changeBehind(Uses, P.usesOf(D)))
        return;
      Pointers = D.At;
      Known.push_back(&D);
    }
    const auto Unit = static_cast<int64_t>(Array.UnitBytes);
    if (!Pointers || Unit == 0 || Rows.Bytes % Unit != 0)
      return;
    const std::string Name = nameAtRunTime(*Pointers);
    if (Name.find_first_of(" \"\\") != std::string::npos)
      return;
    Out = {Name, static_cast<uint64_t>(Rows.Bytes / Unit), 0, 0};
    for (Decision *D : Known)
      D->Chosen.policy().IsAlong = true;
    const int64_t Shift = (Rows.Offset - static_cast<int64_t>(Pointers->Within)) / Rows.EntryBytes;
    setRange(*Pointers, Rows, Shift, Out);
  }

  /// Rows up to the last one need not be counted: the text then holds for matrices of any size.
  static void setRange(const ArrayDeclaration &Pointers, const RowPointers &Rows, int64_t Shift,
                       Along &Out) {
    const int64_t First = Rows.First.value_or(0) + Shift;
    if (First < 0)
      return;
    Out.First = static_cast<uint64_t>(First);
    const uint64_t Entries = Pointers.Extents.empty() ? 0 : Pointers.Extents[0];
    if (Rows.End && *Rows.End + Shift > First &&
        static_cast<uint64_t>(*Rows.End + Shift) + 1 < Entries)
      Out.Count = static_cast<uint64_t>(*Rows.End + Shift - First);
  }

  //===-- Numbers that say what is in use ---------------------------------------===//

  /// It is divided as a whole, which may be more than what loops go over.
  bool mayBeCounted(const Decision &D) const {
    const Candidate &C = D.Chosen.policy();
    return Options.RewriteMode == Mode::InPlace && !D.At->Allocated && D.At->InFunction.empty() &&
           C.What == Policy::Block && C.Dimension == 0 && C.Before == 0 && C.Count == 0 &&
           C.Team == 0 && takesRange(C) && !C.Rows;
  }

  /// The number that a divided loop goes as far as, in units of the array.
  static std::optional<InUse> inUse(const Use &U, uint64_t UnitBytes) {
    const std::optional<int64_t> Step =
        U.Moves && U.Moves->Used ? U.Moves->Unit.constant() : std::nullopt;
    const auto Unit = static_cast<int64_t>(UnitBytes);
    if (!Step || *Step < Unit || *Step % Unit != 0)
      return std::nullopt;
    InUse Result = *U.Moves->Used;
    Result.Units *= *Step / Unit;
    return Result;
  }

  /// That of the loop that moves most, unless as much is done by other loops together, or half as
  /// much by those that are known to go over all of it.
  static std::optional<InUse> mostlyInUse(const std::vector<Use> &Uses, uint64_t UnitBytes) {
    double Counted = 0, Whole = 0, All = 0, Most = 0;
    std::optional<InUse> Best;
    for (const Use &U : Uses)
      if (const std::optional<InUse> Of = inUse(U, UnitBytes);
          Of && U.isDivided() && U.Bytes > Most) {
        Best = Of;
        Most = U.Bytes;
      }
    for (const Use &U : Uses)
      if (U.isDivided()) {
        All += U.Bytes;
        Whole += U.HasRange ? U.Bytes : 0;
        Counted += Best && inUse(U, UnitBytes) == Best ? U.Bytes : 0;
      }
    return Counted >= 2 * Whole && Counted >= All / 2 ? Best : std::nullopt;
  }

  /// Which lines a compiler skips between the two is not known.
  static bool isDirectiveBetween(const std::string &Text, const Site &Left, const Site &Right) {
    const auto [First, Last] = std::minmax(Left.After, Right.After);
    llvm::SmallVector<llvm::StringRef, 16> Lines;
    llvm::StringRef(Text).slice(First, Last).split(Lines, '\n');
    return llvm::any_of(Lines, [](llvm::StringRef L) { return L.ltrim().starts_with("#"); });
  }

  static void findCounter(const Plan &P, const Decision &D, Candidate &C) {
    const std::optional<InUse> Used = mostlyInUse(P.usesOf(D), D.At->UnitBytes);
    if (!Used)
      return;
    const auto Counter = llvm::find_if(D.Unit->Counters, [&](const NumberDeclaration &Known) {
      return Known.Key == Used->Variable && Known.At == Used->At;
    });
    if (Counter == D.Unit->Counters.end() ||
        isDirectiveBetween(D.Unit->Text, D.At->Edit, Counter->Edit))
      return;
    C.Counter = {Counter->Name, static_cast<uint64_t>(Used->Units), Counter->Edit};
    C.Reasons.push_back({"as far as " + Counter->Name + " says"});
  }

  /// Nothing that threads allocate for themselves is divided among them.
  static bool isOfThread(const std::vector<Use> &Uses, const Allocations &Where) {
    return Where.ByThreads && llvm::none_of(Uses, [](const Use &U) { return U.isDivided(); });
  }

  /// The size of a block of the heap, where all contexts that allocate it give it the same; 0:
  /// else.
  static uint64_t constantSize(const ArrayDeclaration &Array, const Allocations &Where) {
    const std::vector<NamedValue> &Told = Array.Allocated->Values;
    if (Array.Bytes > 0 || Told.empty() || !Told.back().Text.empty())
      return Array.Bytes;
    uint64_t Size = 0;
    for (const std::vector<Polynomial> &Values : Where.Values) {
      const std::optional<int64_t> Bytes = Values.empty() ? std::nullopt : Values.back().constant();
      if (!Bytes || *Bytes <= 0 || (Size > 0 && Size != static_cast<uint64_t>(*Bytes)))
        return 0;
      Size = static_cast<uint64_t>(*Bytes);
    }
    return Size;
  }

  /// The size that all contexts give the block; null where that is not one.
  static const Polynomial *onlySize(const ArrayDeclaration &Array, const Allocations &Where) {
    const std::vector<NamedValue> &Told = Array.Allocated->Values;
    if (Told.empty() || !Told.back().Text.empty() || Where.Values.empty())
      return nullptr;
    const auto IsOther = [&](const std::vector<Polynomial> &Values) {
      return Values.size() != Told.size() || Values.back() != Where.Values.front().back();
    };
    return llvm::any_of(Where.Values, IsOther) ? nullptr : &Where.Values.front().back();
  }

  Choice choice(const ArrayDeclaration &Array, const std::vector<Use> &Uses,
                const Allocations &Where) const {
    if (!Array.Allocated)
      return choose(Array, Uses, Options.On);
    ArrayDeclaration Sized = Array;
    Sized.Bytes = constantSize(Array, Where);
    Sized.Allocated->IsOneOfMany = Where.InLoop;
    std::vector<Use> OfIt = Uses;
    findRows(OfIt);
    if (const Polynomial *Size = onlySize(Array, Where))
      findFields(OfIt, *Size);
    if (Sized.Bytes == 0) // Which part of it a range is nobody knows.
      for (Use &U : OfIt)
        U.HasRange = false;
    return choose(Sized, OfIt, Options.On);
  }

  Decision decide(const Plan &P, const std::string &Key, const std::vector<Declared> &All,
                  const Allocations &Where) {
    const auto Placed =
        llvm::find_if(All, [](const Declared &D) { return D.Array->AlreadyPlaced; });
    if (Placed != All.end())
      return {Decision::Outcome::AlreadyPlaced, Placed->Array, Placed->Unit,
              Choice::leftAlone({Topic::AlreadyPlaced, ""})};
    const Declared *At = definition(All);
    if (!At)
      return leaveAloneAt(
          All[0], {Topic::Undefined, "only declared here; no definition among the files given"});
    const bool IsBlock = At->Array->Allocated.has_value();
    if (IsBlock && At->Array->Allocated->HandedOn)
      return leaveAloneAt(*At, {Topic::WrappedBlock, "placed where " + At->Array->InFunction +
                                                         "() is called, which hands it on"});
    const ArrayUses Of = P.Classified.uses(Key);
    const std::vector<Use> &Uses = Of.All;
    Decision D{Decision::Outcome::Place, At->Array, At->Unit, choice(*At->Array, Uses, Where)};
    if (!Requested.apply(Key, *At->Array, D.Chosen)) {
      if (isOfThread(Uses, Where))
        D.Chosen.leaveOnly(Policy::LeaveAlone,
                           {Topic::OwnParts, "each thread allocates one of its own: the first to "
                                             "touch it is its user"});
      else if (Options.Counts)
        count(D, Uses);
      else if (IsBlock)
        chooseByCaller(D, Key, Of, P);
    }
    // Why it cannot be placed is worth saying only where it should be.
    if (D.Chosen.policy().What == Policy::LeaveAlone)
      D.What = Decision::Outcome::LeftAlone;
    else if (!At->Array->Refusal.empty())
      D.refuse(At->Array->Refusal);
    else if (Options.RewriteMode == Mode::Heap && !IsBlock)
      if (Remark Refusal = heapRefusal(*At->Array, Units); !Refusal.empty())
        D.refuse(std::move(Refusal));
    return D;
  }

  //===-- Callers ---------------------------------------------------------------===//

  /// The policies of a block by the paths that led to its allocation.
  using Policies = std::map<CallPath, std::string>;

  /// Where callers use their blocks in different ways, each gets what suits its own, if that can be
  /// said without its rows; else what suits all.
  void chooseByCaller(Decision &D, const std::string &Key, const ArrayUses &Of,
                      const Plan &P) const {
    if (!canAskForCaller(*D.At) || !isWithoutRange(D.Chosen.policy()))
      return;
    Policies Each;
    std::optional<Choice> Placing;
    std::string ForOthers = entry(D.Chosen.policy());
    for (const auto &[Path, Uses] : P.Classified.byPath(Of)) {
      const Allocations &Where = in(P.Classified.AllocatedByPath, std::pair(Key, Path));
      const Choice Own = withoutColumns(choice(*D.At, Uses, Where));
      if (isOfThread(Uses, Where))
        return;
      const bool IsSaid = !Own.isExhausted() && isWithoutRange(Own.policy());
      Each.emplace(Path, IsSaid ? entry(Own.policy()) : ForOthers);
      if (IsSaid && !Placing && Own.policy().What != Policy::LeaveAlone)
        Placing = Own;
    }
    std::vector<CallersPolicy> ByCaller = deciding(Each, ForOthers);
    if (ByCaller.empty() || !Placing)
      return;
    if (D.Chosen.policy().What == Policy::LeaveAlone)
      D.Chosen = std::move(*Placing);
    D.Chosen.policy().ByCaller = std::move(ByCaller);
    D.Chosen.policy().ForOthers = std::move(ForOthers);
  }

  /// Its text is that of the call, and it is not one row of a matrix.
  static bool canAskForCaller(const ArrayDeclaration &Array) {
    const Block &B = *Array.Allocated;
    return Array.Refusal.empty() && !B.Behind && B.Rows.empty();
  }

  /// How long rows are cannot be said of each caller's.
  static Choice withoutColumns(Choice Of) {
    for (Candidate &C : Of.Candidates)
      if (C.Dimension > 0 && C.Excluded.empty())
        C.Excluded = "how long rows are differs from caller to caller";
    return Of;
  }

  static bool isWithoutRange(const Candidate &C) {
    return C.Dimension == 0 && !C.OfRows && !C.OfOwners && !C.Rows && !(C.Moves && C.Moves->Rows);
  }

  static std::string entry(const Candidate &C) { return entryBySize(C, unrangedEntry(C)); }

  static std::string nameOf(const CallSite &Call) {
    const llvm::StringRef Before = llvm::StringRef(Call.Unit->Text).take_front(Call.At->Begin);
    const size_t Column = Before.size() - (Before.rfind('\n') + 1) + 1;
    return Call.In->Name + ":" + std::to_string(Call.At->Line) + ":" + std::to_string(Column);
  }

  /// Of each path the innermost call that tells the policy: whatever path goes through that call
  /// has the same.
  static std::vector<CallersPolicy> deciding(const Policies &Each, const std::string &ForOthers) {
    std::map<CallSite, std::set<std::string>> Meant;
    for (const auto &[Path, Policy] : Each)
      for (const CallSite &Call : Path)
        Meant[Call].insert(Policy);
    std::map<CallSite, std::string> Found;
    for (const auto &[Path, Policy] : Each) {
      const auto Tells =
          llvm::find_if(Path, [&](const CallSite &Call) { return Meant[Call].size() == 1; });
      if (Tells != Path.end() && Policy != ForOthers)
        Found.emplace(*Tells, Policy);
    }
    std::vector<CallersPolicy> Result;
    for (const auto &[Call, Policy] : Found)
      Result.push_back({Call, nameOf(Call), Policy});
    return Result;
  }

  //===-- Counts ----------------------------------------------------------------===//

  /// What was counted decides where a profile knows the array.
  void count(Decision &D, const std::vector<Use> &Uses) {
    const bool IsShared =
        llvm::any_of(Uses, [](const Use &U) { return U.How != Pattern::OneThread; });
    const Counted *Known = D.At->Allocated ? Counts.ofBlock(*D.At, dividesRows(Uses), IsShared)
                                           : Counts.of(*D.At, *D.Unit, IsShared);
    if (!Known)
      return;
    if (!D.At->Allocated)
      setRanges(D);
    D.Chosen =
        reconsider(std::move(D.Chosen), priced(*D.At, Uses, *Known), Uses, Options.On, *Known);
  }

  /// Whether the loops divide a table of rows, or what is in each block; nothing where they show
  /// neither.
  static std::optional<bool> dividesRows(const std::vector<Use> &Uses) {
    const Use *Best = nullptr;
    for (const Use &U : Uses)
      if (U.isDivided() && U.Moves && !U.IsDelimited && (!Best || U.Bytes > Best->Bytes))
        Best = &U;
    return Best ? std::optional(Best->Moves->Rows) : std::nullopt;
  }

  /// Rows that were counted are priced as those of a matrix, each longer than some pages.
  static ArrayDeclaration priced(const ArrayDeclaration &Array, const std::vector<Use> &Uses,
                                 const Counted &Known) {
    constexpr uint64_t LongRow = 1 << 16;
    ArrayDeclaration Result = mapp::priced(Array, Uses);
    if (Known.RowBytes == 0)
      return Result;
    const uint64_t Rows = std::max<uint64_t>(1, Known.Counts.largestBytes() / Known.RowBytes);
    Result.Bytes = Rows * LongRow;
    Result.UnitBytes = LongRow;
    Result.Extents = {Rows, LongRow / std::max<uint64_t>(1, std::min(LongRow, Array.UnitBytes))};
    return Result;
  }

  void setRanges(Decision &D) const {
    for (Candidate &C : D.Chosen.Candidates)
      C.Range = rangeText(*D.At, C, Options.RewriteMode);
  }

  /// What the source gets, and would get.
  void setTexts(Decision &D, const Allocations &Made) const {
    if (!D.At->Allocated)
      return setRanges(D);
    mapp::setRanges(*D.At, D.Unit->Scopes, Made, D.Chosen);
    if (D.What != Decision::Outcome::Place)
      return;
    if (Remark Refusal = describeBlock(*D.At, D.Unit->Scopes, Made, D.Chosen, D.Text);
        !Refusal.empty())
      D.refuse(std::move(Refusal));
    if (D.Chosen.policy().What == Policy::LeaveAlone)
      D.What = Decision::Outcome::LeftAlone;
  }

  const std::vector<Facts> &Units;
  const PlanOptions &Options;
  UserPolicies Requested;
  CountMatcher Counts;
};

} // namespace

std::vector<Use> Plan::usesOf(const Decision &D) const { return Classified.uses(D.At->Key).All; }

Plan mapp::makePlan(const std::vector<Facts> &Units, const PlanOptions &Options) {
  return Planner(Units, Options).run();
}
