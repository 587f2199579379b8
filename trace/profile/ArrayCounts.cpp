//===-- ArrayCounts.cpp - who uses which part of an array -------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ArrayCounts.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <tuple>

using namespace maiprof;

bool maiprof::hasTeam(const Profile &P) {
  return std::count_if(P.Threads.begin(), P.Threads.end(),
                       [](const Thread &T) { return T.What == Thread::Kind::OpenMP; }) > 1;
}

std::vector<uint32_t> maiprof::numbers(const Profile &P) {
  std::vector<uint32_t> Numbers;
  uint32_t Next = 0;
  for (const Thread &T : P.Threads) {
    const bool IsOpenMP = T.What == Thread::Kind::OpenMP;
    Numbers.push_back(IsOpenMP ? T.Number : None);
    Next = IsOpenMP ? std::max(Next, T.Number + 1) : Next;
  }
  if (!hasTeam(P))
    for (uint32_t &Number : Numbers)
      Number = Number == None ? Next++ : Number;
  return Numbers;
}

double maiprof::bytesEach(const Profile &P) {
  constexpr double Word = 8;
  return P.CacheBytes > 0 ? double(P.LineBytes) : Word;
}

ArrayCounts::ArrayCounts(const Profile &From, std::vector<Part> Of)
    : Parts(std::move(Of)), Numbers(numbers(From)), LineBytes(From.LineBytes),
      IsExact(From.Sample == 1 && !From.Sampled) {
  for (const Part &P : Parts) {
    Lengths.resize(std::max<size_t>(Lengths.size(), size_t(P.Array) + 1), 0);
    Lengths[P.Array] = std::max(Lengths[P.Array], P.Before + P.Bytes);
  }
  collect(From, From.Lines, From.LineBytes);
  collect(From, From.Parts, 1);
  collect(From, From.CoarsePages, From.PageBytes);
  std::stable_sort(Entries.begin(), Entries.end(), [](const Entry &A, const Entry &B) {
    return A.Array != B.Array ? A.Array < B.Array : A.Offset < B.Offset;
  });
  sumUp();
  addFirstTouches(From);
}

/// Lines that lie wholly in the array: what is counted in those at its ends may be its neighbours'.
/// Of a small array these count, too.
static std::pair<uint64_t, uint64_t> linesOf(const ArrayCounts::Part &P, uint64_t UnitBytes) {
  constexpr uint64_t Few = 16;
  const uint64_t End = P.Start + P.Bytes;
  if (P.Bytes / UnitBytes < Few)
    return {P.Start / UnitBytes, (End + UnitBytes - 1) / UnitBytes};
  return {(P.Start + UnitBytes - 1) / UnitBytes, End / UnitBytes};
}

/// The first page known that does not lie in front of an address.
static std::vector<Page>::const_iterator firstPage(const Profile &From, uint64_t Address) {
  return std::lower_bound(From.Pages.begin(), From.Pages.end(), Address / From.PageBytes,
                          [](const Page &Known, uint64_t Number) { return Known.Number < Number; });
}

void ArrayCounts::collect(const Profile &From, const std::vector<Series> &List,
                          uint64_t UnitBytes) {
  for (const Series &S : List)
    if (Numbers[S.Thread] != None)
      for (const Part &P : Parts)
        collect(From, S, P, UnitBytes);
}

void ArrayCounts::collect(const Profile &From, const Series &S, const Part &P, uint64_t UnitBytes) {
  const auto [First, End] = linesOf(P, UnitBytes);
  auto Each = std::lower_bound(S.Touches.begin(), S.Touches.end(), First,
                               [](const Touch &T, uint64_t Unit) { return T.Unit < Unit; });
  auto Held = From.Pages.end();
  for (bool IsFirst = true; Each != S.Touches.end() && Each->Unit < End; ++Each, IsFirst = false) {
    const uint64_t Address = std::max(Each->Unit * UnitBytes, P.Start);
    const uint64_t Number = Address / From.PageBytes;
    Held = IsFirst ? firstPage(From, Address)
                   : std::find_if(Held, From.Pages.end(),
                                  [&](const Page &Known) { return Known.Number >= Number; });
    const bool IsKnown = Held != From.Pages.end() && Held->Number == Number;
    Entries.push_back({P.Before + Address - P.Start, P.Array, Numbers[S.Thread],
                       From.HasPhases && S.Phase == 0, S.Phase,
                       IsKnown ? uint32_t(Held - From.Pages.begin()) : None,
                       double(Each->Accesses.Reads) * double(From.Sample),
                       double(Each->Accesses.Writes) * double(From.Sample)});
  }
}

uint64_t ArrayCounts::bytes() const {
  uint64_t All = 0;
  for (const Part &P : Parts)
    All += P.Bytes;
  return All;
}

uint32_t ArrayCounts::largest() const {
  return static_cast<uint32_t>(std::max_element(Lengths.begin(), Lengths.end()) - Lengths.begin());
}

uint64_t ArrayCounts::largestBytes() const { return Lengths.empty() ? 0 : Lengths[largest()]; }

uint32_t ArrayCounts::cellOf(uint32_t Array, uint64_t Offset) const {
  const auto Cell = static_cast<uint64_t>(double(Offset) / double(Lengths[Array]) * Cells);
  return static_cast<uint32_t>(std::min<uint64_t>(Cell, Cells - 1));
}

void ArrayCounts::sumUp() {
  for (const Entry &E : Entries) {
    Rows = std::max(Rows, E.Thread + 1);
    if (!E.Serial)
      Threads = std::max(Threads, E.Thread + 1);
  }
  /* Serial code runs in the first thread; what others touch first is theirs, too. */
  for (const uint32_t Number : Numbers)
    if (Number != None)
      Rows = std::max(Rows, Number + 1);
  const uint64_t Lines = (largestBytes() + LineBytes - 1) / LineBytes;
  Cells = static_cast<uint32_t>(
      std::max<uint64_t>(1, std::min({uint64_t(CellsMax), Lines, SumsMax / std::max(1U, Rows)})));
  Parallel.assign(size_t(Rows) * Cells, 0);
  Serial = Touched = Parallel;
  for (const Entry &E : Entries) {
    (E.Serial ? Serial : Parallel)[at(E.Thread, cellOf(E.Array, E.Offset))] += E.accesses();
    Sum += E.accesses();
    if (!E.Serial)
      ParallelSum += E.accesses();
  }
}

void ArrayCounts::addFirstTouches(const Profile &From) {
  for (const Part &P : Parts) {
    const uint64_t End = P.Start + P.Bytes;
    for (auto Each = firstPage(From, P.Start);
         Each != From.Pages.end() && Each->Number * From.PageBytes < End; ++Each) {
      const uint32_t By = Each->firstToucher();
      if (By == None || Numbers[By] == None)
        continue;
      const uint64_t First = std::max(Each->Number * From.PageBytes, P.Start) - P.Start;
      const uint64_t Last = std::min((Each->Number + 1) * From.PageBytes, End) - P.Start - 1;
      const uint32_t FirstCell = cellOf(P.Array, P.Before + First);
      const uint32_t LastCell = cellOf(P.Array, P.Before + Last);
      for (uint32_t Cell = FirstCell; Cell <= LastCell; ++Cell)
        Touched[at(Numbers[By], Cell)] += 1.0 / (LastCell - FirstCell + 1);
    }
  }
}

std::pair<uint32_t, double> ArrayCounts::busiestThread() const {
  std::pair<uint32_t, double> Most = {0, 0};
  for (uint32_t Thread = 0; Thread < Rows; ++Thread) {
    double Mine = 0;
    for (uint32_t Cell = 0; Cell < Cells; ++Cell)
      Mine += parallel(Thread, Cell) + serial(Thread, Cell);
    if (Mine > Most.second)
      Most = {Thread, Mine};
  }
  return {Most.first, Sum > 0 ? Most.second / Sum : 0};
}

double ArrayCounts::parallel(uint32_t Cell) const {
  double All = 0;
  for (uint32_t Thread = 0; Thread < Threads; ++Thread)
    All += parallel(Thread, Cell);
  return All;
}

/* What threads have only cleared has few accesses, but may be much of an array. */
uint32_t ArrayCounts::unusedCells(bool AtEnd) const {
  constexpr double Stray = 0.001, Cleared = 0.02; /* of all accesses */
  constexpr double Few = 0.05;                    /* of those to a cell on average */
  double StrayLeft = Stray * ParallelSum, ClearedLeft = Cleared * ParallelSum;
  uint32_t Count = 0;
  for (; Count < Cells; ++Count) {
    const double InCell = parallel(AtEnd ? Cells - 1 - Count : Count);
    double &Left = InCell * Cells < Few * ParallelSum ? ClearedLeft : StrayLeft;
    if ((Left -= InCell) < 0)
      break;
  }
  return Count;
}

std::pair<uint32_t, uint32_t> ArrayCounts::used() const {
  const uint32_t First = std::min(unusedCells(false), Cells - 1);
  return {First, std::max(Cells - unusedCells(true), First + 1)};
}

/* The best division of the first cells among the first threads is that of one cell less with the
   last cell for the last thread, or that of one thread less. */
std::vector<uint32_t> ArrayCounts::bestDivision(bool Backwards) const {
  if (Threads == 0)
    return {};
  std::vector<double> Best(Cells + 1, 0);
  std::vector<bool> Owns(size_t(Threads) * Cells);
  for (uint32_t Thread = 0; Thread < Threads; ++Thread)
    for (uint32_t Cell = 0; Cell < Cells; ++Cell) {
      const double Mine = Best[Cell] + parallel(ownerOf(Thread, Backwards), Cell);
      /* Of equal ones the first thread's piece goes on, so that pieces end where another's begin.
       */
      const bool IsMine = Thread == 0 || Mine > Best[Cell + 1];
      Owns[at(Thread, Cell)] = IsMine;
      if (IsMine)
        Best[Cell + 1] = Mine;
    }
  std::vector<uint32_t> Ends(Threads, Cells);
  uint32_t Thread = Threads - 1;
  for (uint32_t Cell = Cells; Cell > 0; --Cell)
    while (!Owns[at(Thread, Cell - 1)])
      Ends[--Thread] = Cell;
  while (Thread > 0)
    Ends[--Thread] = 0;
  return Ends;
}

double ArrayCounts::ownPart(const std::vector<uint32_t> &Ends, bool Backwards) const {
  double Own = 0;
  for (uint32_t Thread = 0; Thread < Ends.size(); ++Thread)
    for (uint32_t Cell = Thread == 0 ? 0 : Ends[Thread - 1]; Cell < Ends[Thread]; ++Cell)
      Own += parallel(ownerOf(Thread, Backwards), Cell);
  return ParallelSum > 0 ? Own / ParallelSum : 0;
}

/// Of the parallel accesses those of each array's main user.
double ArrayCounts::mainUsersPart() const {
  double Main = 0;
  for (size_t I = 0; I < Entries.size();) {
    const uint32_t Array = Entries[I].Array;
    std::map<uint32_t, double> Users;
    for (; I < Entries.size() && Entries[I].Array == Array; ++I)
      if (!Entries[I].Serial)
        Users[Entries[I].Thread] += Entries[I].accesses();
    double Most = 0;
    for (const auto &[Thread, Accesses] : Users)
      Most = std::max(Most, Accesses);
    Main += Most;
  }
  return ParallelSum > 0 ? Main / ParallelSum : 0;
}

bool ArrayCounts::belongToThreads() const { return mainUsersPart() > ownPart(bestDivision()); }

/// What the threads did to one line in one phase.
struct ArrayCounts::Line {
  uint32_t Array = 0;
  uint32_t Phase = 0;
  uint64_t Offset = 0;
  std::map<uint32_t, double> By = {}; ///< accesses by thread
  double Sum = 0;

  void add(const Entry &E) {
    By[E.Thread] += E.accesses();
    Sum += E.accesses();
  }
  /// Its accesses but those of its main user.
  double common() const {
    double Most = 0;
    for (const auto &[Thread, Accesses] : By)
      Most = std::max(Most, Accesses);
    return Sum - Most;
  }
};

/// By arrays, phases and offsets.
std::vector<ArrayCounts::Line> ArrayCounts::lines() const {
  std::vector<Entry> InParallel;
  std::copy_if(Entries.begin(), Entries.end(), std::back_inserter(InParallel),
               [](const Entry &E) { return !E.Serial; });
  std::stable_sort(InParallel.begin(), InParallel.end(), [](const Entry &A, const Entry &B) {
    return std::tie(A.Array, A.Phase, A.Offset) < std::tie(B.Array, B.Phase, B.Offset);
  });
  std::vector<Line> All;
  for (const Entry &E : InParallel) {
    if (All.empty() || std::tie(All.back().Array, All.back().Phase, All.back().Offset) !=
                           std::tie(E.Array, E.Phase, E.Offset))
      All.push_back({E.Array, E.Phase, E.Offset});
    All.back().add(E);
  }
  return All;
}

/// How much what threads did to two things differs in its proportions, beside how much two samples
/// of the same would: 0: not at all, 1: as much as that. (Pearson's test of homogeneity.)
static double differByChance(const std::map<uint32_t, double> &Of, double Sum,
                             const std::map<uint32_t, double> &Others, double OtherSum) {
  std::map<uint32_t, std::pair<double, double>> Both;
  for (const auto &[Thread, Accesses] : Of)
    Both[Thread].first = Accesses;
  for (const auto &[Thread, Accesses] : Others)
    Both[Thread].second = Accesses;
  if (Both.size() < 2 || Sum <= 0 || OtherSum <= 0)
    return 0;
  const double Scale = std::sqrt(OtherSum / Sum);
  double Squares = 0;
  for (const auto &[Thread, Pair] : Both) {
    const double Difference = Scale * Pair.first - Pair.second / Scale;
    Squares += Difference * Difference / (Pair.first + Pair.second);
  }
  return std::min(1.0, Squares / static_cast<double>(Both.size() - 1));
}

/* Whoever goes over lines in order, alone, in turn with others or all together, does the same to
   neighbours; who jumps about does so by chance. */
double ArrayCounts::jumpingPart() const {
  double Jumping = 0, Common = 0;
  const Line *Before = nullptr;
  const std::vector<Line> All = IsExact ? lines() : std::vector<Line>();
  for (const Line &Each : All) {
    if (Before && Before->Array == Each.Array && Before->Phase == Each.Phase &&
        Before->Offset + LineBytes == Each.Offset) {
      const double Weight = Before->common() + Each.common();
      Jumping += Weight * differByChance(Before->By, Before->Sum, Each.By, Each.Sum);
      Common += Weight;
    }
    Before = &Each;
  }
  return Common > 0 ? Jumping / Common : 0;
}

/* Where the main user of an array's lines changes. */
std::vector<ArrayCounts::Run> ArrayCounts::runs(uint32_t Array) const {
  std::vector<Run> All;
  for (size_t I = 0; I < Entries.size();) {
    std::map<uint32_t, double> Users;
    const size_t First = I;
    for (; I < Entries.size() && Entries[I].Array == Entries[First].Array &&
           Entries[I].Offset == Entries[First].Offset;
         ++I)
      if (!Entries[I].Serial)
        Users[Entries[I].Thread] += Entries[I].accesses();
    if (Entries[First].Array != Array || Users.empty())
      continue;
    const auto Main =
        std::max_element(Users.begin(), Users.end(),
                         [](const auto &A, const auto &B) { return A.second < B.second; });
    if (All.empty() || All.back().Owner != Main->first)
      All.push_back({Entries[First].Offset, Main->first});
  }
  return All;
}

/* Pieces end within lines: the mean of those that are as long as most is near the truth. */
uint64_t ArrayCounts::lengthOfMost(const std::vector<Run> &All) const {
  std::vector<uint64_t> Distances;
  for (size_t I = 0; I + 1 < All.size(); ++I)
    Distances.push_back(All[I + 1].Begin - All[I].Begin);
  std::nth_element(Distances.begin(), Distances.begin() + std::ptrdiff_t(Distances.size() / 2),
                   Distances.end());
  const uint64_t Median = Distances[Distances.size() / 2];
  double Total = 0;
  size_t Count = 0;
  for (const uint64_t Length : Distances)
    if (Length + LineBytes >= Median && Length <= Median + LineBytes) {
      Total += double(Length);
      ++Count;
    }
  return static_cast<uint64_t>(Total / double(Count) + 0.5);
}

ArrayCounts::Alternation ArrayCounts::alternation() const {
  if (Threads < 2 || Parts.empty())
    return {};
  const uint32_t Array = largest();
  const std::vector<Run> All = runs(Array);
  const uint64_t Piece = All.size() < 2 * size_t(Threads) ? 0 : lengthOfMost(All);
  if (Piece == 0)
    return {};
  double Right = 0, Accesses = 0;
  for (const Entry &E : Entries)
    if (E.Array == Array && !E.Serial) {
      Accesses += E.accesses();
      Right += E.Offset / Piece % Threads == E.Thread ? E.accesses() : 0;
    }
  return Accesses > 0 ? Alternation{Piece, Right / Accesses} : Alternation();
}

std::vector<ArrayCounts::Part> maiprof::apart(const Profile &From,
                                              const std::vector<uint32_t> &Arrays) {
  std::vector<ArrayCounts::Part> All;
  for (const uint32_t I : Arrays)
    All.push_back({From.Arrays[I].Start, From.Arrays[I].Bytes, static_cast<uint32_t>(All.size())});
  return All;
}

std::vector<ArrayCounts::Part> maiprof::asRows(const Profile &From, std::vector<uint32_t> Arrays) {
  constexpr uint64_t MostBytes = uint64_t(1) << 56; /* Profiles may say anything. */
  const auto Of = [&](uint32_t I) -> const Array & { return From.Arrays[I]; };
  std::stable_sort(Arrays.begin(), Arrays.end(), [&](uint32_t L, uint32_t R) {
    return std::pair(Of(L).Chain, Of(L).Number) < std::pair(Of(R).Chain, Of(R).Number);
  });
  struct Matrix {
    uint32_t Number;
    uint64_t Bytes;
  };
  std::map<std::pair<uint32_t, size_t>, Matrix> Matrices; /* by chain, and which of these */
  std::vector<ArrayCounts::Part> All;
  size_t Same = 0;
  for (size_t I = 0; I < Arrays.size(); ++I) {
    const Array &Row = Of(Arrays[I]);
    const bool IsSame =
        I > 0 && Of(Arrays[I - 1]).Chain == Row.Chain && Of(Arrays[I - 1]).Number == Row.Number;
    Same = IsSame ? Same + 1 : 0;
    const Matrix First = {static_cast<uint32_t>(Matrices.size()), 0};
    Matrix &Its = Matrices.try_emplace({Row.Chain, Same}, First).first->second;
    if (Its.Bytes + Row.Bytes > MostBytes)
      continue;
    All.push_back({Row.Start, Row.Bytes, Its.Number, Its.Bytes});
    Its.Bytes += Row.Bytes;
  }
  return All;
}
