//===-- PatternFinder.cpp - the pattern of one access -----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "PatternFinder.h"

#include "TripCounts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"

#include <algorithm>
#include <cmath>
#include <utility>

using namespace mapp;

namespace {

/// A term of a subscript with what is known about how fast it moves.
struct MovingTerm {
  const Term *T;
  llvm::SmallVector<FactorId, 2> Moving; ///< its factors that change in the parallel region
  size_t Fixed = 0;                      ///< number of the others, `plane = nx * ny` being two
  bool Row = false;                      ///< through a table of pointers: slower than any subscript
  bool Begins = false; ///< it says where a row begins: slower than all steps within rows

  /// Moves further in one step. More unknown factors (extents given at run time) move further.
  bool slowerThan(const MovingTerm &Other) const {
    if (Row != Other.Row)
      return Row;
    if (Begins != Other.Begins)
      return Begins;
    if (Fixed != Other.Fixed)
      return Fixed > Other.Fixed;
    return std::llabs(T->Coefficient) > std::llabs(Other.T->Coefficient);
  }
};

/// Finds the pattern of one access.
class PatternFinder {
public:
  PatternFinder(FactorTable &Table, StoredNumbers &Stored, const Shape &Declared,
                const SizedAddress &At)
      : Factors(Table), Numbers(Stored), Array(Declared), Row(At.Row),
        By(sharing(At.By, At.Offset)), Offset(startingAtBounds(At.Offset)),
        TripsOf(Table, Stored, Declared, By, Offset) {
    if (isSerial())
      return;
    if (By.Divided)
      RowBegin = beginOfRow();
    Terms = movingTerms(Offset);
    leaveOutDelays();
    if (By.Divided)
      leaveOutTables();
  }

  /// Fills in all that depends on the subscript.
  /// @return what was read from the array that guides the access, if there is one
  FactorId find(Use &Out) {
    lookAround();
    const double Excess = overestimate();
    Out.Bytes = traffic() / Excess;
    Out.Team = team();
    countSteps(Out);
    Out.Steps /= Excess;
    Out.Pass /= Excess;
    setWalks(Out);
    if (isSerial()) {
      Out.How = Pattern::OneThread;
      Out.IsOfFewElements = isOfFewElements();
      setCounted(Out);
    } else if (By.Who == Execution::Threads::Any) {
      Out.How = Pattern::SomeThread;
    } else if (!By.Divided && isShareOfLibrary()) {
      setShareOfLibrary(Out);
    } else if (!By.Divided) {
      Out.How = replicated();
      Out.Bytes *= threadsOf(By);
      Out.Steps *= threadsOf(By);
    } else {
      Out.Loop = By.Divided;
      divided(Out);
    }
    setParts(Out);
    return Guide;
  }

private:
  static constexpr double ElementBytes = 8;
  static constexpr double Many = 32; ///< steps: a node's or a cell's components are fewer

  //===-- Which loop divides --------------------------------------------------------===//

  /// The loops that an address moves with, be it by the range of another that does.
  llvm::SmallSet<FactorId, 8> loopsBehind(const Polynomial &Address, const Execution &Who) {
    llvm::SmallSet<FactorId, 8> Behind;
    const auto Add = [&](const Polynomial &F) {
      for (const Term &T : F.terms())
        for (const FactorId Id : T.Factors)
          for (const FactorId Loop : Factors.dependence(Id).Loops)
            Behind.insert(Loop);
    };
    Add(Address);
    for (const EnclosingLoop &L : llvm::reverse(Who.Loops))
      if (Behind.contains(L.Loop->Factor))
        Add(L.First);
    return Behind;
  }

  /// Threads that share out several loops by their numbers, as in a grid of threads, divide an
  /// array by the first of these that its elements move with.
  const Execution &sharing(const Execution &Who, const Polynomial &Address) {
    const auto IsByThread = [](const EnclosingLoop &L) { return L.ByThread; };
    if (llvm::count_if(Who.Loops, IsByThread) < 2)
      return Who;
    const llvm::SmallSet<FactorId, 8> Behind = loopsBehind(Address, Who);
    const auto First = llvm::find_if(Who.Loops, [&](const EnclosingLoop &L) {
      return (L.ByThread || L.Loop == Who.Divided) && Behind.contains(L.Loop->Factor);
    });
    if (First == Who.Loops.end() || First->Loop == Who.Divided)
      return Who;
    DividedByInner = Who;
    divideByThread(*DividedByInner, *First->Loop);
    return *DividedByInner;
  }

  /// The threads that have a share: of a loop of fewer iterations than teams usually have threads
  /// only the first ones.
  int64_t team() const {
    constexpr double SurelyFewer = SomeThreads / 2;
    const EnclosingLoop *L = By.Divided ? loop(By.Divided->Factor) : nullptr;
    const std::optional<double> Steps =
        L && By.Team == 0 && By.Order == Schedule::Static ? trips(*L) : std::nullopt;
    return Steps && *Steps > 1 && *Steps <= SurelyFewer ? static_cast<int64_t>(*Steps) : By.Team;
  }

  bool isSerial() const { return !By.Parallel || By.Who == Execution::Threads::One; }

  //===-- Which factors move ----------------------------------------------------===//

  const EnclosingLoop *loop(FactorId Id) const { return loopOf(By, Id); }

  /// It changes while threads go over what they share out. What they have looked up before that by
  /// the index of a loop around it, `dim[level]`, does not.
  bool moves(FactorId Id) {
    const auto &On = Factors.dependence(Id);
    const bool IsIndex = Factors[Id].Kind == FactorKind::Loop;
    return On.Thread || Factors[Id].Kind == FactorKind::Span ||
           llvm::any_of(On.Loops, [&](FactorId Loop) {
             const EnclosingLoop *L = loop(Loop);
             return L && L->InParallel && (IsIndex || !By.Divided || !isOutside(*L));
           });
  }

  MovingTerm moving(const Term &T) {
    MovingTerm M;
    M.T = &T;
    for (const FactorId Id : T.Factors) {
      if (!moves(Id)) {
        M.Fixed += Numbers.degree(Id);
        continue;
      }
      M.Moving.push_back(Id);
      M.Row |= Factors[Id].Kind == FactorKind::Row;
      M.Begins |= Id == RowBegin;
    }
    return M;
  }

  size_t numbersIn(const Term &T) {
    size_t Sum = 0;
    for (const FactorId Id : T.Factors)
      Sum += Numbers.degree(Id);
    return Sum;
  }

  /// The parts of a subscript that move, slowest first. Where two move equally far, the one that
  /// follows the threads comes first.
  llvm::SmallVector<MovingTerm, 4> movingTerms(const Polynomial &F) {
    llvm::SmallVector<MovingTerm, 4> Parts;
    for (const Term &T : F.terms())
      if (MovingTerm M = moving(T); !M.Moving.empty())
        Parts.push_back(std::move(M));
    const auto Rank = [&](const MovingTerm &M) {
      const bool Index = By.Divided && M.Moving.size() == 1 && M.Moving[0] == By.Divided->Factor;
      return Index ? 2 : followsThreads(M) ? 1 : 0;
    };
    llvm::stable_sort(Parts, [&](const MovingTerm &Left, const MovingTerm &Right) {
      if (Left.slowerThan(Right) || Right.slowerThan(Left))
        return Left.slowerThan(Right);
      return Rank(Left) > Rank(Right);
    });
    return Parts;
  }

  /// A table of few pointers, each to a block of its own, as of the components of a field: where
  /// the threads divide each of the blocks, it does not matter which of them it is.
  void leaveOutTables() {
    const auto IsOfFew = [&](const MovingTerm &M) {
      return M.Row && movesByFew(Factors[M.Moving[0]].Of);
    };
    const bool Divides =
        llvm::any_of(Terms, [&](const MovingTerm &M) { return !M.Row && followsThreads(M); });
    const bool OfTables =
        llvm::all_of(Terms, [&](const MovingTerm &M) { return !M.Row || IsOfFew(M); });
    if (Array.IsRow && Divides && OfTables)
      llvm::erase_if(Terms, IsOfFew);
  }

  /// Threads that go over the same planes one behind the other, `plane = wave - me` with `wave` in
  /// a loop that each of them runs: their numbers say when they are where, and not where they are.
  void leaveOutDelays() {
    const auto IsOverAll = [&](const MovingTerm &M) {
      const EnclosingLoop *L = M.Moving.size() == 1 ? loop(M.Moving[0]) : nullptr;
      return L && L->Loop != By.Divided && std::llabs(L->Loop->Step) == 1 && !isNarrow(M) &&
             !Factors.dependsOnThread(L->First);
    };
    const auto IsDelay = [&](const MovingTerm &M) {
      return M.Moving.size() == 1 && Factors.isThreadNumber(M.Moving[0]) &&
             llvm::any_of(Terms, [&](const MovingTerm &Wave) {
               return IsOverAll(Wave) && strideOf(Wave) == strideOf(M) &&
                      std::llabs(Wave.T->Coefficient) == std::llabs(M.T->Coefficient);
             });
    };
    llvm::SmallVector<MovingTerm, 4> Places;
    llvm::copy_if(Terms, std::back_inserter(Places),
                  [&](const MovingTerm &M) { return !IsDelay(M); });
    Terms = std::move(Places);
  }

  /// All that moves in it are loops of few steps.
  bool movesByFew(const Polynomial &F) {
    const llvm::SmallVector<MovingTerm, 4> Parts = movingTerms(F);
    return !Parts.empty() && llvm::all_of(Parts, [&](const MovingTerm &M) {
      return M.Moving.size() == 1 && isNarrow(M);
    });
  }

  /// The terms of `F` that loops or the thread's number move.
  Polynomial movingPart(const Polynomial &F) {
    return F.filtered([&](const Term &T) {
      return llvm::any_of(T.Factors, [&](FactorId Id) { return moves(Id); });
    });
  }

  /// All that moves in it is read from memory.
  bool movesByData(const Polynomial &F) {
    return llvm::all_of(movingPart(F).terms(), [&](const Term &T) {
      return llvm::all_of(T.Factors, [&](FactorId Id) {
        return Factors[Id].Kind == FactorKind::Loaded || !moves(Id);
      });
    });
  }

  /// It moves with loops' indices only.
  bool movesByIndices(const Polynomial &F) const {
    return llvm::all_of(F.terms(), [&](const Term &T) {
      return llvm::all_of(T.Factors, [&](FactorId Id) {
        const FactorKind Kind = Factors[Id].Kind;
        return Kind == FactorKind::Loop || Kind == FactorKind::Symbol ||
               Kind == FactorKind::Parameter;
      });
    });
  }

  /// With each loop that starts at another's index, `for (k = j * B; k < j * B + B; k++)`, counted
  /// from there, as long as its length does not depend on that index but by what is read for it.
  Polynomial startingAtBounds(Polynomial F) {
    for (const EnclosingLoop &L : llvm::reverse(By.Loops)) {
      if (!L.Loop->Counted || L.Loop == By.Divided || !F.mentions(L.Loop->Factor))
        continue;
      const Polynomial Start = movingPart(L.First);
      if (Start.terms().empty())
        continue;
      const std::optional<Polynomial> Length = L.End.minus(L.First);
      if (!Length || !movesByData(*Length) ||
          !(movesByIndices(Start) || movingPart(*Length).terms().empty()))
        continue;
      if (const std::optional<Polynomial> Index = Polynomial(L.Loop->Factor).plus(Start))
        F = FactorTable::replaced(F, L.Loop->Factor, *Index);
    }
    return F;
  }

  //===-- What follows the parallel index ------------------------------------------===//

  /// `F` grows with the parallel index and moves with nothing else. `Depth`: how many times it may
  /// be looked up in memory on the way.
  bool follows(const Polynomial &F, unsigned Depth) {
    bool Any = false;
    for (const Term &T : F.terms()) {
      const MovingTerm M = moving(T);
      if (M.Moving.empty())
        continue;
      if (M.Moving.size() > 1 || T.Coefficient < 0)
        return false;
      const FactorId Id = M.Moving[0];
      if (Id != By.Divided->Factor &&
          (Depth == 0 || !isDerived(Id) || !follows(Factors[Id].Of, Depth - 1)))
        return false;
      Any = true;
    }
    return Any;
  }

  /// It grows as the slowest part of what it is made of does.
  bool isAscending(FactorId Id) const {
    const FactorKind Kind = Factors[Id].Kind;
    return Kind == FactorKind::Row || Kind == FactorKind::Quotient || Id == RowBegin;
  }

  /// Read by the parallel index, and not once more for something else.
  bool isReadByIndex(FactorId Id) {
    return Factors[Id].Kind == FactorKind::Loaded && follows(Factors[Id].Of, 0);
  }

  /// The loop inside the divided one that moves the term, be it by steps that are looked up by the
  /// parallel index, as the widths of boxes.
  const EnclosingLoop *loopWithin(const Term &T) {
    const EnclosingLoop *Found = nullptr;
    for (const FactorId Id : moving(T).Moving) {
      const EnclosingLoop *L = loop(Id);
      if (!L ? !isReadByIndex(Id) : Found || L->Loop == By.Divided)
        return nullptr;
      Found = L ? L : Found;
    }
    return T.Coefficient > 0 ? Found : nullptr;
  }

  /// Another loop, which is long or whose length nothing tells, steps over rows of what this one
  /// goes over element by element: of a box, `i * width + j`, or columns of a constant height.
  bool isWithinRows(const Term &Elements, const EnclosingLoop &Within) {
    const std::optional<double> Steps = trips(Within);
    const double Column = Steps.value_or(0) * static_cast<double>(Elements.Coefficient);
    return llvm::any_of(Offset.terms(), [&](const Term &Rows) {
      const EnclosingLoop *L = loopWithin(Rows);
      if (!L || L == &Within || isNarrow(*L))
        return false;
      return Rows.Factors.size() > 1 ? !isNarrow(Within)
                                     : Steps && static_cast<double>(Rows.Coefficient) == Column;
    });
  }

  /// A loop of many steps goes on from there, element by element, or several loops do.
  bool isGoneOnFrom(const Term &Start) {
    return llvm::any_of(Offset.terms(), [&](const Term &T) {
      const EnclosingLoop *L = T.Factors.size() == 1 ? loopWithin(T) : nullptr;
      return L && T.Coefficient == Start.Coefficient &&
             (trips(*L).value_or(0) >= Many || isWithinRows(T, *L));
    });
  }

  /// One step of something else goes as far as it says, or a multiple of that.
  bool isStride(FactorId Id) const {
    return llvm::any_of(Offset.terms(), [&](const Term &T) {
      return T.Factors.size() > 1 && llvm::is_contained(T.Factors, Id);
    });
  }

  /// Where a table says that the row of the parallel index begins, `a[box[i].first + k]` with k up
  /// to 100: those of a thread are one part of the array.
  FactorId beginOfRow() {
    for (const Term &T : Offset.terms())
      if (T.Factors.size() == 1 && isReadByIndex(*T.Factors.begin()) &&
          !isStride(*T.Factors.begin()) && isGoneOnFrom(T))
        return *T.Factors.begin();
    return {None, None};
  }

  bool isDerived(FactorId Id) const {
    const FactorKind Kind = Factors[Id].Kind;
    return Kind == FactorKind::Loaded || Kind == FactorKind::Computed || isAscending(Id);
  }

  /// A loop from start[j] to start[j + 1], j being the parallel index.
  bool isGuided(const EnclosingLoop &L) {
    return L.Loop->Counted && follows(L.First, 1) && follows(L.End, 1);
  }

  bool isThreadNumber(const MovingTerm &M) {
    if (M.Moving.size() != 1)
      return false;
    if (!isAscending(M.Moving[0]))
      return Factors.isThreadNumber(M.Moving[0]) || Numbers.isThreadNumber(M.Moving[0]);
    const llvm::SmallVector<MovingTerm, 4> Parts = movingTerms(Factors[M.Moving[0]].Of);
    return !Parts.empty() && isThreadNumber(Parts[0]);
  }

  bool followsThreads(const MovingTerm &M) {
    if (!By.Divided)
      return isThreadNumber(M);
    if (M.Moving.size() != 1)
      return false;
    const FactorId Id = M.Moving[0];
    if (Id == By.Divided->Factor)
      return true;
    if (isAscending(Id))
      return rowFollows(Factors[Id].Of);
    const EnclosingLoop *L = loop(Id);
    return L && isGuided(*L);
  }

  /// The slowest part, if it follows the threads. Of a table's index: then the pointers of a
  /// thread's part of the table point to one part of the array. Rows that are blocks of their own
  /// may be put anywhere, whichever part follows: `image[colour][y]` with y in parallel.
  std::optional<MovingTerm> following(const Polynomial &F) {
    const llvm::SmallVector<MovingTerm, 4> Parts = movingTerms(F);
    const auto *Part = llvm::find_if(Parts, [&](const MovingTerm &M) { return followsThreads(M); });
    const bool IsIt = Part != Parts.end() && (Array.IsRow || Part == Parts.begin());
    return IsIt ? std::optional(*Part) : std::nullopt;
  }

  bool rowFollows(const Polynomial &F) { return following(F).has_value(); }

  /// Of a term that follows the threads: it falls while what they divide rises.
  bool falls(const MovingTerm &M) {
    const bool Down = M.T->Coefficient < 0;
    if (!isAscending(M.Moving[0]))
      return Down;
    const std::optional<MovingTerm> Part = following(Factors[M.Moving[0]].Of);
    return Down != (Part && falls(*Part));
  }

  /// What grows with the thread's number is subtracted.
  bool fallsWithThread(const Polynomial &F) {
    return llvm::any_of(F.terms(), [&](const Term &T) {
      return llvm::any_of(T.Factors, [&](FactorId Id) {
        if (!Factors.dependence(Id).Thread)
          return false;
        const bool OfPart = isAscending(Id) && fallsWithThread(Factors[Id].Of);
        return (T.Coefficient < 0) != OfPart;
      });
    });
  }

  /// The first thread has the greatest indices of what is divided. In which direction a thread goes
  /// through a share that its number gives it does not matter.
  bool isDividedBackwards() {
    if (By.Divided->Kind == ScopeKind::Loop)
      return fallsWithThread(loop(By.Divided->Factor)->First);
    return By.Divided->Step < 0;
  }

  bool isReversed(const MovingTerm &M) { return falls(M) != isDividedBackwards(); }

  /// The array that guides a term which follows the threads by way of memory.
  FactorId guide(const MovingTerm &M) {
    const FactorId Id = M.Moving[0];
    if (Factors[Id].Kind == FactorKind::Row || Id == RowBegin)
      return Id;
    const EnclosingLoop *L = loop(Id);
    if (L && L->Loop != By.Divided)
      for (const Term &T : L->First.terms())
        for (const FactorId Start : T.Factors)
          if (Factors[Start].Kind == FactorKind::Loaded)
            return Start;
    return {None, None};
  }

  bool dependsOnThreads(FactorId Id) {
    const auto &On = Factors.dependence(Id);
    if (On.Thread || (By.Divided && llvm::is_contained(On.Loops, By.Divided->Factor)))
      return true;
    return llvm::any_of(On.Loops, [&](FactorId Loop) {
      const EnclosingLoop *L = loop(Loop);
      return L && isGuided(*L);
    });
  }

  /// The same, be it by where loops around it begin, as those over the cells around a particle.
  bool differsByThreads(FactorId Id) {
    if (dependsOnThreads(Id))
      return true;
    const llvm::SmallSet<FactorId, 8> Behind = loopsBehind(Polynomial(Id), By);
    return std::any_of(Behind.begin(), Behind.end(),
                       [&](FactorId Loop) { return dependsOnThreads(Loop); });
  }

  //===-- Patterns ------------------------------------------------------------------===//

  Pattern replicated() {
    if (Terms.empty() || !Factors.dependsOnThread(Offset))
      return Pattern::Everyone;
    return followsThreads(Terms[0]) ? Pattern::PerThread : Pattern::Scattered;
  }

  /// The bytes of each thread's part, where these lie one behind the other in the array.
  void setParts(Use &Out) {
    if (Out.How != Pattern::PerThread || isAscending(Terms[0].Moving[0]) ||
        Terms[0].T->Coefficient <= 0)
      return;
    Sweep S;
    S.Unit = step(Terms[0].Moving[0]);
    Out.Moves = std::move(S);
  }

  /// A library function gets where the thread's share begins, looked up by its number:
  /// `qsort(a + begin[me], begin[me + 1] - begin[me], ...)`.
  bool isShareOfLibrary() {
    const auto IsSpan = [&](const MovingTerm &M) {
      return M.Moving.size() == 1 && Factors[M.Moving[0]].Kind == FactorKind::Span;
    };
    if (Terms.empty() || Terms[0].Moving.size() != 1 || llvm::none_of(Terms, IsSpan))
      return false;
    const Factor &Begin = Factors[Terms[0].Moving[0]];
    const llvm::SmallVector<MovingTerm, 4> Parts = movingTerms(Begin.Of);
    return Begin.Kind == FactorKind::Loaded && !Parts.empty() && isThreadNumber(Parts[0]);
  }

  void setShareOfLibrary(Use &Out) {
    const double Steps = std::min(SomeShares, static_cast<double>(Array.Bytes) / ElementBytes);
    Out.How = Pattern::Block;
    Out.Bytes *= Steps;
    Out.Steps *= Steps;
    Out.Estimated = true;
    Guide = Terms[0].Moving[0];
  }

  /// The parallel index looks up in a list which row it is, `a[list[i]][k]`, be it in tables of
  /// tables.
  bool isListed(const MovingTerm &Slowest) {
    if (Slowest.Moving.size() != 1)
      return false;
    if (!Slowest.Row)
      return isReadByIndex(Slowest.Moving[0]);
    const llvm::SmallVector<MovingTerm, 4> Parts = movingTerms(Factors[Slowest.Moving[0]].Of);
    return !Parts.empty() && isListed(Parts[0]);
  }

  /// The loops within the divided one make many steps.
  bool goesOverRows() {
    double Steps = 1;
    for (const Term &T : Offset.terms())
      if (const EnclosingLoop *L = T.Factors.empty() ? nullptr : loopWithin(T))
        Steps *= trips(*L).value_or(Many);
    return Steps >= Many;
  }

  /// Whole rows, in whatever order.
  static Sweep rowsAnywhere() {
    Sweep S;
    S.Rows = true;
    S.Level = None;
    return S;
  }

  void divided(Use &Out) {
    Out.How = dividedPattern(Out);
    if (Out.How == Pattern::Across) {
      Out.Dimension = drivenDimension(Out);
      if (Array.Strides.empty())
        setColumns(Out);
    }
    if (Out.How != Pattern::Indirect)
      return;
    Guide = memoryFactor();
    Out.IsListed = !Terms.empty() && goesOverRows() && isListed(Terms[0]);
    if (Out.IsListed && Terms[0].Row)
      Out.Moves = rowsAnywhere();
    if (!Terms.empty() && Terms[0].Moving.size() == 1)
      if (std::optional<RowPointers> Pointers = rowPointers(Terms[0]))
        Out.Rows = std::move(*Pointers);
  }

  Pattern dividedPattern(Use &Out) {
    const bool Depends = llvm::any_of(Terms, [&](const MovingTerm &M) {
      return llvm::any_of(M.Moving, [&](FactorId Id) { return dependsOnThreads(Id); });
    });
    const bool Memory = memoryFactor().Index != None;
    if (!Depends)
      return Memory ? Pattern::Indirect : Pattern::Everyone;
    const MovingTerm &Slowest = Terms[0];
    if (isThreadNumber(Slowest))
      return Pattern::PerThread;
    if (!followsThreads(Slowest))
      return Memory || isDerived(Slowest.Moving[0]) ? Pattern::Indirect : Pattern::Across;
    const bool IsTied = Slowest.Moving[0] != RowBegin &&
                        llvm::any_of(llvm::drop_begin(Terms), [&](const MovingTerm &M) {
                          return !Slowest.slowerThan(M) && !isOfSameStep(M, Slowest) &&
                                 !isNarrow(M) && !isDisplacement(M) && !staysInStep(Slowest, M);
                        });
    if (IsTied && isOutermostOfUnknown(Slowest))
      return By.Order == Schedule::Static ? Pattern::Block : Pattern::Scattered;
    if (IsTied)
      return Memory ? Pattern::Indirect : Pattern::Across;
    const bool Guided = Slowest.Moving[0] != By.Divided->Factor;
    const uint64_t Step = stepAcross(Slowest);
    if (!Guided && Slowest.Fixed == 0 && Step < Array.UnitBytes && !leavesUnit(Step))
      return Pattern::Across;
    if (!Guided && (staysInRow(Slowest) || outerRow(Slowest)))
      return Pattern::Across;
    setBegin(Slowest, Out);
    if (Guided && Factors[Slowest.Moving[0]].Kind != FactorKind::Quotient) {
      Guide = guide(Slowest);
      if (std::optional<RowPointers> Pointers = rowPointers(Slowest))
        Out.Rows = std::move(*Pointers);
    } else {
      setRange(Slowest, Out);
    }
    setSweep(Slowest, Out);
    Out.Reversed = isReversed(Slowest);
    if (By.Order != Schedule::Static) {
      Out.Chunk = Guided ? 0 : unitsOfChunk(Slowest);
      return Pattern::Scattered;
    }
    return Out.Reversed ? Pattern::Mirrored : Pattern::Block;
  }

  /// What one step goes is a sum, as of rows that are padded: `a[k * (n + pad) + i]`.
  static bool isOfSameStep(const MovingTerm &M, const MovingTerm &Other) {
    return M.Moving == Other.Moving && (M.T->Coefficient > 0) == (Other.T->Coefficient > 0);
  }

  /// Nothing tells which of several strides is the longest, as those of a sweep whose direction the
  /// run decides: as a rule the outermost loop goes over the slowest part.
  bool isOutermostOfUnknown(const MovingTerm &Parallel) {
    if (Parallel.Fixed == 0 || Parallel.Moving[0] != By.Divided->Factor)
      return false;
    const auto IsInside = [&](const MovingTerm &Other) {
      const EnclosingLoop *L = Other.Moving.size() == 1 ? loop(Other.Moving[0]) : nullptr;
      return L && L > loop(By.Divided->Factor) && strideOf(Other) != strideOf(Parallel);
    };
    return llvm::all_of(llvm::drop_begin(Terms), [&](const MovingTerm &Other) {
      return Parallel.slowerThan(Other) || isNarrow(Other) || IsInside(Other);
    });
  }

  /// The numbers that do not move of what one step goes.
  static llvm::SmallVector<FactorId, 2> strideOf(const MovingTerm &M) {
    llvm::SmallVector<FactorId, 2> Result;
    for (const FactorId Id : M.T->Factors)
      if (!llvm::is_contained(M.Moving, Id))
        Result.push_back(Id);
    return Result;
  }

  /// An inner loop that goes over what the parallel loop steps over at once:
  /// `for (c = 0; c < n; c += 100)` with `for (i = c; i < c + 100; i++)` inside.
  bool staysInStep(const MovingTerm &Parallel, const MovingTerm &Inner) const {
    const EnclosingLoop *L = Inner.Moving.size() == 1 ? loop(Inner.Moving[0]) : nullptr;
    if (!L || Parallel.Moving[0] != By.Divided->Factor)
      return false;
    if (goesOverStep(*L))
      return true;
    const std::optional<double> Count = trips(*L);
    return Count && std::fabs(*Count * static_cast<double>(Inner.T->Coefficient)) <=
                        std::fabs(static_cast<double>(Parallel.T->Coefficient) *
                                  static_cast<double>(By.Divided->Step));
  }

  /// The parallel loop makes steps of a size that the run decides, and this one begins at its
  /// index: `for (c = 0; c < n; c += size)` with `for (i = c; i < c + size; i++)` inside.
  bool goesOverStep(const EnclosingLoop &Inner) const {
    return By.Divided->Step == 0 && Inner.Loop != By.Divided &&
           Inner.First.mentions(By.Divided->Factor);
  }

  /// What schedule(static, k) distributes to a thread at once, in units of the array.
  int64_t unitsOfChunk(const MovingTerm &Slowest) const {
    const auto Unit = static_cast<int64_t>(Array.UnitBytes);
    int64_t Bytes = 0;
    if (Slowest.Fixed > 0 || Slowest.Moving[0] != By.Divided->Factor ||
        __builtin_mul_overflow(Slowest.T->Coefficient, By.Divided->Step, &Bytes) ||
        __builtin_mul_overflow(Bytes, By.Divided->Chunk, &Bytes) || Bytes % Unit != 0)
      return 0;
    return std::llabs(Bytes) / Unit;
  }

  /// The parallel index alone goes over more than one unit: `(&a[0][0])[i]` with i < N * M.
  bool leavesUnit(uint64_t Step) {
    const EnclosingLoop *L = loop(By.Divided->Factor);
    const std::optional<Polynomial> Length = L->End.minus(L->First);
    if (!L->Loop->Counted || !Length)
      return false;
    if (const std::optional<int64_t> Constant = Length->constant())
      return static_cast<double>(*Constant) * static_cast<double>(Step) >
             static_cast<double>(Array.UnitBytes);
    return llvm::any_of(Length->terms(), [](const Term &T) { return T.Factors.size() > 1; });
  }

  /// The part of the subscript by which a loop around the parallel region goes to the next of
  /// something that the threads share out: `a[(k * n + i) * m]`, k outside and i in parallel.
  const Term *outerRow(const MovingTerm &Parallel) {
    const EnclosingLoop *Divided = loop(By.Divided->Factor);
    const std::optional<double> Count = Divided ? trips(*Divided) : std::nullopt;
    const auto IsRow = [&](const Term &T) {
      if (T.Coefficient <= 0 || !moving(T).Moving.empty() || !outerLoop(T))
        return false;
      const size_t Fixed = numbersIn(T) - 1;
      const auto All = Count.value_or(INFINITY) * std::fabs(double(Parallel.T->Coefficient));
      return Fixed > Parallel.Fixed ||
             (Fixed == Parallel.Fixed && static_cast<double>(T.Coefficient) >= All);
    };
    const auto *Found = llvm::find_if(Offset.terms(), IsRow);
    return Found == Offset.terms().end() ? nullptr : &*Found;
  }

  /// The loop around the parallel region whose index is one of the factors.
  const EnclosingLoop *outerLoop(const Term &T) const {
    for (const FactorId Id : T.Factors)
      if (const EnclosingLoop *L = loop(Id); L && !L->InParallel)
        return L;
    return nullptr;
  }

  /// Rows are longer than a step of the parallel index, whatever their length: x[0][j] with j,
  /// x being declared as `double x[n][n]`.
  bool staysInRow(const MovingTerm &Parallel) {
    return llvm::any_of(Row.terms(), [&](const Term &T) {
      return T.Coefficient > 0 && numbersIn(T) > Parallel.Fixed;
    });
  }

  /// What is read from memory to find out where to go: an element of an index array, or where an
  /// inner loop begins, or one around that whose index it begins at.
  FactorId memoryFactor() {
    for (const MovingTerm &M : Terms)
      for (const FactorId Id : M.Moving)
        if (Id != By.Divided->Factor)
          if (const FactorId Read = memoryBehind(Id); Read.Index != None)
            return Read;
    return {None, None};
  }

  FactorId memoryBehind(FactorId Id) {
    if (!loop(Id) && Factors.dependence(Id).Memory)
      return loaded(Id);
    const llvm::SmallSet<FactorId, 8> Behind = loopsBehind(Polynomial(Id), By);
    for (const EnclosingLoop &L : llvm::reverse(By.Loops)) {
      if (L.Loop == By.Divided || !Behind.contains(L.Loop->Factor))
        continue;
      for (const Term &T : L.First.terms())
        for (const FactorId Bound : T.Factors)
          if (Factors.dependence(Bound).Memory && differsByThreads(Bound))
            return loaded(Bound);
    }
    return {None, None};
  }

  /// The first thing read from memory among what `Id` is computed from.
  FactorId loaded(FactorId Id) {
    if (Factors[Id].Kind == FactorKind::Loaded || Factors[Id].Kind == FactorKind::Row)
      return Id;
    for (const Term &T : Factors[Id].Of.terms())
      for (const FactorId Part : T.Factors)
        if (Factors.dependence(Part).Memory)
          return loaded(Part);
    return Id;
  }

  /// A loop over a few neighbours, or a library function from where the index points: its part of
  /// the subscript does not leave the thread's share.
  bool isNarrow(const MovingTerm &M) {
    if (M.Moving.size() == 1 && Factors[M.Moving[0]].Kind == FactorKind::Span)
      return true;
    const EnclosingLoop *L = M.Moving.size() == 1 ? loop(M.Moving[0]) : nullptr;
    return L && isNarrow(*L);
  }

  bool isNarrow(const EnclosingLoop &L) {
    constexpr double Neighbours = 16;
    const std::optional<double> Count = trips(L);
    return Count ? *Count <= Neighbours : TripsOf.isOverThreads(L);
  }

  /// To which of some neighbours a row looks is told by a table, `u[y + dy[k]]`, or computed from
  /// the index of a short loop, `u[y + k / 3 - 1]`: it is the same for all threads, and leaves them
  /// in their order.
  bool isDisplacement(const MovingTerm &M) {
    if (M.Moving.size() != 1 || dependsOnThreads(M.Moving[0]))
      return false;
    const auto &On = Factors.dependence(M.Moving[0]);
    return Factors[M.Moving[0]].Kind == FactorKind::Loaded ||
           (!On.Memory && !On.Loops.empty() && llvm::all_of(On.Loops, [&](FactorId Id) {
             const EnclosingLoop *L = loop(Id);
             return L && isNarrow(*L);
           }));
  }

  /// Bytes that one step of the term goes. Along a diagonal, `a[i][d - i]`, it goes to the next
  /// row, and back in it.
  uint64_t stepAcross(const MovingTerm &M) const {
    const auto Step = static_cast<uint64_t>(std::llabs(M.T->Coefficient));
    for (size_t D = 0; D + 1 < Array.Strides.size(); ++D)
      if (Step + Array.Strides[D + 1] == Array.Strides[D])
        return Array.Strides[D];
    return Step;
  }

  /// The dimension, from 1, in which the parallel index moves one step; 0 where that is not known.
  /// @param Out receives in which order of the threads the shares are, if in any
  unsigned drivenDimension(Use &Out) {
    for (const MovingTerm &M : Terms) {
      if (!followsThreads(M))
        continue;
      Out.InOrder = By.Order == Schedule::Static;
      Out.Reversed = isReversed(M);
      const uint64_t Step = stepAcross(M);
      for (unsigned D = 0; D < Array.Strides.size(); ++D)
        if (M.Fixed == 0 && Step >= Array.Strides[D])
          return staysInRow(M) ? 0 : D + 1;
    }
    return 0;
  }

  //===-- Extent -------------------------------------------------------------------===//

  static int64_t floorDivide(int64_t Dividend, int64_t Divisor) {
    return Dividend / Divisor - (Dividend % Divisor < 0 ? 1 : 0);
  }

  /// The first value over the whole parallel loop of its index, or of a quotient of that, and one
  /// more than the last.
  std::optional<std::pair<int64_t, int64_t>> valuesOf(FactorId Id) {
    const EnclosingLoop *L = loop(By.Divided->Factor);
    const std::optional<int64_t> First = L->First.constant(), End = L->End.constant();
    if (!L->Loop->Counted || !First || !End || *End <= *First)
      return std::nullopt;
    if (Id == By.Divided->Factor)
      return std::pair(*First, *End);
    const Factor &Quotient = Factors[Id];
    const auto At = [&](int64_t Index) {
      return FactorTable::replaced(Quotient.Of, By.Divided->Factor, Polynomial(Index)).constant();
    };
    std::optional<int64_t> Low = At(*First), High = At(*End - 1);
    if (Low && High && *Low > *High)
      std::swap(Low, High);
    if (Quotient.Index == None || !Low || !High)
      return std::nullopt;
    return std::pair(floorDivide(*Low, Quotient.Index), floorDivide(*High, Quotient.Index) + 1);
  }

  /// Where something begins in the array, as the run says: the begin[k] in &a[begin[k]]. What is
  /// taken away, as in x[i + n * j - 1 - n], makes up for indices that begin at 1.
  bool isBegin(const Term &T) {
    return !T.Factors.empty() && T.Coefficient > 0 && moving(T).Moving.empty() &&
           llvm::none_of(T.Factors, [&](FactorId Id) {
             const FactorKind Kind = Factors[Id].Kind;
             return Kind == FactorKind::Computed || Kind == FactorKind::Quotient;
           });
  }

  /// Whether it goes at least as far as the whole loop: the next of several arrays in one block, as
  /// b in `b = a + length`.
  bool isBehindLoop(const Term &T, const MovingTerm &Slowest) {
    const EnclosingLoop *L = loop(By.Divided->Factor);
    return Slowest.Fixed == 0 && L->Loop->Counted && !T.Factors.empty() &&
           llvm::any_of(L->End.terms(), [&](const Term &Length) {
             return Length.Factors == T.Factors && Length.Coefficient > 0 &&
                    T.Coefficient >= std::llabs(Slowest.T->Coefficient) * Length.Coefficient;
           });
  }

  /// Whether it is a number of its own, not one of those by which rows are counted, nor the index
  /// of a loop outside, which says in which of the rows: `level->f = level->u + level->cells`.
  bool isOfItsOwn(const Term &T, const MovingTerm &Slowest) {
    const auto IsLoop = [&](FactorId Id) { return Factors[Id].Kind == FactorKind::Loop; };
    const auto CountsRows = [&](FactorId Id) { return llvm::is_contained(Slowest.T->Factors, Id); };
    return isBegin(T) && llvm::none_of(T.Factors, IsLoop) && !llvm::all_of(T.Factors, CountsRows);
  }

  static constexpr int64_t Far = 64 << 10; ///< bytes, in an array

  /// It has so many values that the text tells: `step % 2`.
  bool isOneOfFew(FactorId Id) const {
    return Factors[Id].Kind == FactorKind::Computed && Factors[Id].Index != None;
  }

  /// Which of a few equal parts of a block it is, one behind the other, as of the levels of time in
  /// `u + (step % 2) * n`.
  bool isLevel(const Term &T, const MovingTerm &Slowest) {
    const auto IsOneOfFew = [&](FactorId Id) { return isOneOfFew(Id) && !moves(Id); };
    return llvm::count_if(T.Factors, IsOneOfFew) == 1 &&
           (numbersIn(T) - 1 > Slowest.Fixed || T.Coefficient >= Far);
  }

  /// Further in the array than neighbouring rows are, by a constant.
  bool isFarInside(const MovingTerm &Slowest) {
    constexpr int64_t WidestStencil = 8;
    const int64_t Step = Slowest.Fixed > 0 ? 1 : std::llabs(Slowest.T->Coefficient);
    return Offset.constantTerm() >= Far && Offset.constantTerm() / Step > WidestStencil;
  }

  /// Where in the array the units begin that the loop goes over.
  void setBegin(const MovingTerm &Slowest, Use &Out) {
    Out.IsShifted = llvm::any_of(Offset.terms(), [&](const Term &T) { return isBegin(T); });
    Out.IsBehind =
        isFarInside(Slowest) || llvm::any_of(Offset.terms(), [&](const Term &T) {
          return isBehindLoop(T, Slowest) || isOfItsOwn(T, Slowest) || isLevel(T, Slowest);
        });
  }

  /// The units that the whole loop touches, where its bounds are constant.
  void setRange(const MovingTerm &Slowest, Use &Out) {
    const auto Unit = static_cast<int64_t>(Array.UnitBytes);
    const int64_t Step = Slowest.T->Coefficient;
    const std::optional<std::pair<int64_t, int64_t>> Values = valuesOf(Slowest.Moving[0]);
    const bool Shifted = llvm::any_of(Offset.terms(), [&](const Term &T) {
      return !T.Factors.empty() && moving(T).Moving.empty();
    });
    if (!Values || Slowest.Fixed > 0 || Shifted || Step % Unit != 0)
      return;
    const auto [First, End] = *Values;
    int64_t Begin = 0;
    if (__builtin_mul_overflow(Step, Step > 0 ? First : End - 1, &Begin) ||
        __builtin_add_overflow(Begin, Offset.constantTerm(), &Begin) ||
        __builtin_add_overflow(Begin, leastInRow(Step), &Begin) ||
        __builtin_mul_overflow(std::llabs(Step) / Unit, End - First, &Out.Count))
      return;
    Out.First = floorDivide(Begin, Unit);
    Out.HasRange = true;
  }

  /// What loops within a row add at least: a[i - 1][j - 1] with j from 1 is in row i - 1, not
  /// before it. And a[i * n + n - 1 - j] is not behind row i, where rows are only counted.
  int64_t leastInRow(int64_t Step) const {
    int64_t Sum = 0;
    for (const Term &T : Offset.terms()) {
      const EnclosingLoop *L = T.Factors.size() == 1 ? loop(*T.Factors.begin()) : nullptr;
      const bool IsInUnit = std::llabs(T.Coefficient) < static_cast<int64_t>(Array.UnitBytes);
      const bool GoesBack = T.Coefficient < 0 && -T.Coefficient < std::llabs(Step);
      if (!L || L->Loop == By.Divided || !L->Loop->Counted || (!IsInUnit && !GoesBack))
        continue;
      const std::optional<int64_t> First = L->First.constant(), End = L->End.constant();
      const std::optional<int64_t> Least = T.Coefficient > 0 ? First
                                           : End             ? std::optional(*End - 1)
                                                             : std::nullopt;
      int64_t Bytes = 0;
      if (Least && !__builtin_mul_overflow(T.Coefficient, *Least, &Bytes) &&
          __builtin_add_overflow(Sum, Bytes, &Sum))
        return 0;
    }
    return Sum;
  }

  /// Of a loop whose index is the slowest part, from start[i] on, i being the parallel index, or
  /// from start[list[i]] on.
  std::optional<RowPointers> rowPointers(const MovingTerm &Slowest) {
    const EnclosingLoop *Inner = loop(Slowest.Moving[0]), *Outer = loop(By.Divided->Factor);
    const int64_t Step = Slowest.T->Coefficient;
    const bool Shifted = llvm::any_of(Offset.terms(), [&](const Term &T) {
      return !T.Factors.empty() && moving(T).Moving.empty();
    });
    if (!Inner || !Outer || Inner->Loop == By.Divided || Slowest.Fixed > 0 || Step <= 0 ||
        Shifted || By.Divided->Step != 1 || !Outer->Loop->Counted)
      return std::nullopt;
    constexpr int64_t LittleBytes = 4096 / 8; // Of a page.
    const std::optional<Term> Start =
        Inner->First.onlyTerm(LittleBytes / std::min(Step, LittleBytes));
    if (!Start || Factors[*Start->Factors.begin()].Kind != FactorKind::Loaded)
      return std::nullopt;
    RowPointers Result{*Start->Factors.begin(), 0, 0, 0, {}, {}};
    const Polynomial &Read = Factors[Result.Read].Of;
    const std::optional<Term> Index = Read.onlyTerm(INT64_MAX);
    if (!Index)
      return std::nullopt;
    if (*Index->Factors.begin() == By.Divided->Factor) {
      Result.First = Outer->First.constant();
      Result.End = Outer->End.constant();
    } else if (Factors[*Index->Factors.begin()].Kind != FactorKind::Loaded) {
      return std::nullopt;
    }
    if (__builtin_mul_overflow(Step, Start->Coefficient, &Result.Bytes))
      return std::nullopt;
    Result.EntryBytes = Index->Coefficient;
    Result.Offset = Read.constantTerm();
    return Result;
  }

  /// What the offset moves by in one step of the factor, as far as nothing else moves with it.
  Polynomial step(FactorId Id) {
    Polynomial Sum;
    for (const Term &T : Offset.terms()) {
      const MovingTerm M = moving(T);
      if (M.Moving.size() != 1 || M.Moving[0] != Id)
        continue;
      std::optional<Polynomial> Part = Polynomial(T.Coefficient);
      for (const FactorId Fixed : T.Factors)
        if (Part && Fixed != Id)
          Part = Part->times(Polynomial(Fixed));
      Part = Part ? Sum.plus(*Part) : std::nullopt;
      Sum = Part ? *Part : Sum;
    }
    return Sum;
  }

  /// It is smaller than the unit, a few times at most: so many bytes times some of the numbers that
  /// the unit is a product of, as the row before, `a[(k * ny + j - 1) * nx + i]`, in a plane.
  static bool isWithin(const Term &T, const Term &Unit) {
    constexpr int64_t WidestStencil = 8;
    return T.Factors.size() < Unit.Factors.size() &&
           std::includes(Unit.Factors.begin(), Unit.Factors.end(), T.Factors.begin(),
                         T.Factors.end()) &&
           std::llabs(T.Coefficient) / WidestStencil <= std::llabs(Unit.Coefficient);
  }

  /// It does not move, and no part of a unit says how far it goes.
  bool isBeyond(const Term &T, const Polynomial &Unit) {
    return !T.Factors.empty() && moving(T).Moving.empty() &&
           llvm::none_of(Unit.terms(), [&](const Term &Part) {
             return T.Factors == Part.Factors || isWithin(T, Part);
           });
  }

  /// How many units of `Unit` bytes the parts of the offset are that do not move, up to a unit: the
  /// 1 in a[(i + 1) * n + j]; nothing where another part of the program's decides that.
  std::optional<int64_t> shift(const Polynomial &Unit) {
    if (Unit.terms().empty())
      return std::nullopt;
    const Term &One = Unit.terms().back(); // The constant, if there is one, comes first.
    int64_t Units = 0;
    for (const Term &T : Offset.terms())
      if (T.Factors == One.Factors)
        Units = floorDivide(T.Coefficient, One.Coefficient);
      else if (isBeyond(T, Unit))
        return std::nullopt;
    return Units;
  }

  /// Bytes up to where the part of the array begins that the loop goes over, where the program
  /// decides that: those of `shift()` are none.
  Polynomial beginOfPart(const Polynomial &Unit) {
    if (Unit.terms().empty())
      return {};
    return Offset.filtered([&](const Term &T) { return isBeyond(T, Unit); });
  }

  static void setUnits(const EnclosingLoop &L, std::optional<int64_t> Shift, Sweep &Out) {
    if (!L.Loop->Counted || !Shift)
      return;
    Out.First = L.First.plus(Polynomial(*Shift));
    Out.Count = L.End.minus(L.First);
  }

  /// The same where the offset falls while the index rises: the n in a[n - 1 - i].
  void setUnitsFromEnd(const EnclosingLoop &L, const Polynomial &Unit, Sweep &Out) {
    const Polynomial Fixed =
        Offset.filtered([&](const Term &T) { return moving(T).Moving.empty(); });
    const std::optional<int64_t> Bytes = Unit.constant();
    const std::optional<Polynomial> Units = Bytes ? Fixed.dividedBy(*Bytes) : std::nullopt;
    const std::optional<Polynomial> End = Units ? Units->plus(Polynomial(1)) : std::nullopt;
    if (!L.Loop->Counted || !End)
      return;
    Out.First = End->minus(L.End);
    Out.Count = L.End.minus(L.First);
  }

  /// How far from the parallel index the row is whose pointer this is.
  /// @param Level receives how many tables further on the index is; None where it is nowhere
  std::optional<int64_t> shiftInTable(FactorId Pointer, unsigned &Level) {
    const Polynomial &At = Factors[Pointer].Of;
    for (const Term &T : At.terms()) {
      if (T.Factors.size() != 1)
        continue;
      const FactorId Moving = *T.Factors.begin();
      if (Moving == By.Divided->Factor)
        return T.Coefficient > 0 ? std::optional(floorDivide(At.constantTerm(), T.Coefficient))
                                 : std::nullopt;
      if (Factors[Moving].Kind == FactorKind::Row && rowFollows(Factors[Moving].Of))
        return shiftInTable(Moving, ++Level);
      if (const EnclosingLoop *L = loop(Moving); L && isGuided(*L)) // It goes over several rows.
        return std::nullopt;
    }
    Level = None;
    return std::nullopt;
  }

  /// The same as setRange() where the program's variables are the bounds.
  void setSweep(const MovingTerm &Slowest, Use &Out) {
    const EnclosingLoop *L = loop(By.Divided->Factor);
    const FactorId Id = Slowest.Moving[0];
    if (!L)
      return;
    Sweep S;
    if (Slowest.Row) {
      S.Rows = true;
      const std::optional<int64_t> Shift = shiftInTable(Id, S.Level);
      setUnits(*L, Shift, S);
    } else if (Id != By.Divided->Factor) {
      return;
    } else if (Slowest.T->Coefficient > 0) {
      S.Unit = step(Id);
      S.Begin = beginOfPart(S.Unit);
      setUnits(*L, shift(S.Unit), S);
    } else if (const std::optional<Polynomial> Unit = Polynomial().minus(step(Id))) {
      S.Unit = *Unit;
      setUnitsFromEnd(*L, S.Unit, S);
    }
    Out.Moves = std::move(S);
  }

  /// What the offset moves by in one step of a loop around the parallel region.
  Polynomial outerStep(const EnclosingLoop &L) const {
    Polynomial Sum;
    for (const Term &T : Offset.terms()) {
      std::optional<Polynomial> Part = Polynomial(T.Coefficient);
      for (const FactorId Other : T.Factors)
        if (Part && Other != L.Loop->Factor)
          Part = Part->times(Polynomial(Other));
      Part = Part && llvm::is_contained(T.Factors, L.Loop->Factor) ? Sum.plus(*Part) : std::nullopt;
      Sum = Part ? *Part : Sum;
    }
    return Sum;
  }

  /// A block has no declared rows: one is what the slowest term steps over.
  /// @return its bytes, where the parallel index does not step over them itself
  std::optional<Polynomial> stepOverRows(const MovingTerm &Driven) {
    if (const Term *Outer = outerRow(Driven))
      return outerStep(*outerLoop(*Outer));
    const MovingTerm &Slowest = Terms[0];
    if (&Driven == &Slowest || Slowest.Row || Slowest.Moving.size() != 1 ||
        Slowest.T->Coefficient <= 0)
      return std::nullopt;
    return step(Slowest.Moving[0]);
  }

  void setColumns(Use &Out) {
    const auto Driven = llvm::find_if(Terms, [&](const MovingTerm &M) {
      return M.Moving.size() == 1 && M.Moving[0] == By.Divided->Factor;
    });
    const EnclosingLoop *L = loop(By.Divided->Factor);
    if (Driven == Terms.end() || !L)
      return;
    const std::optional<Polynomial> Rows = stepOverRows(*Driven);
    if (!Rows)
      return;
    Sweep S;
    S.Unit = *Rows;
    const Polynomial Step = step(By.Divided->Factor);
    const bool Rises = Driven->T->Coefficient > 0;
    S.Element = Rises ? Step : Polynomial().minus(Step).value_or(Step);
    if (Rises)
      setUnits(*L, shift(S.Element), S);
    Out.Dimension = 2;
    Out.InOrder = By.Order == Schedule::Static;
    Out.Reversed = isReversed(*Driven);
    Out.Moves = std::move(S);
  }

  /// A loop around the access.
  struct Around {
    const EnclosingLoop *L;
    TripCount Trips;
    bool MovesIt;
  };

  void lookAround() {
    llvm::SmallSet<FactorId, 8> Moving;
    bool BySpan = false;
    for (const Term &T : Offset.terms())
      for (const FactorId Id : T.Factors) {
        const auto &On = Factors.dependence(Id);
        Moving.insert(On.Loops.begin(), On.Loops.end());
        BySpan |= Factors[Id].Kind == FactorKind::Span;
      }
    for (const EnclosingLoop &L : By.Loops)
      Loops.push_back({&L, TripsOf.of(L), BySpan || Moving.contains(L.Loop->Factor)});
  }

  /// A loop inside of it that moves the subscript begins where its index says.
  bool movesBegins(const EnclosingLoop &L) {
    return llvm::any_of(Loops, [&](const Around &Inner) {
      return Inner.MovesIt && llvm::any_of(Inner.L->First.terms(), [&](const Term &T) {
               return llvm::any_of(T.Factors, [&](FactorId Id) {
                 return llvm::is_contained(Factors.dependence(Id).Loops, L.Loop->Factor);
               });
             });
    });
  }

  static bool hasIndex(const Polynomial &F, const EnclosingLoop &L) {
    return llvm::any_of(
        F.terms(), [&](const Term &T) { return llvm::is_contained(T.Factors, L.Loop->Factor); });
  }

  /// A loop inside of it that moves the subscript begins at its index and ends elsewhere,
  /// `for (j = i + 1; j < n; j++)`, and so comes to the same elements again.
  bool comesBack(const EnclosingLoop &L) const {
    return llvm::any_of(Loops, [&](const Around &Inner) {
      return Inner.MovesIt && hasIndex(Inner.L->First, L) && !hasIndex(Inner.L->End, L);
    });
  }

  /// What the array holds of what the subscript goes over in its smallest steps.
  double elements() {
    uint64_t Finest = Array.Bytes;
    for (const Term &T : Offset.terms())
      if (!T.Factors.empty() && T.Coefficient != 0)
        Finest = std::min<uint64_t>(Finest, std::llabs(T.Coefficient));
    return std::max(1.0, static_cast<double>(Array.Bytes) /
                             static_cast<double>(std::max<uint64_t>(Finest, 1)));
  }

  /// By how much guesses are too high: loops whose indices make up the subscript come to each
  /// element once, and make no more steps together than there are elements.
  double overestimate() {
    double Steps = 1;
    bool Guessed = false;
    for (const auto &[L, Of, MovesIt] : Loops) {
      if (!hasIndex(Offset, *L))
        continue;
      Steps *= Of.Steps;
      Guessed |= Of.Guessed;
    }
    return Guessed ? std::max(1.0, Steps / elements()) : 1;
  }

  /// Bytes that this access moves: so many elements as the loops around it make steps. What the
  /// innermost loops do not move stays in the cache.
  double traffic() {
    double Bytes = ElementBytes;
    bool Moves = false;
    for (const Around &L : llvm::reverse(Loops)) {
      Moves = Moves || L.MovesIt;
      if (Moves)
        Bytes *= L.Trips.Steps;
    }
    return Bytes;
  }

  void countSteps(Use &Out) {
    Out.Estimated = false;
    for (const auto &[L, Of, MovesIt] : Loops) {
      Out.Steps *= Of.Steps;
      Out.Estimated |= Of.Guessed;
      if (L->Loop == By.Divided)
        Out.DividesMany = !Of.Guessed || Of.Steps > FewSteps;
      if (!MovesIt && !movesBegins(*L))
        continue;
      Out.Pass *= Of.Steps;
      Out.IsGuessedPass |= Of.Guessed;
      Out.ComesBack |= !MovesIt && comesBack(*L);
    }
  }

  /// A number that loops count on, and nothing else, moves it.
  void setCounted(Use &Out) {
    const auto Moves = [&](const Term &T) {
      return llvm::any_of(T.Factors,
                          [&](FactorId Id) { return !Factors.dependence(Id).Loops.empty(); });
    };
    const auto Moving = llvm::find_if(Offset.terms(), Moves);
    if (Moving == Offset.terms().end() || Moving->Factors.size() != 1 ||
        Factors[*Moving->Factors.begin()].Kind != FactorKind::Computed ||
        Moving->Coefficient <= 0 || std::any_of(std::next(Moving), Offset.terms().end(), Moves))
      return;
    const auto Outermost = llvm::find_if(Loops, [](const Around &L) { return L.MovesIt; });
    Out.CountsIn = Outermost == Loops.end() ? nullptr : Outermost->L->Loop;
    Out.Within = Offset.constantTerm() % Moving->Coefficient;
  }

  /// Nothing that is read from memory, or that another function tells, says what it is.
  /// @param Told those that have been looked at
  bool isToldByText(FactorId Id, llvm::SmallSet<FactorId, 8> &Told) {
    if (!Told.insert(Id).second)
      return true;
    const Factor &F = Factors[Id];
    switch (F.Kind) {
    case FactorKind::Loop:
    case FactorKind::Parameter:
      return true;
    case FactorKind::Symbol: // Such as a counter of other functions.
      return !Numbers.isChanged(Polynomial(Id));
    case FactorKind::Quotient:
    case FactorKind::Computed:
      return llvm::all_of(F.Of.terms(), [&](const Term &T) {
        return llvm::all_of(T.Factors, [&](FactorId Part) { return isToldByText(Part, Told); });
      });
    default:
      return false;
    }
  }

  /// However often it is made, it goes to few elements, as where a source of waves is.
  bool isOfFewElements() {
    llvm::SmallSet<FactorId, 8> Told, Moving;
    double Elements = 1;
    for (const Term &T : Offset.terms())
      for (const FactorId Id : T.Factors) {
        if (!isToldByText(Id, Told))
          return false;
        const auto &On = Factors.dependence(Id);
        if (isOneOfFew(Id))
          Elements *= Factors[Id].Index;
        else
          Moving.insert(On.Loops.begin(), On.Loops.end());
      }
    for (const Around &A : Loops)
      if (Moving.contains(A.L->Loop->Factor))
        Elements *= A.Trips.Guessed ? INFINITY : A.Trips.Steps;
    return Elements <= MostFewElements;
  }

  /// The threads meet between the loop's iterations.
  bool isOutside(const EnclosingLoop &L) const {
    const EnclosingLoop *Divided = By.Divided ? loop(By.Divided->Factor) : nullptr;
    return Divided ? &L < Divided : !L.InParallel;
  }

  /// Which loops move the access how far, where all that moves it is known.
  void setWalks(Use &Out) {
    int64_t Start = Offset.constantTerm();
    for (const Term &T : Offset.terms()) {
      if (T.Factors.empty())
        continue;
      const EnclosingLoop *L = T.Factors.size() == 1 ? loop(*T.Factors.begin()) : nullptr;
      if (!L)
        return Out.Walks.clear();
      const std::optional<double> Known = trips(*L);
      const std::optional<int64_t> First = L->Loop->Counted ? L->First.constant() : std::nullopt;
      const double Steps = Known ? *Known : TripsOf.byDimension(*L);
      const auto Stride = static_cast<double>(T.Coefficient) *
                          static_cast<double>(L->Loop->Step == 0 ? 1 : std::abs(L->Loop->Step));
      const double Begin =
          static_cast<double>(Start) +
          static_cast<double>(T.Coefficient) * static_cast<double>(First.value_or(0)) +
          (Stride < 0 ? Stride * (Steps - 1) : 0);
      if (std::fabs(Stride) > static_cast<double>(Array.Bytes) ||
          std::fabs(Begin) > static_cast<double>(Array.Bytes))
        return Out.Walks.clear();
      Start = static_cast<int64_t>(Begin);
      Out.Walks.push_back({static_cast<int64_t>(std::fabs(Stride)), Steps, isOutside(*L)});
    }
    Out.Start = Start;
  }

  FactorTable &Factors;
  StoredNumbers &Numbers;
  const Shape &Array;
  const Polynomial &Row;
  std::optional<Execution> DividedByInner;
  const Execution &By;
  Polynomial Offset;
  TripCounts TripsOf;
  llvm::SmallVector<Around, 8> Loops;     ///< outermost first
  llvm::SmallVector<MovingTerm, 4> Terms; ///< slowest first
  FactorId Guide = {None, None};
  FactorId RowBegin = {None, None}; ///< see beginOfRow()
};

} // namespace

FactorId mapp::findPattern(FactorTable &Factors, StoredNumbers &Numbers, const Shape &Array,
                           const SizedAddress &At, Use &Out) {
  return PatternFinder(Factors, Numbers, Array, At).find(Out);
}
