//===-- Analysis.cpp - what a profile says ----------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Analysis.h"

#include "ArrayCounts.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <map>
#include <optional>
#include <set>
#include <tuple>

using namespace maiprof;

namespace {

/// One thread's accesses to one line, or to a part of it, with all phases in one.
struct Entry {
  uint64_t Unit;
  uint32_t View; ///< of freed memory; no two entries of threads that were alone have the same
  uint32_t Part; ///< 0: the whole line; else its first byte in the line, plus 1
  uint32_t Thread;
  Counts Accesses;

  /// Entries of one thread for one part are neighbours in this order, and those for one line.
  auto key() const { return std::tie(Unit, View, Thread, Part); }
  bool isSameLine(const Entry &Other) const { return Unit == Other.Unit && View == Other.View; }
};

/// What tells views apart: each thread has its own of the lines that it used alone.
uint32_t viewOf(const Series &S) {
  constexpr uint32_t FirstAlone = 1U << 16;
  return S.View == Series::Alone ? FirstAlone + S.Thread : S.View;
}

void accumulate(Counts &To, const Counts &More) {
  To.Reads += More.Reads;
  To.Writes += More.Writes;
}

/// Sorts entries and makes one of those with the same key.
void sumUp(std::vector<Entry> &Entries) {
  std::sort(Entries.begin(), Entries.end(),
            [](const Entry &A, const Entry &B) { return A.key() < B.key(); });
  size_t Kept = 0;
  for (const Entry &E : Entries) {
    Entry *Last = Kept ? &Entries[Kept - 1] : nullptr;
    if (Last && Last->key() == E.key())
      accumulate(Last->Accesses, E.Accesses);
    else
      Entries[Kept++] = E;
  }
  Entries.resize(Kept);
}

/// A phase and a slice of time; None: all.
struct Part {
  uint32_t Phase = None;
  uint32_t Slice = None;
  bool has(const Series &S) const {
    return (Phase == None || S.Phase == Phase) && (Slice == None || S.Slice == Slice);
  }
};

/// Appends what the series have of a part of the run.
void append(std::vector<Entry> &Entries, const std::vector<Series> &List, const Part &Of) {
  size_t Total = Entries.size();
  for (const Series &S : List)
    Total += S.Touches.size();
  Entries.reserve(Total);
  for (const Series &S : List)
    if (Of.has(S))
      for (const Touch &T : S.Touches)
        Entries.push_back({T.Unit, viewOf(S), 0, S.Thread, T.Accesses});
}

/// What was counted by lines and by parts of them.
std::vector<Entry> gatherParts(const Profile &P, const Part &Of) {
  std::vector<Entry> Entries;
  append(Entries, P.Parts, Of);
  for (Entry &E : Entries) {
    E.Part = static_cast<uint32_t>(E.Unit % P.LineBytes + 1);
    E.Unit /= P.LineBytes;
  }
  append(Entries, P.Lines, Of);
  sumUp(Entries);
  return Entries;
}

/// The same by whole lines.
std::vector<Entry> gatherLines(const Profile &P, const Part &Of) {
  std::vector<Entry> Entries = gatherParts(P, Of);
  for (Entry &E : Entries)
    E.Part = 0;
  sumUp(Entries);
  return Entries;
}

std::vector<Entry> gatherPages(const Profile &P, const Part &Of) {
  std::vector<Entry> Entries;
  append(Entries, P.CoarsePages, Of);
  sumUp(Entries);
  return Entries;
}

/// Calls Visit(first, last) for the entries of each line that threads share, or one has alone.
template <typename Visitor> void forEachUnit(const std::vector<Entry> &Entries, Visitor &&Visit) {
  for (size_t First = 0, Last = 0; First < Entries.size(); First = Last) {
    while (Last < Entries.size() && Entries[Last].isSameLine(Entries[First]))
      ++Last;
    Visit(&Entries[First], &Entries[0] + Last);
  }
}

bool isOpenMP(const Thread &T) { return T.What == Thread::Kind::OpenMP; }

/// A program with threads of its own only is shown all the same.
bool wantsOthers(const Profile &P, const SharingOptions &Options) {
  size_t OpenMP = 0;
  for (const Thread &T : P.Threads)
    OpenMP += isOpenMP(T);
  return Options.AllThreads || OpenMP <= 1;
}

class ArrayFinder {
public:
  explicit ArrayFinder(const Profile &Source) : P(Source) {
    for (uint32_t I = 0; I < P.Arrays.size(); ++I)
      (P.Arrays[I].What == Array::Kind::Stack ? Stacks : Specific).push_back(I);
    for (const uint32_t I : Specific)
      Longest = std::max(Longest, P.Arrays[I].Bytes);
    for (const uint32_t I : Stacks)
      LongestStack = std::max(LongestStack, P.Arrays[I].Bytes);
  }

  /// The array of a line; None where it is in none.
  uint32_t find(uint64_t Address, uint64_t Bytes) const {
    const uint32_t Found = innermost(Specific, Longest, Address, Bytes);
    return Found != None ? Found : innermost(Stacks, LongestStack, Address, Bytes);
  }

private:
  /// The one that begins last, of those that cover the first byte, or else begin in the line.
  uint32_t innermost(const std::vector<uint32_t> &List, uint64_t Longest_, uint64_t Address,
                     uint64_t Bytes) const {
    auto At = std::upper_bound(List.begin(), List.end(), Address, [&](uint64_t Value, uint32_t I) {
      return Value < P.Arrays[I].Start;
    });
    const auto After = At;
    for (unsigned Tries = 0; At != List.begin() && Tries < 64; ++Tries) {
      --At;
      if (Address < P.Arrays[*At].end())
        return *At;
      if (Address - P.Arrays[*At].Start > Longest_)
        break;
    }
    return After != List.end() && P.Arrays[*After].Start < Address + Bytes ? *After : None;
  }

  const Profile &P;
  std::vector<uint32_t> Specific, Stacks;
  uint64_t Longest = 0, LongestStack = 0;
};

} // namespace

/*===-- Sharing -------------------------------------------------------------===*/

std::string Sharing::rowName(const Profile &P, size_t Row) const {
  return Rows[Row] == None ? std::to_string(Row) : P.Threads[Rows[Row]].name();
}

static std::vector<uint32_t> rowsOf(const Profile &P, bool Others) {
  std::vector<uint32_t> Rows;
  for (uint32_t I = 0; I < P.Threads.size(); ++I)
    if (isOpenMP(P.Threads[I])) {
      Rows.resize(std::max<size_t>(Rows.size(), P.Threads[I].Number + 1), None);
      Rows[P.Threads[I].Number] = I;
    }
  for (uint32_t I = 0; Others && I < P.Threads.size(); ++I)
    if (!isOpenMP(P.Threads[I]))
      Rows.push_back(I);
  return Rows;
}

static std::vector<uint32_t> rowsByThread(const Profile &P, const std::vector<uint32_t> &Rows) {
  std::vector<uint32_t> RowOf(P.Threads.size(), None);
  for (uint32_t Row = 0; Row < Rows.size(); ++Row)
    if (Rows[Row] != None)
      RowOf[Rows[Row]] = Row;
  return RowOf;
}

static void addUnit(Sharing &S, const std::vector<uint32_t> &RowOf, const Entry *First,
                    const Entry *Last, uint64_t Bytes, bool Writers) {
  if (Last - First == 1) {
    const uint32_t Row = RowOf[First->Thread];
    if (Row != None) {
      S.Memory.at(Row, Row) += Bytes;
      S.Accesses.at(Row, Row) += First->Accesses.sum();
      S.Smaller.at(Row, Row) += First->Accesses.sum();
    }
    return;
  }
  for (const Entry *A = First; A < Last; ++A)
    for (const Entry *B = A + 1; B < Last; ++B) {
      const uint32_t Row = RowOf[A->Thread];
      const uint32_t Column = RowOf[B->Thread];
      if (Row == None || Column == None || (Writers && !A->Accesses.Writes && !B->Accesses.Writes))
        continue;
      for (const auto &[I, J] : {std::pair(Row, Column), std::pair(Column, Row)}) {
        S.Memory.at(I, J) += Bytes;
        S.Accesses.at(I, J) += A->Accesses.sum() + B->Accesses.sum();
        S.Smaller.at(I, J) += std::min(A->Accesses.sum(), B->Accesses.sum());
      }
    }
}

/// Samples seldom meet in a line: threads that use one page share it.
static std::vector<Entry> asPages(std::vector<Entry> Lines, const Profile &P) {
  for (Entry &E : Lines)
    E.Unit = E.Unit * P.LineBytes / P.PageBytes;
  sumUp(Lines);
  return Lines;
}

static void addLines(Sharing &S, const std::vector<uint32_t> &RowOf, const Profile &P,
                     const SharingOptions &Options) {
  const uint64_t Bytes = P.Sampled ? P.PageBytes : P.LineBytes;
  std::vector<Entry> Lines = gatherLines(P, {Options.Phase, Options.Slice});
  if (P.Sampled)
    Lines = asPages(std::move(Lines), P);
  forEachUnit(Lines, [&](const Entry *First, const Entry *Last) {
    addUnit(S, RowOf, First, Last, Bytes, Options.Writers);
  });
}

Sharing maiprof::sharing(const Profile &P, const SharingOptions &Options) {
  Sharing S;
  S.Rows = rowsOf(P, wantsOthers(P, Options));
  S.Memory = S.Accesses = S.Smaller = Matrix(S.Rows.size());
  const std::vector<uint32_t> RowOf = rowsByThread(P, S.Rows);
  addLines(S, RowOf, P, Options);
  forEachUnit(gatherPages(P, {Options.Phase, Options.Slice}),
              [&](const Entry *First, const Entry *Last) {
                addUnit(S, RowOf, First, Last, P.PageBytes, Options.Writers);
              });
  if (P.Sample > 1)
    for (Matrix *M : {&S.Accesses, &S.Smaller})
      for (uint64_t &Cell : M->Cells)
        Cell *= P.Sample;
  return S;
}

/*===-- Transfers -----------------------------------------------------------===*/

Matrix maiprof::transfers(const Profile &P, const SharingOptions &Options) {
  const std::vector<uint32_t> Rows = rowsOf(P, wantsOthers(P, Options));
  const std::vector<uint32_t> RowOf = rowsByThread(P, Rows);
  Matrix M(Rows.size());
  for (const Transfers &T : P.Given)
    if ((Options.Phase == None || T.Phase == Options.Phase) && RowOf[T.From] != None &&
        RowOf[T.To] != None)
      M.at(RowOf[T.From], RowOf[T.To]) += T.Accesses.sum() * P.Sample;
  return M;
}

/// Whether in some phase one thread writes and others use the line, and in none a byte that one
/// writes is another's, too. Serial code is none of them, where a profile tells phases apart.
static bool areApart(const std::vector<UsedBytes> &Users, bool HasPhases) {
  bool IsWritten = false;
  for (const UsedBytes &A : Users)
    for (const UsedBytes &B : Users) {
      if (&A == &B || A.Phase != B.Phase || (HasPhases && A.Phase == 0))
        continue;
      IsWritten |= A.Written != 0;
      if (A.Written & (B.Read | B.Written))
        return false;
    }
  return IsWritten;
}

/// Makes one entry of what a thread did in several parts of a phase.
static void addUser(std::vector<UsedBytes> &Users, const UsedBytes &More) {
  for (UsedBytes &Known : Users)
    if (Known.Thread == More.Thread && Known.Phase == More.Phase) {
      Known.Read |= More.Read;
      Known.Written |= More.Written;
      return;
    }
  Users.push_back(More);
}

std::vector<TransferredLine> maiprof::transferredLines(const Profile &P) {
  constexpr uint64_t UnitBytes = 64;
  std::map<std::pair<uint64_t, uint32_t>, TransferredLine> Lines;
  for (const Transferred &Line : P.Moved) {
    TransferredLine &New = Lines[{Line.Unit, Line.View}];
    New.Address = Line.Unit * UnitBytes;
    New.Times += Line.Times;
  }
  for (const UsedBytes &Used : P.Bytes)
    if (const auto Found = Lines.find({Used.Unit, Used.View}); Found != Lines.end())
      addUser(Found->second.Users, Used);
  std::vector<TransferredLine> All;
  for (auto &[Key, Line] : Lines) {
    Line.IsFalse = areApart(Line.Users, P.HasPhases);
    All.push_back(std::move(Line));
  }
  return All;
}

/*===-- Layout --------------------------------------------------------------===*/

Layout maiprof::layoutOf(const Profile &P) {
  Layout L;
  L.Nodes = std::max<uint32_t>(1, static_cast<uint32_t>(P.Nodes.size()));
  for (const Thread &T : P.Threads)
    L.OfThread.push_back(T.Node);
  for (const Page &Known : P.Pages)
    L.OfPage.push_back(Known.Node);
  L.Distances = P.Distances;
  for (const Node &N : P.Nodes)
    L.OsIndex.push_back(N.OsIndex);
  if (P.Nodes.empty())
    L.OsIndex = {0};
  L.Distances.resize(size_t(L.Nodes) * L.Nodes, 10);
  /* Nothing divides by zero because firmware says so. */
  std::replace(L.Distances.begin(), L.Distances.end(), 0U, 10U);
  return L;
}

Layout maiprof::imagine(const Profile &P, uint32_t Nodes) {
  Layout L;
  L.Nodes = Nodes;
  L.Imagined = true;
  const auto Threads = static_cast<uint32_t>(P.Threads.size());
  for (uint32_t I = 0; I < Threads; ++I)
    L.OfThread.push_back(static_cast<uint32_t>(uint64_t(I) * Nodes / Threads));
  for (const Page &Known : P.Pages)
    L.OfPage.push_back(Known.firstToucher() == None ? None : L.OfThread[Known.firstToucher()]);
  for (uint32_t From = 0; From < Nodes; ++From) {
    L.OsIndex.push_back(From);
    for (uint32_t To = 0; To < Nodes; ++To)
      L.Distances.push_back(From == To ? 10 : 20);
  }
  return L;
}

void Split::add(uint64_t Accesses, uint32_t From, uint32_t To, const Layout &L) {
  if (From == None || To == None) {
    Unknown += Accesses;
    return;
  }
  (From == To ? Local : Remote) += Accesses;
  Latency += double(Accesses) * L.latency(From, To);
}

/*===-- Names ---------------------------------------------------------------===*/

namespace {

/// Blocks of one place are told apart by their order, if so few are there at a time, these so
/// large, and used differently: list#2 is the second.
constexpr size_t ToldApartMost = 8;
constexpr uint64_t ToldApartLeastBytes = uint64_t(64) << 10;

/// The blocks of a name by the calls that have led to them, and by their number among those.
using Ordered = std::map<std::pair<uint32_t, uint64_t>, std::vector<uint32_t>>;

/// The part of the accesses that is to what belongs to the thread, if the blocks are divided in the
/// best way, in order or backwards.
double ownPart(const Profile &P, const std::vector<uint32_t> &Blocks) {
  const ArrayCounts Counts(P, apart(P, Blocks));
  return std::max(Counts.ownPart(Counts.bestDivision(false), false),
                  Counts.ownPart(Counts.bestDivision(true), true));
}

/// Whether one division does for all as well as one for each.
bool areAlike(const Profile &P, const std::vector<uint32_t> &All, const Ordered &Apart) {
  constexpr double Much = 0.1;
  const double Together = ownPart(P, All);
  return std::all_of(Apart.begin(), Apart.end(),
                     [&](const auto &Each) { return ownPart(P, Each.second) <= Together + Much; });
}

/// The blocks of a name as they are told apart; nothing where they are not, such as rows of which
/// each belongs to a thread.
Ordered toldApart(const Profile &P, const std::vector<uint32_t> &All) {
  Ordered Apart;
  for (const uint32_t I : All) {
    const Array &A = P.Arrays[I];
    const bool IsBlock = A.What == Array::Kind::Heap || A.What == Array::Kind::Mapping;
    if (!IsBlock || A.Chain == None || A.Bytes < ToldApartLeastBytes)
      return {};
    Apart[{A.Chain, A.Number}].push_back(I);
    if (Apart.size() > ToldApartMost)
      return {};
  }
  const bool AreOne = Apart.size() < 2 || ArrayCounts(P, apart(P, All)).belongToThreads() ||
                      areAlike(P, All, Apart);
  return AreOne ? Ordered() : Apart;
}

/// A name such as "list (grid.cpp:25)" with an order.
std::string withOrder(std::string Name, size_t Order) {
  const size_t At = std::min(Name.find(" ("), Name.size());
  return Order == 1 ? Name : Name.insert(At, "#" + std::to_string(Order));
}

/// Names of arrays. What one line of the source allocates, such as that of a function that others
/// call for it, is named by the lines that differ: after the innermost, and at the outermost.
class Names {
public:
  explicit Names(const Profile &Source) : P(Source) {
    for (const Array &A : P.Arrays)
      if (A.Chain != None && !P.Chains[A.Chain].Sites.empty())
        note(A);
  }

  std::string of(const Array &A) const {
    if (A.Chain != None && A.Name.empty() && A.Position.empty() && !P.Chains[A.Chain].Key.empty())
      return P.Chains[A.Chain].Key;
    const auto Found = Reached.find(A.name());
    if (A.Chain == None || Found == Reached.end())
      return A.name();
    const std::vector<Site> &Sites = P.Chains[A.Chain].Sites;
    if (Found->second.size() < 2)
      return ofOnlyWay(A, Sites);
    const std::optional<Differences> Levels = differences(Sites, Found->second);
    if (!Levels)
      return A.name();
    const std::string Name = nameOf(Sites, *Levels, A);
    return (Name.empty() ? "" : Name + " ") + "(" + Sites[Levels->Last].Position + ", by " +
           (A.Position.empty() ? Sites[0].Position : A.Position) + ")";
  }

private:
  /// Where the way that leads to some sites parts from others, and from the last of them.
  struct Differences {
    size_t First, Last;
  };

  static std::string ofOnlyWay(const Array &A, const std::vector<Site> &Sites) {
    Array Whole = A;
    if (!Sites.empty() && Sites[0].IsPart)
      Whole.Name = wholeName(Sites, 0, 0);
    return Whole.name();
  }

  static bool isMember(const Site &Its) { return Its.Name.find("::") != std::string::npos; }

  /// What a site calls its variable, or one outside that knows of what it is a part. Beyond the
  /// last that is asked for a member of a class says enough.
  static std::string wholeName(const std::vector<Site> &Sites, size_t Level, size_t Last) {
    for (size_t Next = Level + 1; Next < Sites.size() && Sites[Level].IsPart; ++Next)
      if (!Sites[Next].Name.empty()) {
        if (Next > Last && isMember(Sites[Level]))
          break;
        Level = Next;
      }
    return Sites[Level].Name;
  }

  /// The variable of the first of these that has one; of the next site inside, where none has.
  static std::string nameOf(const std::vector<Site> &Sites, const Differences &Levels,
                            const Array &A) {
    for (size_t Level = Levels.First; Level <= Levels.Last; ++Level)
      if (!Sites[Level].Name.empty())
        return wholeName(Sites, Level, Levels.Last);
    for (size_t Level = Levels.First; Level-- > 0;)
      if (!Sites[Level].Name.empty())
        return wholeName(Sites, Level, Levels.Last);
    return A.Name;
  }

  /// Whether one is where the other has come from: threads of a team know less of their callers
  /// than the one that began it.
  static bool isPrefix(const std::vector<Site> &Short, const std::vector<Site> &Long) {
    return Short.size() <= Long.size() &&
           std::equal(Short.begin(), Short.end(), Long.begin(), isSame);
  }

  /// Keeps the longest of each way in which an array of that name was allocated.
  void note(const Array &A) {
    const std::vector<Site> &Sites = P.Chains[A.Chain].Sites;
    std::vector<const std::vector<Site> *> &Ways = Reached[A.name()];
    for (const std::vector<Site> *&Way : Ways) {
      if (isPrefix(Sites, *Way))
        return;
      if (isPrefix(*Way, Sites)) {
        Way = &Sites;
        return;
      }
    }
    Ways.push_back(&Sites);
  }

  static size_t firstDifference(const std::vector<const std::vector<Site> *> &Ways) {
    for (size_t Level = 0;; ++Level)
      for (const std::vector<Site> *Way : Ways) {
        const bool HasBoth = Level < Way->size() && Level < Ways[0]->size();
        if (!HasBoth || !isSame((*Way)[Level], (*Ways[0])[Level]))
          return Level;
      }
  }

  static bool isSame(const Site &A, const Site &B) {
    return A.Position == B.Position && A.Name == B.Name;
  }

  static std::optional<Differences> differences(const std::vector<Site> &Sites,
                                                std::vector<const std::vector<Site> *> Ways) {
    std::optional<Differences> Levels;
    while (Ways.size() > 1) {
      const size_t Level = firstDifference(Ways);
      if (Level >= Sites.size())
        break;
      Levels = Differences{Levels ? Levels->First : Level, Level};
      std::erase_if(Ways, [&](const std::vector<Site> *Way) {
        return Level >= Way->size() || !isSame((*Way)[Level], Sites[Level]);
      });
    }
    return Levels;
  }

  const Profile &P;
  std::map<std::string, std::vector<const std::vector<Site> *>> Reached; ///< by name
};

} // namespace

/*===-- Arrays --------------------------------------------------------------===*/

namespace {

/// Fills a Usage in.
class Counting {
public:
  Counting(const Profile &Source, Usage &Out) : P(Source), U(Out), Finder(Source) {
    U.Threads.resize(P.Threads.size());
    U.ServedBy.resize(U.Where.Nodes);
    nameArrays();
  }

  void run() {
    forEachUnit(gatherParts(P, {}),
                [&](const Entry *First, const Entry *Last) { add(First, Last, P.LineBytes); });
    forEachUnit(gatherPages(P, {}),
                [&](const Entry *First, const Entry *Last) { add(First, Last, P.PageBytes); });
    for (size_t I = 0; I < P.Threads.size(); ++I)
      addElsewhere(I);
    for (const TransferredLine &Line : transferredLines(P))
      add(Line);
    for (ArrayUse &A : U.Arrays)
      finish(A);
    std::erase_if(U.Arrays, [](const ArrayUse &A) { return A.Accesses.sum() == 0; });
    std::stable_sort(U.Arrays.begin(), U.Arrays.end(), [](const ArrayUse &A, const ArrayUse &B) {
      return A.Accesses.sum() > B.Accesses.sum();
    });
  }

private:
  /// Finds out which arrays bear one name.
  void nameArrays() {
    const Names Distinct(P);
    std::map<std::pair<Array::Kind, std::string>, std::vector<uint32_t>> Named;
    std::vector<const std::vector<uint32_t> *> InOrder;
    for (uint32_t I = 0; I < P.Arrays.size(); ++I) {
      const Array &A = P.Arrays[I];
      const auto [At, IsNew] = Named.try_emplace({A.What, Distinct.of(A)});
      At->second.push_back(I);
      if (IsNew)
        InOrder.push_back(&At->second);
    }
    UseOf.resize(P.Arrays.size());
    for (const std::vector<uint32_t> *All : InOrder)
      addNamed(Distinct.of(P.Arrays[All->front()]), *All);
    addRest();
    for (ArrayUse &A : U.Arrays) {
      A.ByThread.resize(P.Threads.size());
      A.WhereByThread.resize(P.Threads.size());
      A.ServedBy.resize(U.Where.Nodes);
      A.FirstTouched.resize(P.Threads.size());
      A.ExclusivePages.resize(U.Where.Nodes);
      A.SharedPages.resize(U.Where.Nodes);
    }
  }

  void addNamed(const std::string &Name, const std::vector<uint32_t> &All) {
    const Ordered Apart = toldApart(P, All);
    if (Apart.empty())
      addUse(Name, All);
    size_t Order = 0;
    for (const auto &[Calls, Its] : Apart)
      addUse(withOrder(Name, ++Order), Its);
  }

  void addUse(const std::string &Name, const std::vector<uint32_t> &Its) {
    const auto Index = static_cast<uint32_t>(U.Arrays.size());
    ArrayUse &New = U.Arrays.emplace_back();
    New.Name = Name;
    New.What = P.Arrays[Its.front()].What;
    New.IsArray = New.What != Array::Kind::Stack;
    New.Arrays = Its;
    for (const uint32_t I : Its) {
      New.Bytes += P.Arrays[I].Bytes;
      New.Blocks += std::max<uint64_t>(1, P.Arrays[I].Instances);
      New.AtATime = std::max(New.AtATime, P.Arrays[I].Number + 1);
      UseOf[I] = Index;
    }
  }

  void addRest() {
    ArrayUse &Rest = U.Arrays.emplace_back();
    Rest.Name = "(no known array)";
    Rest.IsArray = false;
  }

  size_t pageIndex(uint64_t Number) const {
    const auto Found =
        std::lower_bound(P.Pages.begin(), P.Pages.end(), Number,
                         [](const Page &Known, uint64_t Value) { return Known.Number < Value; });
    return Found != P.Pages.end() && Found->Number == Number
               ? static_cast<size_t>(Found - P.Pages.begin())
               : P.Pages.size();
  }

  PageUse &pageOf(ArrayUse &A, uint64_t Number) {
    if (A.Pages.empty() || A.Pages.back().Number != Number) {
      PageUse &New = A.Pages.emplace_back();
      New.Number = Number;
      const size_t Index = pageIndex(Number);
      if (Index < P.Pages.size()) {
        New.Node = U.Where.OfPage[Index];
        New.FirstToucher = P.Pages[Index].firstToucher();
      }
    }
    return A.Pages.back();
  }

  void add(const Entry *First, const Entry *Last, uint64_t UnitBytes) {
    const bool IsShared = First->Thread != (Last - 1)->Thread;
    for (const Entry *E = First; E < Last; ++E) {
      const uint64_t Address = E->Unit * UnitBytes + (E->Part ? E->Part - 1 : 0);
      const uint32_t Found = Finder.find(Address, E->Part ? 1 : UnitBytes);
      ArrayUse &A = Found == None ? U.Arrays.back() : U.Arrays[UseOf[Found]];
      add(*E, A, pageOf(A, Address / P.PageBytes), IsShared);
    }
  }

  /// A line that arrays share counts for the one whose bytes a thread writes.
  void add(const TransferredLine &Line) {
    uint64_t Written = 0;
    for (const UsedBytes &Used : Line.Users)
      Written |= Used.Written;
    const uint64_t Byte = Written ? static_cast<uint64_t>(std::countr_zero(Written)) : 0;
    const uint32_t Found = Finder.find(Line.Address + Byte, 1);
    ArrayUse &A = Found == None ? U.Arrays.back() : U.Arrays[UseOf[Found]];
    A.Transfers += Line.Times * P.Sample;
    A.FalseTransfers += Line.IsFalse ? Line.Times * P.Sample : 0;
  }

  void add(const Entry &E, ArrayUse &A, PageUse &Use, bool IsShared) {
    const Counts Scaled = {E.Accesses.Reads * P.Sample, E.Accesses.Writes * P.Sample};
    const uint64_t Sum = Scaled.sum();
    addTo(Use, E.Thread, Scaled);
    for (Counts *C :
         {&A.Accesses, &A.ByThread[E.Thread], &U.Threads[E.Thread].Accesses, &U.Total.Accesses})
      accumulate(*C, Scaled);
    for (Split *S :
         {&A.Where, &A.WhereByThread[E.Thread], &U.Threads[E.Thread].Where, &U.Total.Where})
      S->add(Sum, U.Where.OfThread[E.Thread], Use.Node, U.Where);
    A.Shared += IsShared ? Sum : 0;
    U.Threads[E.Thread].Shared += IsShared ? Sum : 0;
    U.Total.Shared += IsShared ? Sum : 0;
    if (Use.Node != None) {
      A.ServedBy[Use.Node] += Sum;
      U.ServedBy[Use.Node] += Sum;
    }
  }

  static void addTo(PageUse &Use, uint32_t Thread, Counts Accesses) {
    for (auto &[Known, Sum] : Use.Users)
      if (Known == Thread) {
        Sum.Reads += Accesses.Reads;
        Sum.Writes += Accesses.Writes;
        return;
      }
    Use.Users.emplace_back(Thread, Accesses);
  }

  /// Accesses of which only the number is known.
  void addElsewhere(size_t Thread) {
    const Counts Scaled = {P.Threads[Thread].Elsewhere.Reads * P.Sample,
                           P.Threads[Thread].Elsewhere.Writes * P.Sample};
    ArrayUse &A = U.Arrays.back();
    for (Counts *C :
         {&A.Accesses, &A.ByThread[Thread], &U.Threads[Thread].Accesses, &U.Total.Accesses}) {
      C->Reads += Scaled.Reads;
      C->Writes += Scaled.Writes;
    }
    for (Split *S : {&A.Where, &A.WhereByThread[Thread], &U.Threads[Thread].Where, &U.Total.Where})
      S->Unknown += Scaled.sum();
  }

  /// Pages that were counted by lines and, later, as a whole come twice.
  static void mergePages(ArrayUse &A) {
    std::stable_sort(A.Pages.begin(), A.Pages.end(),
                     [](const PageUse &X, const PageUse &Y) { return X.Number < Y.Number; });
    size_t Kept = 0;
    for (PageUse &Use : A.Pages) {
      if (Kept && A.Pages[Kept - 1].Number == Use.Number) {
        for (const auto &[Thread, Accesses] : Use.Users)
          addTo(A.Pages[Kept - 1], Thread, Accesses);
      } else {
        if (&A.Pages[Kept] != &Use)
          A.Pages[Kept] = std::move(Use);
        ++Kept;
      }
    }
    A.Pages.resize(Kept);
  }

  void finish(ArrayUse &A) {
    if (!P.CoarsePages.empty())
      mergePages(A);
    for (const PageUse &Use : A.Pages) {
      if (Use.FirstToucher != None)
        A.FirstTouched[Use.FirstToucher]++;
      std::set<uint32_t> Nodes;
      uint64_t Accesses = 0;
      for (const auto &[Thread, Its] : Use.Users) {
        Accesses += Its.sum();
        if (U.Where.OfThread[Thread] != None)
          Nodes.insert(U.Where.OfThread[Thread]);
      }
      if (Nodes.size() > 1)
        A.ToSharedPages += Accesses;
      if (Use.Node != None)
        (Nodes.size() > 1 ? A.SharedPages : A.ExclusivePages)[Use.Node]++;
    }
  }

  const Profile &P;
  Usage &U;
  ArrayFinder Finder;
  std::vector<uint32_t> UseOf; ///< by index in Profile::Arrays
};

} // namespace

bool maiprof::comesAndGoes(const Profile &P, const ArrayUse &A) {
  return std::any_of(A.Arrays.begin(), A.Arrays.end(),
                     [&](uint32_t I) { return P.Arrays[I].Instances > 1; });
}

Counts maiprof::totalCounts(const Profile &P) {
  Counts Sum;
  for (const std::vector<Series> *List : {&P.Lines, &P.Parts, &P.CoarsePages})
    for (const Series &S : *List)
      for (const Touch &T : S.Touches) {
        Sum.Reads += T.Accesses.Reads * P.Sample;
        Sum.Writes += T.Accesses.Writes * P.Sample;
      }
  for (const Thread &T : P.Threads) {
    Sum.Reads += T.Elsewhere.Reads * P.Sample;
    Sum.Writes += T.Elsewhere.Writes * P.Sample;
  }
  return Sum;
}

Usage maiprof::usage(const Profile &P, Layout Where) {
  Usage U;
  U.Where = std::move(Where);
  Counting(P, U).run();
  return U;
}
