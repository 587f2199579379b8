//===-- PatternFinder.cpp - the pattern of one access -----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "PatternFinder.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <utility>

using namespace mapp;

PatternFinder::PatternFinder(FactorTable &Table, StoredNumbers &Stored, const Shape &Declared,
                             const SizedAddress &At)
    : Factors(Table), Numbers(Stored), Array(Declared), Row(At.Row), By(sharing(At.By, At.Offset)),
      Offset(startingAtBounds(At.Offset)), TripsOf(Table, Stored, Declared, By, Offset) {
  if (isSerial())
    return;
  if (By.Divided)
    RowBegin = beginOfRow();
  Terms = movingTerms(Offset);
  leaveOutDelays();
  if (By.Divided)
    leaveOutTables();
}

FactorId PatternFinder::find(Use &Out) {
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

//===-- Which loop divides --------------------------------------------------===//

/// The loops that an address moves with, be it by the range of another that does.
llvm::SmallSet<FactorId, 8> PatternFinder::loopsBehind(const Polynomial &Address,
                                                       const Execution &Who) {
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
const Execution &PatternFinder::sharing(const Execution &Who, const Polynomial &Address) {
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
int64_t PatternFinder::team() const {
  constexpr double SurelyFewer = SomeThreads / 2;
  const EnclosingLoop *L = By.Divided ? loop(By.Divided->Factor) : nullptr;
  const std::optional<double> Steps =
      L && By.Team == 0 && By.Order == Schedule::Static ? trips(*L) : std::nullopt;
  return Steps && *Steps > 1 && *Steps <= SurelyFewer ? static_cast<int64_t>(*Steps) : By.Team;
}

//===-- Patterns ------------------------------------------------------------===//

Pattern PatternFinder::replicated() {
  if (Terms.empty() || !Factors.dependsOnThread(Offset))
    return Pattern::Everyone;
  return followsThreads(Terms[0]) ? Pattern::PerThread : Pattern::Scattered;
}

/// The bytes of each thread's part, where these lie one behind the other in the array.
void PatternFinder::setParts(Use &Out) {
  if (Out.How != Pattern::PerThread || isAscending(Terms[0].Moving[0]) ||
      Terms[0].T->Coefficient <= 0)
    return;
  Sweep S;
  S.Unit = step(Terms[0].Moving[0]);
  Out.Moves = std::move(S);
}

/// A library function gets where the thread's share begins, looked up by its number:
/// `qsort(a + begin[me], begin[me + 1] - begin[me], ...)`.
bool PatternFinder::isShareOfLibrary() {
  const auto IsSpan = [&](const MovingTerm &M) {
    return M.Moving.size() == 1 && Factors[M.Moving[0]].Kind == FactorKind::Span;
  };
  if (Terms.empty() || Terms[0].Moving.size() != 1 || llvm::none_of(Terms, IsSpan))
    return false;
  const Factor &Begin = Factors[Terms[0].Moving[0]];
  const llvm::SmallVector<MovingTerm, 4> Parts = movingTerms(Begin.Of);
  return Begin.Kind == FactorKind::Loaded && !Parts.empty() && isThreadNumber(Parts[0]);
}

void PatternFinder::setShareOfLibrary(Use &Out) {
  const double Steps = std::min(SomeShares, static_cast<double>(Array.Bytes) / ElementBytes);
  Out.How = Pattern::Block;
  Out.Bytes *= Steps;
  Out.Steps *= Steps;
  Out.Estimated = true;
  Guide = Terms[0].Moving[0];
}

/// The parallel index looks up in a list which row it is, `a[list[i]][k]`, be it in tables of
/// tables.
bool PatternFinder::isListed(const MovingTerm &Slowest) {
  if (Slowest.Moving.size() != 1)
    return false;
  if (!Slowest.Row)
    return isReadByIndex(Slowest.Moving[0]);
  const llvm::SmallVector<MovingTerm, 4> Parts = movingTerms(Factors[Slowest.Moving[0]].Of);
  return !Parts.empty() && isListed(Parts[0]);
}

/// The loops within the divided one make many steps.
bool PatternFinder::goesOverRows() {
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

void PatternFinder::divided(Use &Out) {
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

/// What one step goes is a sum, as of rows that are padded: `a[k * (n + pad) + i]`.
static bool isOfSameStep(const MovingTerm &M, const MovingTerm &Other) {
  return M.Moving == Other.Moving && (M.T->Coefficient > 0) == (Other.T->Coefficient > 0);
}

Pattern PatternFinder::dividedPattern(Use &Out) {
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

/// The numbers that do not move of what one step goes.
static llvm::SmallVector<FactorId, 2> strideOf(const MovingTerm &M) {
  llvm::SmallVector<FactorId, 2> Result;
  for (const FactorId Id : M.T->Factors)
    if (!llvm::is_contained(M.Moving, Id))
      Result.push_back(Id);
  return Result;
}

/// Nothing tells which of several strides is the longest, as those of a sweep whose direction the
/// run decides: as a rule the outermost loop goes over the slowest part.
bool PatternFinder::isOutermostOfUnknown(const MovingTerm &Parallel) {
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

/// An inner loop that goes over what the parallel loop steps over at once:
/// `for (c = 0; c < n; c += 100)` with `for (i = c; i < c + 100; i++)` inside.
bool PatternFinder::staysInStep(const MovingTerm &Parallel, const MovingTerm &Inner) const {
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
bool PatternFinder::goesOverStep(const EnclosingLoop &Inner) const {
  return By.Divided->Step == 0 && Inner.Loop != By.Divided &&
         Inner.First.mentions(By.Divided->Factor);
}

/// What schedule(static, k) distributes to a thread at once, in units of the array.
int64_t PatternFinder::unitsOfChunk(const MovingTerm &Slowest) const {
  const auto Unit = static_cast<int64_t>(Array.UnitBytes);
  int64_t Bytes = 0;
  if (Slowest.Fixed > 0 || Slowest.Moving[0] != By.Divided->Factor ||
      __builtin_mul_overflow(Slowest.T->Coefficient, By.Divided->Step, &Bytes) ||
      __builtin_mul_overflow(Bytes, By.Divided->Chunk, &Bytes) || Bytes % Unit != 0)
    return 0;
  return std::llabs(Bytes) / Unit;
}

/// The parallel index alone goes over more than one unit: `(&a[0][0])[i]` with i < N * M.
bool PatternFinder::leavesUnit(uint64_t Step) {
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
const Term *PatternFinder::outerRow(const MovingTerm &Parallel) {
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
const EnclosingLoop *PatternFinder::outerLoop(const Term &T) const {
  for (const FactorId Id : T.Factors)
    if (const EnclosingLoop *L = loop(Id); L && !L->InParallel)
      return L;
  return nullptr;
}

/// Rows are longer than a step of the parallel index, whatever their length: x[0][j] with j,
/// x being declared as `double x[n][n]`.
bool PatternFinder::staysInRow(const MovingTerm &Parallel) {
  return llvm::any_of(Row.terms(), [&](const Term &T) {
    return T.Coefficient > 0 && numbersIn(T) > Parallel.Fixed;
  });
}

/// What is read from memory to find out where to go: an element of an index array, or where an
/// inner loop begins, or one around that whose index it begins at.
FactorId PatternFinder::memoryFactor() {
  for (const MovingTerm &M : Terms)
    for (const FactorId Id : M.Moving)
      if (Id != By.Divided->Factor)
        if (const FactorId Read = memoryBehind(Id); Read.Index != None)
          return Read;
  return {None, None};
}

FactorId PatternFinder::memoryBehind(FactorId Id) {
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
FactorId PatternFinder::loaded(FactorId Id) {
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
bool PatternFinder::isNarrow(const MovingTerm &M) {
  if (M.Moving.size() == 1 && Factors[M.Moving[0]].Kind == FactorKind::Span)
    return true;
  const EnclosingLoop *L = M.Moving.size() == 1 ? loop(M.Moving[0]) : nullptr;
  return L && isNarrow(*L);
}

bool PatternFinder::isNarrow(const EnclosingLoop &L) {
  constexpr double Neighbours = 16;
  const std::optional<double> Count = trips(L);
  return Count ? *Count <= Neighbours : TripsOf.isOverThreads(L);
}

/// To which of some neighbours a row looks is told by a table, `u[y + dy[k]]`, or computed from
/// the index of a short loop, `u[y + k / 3 - 1]`: it is the same for all threads, and leaves them
/// in their order.
bool PatternFinder::isDisplacement(const MovingTerm &M) {
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
uint64_t PatternFinder::stepAcross(const MovingTerm &M) const {
  const auto Step = static_cast<uint64_t>(std::llabs(M.T->Coefficient));
  for (size_t D = 0; D + 1 < Array.Strides.size(); ++D)
    if (Step + Array.Strides[D + 1] == Array.Strides[D])
      return Array.Strides[D];
  return Step;
}

/// The dimension, from 1, in which the parallel index moves one step; 0 where that is not known.
/// @param Out receives in which order of the threads the shares are, if in any
unsigned PatternFinder::drivenDimension(Use &Out) {
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
