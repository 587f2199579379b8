//===-- advice_test.cpp - what is advised for which accesses ----*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Profiles that are made up: four threads on two nodes use one array of 64 pages, in one way each.
//
//===----------------------------------------------------------------------===//

#include "advice/Advise.h"
#include "advice/ProfileAdvice.h"
#include "trace/profile/SampleError.h"

#include <cmath>
#include <cstdio>
#include <functional>

using namespace maiprof;

namespace {

constexpr uint32_t Threads = 4, Pages = 64, LinesInPage = 64;
constexpr uint64_t Start = 1 << 20;

int Failures = 0;

/// How often a thread uses a page or a line, or whether it is the first to do so.
using Rule = std::function<uint64_t(uint32_t Thread, uint32_t Unit)>;

bool isOwn(uint32_t Thread, uint32_t Page) { return Page / (Pages / Threads) == Thread; }

void addArray(Profile &P, uint32_t Count, Array::Kind What) {
  Array Only;
  Only.What = What;
  Only.Start = Start;
  Only.Bytes = uint64_t(Count) * P.PageBytes;
  Only.Name = "u";
  P.Arrays.push_back(Only);
}

void addAccesses(Profile &P, uint32_t Count, const Rule &Uses) {
  for (uint32_t T = 0; T < Threads; ++T) {
    Series S;
    S.Thread = T;
    for (uint32_t Line = 0; Line < Count * LinesInPage; ++Line)
      if (const uint64_t Times = Uses(T, Line))
        S.Touches.push_back({Start / P.LineBytes + Line, {Times, 0}});
    P.Lines.push_back(S);
  }
}

void addPages(Profile &P, uint32_t Count, const Rule &IsFirst) {
  for (uint32_t I = 0; I < Count; ++I) {
    Page New;
    New.Number = Start / P.PageBytes + I;
    for (uint32_t T = 0; T < Threads; ++T)
      if (IsFirst(T, I))
        New.FirstWriter = T;
    New.Node = P.Threads[New.FirstWriter].Node;
    P.Pages.push_back(New);
  }
}

/// A machine whose nodes are called 4 and 7; threads 0 and 1 are on the first of them.
Profile machine(Thread::Kind What, uint64_t SecondMemory) {
  Profile P;
  P.Nodes = {{4, 1 << 30}, {7, SecondMemory}};
  P.Distances = {10, 20, 20, 10};
  for (uint32_t I = 0; I < Threads; ++I) {
    P.Cpus.push_back({I, I / 2});
    Thread T;
    T.What = I == 0 ? Thread::Kind::OpenMP : What;
    T.Number = I;
    T.Cpu = I;
    T.Node = I / 2;
    P.Threads.push_back(T);
  }
  return P;
}

struct Case {
  const char *Name;
  Rule Uses, IsFirst;
  const char *Policy; ///< "as it is" where nothing is advised
  double RemoteNow, RemoteThen, BusiestThen;
  uint32_t Count = Pages;
  Thread::Kind What = Thread::Kind::OpenMP;
  uint64_t SecondMemory = 1 << 30;
  Array::Kind Kind = Array::Kind::Static;
  advice::Runs For = advice::Runs::Counted;
  const char *Relative = nullptr; ///< the same for other runs, where it is another
};

bool isNear(double Value, double Expected) { return std::abs(Value - Expected) < 1e-9; }

void check(const Case &C) {
  Profile P = machine(C.What, C.SecondMemory);
  addArray(P, C.Count, C.Kind);
  addAccesses(P, C.Count, [&](uint32_t T, uint32_t Line) { return C.Uses(T, Line / LinesInPage); });
  addPages(P, C.Count, C.IsFirst);
  const Usage U = usage(P, layoutOf(P));
  const advice::Advice Its = advice::ProfileAdvisor(P, U.Where, C.For).of(U.Arrays)[0];
  const std::string Policy = Its.IsWell ? "as it is" : Its.Policy;
  const bool IsRelative = !C.Relative || Its.Relative == C.Relative;
  if (Policy == C.Policy && IsRelative && isNear(Its.Now.Remote, C.RemoteNow) &&
      isNear(Its.Then.Remote, C.RemoteThen) && isNear(Its.Then.Busiest, C.BusiestThen))
    return;
  std::printf("FAILED: %s: %s, in others %s, remote %g -> %g, busiest %g -> %g; %s\n", C.Name,
              Policy.c_str(), Its.Relative.c_str(), Its.Now.Remote, Its.Then.Remote,
              Its.Now.Busiest, Its.Then.Busiest, Its.Reason.c_str());
  ++Failures;
}

/// Whether threads of several nodes are the first in parts of an array of which all is well.
bool isTouchedApart(const Rule &Uses, const Rule &IsFirst) {
  Profile P = machine(Thread::Kind::OpenMP, 1 << 30);
  addArray(P, Pages, Array::Kind::Static);
  addAccesses(P, Pages, [&](uint32_t T, uint32_t Line) { return Uses(T, Line / LinesInPage); });
  addPages(P, Pages, IsFirst);
  const Usage U = usage(P, layoutOf(P));
  return advice::ProfileAdvisor(P, U.Where).of(U.Arrays)[0].IsTouchedApart;
}

/// The part that jumps about of what threads do to lines by a rule.
double jumping(const Rule &Uses, uint64_t Sample = 1) {
  Profile P = machine(Thread::Kind::OpenMP, 1 << 30);
  P.Sample = Sample;
  addArray(P, Pages, Array::Kind::Heap);
  addAccesses(P, Pages, Uses);
  return ArrayCounts(P, apart(P, {0})).jumpingPart();
}

void checkJumping(const char *Name, double Found, double Least, double Most) {
  if (Found >= Least && Found <= Most)
    return;
  std::printf("FAILED: %s: %g jump about\n", Name, Found);
  ++Failures;
}

void checkIs(const char *Name, bool Is) {
  if (Is)
    return;
  std::printf("FAILED: %s\n", Name);
  ++Failures;
}

/// An alternative of a price is taken for one of 100 where it saves a quarter, and where that may
/// be off does so at the lower end.
bool isTaken(double Price, double Error) {
  advice::Alternative Old, New;
  Old.Counted = advice::Metrics{.Cost = 100};
  New.Counted = advice::Metrics{.Cost = Price};
  return advice::saves(New, Old, 100, Error);
}

/// Of 1600 samples 400 are of an array: an interval there is twice as wide as that of all.
void checkErrorOfPart() {
  Profile P = machine(Thread::Kind::OpenMP, 1 << 30);
  addArray(P, Pages, Array::Kind::Static);
  addAccesses(P, Pages, [](uint32_t, uint32_t) { return 1; });
  constexpr double All = Threads * Pages * LinesInPage;
  checkIs("counts are not off", shareErrorOf(P, All / 4, 0.5) == 0);
  P.Sampled.emplace();
  P.Sampled->Effective = 1600;
  checkIs("a part of all", isNear(shareError(P, 0.5), 1.96 * 0.5 / 40));
  checkIs("a part of an array's", isNear(shareErrorOf(P, All / 4, 0.5), 1.96 * 0.5 / 20));
}

uint64_t byFirst(uint32_t Thread, uint32_t) { return Thread == 0; }
uint64_t byLast(uint32_t Thread, uint32_t) { return Thread == Threads - 1; }
uint64_t byAll(uint32_t, uint32_t) { return 1; }
uint64_t byOwner(uint32_t Thread, uint32_t Page) { return isOwn(Thread, Page); }
uint64_t byPage(uint32_t Thread, uint32_t Page) { return Thread == Page; }
uint64_t byEnds(const uint32_t (&Ends)[Threads], uint32_t Thread, uint32_t Page) {
  return Page < Ends[Thread] && (Thread == 0 || Page >= Ends[Thread - 1]);
}
/// The threads of the second node have three quarters of it.
uint64_t byUnequalOwner(uint32_t Thread, uint32_t Page) {
  return byEnds({8, 16, 40, 64}, Thread, Page);
}
/// Rows of nine pages, two for a thread, of which the last is left with one.
uint64_t byRows(uint32_t Thread, uint32_t Page) { return byEnds({18, 36, 54, 64}, Thread, Page); }
/// The same, rows at the edges being used besides.
uint64_t byRowsWithEdges(uint32_t Thread, uint32_t Page) {
  return byEnds({20, 36, 50, 64}, Thread, Page);
}
/// The threads of the first node have three quarters of it.
uint64_t byUnequalFalling(uint32_t Thread, uint32_t Page) {
  return byEnds({24, 48, 56, 64}, Thread, Page);
}
/// The last quarter is not used.
uint64_t byOwnerOfFilled(uint32_t Thread, uint32_t Page) {
  return byEnds({12, 24, 36, 48}, Thread, Page);
}
/// Two threads have most of it, and the others a little everywhere.
uint64_t byTwo(uint32_t Thread, uint32_t Page) {
  const bool IsMine = Thread == 0 ? Page < 16 : Thread == 3 && Page >= 16;
  return Thread == 1 || Thread == 2 ? 1 : IsMine ? 8 : 0;
}
/// Pieces of 32 lines as threads take them, by two loops, of which one uses each line twice.
uint64_t byWhoComes(uint32_t Thread, uint32_t Line) {
  const uint32_t Piece = Line / 32;
  return uint64_t(Piece * 5 % Threads == Thread) + 2 * uint64_t(Piece * 7 / 3 % Threads == Thread);
}
/// All in order, more often from line to line of four.
uint64_t byField(uint32_t, uint32_t Line) { return 1 + Line % 4; }
uint64_t byChance(uint32_t Thread, uint32_t Line) {
  return (Line * Threads + Thread + 1) * 0x9e3779b97f4a7c15U >> 61;
}
/// From the end of the array on.
uint64_t byOwnerFromEnd(uint32_t Thread, uint32_t Page) {
  return byOwner(Thread, Pages - 1 - Page);
}
uint64_t byUnequalFromEnd(uint32_t Thread, uint32_t Page) {
  return byUnequalOwner(Thread, Pages - 1 - Page);
}

} // namespace

int main() {
  const Case Cases[] = {
      {"own parts, one initialises", byOwner, byFirst, "block", 0.5, 0, 0.5},
      {"own parts, each initialises its own", byOwner, byOwner, "as it is", 0, 0, 0.5},
      {"unequal parts", byUnequalOwner, byFirst, "block shares 1250,1250,3750,3750", 0.75, 0, 0.75},
      {"most by two, by chance", byTwo, byFirst, "block", 0.7, 0.3, 0.5},
      {"own parts from the end", byOwnerFromEnd, byFirst, "block reversed", 0.5, 0, 0.5},
      {"unequal parts from the end", byUnequalFromEnd, byFirst,
       "block shares 1250,1250,3750,3750 reversed", 0.75, 0, 0.75},
      {"all use all", byAll, byFirst, "cyclic", 0.5, 0.5, 0.5},
      {"one of the other node's", byLast, byFirst, "bind 7", 1, 0, 1},
      {"one's own", byFirst, byFirst, "as it is", 0, 0, 1},
      {"too few pages to divide", byAll, byFirst, "as it is", 0.5, 0.5, 1, 1},
      {"no team", byOwner, byFirst, "cyclic", 0.5, 0.5, 0.5, Pages, Thread::Kind::Other},
      {"more than the other node has", byLast, byFirst, "as it is", 1, 1, 1, Pages,
       Thread::Kind::OpenMP, 1 << 17},
      {"small", byPage, byFirst, "as it is", 0.5, 0.5, 1, Threads, Thread::Kind::OpenMP, 1 << 30,
       Array::Kind::Heap},
      {"small, and larger in other runs", byPage, byFirst, "block", 0.5, 0, 0.5, Threads,
       Thread::Kind::OpenMP, 1 << 30, Array::Kind::Heap, advice::Runs::Larger},
      {"small in all runs", byPage, byFirst, "as it is", 0.5, 0.5, 1, Threads, Thread::Kind::OpenMP,
       1 << 30, Array::Kind::Static, advice::Runs::Larger},
      {"rows, two or one for a thread", byRows, byFirst, "block", 28. / 64, 0, 36. / 64, Pages,
       Thread::Kind::OpenMP, 1 << 30, Array::Kind::Heap, advice::Runs::Larger},
      {"rows, more at the edges", byRowsWithEdges, byFirst, "block", 28. / 64, 0, 36. / 64, Pages,
       Thread::Kind::OpenMP, 1 << 30, Array::Kind::Heap, advice::Runs::Larger},
      {"parts so unequal that they are no rows", byUnequalFalling, byFirst,
       "block shares 3750,3750,1250,1250", 0.25, 0, 0.75, Pages, Thread::Kind::OpenMP, 1 << 30,
       Array::Kind::Heap, advice::Runs::Larger},
      {"one of the other node's, wherever its threads are", byLast, byFirst, "bind 7", 1, 0, 1,
       Pages, Thread::Kind::OpenMP, 1 << 30, Array::Kind::Heap, advice::Runs::Larger,
       "block shares 0,0,1,0"},
      {"allocated for the worst case", byOwnerOfFilled, byFirst, "block filled", 0.5, 0, 0.5, Pages,
       Thread::Kind::OpenMP, 1 << 30, Array::Kind::Heap, advice::Runs::Larger},
  };
  for (const Case &C : Cases)
    check(C);
  checkIs("each touches its own first", isTouchedApart(byOwner, byOwner));
  checkIs("one touches all of its own first", !isTouchedApart(byFirst, byFirst));
  checkIs("a quarter is saved", isTaken(72, 0) && isTaken(72, 0.02));
  checkIs("a quarter may not be saved", !isTaken(72, 0.04) && !isTaken(76, 0));
  checkErrorOfPart();
  checkJumping("all in order", jumping(byAll), 0, 0.001);
  checkJumping("pieces as they come", jumping(byWhoComes), 0, 0.05);
  checkJumping("structures in order", jumping(byField), 0, 0.001);
  checkJumping("by chance", jumping(byChance), 0.5, 1);
  checkJumping("by chance, of which samples tell", jumping(byChance, 2), 0, 0);
  return Failures > 0;
}
