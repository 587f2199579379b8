//===-- Branch.cpp - the cheapest map of few threads ------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Branch and bound.  A spot is a location that can matter; threads get spots one by one.  What
// the others then cost at least (Gilmore 1962, Lawler 1963): each pays at each free spot what it
// shares with those that have one, and half of what it shares with the others if what is most of
// that were nearest; an assignment tells the least sum of these.
//
// Of spots that are alike one is tried: those that are as far from all others, and, near the root,
// those that a reflection or rotation of the machine exchanges that leaves the taken ones where
// they are.
//
//===----------------------------------------------------------------------===//

#include "Branch.h"

#include "Cost.h"
#include "SquareTable.h"
#include "threadmap/machine/Assignment.h"

#include <algorithm>
#include <functional>
#include <map>

using namespace threadmap;

namespace {

constexpr uint32_t MostBranchingThreads = 16;
constexpr size_t MostSpots = 64;

/// Locations, but of those that are alike for all others no more than there are threads; these
/// first.
/// @param First locations
std::vector<uint32_t> spotsOf(const Locations &At, uint32_t Threads, std::vector<uint32_t> First) {
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> Kept;
  std::vector<uint32_t> Result = std::move(First);
  const auto IsNew = [&, Size = static_cast<ptrdiff_t>(Result.size())](uint32_t Location) {
    return std::find(Result.begin(), Result.begin() + Size, Location) == Result.begin() + Size;
  };
  for (uint32_t Location = 0; Location < At.count(); ++Location)
    if (IsNew(Location) &&
        Kept[{At.Owner[Location], At.Domains ? At.Domain[Location] : 0}]++ < Threads)
      Result.push_back(Location);
  return Result;
}

/// Which spots a machine has that are alike.
class Symmetry {
public:
  explicit Symmetry(const SquareTable &Distances) : Far(Distances) {}

  /// Whether a spot could be another, all taken ones staying where they are.
  bool exchanges(uint32_t A, uint32_t B, const std::vector<uint32_t> &Taken) {
    Image.assign(Far.size(), None);
    IsImage.assign(Far.size(), false);
    for (const uint32_t Spot : Taken)
      set(Spot, Spot);
    Steps = 0;
    return fits(A, B) && (set(A, B), extend(0));
  }

private:
  static constexpr uint32_t MostSteps = 2000; ///< then it is not known, so not used

  void set(uint32_t Spot, uint32_t To) {
    Image[Spot] = To;
    IsImage[To] = true;
  }

  bool fits(uint32_t Spot, uint32_t To) const {
    if (IsImage[To])
      return false;
    for (uint32_t Other = 0; Other < Far.size(); ++Other)
      if (Image[Other] != None && Far(Spot, Other) != Far(To, Image[Other]))
        return false;
    return true;
  }

  /// Finds images for the spots from this one on.
  bool extend(uint32_t Spot) {
    while (Spot < Far.size() && Image[Spot] != None)
      ++Spot;
    if (Spot == Far.size())
      return true;
    for (uint32_t To = 0; To < Far.size() && ++Steps < MostSteps; ++To) {
      if (!fits(Spot, To))
        continue;
      set(Spot, To);
      if (extend(Spot + 1))
        return true;
      Image[Spot] = None;
      IsImage[To] = false;
    }
    return false;
  }

  const SquareTable &Far;
  std::vector<uint32_t> Image; ///< by spot
  std::vector<bool> IsImage;   ///< by spot
  uint32_t Steps = 0;
};

class Branching {
public:
  /// @param First these threads have the first spots, and stay there
  Branching(const Matrix &Volumes, const Locations &At, const std::vector<uint32_t> &Spots,
            double Cost, const std::vector<uint32_t> &First)
      : Flow(Volumes.threads()), Far(Spots.size()), SpotOf(Volumes.threads(), None),
        IsTaken(Spots.size(), false), Alike(Far), Least(Cost) {
    Volumes.forEachPair(
        [&](uint32_t A, uint32_t B, double Volume) { Flow(A, B) = Flow(B, A) = Volume; });
    for (size_t A = 0; A < Spots.size(); ++A)
      for (size_t B = 0; B < Spots.size(); ++B)
        Far(A, B) = A == B ? 0 : At.weight(Spots[A], Spots[B]);
    findTwins();
    for (const uint32_t Thread : First) {
      SpotOf[Thread] = Fixed;
      IsTaken[Fixed++] = true;
      Paid += paidBy(Thread);
    }
  }

  /// @return whether it was not given up; Best is empty where nothing was cheaper
  bool run() {
    branch(Paid);
    return Work <= MostWork;
  }

  std::vector<uint32_t> Best; ///< by thread: an index into the spots

private:
  static constexpr uint64_t MostWork = 400000000;
  static constexpr size_t Turned = 3; ///< so many threads may have spots while all of it is turned
  static constexpr double Rounding = 1e-12;

  /// The threads without a spot, the free spots, and what each costs at each, at the least.
  struct State {
    std::vector<uint32_t> Open, Free;
    std::vector<std::vector<double>> Cost;
  };

  struct Choice {
    uint32_t Spot;
    double Bound;
  };

  /// Spots as far from all others.
  void findTwins() {
    for (uint32_t A = 0; A < Far.size(); ++A) {
      uint32_t First = 0;
      while (!areTwins(First, A))
        ++First;
      Twin.push_back(First);
    }
  }

  bool areTwins(uint32_t A, uint32_t B) const {
    for (uint32_t Other = 0; Other < Far.size(); ++Other)
      if (Other != A && Other != B && Far(A, Other) != Far(B, Other))
        return false;
    return true;
  }

  /// What the threads from `Thread` to others, or a spot to others, in order; without its own.
  template <typename Order>
  static std::vector<double> sorted(const SquareTable &Of, uint32_t Index,
                                    const std::vector<uint32_t> &Others, Order Before) {
    std::vector<double> Result;
    for (const uint32_t Other : Others)
      if (Other != Index)
        Result.push_back(Of(Index, Other));
    std::sort(Result.begin(), Result.end(), Before);
    return Result;
  }

  State state() {
    State Now;
    for (uint32_t Thread = 0; Thread < Flow.size(); ++Thread)
      if (SpotOf[Thread] == None)
        Now.Open.push_back(Thread);
    for (uint32_t Spot = 0; Spot < Far.size(); ++Spot)
      if (!IsTaken[Spot])
        Now.Free.push_back(Spot);
    std::vector<std::vector<double>> Near;
    for (const uint32_t Spot : Now.Free)
      Near.push_back(sorted(Far, Spot, Now.Free, std::less<>()));
    for (const uint32_t Thread : Now.Open) {
      const std::vector<double> Most = sorted(Flow, Thread, Now.Open, std::greater<>());
      Now.Cost.emplace_back();
      for (size_t I = 0; I < Now.Free.size(); ++I)
        Now.Cost.back().push_back(leastOf(Thread, Now.Free[I], Most, Near[I]));
    }
    Work += Now.Open.size() * Now.Free.size() * (Flow.size() + 2 * Now.Open.size());
    return Now;
  }

  double leastOf(uint32_t Thread, uint32_t Spot, const std::vector<double> &Most,
                 const std::vector<double> &Near) const {
    double Known = 0, Others = 0;
    for (uint32_t Other = 0; Other < Flow.size(); ++Other)
      if (SpotOf[Other] != None)
        Known += Flow(Thread, Other) * Far(Spot, SpotOf[Other]);
    for (size_t I = 0; I < Most.size(); ++I)
      Others += Most[I] * Near[I];
    return Known + Others / 2;
  }

  bool isWorthwhile(double Bound) const { return Bound < Least * (1 - Rounding); }

  void branch(double Spent) {
    if (Work > MostWork)
      return;
    State Now = state();
    if (Now.Open.empty()) {
      if (!isWorthwhile(Spent))
        return;
      Least = Spent;
      Best = SpotOf;
      return;
    }
    Assignment Cheapest(Now.Cost);
    const double Bound = Spent + Cheapest.run();
    if (!isWorthwhile(Bound))
      return;
    const size_t Row = mostDecided(Now, Cheapest);
    const uint32_t Thread = Now.Open[Row];
    for (const Choice &Each : choices(Now, Row, Bound, Cheapest)) {
      if (!isWorthwhile(Each.Bound))
        continue;
      SpotOf[Thread] = Each.Spot;
      IsTaken[Each.Spot] = true;
      branch(Spent + paidBy(Thread));
      IsTaken[Each.Spot] = false;
      SpotOf[Thread] = None;
    }
  }

  double paidBy(uint32_t Thread) const {
    double Sum = 0;
    for (uint32_t Other = 0; Other < Flow.size(); ++Other)
      if (SpotOf[Other] != None && Other != Thread)
        Sum += Flow(Thread, Other) * Far(SpotOf[Thread], SpotOf[Other]);
    return Sum;
  }

  /// The thread for which most spots are dear.
  static size_t mostDecided(const State &Now, const Assignment &Cheapest) {
    size_t Result = 0;
    double Most = -1;
    for (size_t Row = 0; Row < Now.Open.size(); ++Row) {
      double Sum = 0;
      for (size_t Column = 0; Column < Now.Free.size(); ++Column)
        Sum += Cheapest.reduced(Row, Column);
      if (Sum > Most) {
        Most = Sum;
        Result = Row;
      }
    }
    return Result;
  }

  /// The spots to try for a thread, the most promising first.
  std::vector<Choice> choices(const State &Now, size_t Row, double Bound,
                              const Assignment &Cheapest) {
    std::vector<Choice> Result;
    for (size_t Column = 0; Column < Now.Free.size(); ++Column) {
      const uint32_t Spot = Now.Free[Column];
      const bool IsKnown = std::any_of(Result.begin(), Result.end(), [&](const Choice &Other) {
        return areAlike(Other.Spot, Spot, Now);
      });
      if (!IsKnown)
        Result.push_back({Spot, Bound + Cheapest.reduced(Row, Column)});
    }
    std::stable_sort(Result.begin(), Result.end(),
                     [](const Choice &A, const Choice &B) { return A.Bound < B.Bound; });
    return Result;
  }

  bool areAlike(uint32_t A, uint32_t B, const State &Now) {
    if (Twin[A] == Twin[B])
      return true;
    if (Flow.size() - Now.Open.size() > Turned + Fixed)
      return false;
    std::vector<uint32_t> Taken;
    for (const uint32_t Spot : SpotOf)
      if (Spot != None)
        Taken.push_back(Spot);
    return Alike.exchanges(A, B, Taken);
  }

  SquareTable Flow, Far;
  std::vector<uint32_t> SpotOf; ///< by thread
  std::vector<bool> IsTaken;    ///< by spot
  std::vector<uint32_t> Twin;   ///< by spot: the first that is as far from all others
  Symmetry Alike;
  double Least;       ///< of the cheapest map so far
  uint32_t Fixed = 0; ///< threads
  double Paid = 0;    ///< by these
  uint64_t Work = 0;
};

bool mayBeProven(const Matrix &Volumes, const Locations &At, bool ByLevels) {
  const bool IsFree =
      std::all_of(At.AtLeast.begin(), At.AtLeast.end(), [](uint32_t Least) { return Least == 0; });
  return (At.Domains || ByLevels) && Volumes.threads() <= MostBranchingThreads &&
         (IsFree || At.count() == Volumes.threads());
}

} // namespace

std::optional<Map> threadmap::provenMap(const Matrix &Volumes, const Locations &At,
                                        const Map &Known, const std::vector<bool> &Held) {
  std::vector<uint32_t> Threads, Locations;
  for (uint32_t Thread = 0; Thread < Held.size(); ++Thread)
    if (Held[Thread]) {
      Threads.push_back(Thread);
      Locations.push_back(Known[Thread]);
    }
  if (!mayBeProven(Volumes, At, !Threads.empty()))
    return std::nullopt;
  const std::vector<uint32_t> Spots = spotsOf(At, Volumes.threads(), std::move(Locations));
  if (Spots.size() > MostSpots)
    return std::nullopt;
  Branching Search(Volumes, At, Spots, costOf(Volumes, At, Known), Threads);
  if (!Search.run())
    return std::nullopt;
  if (Search.Best.empty())
    return Known;
  Map Result;
  for (const uint32_t Spot : Search.Best)
    Result.push_back(Spots[Spot]);
  return Result;
}
