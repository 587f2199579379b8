//===-- map_test.cpp - what every thread map must be ------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Runs the algorithms on machines of many shapes, regular and not, with fewer and with more threads than
// cores and CPUs: maps must be valid, the same for the same seed, the best where that is known, and
// cost what the definition says.
//
//===----------------------------------------------------------------------===//

#include "threadmap/machine/Bound.h"
#include "threadmap/machine/Distances.h"
#include "threadmap/machine/Fewer.h"
#include "threadmap/search/Algorithm.h"
#include "threadmap/search/Arrange.h"
#include "threadmap/search/Branch.h"
#include "threadmap/search/Cost.h"
#include "threadmap/search/Exact.h"
#include "threadmap/search/Halves.h"
#include "threadmap/search/PartSums.h"
#include "threadmap/search/Refine.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <numeric>

using namespace threadmap;

namespace {

int Failures = 0;

void expect(bool Holds, const std::string &Machine, uint32_t Threads, const std::string &What) {
  if (Holds)
    return;
  std::printf("FAILED: %s, %u threads: %s\n", Machine.c_str(), Threads, What.c_str());
  ++Failures;
}

/// Builds machines part by part: numbers are CPUs of a core, braces group.
class MachineBuilder {
public:
  explicit MachineBuilder(std::string Name) { Result.Name = std::move(Name); }

  uint32_t part(uint32_t Parent, uint32_t Height) {
    Result.Parts.push_back({Parent, Height, {}, 0, 0, 0, 0, 0});
    const auto Self = static_cast<uint32_t>(Result.Parts.size() - 1);
    if (Self)
      Result.Parts[Parent].Children.push_back(Self);
    return Self;
  }

  /// OS indices run downwards from 1000, so that nobody takes them for locations.
  void core(uint32_t Parent, uint32_t Cpus, uint32_t Height) {
    const uint32_t Around = Cpus > 1 ? part(Parent, Height) : Parent;
    for (uint32_t I = 0; I < Cpus; ++I) {
      const uint32_t Cpu = part(Around, 0);
      Result.Parts[Cpu].Cpu = 1000 - Result.Cpus++;
      Result.Parts[Cpu].Core = Result.Cores;
    }
    ++Result.Cores;
  }

  Machine Result;
};

/// Two cores with two CPUs each beside four with one, as in laptops, twice.
Machine hybrid() {
  MachineBuilder B("hybrid");
  const uint32_t Root = B.part(0, 4);
  for (int I = 0; I < 2; ++I) {
    const uint32_t Package = B.part(Root, 3);
    B.core(Package, 2, 1);
    B.core(Package, 2, 1);
    const uint32_t Cluster = B.part(Package, 2);
    for (int J = 0; J < 4; ++J)
      B.core(Cluster, 1, 1);
  }
  return std::move(B.Result);
}

/// Packages of 1, 3 and 5 cores.
Machine uneven() {
  MachineBuilder B("uneven");
  const uint32_t Root = B.part(0, 2);
  B.core(Root, 1, 0);
  for (const int Cores : {3, 5}) {
    const uint32_t Package = B.part(Root, 1);
    for (int I = 0; I < Cores; ++I)
      B.core(Package, 1, 0);
  }
  return std::move(B.Result);
}

/// Cores with 4, 2, 1 and 4 CPUs.
Machine unevenCores() {
  MachineBuilder B("uneven cores");
  const uint32_t Root = B.part(0, 2);
  for (const uint32_t Cpus : {4U, 2U, 1U, 4U})
    B.core(Root, Cpus, 1);
  return std::move(B.Result);
}

Machine described(const char *Description) {
  std::string Error;
  std::optional<Machine> Result = describedMachine(Description, Error);
  if (!Result) {
    std::printf("FAILED: %s\n", Error.c_str());
    std::exit(1);
  }
  return std::move(*Result);
}

std::vector<Machine> machines() {
  std::vector<Machine> Result = {hybrid(), uneven(), unevenCores()};
  for (const char *Name : {"1", "2x1", "5", "2x3", "4x6", "3x7", "2x2x2", "3x3x4", "2x2x3x2",
                           "2x5x3", "package:2 l3:2 l2:3 core:1 pu:2"})
    Result.push_back(described(Name));
  return Result;
}

Matrix randomMatrix(uint32_t Threads, uint32_t OneIn, std::mt19937_64 &Random) {
  Matrix Result(Threads);
  for (uint32_t A = 0; A < Threads; ++A)
    for (uint32_t B = 0; B < A; ++B)
      Result.set(A, B, below(OneIn, Random) ? 0 : 1 + below(100, Random));
  return Result;
}

std::string name(Algorithm How, bool Worst) {
  return std::string(nameOf(How)) + (Worst ? ", worst" : "");
}

/// Threads of each CPU and of each core, by what the machine says, not what the locations do.
void testLoads(const Machine &On, const Locations &At, const Map &Of, const std::string &What) {
  std::vector<uint32_t> OfCore(On.Cores, 0), CpusOfCore(On.Cores, 0), OfCpu;
  for (const Machine::Part &Part : On.Parts) {
    if (!Part.Children.empty())
      continue;
    const auto Threads = static_cast<uint32_t>(std::count_if(
        Of.begin(), Of.end(), [&](uint32_t Location) { return At.Cpu[Location] == Part.Cpu; }));
    OfCpu.push_back(Threads);
    OfCore[Part.Core] += Threads;
    ++CpusOfCore[Part.Core];
  }
  const auto Threads = static_cast<uint32_t>(Of.size());
  const auto [FewestOfCpu, MostOfCpu] = std::minmax_element(OfCpu.begin(), OfCpu.end());
  expect(*MostOfCpu - *FewestOfCpu <= 1, On.Name, Threads, What + ": CPUs are not equally loaded");
  expect(std::accumulate(OfCpu.begin(), OfCpu.end(), 0U) == Threads, On.Name, Threads,
         What + ": a thread is lost");
  const bool CoreIsFree = std::count(OfCore.begin(), OfCore.end(), 0U) > 0;
  const uint32_t MostOfCore = *std::max_element(OfCore.begin(), OfCore.end());
  expect(!CoreIsFree || MostOfCore <= 1, On.Name, Threads,
         What + ": two threads on a core while a core is free");
}

void testAlgorithms(const Machine &On, uint32_t Threads, const Matrix &Volumes) {
  const Locations At = slotsFor(On, Threads);
  for (const Algorithm How :
       {Algorithm::Refine, Algorithm::Matching, Algorithm::Greedy, Algorithm::Scotch}) {
    if (How == Algorithm::Scotch && !hasScotch())
      continue;
    for (const bool Worst : {false, true}) {
      const Map Of = mapOf(Volumes, At, How, Worst, 1);
      expect(isValid(At, Of), On.Name, Threads, name(How, Worst) + ": not valid");
      testLoads(On, At, Of, name(How, Worst));
      if (How == Algorithm::Refine)
        expect(Of == mapOf(Volumes, At, How, Worst, 1), On.Name, Threads,
               name(How, Worst) + ": not the same again");
    }
  }
  const double Refined = costOf(Volumes, At, refinedMap(Volumes, At, 1));
  for (const Algorithm How : {Algorithm::Matching, Algorithm::Greedy})
    expect(Refined <= costOf(Volumes, At, mapOf(Volumes, At, How, false, 1)) * (1 + 1e-9), On.Name,
           Threads, std::string("refine is dearer than ") + nameOf(How));
}

void testOthers(const Machine &On, uint32_t Threads, const Matrix &Volumes,
                std::mt19937_64 &Random) {
  const Locations At = slotsFor(On, Threads);
  const Map Any = randomMap(At, Threads, Random);
  testLoads(On, At, compactMap(At, Threads), "compact");
  testLoads(On, At, scatteredMap(At, Threads), "scatter");
  testLoads(On, At, Any, "random");
  for (const Map &Of : {compactMap(At, Threads), scatteredMap(At, Threads), Any})
    expect(isValid(At, Of), On.Name, Threads, "a map to compare with is not valid");

  double Cost = 0;
  for (uint32_t A = 0; A < Threads; ++A)
    for (uint32_t B = 0; B < A; ++B)
      Cost += Volumes(A, B) * At.weight(Any[A], Any[B]);
  expect(std::fabs(Cost - costOf(Volumes, At, Any)) <= 1e-9 * Cost, On.Name, Threads, "cost");

  Map Arranged = Any;
  arrange(Volumes, At, Arranged);
  expect(isValid(At, Arranged) && std::fabs(costOf(Volumes, At, Arranged) - Cost) <= 1e-9 * Cost,
         On.Name, Threads, "arranging changes what a map costs");
}

/// All maps of few threads.
double cheapestOfAll(const Matrix &Volumes, const Locations &At) {
  std::vector<uint32_t> Items(At.count());
  std::iota(Items.begin(), Items.end(), 0);
  double Least = HUGE_VAL;
  do {
    const Map Of(Items.begin(), Items.begin() + Volumes.threads());
    if (isValid(At, Of))
      Least = std::min(Least, costOf(Volumes, At, Of));
  } while (std::next_permutation(Items.begin(), Items.end()));
  return Least;
}

void testOptimum(const Machine &On, uint32_t Threads, std::mt19937_64 &Random) {
  const Locations At = slotsFor(On, Threads);
  if (At.count() > 7)
    return;
  const Matrix Volumes = randomMatrix(Threads, 1 + below(3, Random), Random);
  const double Refined = costOf(Volumes, At, refinedMap(Volumes, At, 1));
  const double Least = cheapestOfAll(Volumes, At);
  expect(Refined <= Least * (1 + 1e-9), On.Name, Threads, "not the optimum");
  expect(lowerBound(Volumes, At) <= Least * (1 + 1e-9), On.Name, Threads,
         "a map costs less than the lower bound");
  expect(!hasExactMap(Volumes, At) ||
             std::fabs(costOf(Volumes, At, exactMap(Volumes, At)) - Least) <= 1e-9 * Least,
         On.Name, Threads, "the proven optimum is not it");
}

/// No search finds a cheaper map than the one that is said to be a cheapest.
void testExact(const Machine &On, uint32_t Threads, const Matrix &Volumes) {
  const Locations At = slotsFor(On, Threads);
  if (!hasExactMap(Volumes, At))
    return;
  const Map Of = exactMap(Volumes, At);
  expect(isValid(At, Of), On.Name, Threads, "the proven optimum is not valid");
  const double Cost = costOf(Volumes, At, Of);
  expect(Cost <= costOf(Volumes, At, refinedMap(Volumes, At, 1)) * (1 + 1e-9), On.Name, Threads,
         "a search finds a cheaper map than the proven optimum");
  expect(Cost >= lowerBound(Volumes, At) * (1 - 1e-9), On.Name, Threads,
         "the proven optimum costs less than the lower bound");
}

/// The cheapest map of threads that share less the further apart they are is known.
void testPlanted(const Machine &On, std::mt19937_64 &Random) {
  const uint32_t Threads = On.Cpus;
  const Locations At = slotsFor(On, Threads);
  Map Planted(Threads);
  std::iota(Planted.begin(), Planted.end(), 0);
  shuffle(Planted, Random);
  Matrix Volumes(Threads);
  for (uint32_t A = 0; A < Threads; ++A)
    for (uint32_t B = 0; B < A; ++B)
      Volumes.set(A, B, 1e6 / At.weight(Planted[A], Planted[B]));
  const double Best = costOf(Volumes, At, Planted);
  expect(costOf(Volumes, At, refinedMap(Volumes, At, 1)) <= Best * (1 + 1e-9), On.Name, Threads,
         "the planted optimum is not found");
}

struct Extremes {
  double Least = HUGE_VAL, Most = 0;
};

/// Tries all locations for the threads from the next one on.
void tryAll(const Matrix &Volumes, const Locations &At, Map &Of, std::vector<bool> &Taken,
            double Cost, Extremes &Found) {
  const auto Next = static_cast<uint32_t>(Of.size());
  if (Next == Volumes.threads()) {
    Found.Least = std::min(Found.Least, Cost);
    Found.Most = std::max(Found.Most, Cost);
    return;
  }
  for (uint32_t Location = 0; Location < At.count(); ++Location) {
    if (Taken[Location])
      continue;
    double Added = 0;
    for (uint32_t Other = 0; Other < Next; ++Other)
      Added += Volumes(Next, Other) * At.weight(Location, Of[Other]);
    Taken[Location] = true;
    Of.push_back(Location);
    tryAll(Volumes, At, Of, Taken, Cost + Added, Found);
    Of.pop_back();
    Taken[Location] = false;
  }
}

/// @param Of the locations of the first threads, if they are to stay there
Extremes extremes(const Matrix &Volumes, const Locations &At, Map Of = {}) {
  Extremes Found;
  std::vector<bool> Taken(At.count(), false);
  double Cost = 0;
  for (uint32_t Thread = 0; Thread < Of.size(); ++Thread) {
    Taken[Of[Thread]] = true;
    for (uint32_t Other = 0; Other < Thread; ++Other)
      Cost += Volumes(Thread, Other) * At.weight(Of[Thread], Of[Other]);
  }
  tryAll(Volumes, At, Of, Taken, Cost, Found);
  return Found;
}

/// By distances, too, the map that is said to be the cheapest is it: where CPUs are anyhow apart,
/// and where nodes with several are in a ring, so that many maps are alike.
void testBranch(const char *Name, bool OfCpus, uint32_t Threads, std::mt19937_64 &Random) {
  const Machine On = described(Name);
  const uint32_t Rows = OfCpus ? On.Cpus : static_cast<uint32_t>(On.Nodes.size());
  Distances Told{{}, OfCpus};
  for (uint32_t A = 0; A < Rows; ++A)
    for (uint32_t B = 0; B < Rows; ++B) {
      const uint32_t Around = std::min((A + Rows - B) % Rows, (B + Rows - A) % Rows);
      Told.Values.push_back(OfCpus ? 1 + below(50, Random) : 10 + 10 * Around);
    }
  Locations At = slotsFor(On, Threads);
  useDistances(On, Told, At);
  const Matrix Volumes = randomMatrix(Threads, 1 + below(3, Random), Random);
  const std::optional<Map> Of = provenMap(Volumes, At, compactMap(At, Threads));
  const double Least = extremes(Volumes, At).Least;
  expect(Of.has_value(), Name, Threads, "no proof by distances");
  expect(Of && isValid(At, *Of) &&
             std::fabs(costOf(Volumes, At, *Of) - Least) <= 1e-9 * std::max(Least, 1.0),
         Name, Threads, "the proven optimum by distances is not it");
}

/// So it is by levels where some threads are held anywhere.
void testHeld(const char *Name, uint32_t Threads, std::mt19937_64 &Random) {
  const Locations At = slotsFor(described(Name), Threads);
  const Matrix Volumes = randomMatrix(Threads, 1 + below(3, Random), Random);
  const Map Known = randomMap(At, Threads, Random);
  const uint32_t Count = 1 + below(Threads - 1, Random);
  std::vector<bool> Held(Count, true);
  Held.resize(Threads, false);
  const std::optional<Map> Of = provenMap(Volumes, At, Known, Held);
  const double Least = extremes(Volumes, At, {Known.begin(), Known.begin() + Count}).Least;
  expect(Of && isValid(At, *Of) && std::equal(Of->begin(), Of->begin() + Count, Known.begin()) &&
             std::fabs(costOf(Volumes, At, *Of) - Least) <= 1e-9 * std::max(Least, 1.0),
         Name, Threads, "the proven optimum with threads held is not it");
}

/// Locations that are left out are in no way needed, and those that are kept cost what they did.
void testFewer(const Machine &On, uint32_t Threads, std::mt19937_64 &Random) {
  const Locations At = slotsFor(On, Threads);
  const Matrix Volumes = randomMatrix(Threads, 1 + below(3, Random), Random);
  const Extremes Whole = extremes(Volumes, At);
  for (const bool Worst : {false, true}) {
    const FewerLocations Kept = fewerLocations(At, Threads, Worst);
    const uint32_t Count = Kept.Few.count();
    bool AreSame =
        Kept.Whole.size() == Count && std::is_sorted(Kept.Whole.begin(), Kept.Whole.end());
    for (uint32_t A = 0; A < Count && AreSame; ++A)
      for (uint32_t B = 0; B < A; ++B)
        AreSame &= Kept.Few.weight(A, B) == At.weight(Kept.Whole[A], Kept.Whole[B]) &&
                   Kept.Few.weight(B, A) == Kept.Few.weight(A, B);
    expect(AreSame, On.Name, Threads, "what is kept of the locations costs something else");
    const Extremes Found = extremes(Volumes, Kept.Few);
    const double Wanted = Worst ? Whole.Most : Whole.Least;
    expect(std::fabs((Worst ? Found.Most : Found.Least) - Wanted) <= 1e-9 * Wanted, On.Name,
           Threads, Worst ? "the dearest map is lost" : "the cheapest map is lost");
  }
}

/// Few threads do not make their way through a large machine.
void testFewOnLarge() {
  const Locations At = slotsFor(described("8x1024"), 16);
  expect(fewerLocations(At, 16, false).Few.count() == 16, "8x1024", 16,
         "cheapest: one package does");
  expect(fewerLocations(At, 16, true).Few.count() <= 8 * 16, "8x1024", 16,
         "dearest: too many locations");
}

/// A matrix that keeps lists says the same as one in full.
void testLists(std::mt19937_64 &Random) {
  constexpr uint32_t Threads = 1500;
  Matrix Full(Threads);
  for (uint32_t Thread = 0; Thread < Threads; ++Thread) {
    Full.set(Thread, (Thread + 1) % Threads, 5);
    const uint32_t Other = below(Threads, Random);
    if (Other != Thread)
      Full.set(Thread, Other, 1 + below(100, Random));
  }
  const Matrix Lists(Threads, pairsOf(Full));
  expect(!Lists.isFull() && Full.isFull(), "", Threads, "lists are not used where they should be");
  bool AreSame = true;
  for (uint32_t A = 0; A < Threads; ++A)
    for (uint32_t B = 0; B < Threads; ++B)
      AreSame &= Lists(A, B) == Full(A, B);
  expect(AreSame, "", Threads, "lists have lost something");
  std::vector<uint32_t> Order(Threads);
  std::iota(Order.begin(), Order.end(), 0);
  shuffle(Order, Random);
  const Matrix Turned = ordered(negated(Lists), Order);
  for (uint32_t A = 0; A < Threads; ++A)
    AreSame &= Turned(A, 7) == -Full(Order[A], Order[7]);
  expect(AreSame, "", Threads, "lists in another order have lost something");
  const Locations At = slotsFor(described("3x250x2"), Threads);
  const Map Of = randomMap(At, Threads, Random);
  expect(costOf(Lists, At, Of) == costOf(Full, At, Of), "3x250x2", Threads,
         "a map costs something else by lists");
}

/// Hash tables of sums say the same as a table does, whatever comes and goes.
void testPartSums(std::mt19937_64 &Random) {
  constexpr uint32_t Parts = 40, Items = 5, Most = 6;
  PartSums Table(Parts, Items, {}), Hashed(Parts, Items, std::vector<size_t>(Items, Most));
  std::vector<std::vector<uint32_t>> In(Items); // the parts in which an item shares
  bool AreSame = Table.isTable() && !Hashed.isTable();
  for (int Step = 0; Step < 5000 && AreSame; ++Step) {
    const uint32_t Item = below(Items, Random);
    const bool Adds = In[Item].empty() || (In[Item].size() < Most && below(2, Random));
    if (Adds)
      In[Item].push_back(below(Parts, Random));
    const uint32_t Part = In[Item].back();
    if (Adds) {
      Hashed.add(Part, Item, 3);
    } else {
      Hashed.remove(Part, Item, 3);
      In[Item].pop_back();
    }
    Table.row(Part)[Item] += Adds ? 3 : -3;
    shuffle(In[Item], Random);
    for (uint32_t P = 0; P < Parts; ++P)
      AreSame &= Hashed.at(P, Item) == Table.at(P, Item);
  }
  expect(AreSame, "", Items, "a hash table of sums has lost some");
}

/// Threads each of which shares with at most one before it, over what any two share.
Matrix randomForest(uint32_t Threads, double Everywhere, std::mt19937_64 &Random) {
  Matrix Result(Threads);
  for (uint32_t Thread = 1; Thread < Threads; ++Thread) {
    for (uint32_t Other = 0; Other < Thread; ++Other)
      Result.set(Thread, Other, Everywhere);
    if (below(8, Random))
      Result.set(Thread, below(Thread, Random), Everywhere + 11 + below(9, Random));
  }
  return Result;
}

/// What is cut from its parent, of the members of a forest whose bits say which half they are in.
double cutOf(const Forest &Of, const std::vector<uint32_t> &Members, uint32_t Bits) {
  std::vector<int> Half(Of.size() + size_t{1}, -1);
  for (size_t I = 0; I < Members.size(); ++I)
    Half[Members[I]] = Bits >> I & 1U ? 1 : 0;
  double Sum = 0;
  for (const uint32_t Place : Members) {
    const int Above = Half[Of.Parent[Place]];
    Sum += Above >= 0 && Above != Half[Place] ? Of.Volume[Place] : 0;
  }
  return Sum;
}

/// Some of a forest are divided in two as cheaply as in any way of all.
void testHalves(const Forest &Of, std::mt19937_64 &Random) {
  uint64_t Work = 0;
  Halves Two(Of, Random, Work);
  std::vector<uint32_t> Members;
  for (uint32_t Place = 0; Place < Of.size(); ++Place)
    if (below(6, Random))
      Members.push_back(Place);
  const auto Size = static_cast<uint32_t>(Members.size());
  std::vector<double> Least(Size + size_t{1}, HUGE_VAL);
  for (uint32_t Bits = 0; Bits < 1U << Size; ++Bits) {
    double &Cut = Least[static_cast<size_t>(std::popcount(Bits))];
    Cut = std::min(Cut, cutOf(Of, Members, Bits));
  }
  for (uint32_t Count = 0; Count <= Size; ++Count) {
    Two.divide(Members, Count, 0);
    uint32_t Bits = 0;
    for (uint32_t I = 0; I < Size; ++I)
      Bits |= std::ranges::count(Two.First, Members[I]) ? 1U << I : 0;
    const bool AreAll = Two.First.size() == Count && Two.Second.size() == Size - Count;
    expect(AreAll && cutOf(Of, Members, Bits) == Least[Count], "", Of.size(),
           "a forest is not cut in two as cheaply as can be");
  }
}

/// The pairs of a forest share as much as any.
void testPairs(const Forest &Of) {
  const std::vector<bool> InPair = pairsIn(Of, Of.Volume);
  double Most = 0, Found = 0;
  for (uint32_t Bits = 0; Bits < 1U << Of.size(); ++Bits) {
    uint32_t Taken = 0;
    double Sum = 0;
    for (uint32_t Place = 0; Place < Of.size(); ++Place) {
      if (!(Bits >> Place & 1U))
        continue;
      const uint32_t Both = 1U << Place | 1U << Of.Parent[Place];
      Sum += Taken & Both ? -HUGE_VAL : Of.Volume[Place];
      Taken |= Both;
    }
    Most = std::max(Most, Sum);
  }
  for (uint32_t Place = 0; Place < Of.size(); ++Place)
    Found += InPair[Place] ? Of.Volume[Place] : 0;
  expect(Found == Most, "", Of.size(), "other pairs of a forest share more");
}

/// What threads share as a forest is found, also over what all share; what they share otherwise is
/// none.
void testForest(std::mt19937_64 &Random) {
  constexpr uint32_t Threads = 11;
  for (const double Everywhere : {0.0, 2.0})
    for (int Times = 0; Times < 50; ++Times) {
      const Matrix Volumes = randomForest(Threads, Everywhere, Random);
      const std::optional<Forest> Of = forestIn(Graph(Volumes, Threads));
      expect(Of && Of->IsAll && Of->size() == Threads, "", Threads, "a forest is not found");
      if (!Of)
        continue;
      testHalves(*Of, Random);
      testPairs(*Of);
    }
  Matrix Ring(Threads);
  for (uint32_t Thread = 0; Thread < Threads; ++Thread)
    Ring.set(Thread, (Thread + 1) % Threads, 7);
  const std::optional<Forest> Most = forestIn(Graph(Ring, Threads));
  expect(Most && !Most->IsAll, "", Threads, "a ring is not a row and one pair more");
  expect(!forestIn(Graph(randomMatrix(Threads, 1, Random), Threads)), "", Threads,
         "a forest is found in what all share");
}

} // namespace

int main() {
  std::mt19937_64 Random(1);
  for (const Machine &On : machines()) {
    for (uint32_t Threads = 1; Threads <= 2 * On.Cpus + 1; Threads += 1 + Threads / 8) {
      const Matrix Volumes = randomMatrix(Threads, 1 + Threads % 4, Random);
      testAlgorithms(On, Threads, Volumes);
      testOthers(On, Threads, Volumes, Random);
      testOptimum(On, Threads, Random);
      testExact(On, Threads, Volumes);
    }
    testPlanted(On, Random);
  }
  for (const char *Name : {"4x8x2", "2x28x2", "16x16"})
    testPlanted(described(Name), Random);
  for (const char *Name :
       {"8", "2x4", "4x2", "2x2x2x1", "3x2x2x1", "2x3x2", "2x5", "3x4", "2x2x3x1"})
    for (uint32_t Threads = 1; Threads <= 4; ++Threads)
      for (int Times = 0; Times < 3; ++Times)
        testFewer(described(Name), Threads, Random);
  for (const Machine &On : {hybrid(), uneven(), unevenCores()})
    for (uint32_t Threads = 1; Threads <= std::min(On.Cores, 4U); ++Threads)
      testFewer(On, Threads, Random);
  for (int Times = 0; Times < 10; ++Times)
    for (uint32_t Threads = 2; Threads <= 7; ++Threads) {
      testBranch("package:1 core:7 pu:1", true, Threads, Random);
      testBranch("package:4 [numa] core:2 pu:1", false, Threads, Random);
    }
  for (int Times = 0; Times < 20; ++Times)
    for (const char *Name : {"7", "2x4", "4x2", "2x2x2x1", "3x2x2x1"})
      for (uint32_t Threads = 2; Threads <= 6; ++Threads)
        testHeld(Name, Threads, Random);
  testFewOnLarge();
  testLists(Random);
  testPartSums(Random);
  testForest(Random);
  std::printf("%d failures\n", Failures);
  return Failures ? 1 : 0;
}
