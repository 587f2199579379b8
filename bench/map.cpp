//===-- map.cpp - the algorithms side by side -----------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Behind bench/map: maps of many matrices on many machines, by mai-map's default and by its peers.
// Costs are given in proportion to the best map that anything found, a search of 20 times the work
// included, and times as CPU time.
//
//===----------------------------------------------------------------------===//

#include "threadmap/search/Algorithm.h"
#include "threadmap/search/Cost.h"
#include "threadmap/search/Refine.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <getopt.h>
#include <jansson.h>
#include <map>
#include <numeric>

using namespace threadmap;

namespace {

enum class Kind { Random, Line, Grid, Cube, Tree, Cliques, Corners, Planted, Homogeneous };

constexpr std::pair<Kind, const char *> Kinds[] = {
    {Kind::Random, "random"},   {Kind::Line, "1-D"},        {Kind::Grid, "2-D"},
    {Kind::Cube, "3-D"},        {Kind::Tree, "tree"},       {Kind::Cliques, "cliques"},
    {Kind::Corners, "corners"}, {Kind::Planted, "planted"}, {Kind::Homogeneous, "homogeneous"}};

constexpr const char *Topologies[] = {"8x2",    "4x8",     "4x8x2",      "4x16x2", "8x16x2",
                                      "8x32x2", "16x64",   "2x3",        "4x6",    "2x28x2",
                                      "4x4x4",  "2x3x2x2", "2x2x2x2x2x2"};

constexpr const char *Peers[] = {"scotch", "scotch recursive", "matching", "greedy"};

uint32_t distance(uint32_t A, uint32_t B) { return A > B ? A - B : B - A; }

/// Neighbours in a grid that is as square as the number of threads allows.
double gridVolume(uint32_t Threads, uint32_t A, uint32_t B) {
  auto Rows = static_cast<uint32_t>(std::sqrt(Threads));
  while (Threads % Rows)
    --Rows;
  const uint32_t Columns = Threads / Rows;
  const uint32_t Apart = distance(A / Columns, B / Columns) + distance(A % Columns, B % Columns);
  return Apart == 1 ? 1000 : 0;
}

/// Neighbours in a grid of three dimensions, as equal as the number of threads allows.
double cubeVolume(uint32_t Threads, uint32_t A, uint32_t B) {
  auto Depth = static_cast<uint32_t>(std::cbrt(Threads) + 1e-9);
  while (Threads % Depth)
    --Depth;
  const uint32_t Plane = Threads / Depth;
  if (A / Plane == B / Plane)
    return gridVolume(Plane, A % Plane, B % Plane);
  return A % Plane == B % Plane && distance(A / Plane, B / Plane) == 1 ? 1000 : 0;
}

/// Each with the one from which it branches, more the nearer to the root.
double treeVolume(uint32_t A, uint32_t B) {
  const uint32_t High = std::max(A, B), Low = std::min(A, B);
  return High && (High - 1) / 2 == Low ? 100 + 10000.0 / (Low + 1) : 0;
}

/// Groups of five, and a little from each group to the next.
double cliqueVolume(uint32_t A, uint32_t B) {
  constexpr uint32_t Members = 5;
  return A / Members == B / Members ? 1000 : distance(A, B) == Members ? 150 : 0;
}

/// Neighbours, second neighbours, and the first threads with the last, over a little of everything.
double cornersVolume(uint32_t Threads, uint32_t A, uint32_t B) {
  const uint32_t High = std::max(A, B), Low = std::min(A, B), Apart = High - Low;
  const double Near = Apart == 1 ? 1000 : Apart == 2 ? 100 : 10;
  return Near + (Threads - 1 - High + Low < Threads / 8 ? 300 : 0);
}

/// A matrix for which the compact map is the best one if it is planted.
Matrix matrixOf(Kind What, const Locations &At, uint32_t Threads, std::mt19937_64 &Random) {
  Matrix Result(Threads);
  for (uint32_t A = 0; A < Threads; ++A)
    for (uint32_t B = 0; B < A; ++B)
      switch (What) {
      case Kind::Random:
        Result.set(A, B, 1 + below(1000, Random));
        break;
      case Kind::Line:
        Result.set(A, B, A - B == 1 ? 1000 : 0);
        break;
      case Kind::Grid:
        Result.set(A, B, gridVolume(Threads, A, B));
        break;
      case Kind::Cube:
        Result.set(A, B, cubeVolume(Threads, A, B));
        break;
      case Kind::Tree:
        Result.set(A, B, treeVolume(A, B));
        break;
      case Kind::Cliques:
        Result.set(A, B, cliqueVolume(A, B));
        break;
      case Kind::Corners:
        Result.set(A, B, cornersVolume(Threads, A, B));
        break;
      case Kind::Planted:
        Result.set(A, B, 10000 / At.weight(A, B));
        break;
      case Kind::Homogeneous:
        Result.set(A, B, 7);
        break;
      }
  return Result;
}

Matrix renumbered(const Matrix &Volumes, const std::vector<uint32_t> &NewNumber) {
  Matrix Result(Volumes.threads());
  for (uint32_t A = 0; A < Volumes.threads(); ++A)
    for (uint32_t B = 0; B < A; ++B)
      Result.set(NewNumber[A], NewNumber[B], Volumes(A, B));
  return Result;
}

double cpuSeconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

struct Measured {
  double Cost = 0, Seconds = 0;
  uint32_t Moved = 0;
};

/// One matrix on one machine.
class Case {
public:
  Case(const char *TopologyName, Kind What, bool Shuffled, uint64_t CaseSeed)
      : Seed(CaseSeed), Random(CaseSeed * 7919 + 1) {
    std::string Error;
    const std::optional<Machine> On = describedMachine(TopologyName, Error);
    if (!On) {
      std::fprintf(stderr, "map-bench: %s\n", Error.c_str());
      std::exit(1);
    }
    At = slotsFor(*On, On->Cpus);
    Volumes = matrixOf(What, At, On->Cpus, Random);
    std::vector<uint32_t> Number(On->Cpus);
    std::iota(Number.begin(), Number.end(), 0);
    if (Shuffled)
      shuffle(Number, Random);
    Volumes = renumbered(Volumes, Number);
    InOrder = costOf(Volumes, At, Number);
  }

  Measured refine() const { return refine(Seed); }

  Measured refine(uint64_t SearchSeed) const {
    return measure([&](uint32_t &) {
      return isHomogeneous(Volumes) ? compactMap(At, Volumes.threads())
                                    : mapOf(Volumes, At, Algorithm::Refine, false, SearchSeed);
    });
  }

  /// Gives the threads other numbers.
  void renumber() {
    std::vector<uint32_t> Number(Volumes.threads());
    std::iota(Number.begin(), Number.end(), 0);
    shuffle(Number, Random);
    Volumes = renumbered(Volumes, Number);
  }

  Measured peer(size_t Index) const {
    return measure([&](uint32_t &Moved) {
      switch (Index) {
      case 0:
        return scotchMap(Volumes, At, ScotchStrategy::Default, Seed, Moved);
      case 1:
        return scotchMap(Volumes, At, ScotchStrategy::Recursive, Seed, Moved);
      case 2:
        return matchingMap(Volumes, At);
      default:
        return greedyMap(Volumes, At);
      }
    });
  }

  /// The cost by a search with much more work.
  double longSearch(double Effort) const {
    return isHomogeneous(Volumes)
               ? InOrder
               : costOf(Volumes, At, refinedMap(Volumes, At, Seed + 1000, Effort));
  }

  double inOrder() const { return InOrder; } ///< cost of threads as they were before shuffling
  uint32_t threads() const { return Volumes.threads(); }

private:
  Measured measure(const std::function<Map(uint32_t &)> &Do) const {
    Measured Result;
    const double Begin = cpuSeconds();
    const Map Of = Do(Result.Moved);
    Result.Seconds = cpuSeconds() - Begin;
    Result.Cost = costOf(Volumes, At, Of);
    if (!isValid(At, Of)) {
      std::fprintf(stderr, "map-bench: a map is not valid\n");
      std::exit(1);
    }
    return Result;
  }

  uint64_t Seed;
  std::mt19937_64 Random;
  Locations At;
  Matrix Volumes{0};
  double InOrder = 0;
};

/// Geometric mean and worst of ratios.
struct Summary {
  double LogSum = 0, Worst = 0;
  int Count = 0;
  void add(double Ratio) {
    LogSum += std::log(Ratio);
    Worst = std::max(Worst, Ratio);
    ++Count;
  }
  double mean() const { return Count ? std::exp(LogSum / Count) : 1; }
};

/// Two costs, either of which may be 0 where nothing is shared.
double ratio(double Cost, double To) { return Cost == To ? 1 : Cost / To; }

class Bench {
public:
  Bench(uint64_t HowManySeeds, double LongEffort, uint32_t MostThreads)
      : Seeds(HowManySeeds), Effort(LongEffort), Most(MostThreads) {}

  void run() {
    std::printf("%-8s %-12s %-9s %5s  %7s %8s  %7s %7s %7s %7s\n", "machine", "matrix", "threads",
                "", "refine", "ms", "scotch", "s.rec.", "match.", "greedy");
    for (const char *Topology : Topologies)
      for (const auto &[What, Name] : Kinds)
        for (const bool Shuffled : {false, true})
          for (uint64_t Seed = 1; Seed <= Seeds; ++Seed)
            add(Topology, What, Name, Shuffled, Seed);
    printSummary();
  }

  bool write(const char *File) {
    json_object_set_new(Json, "cases", Cases);
    return json_dump_file(Json, File, JSON_INDENT(1) | JSON_REAL_PRECISION(9)) == 0;
  }

private:
  void add(const char *Topology, Kind What, const char *Name, bool Shuffled, uint64_t Seed) {
    const Case C(Topology, What, Shuffled, Seed);
    if (C.threads() > Most)
      return;
    const Measured Own = C.refine();
    Measured ByPeer[std::size(Peers)];
    double Best = std::min({Own.Cost, C.inOrder(), C.longSearch(Effort)});
    double BestPeer = HUGE_VAL;
    for (size_t I = 0; I < std::size(Peers); ++I) {
      if (I < 2 && !hasScotch())
        continue;
      ByPeer[I] = C.peer(I);
      BestPeer = std::min(BestPeer, ByPeer[I].Cost);
    }
    Best = std::min(Best, BestPeer);
    OfBest.add(ratio(Own.Cost, Best));
    OfBestPeer.add(ratio(Own.Cost, BestPeer));
    Planted += What == Kind::Planted;
    PlantedFound += What == Kind::Planted && Own.Cost <= C.inOrder() * (1 + 1e-9);
    std::printf("%-8s %-12s %-9s %5u  %7.4f %8.2f ", Topology, Name,
                Shuffled ? "shuffled" : "natural", C.threads(), ratio(Own.Cost, Best),
                Own.Seconds * 1e3);
    json_t *Entry = json_pack("{ss ss sb sI si sf sf sf}", "machine", Topology, "matrix", Name,
                              "shuffled", Shuffled, "seed", static_cast<json_int_t>(Seed),
                              "threads", static_cast<int>(C.threads()), "best_known", Best,
                              "refine", Own.Cost, "refine_seconds", Own.Seconds);
    for (size_t I = 0; I < std::size(Peers); ++I) {
      if (I < 2 && !hasScotch()) {
        std::printf(" %7s", "-");
        continue;
      }
      OfPeer[I].add(ratio(ByPeer[I].Cost, Best));
      ScotchRepaired += I == 0 && ByPeer[I].Moved;
      std::printf(" %7.4f", ratio(ByPeer[I].Cost, Best));
      json_object_set_new(Entry, Peers[I], json_real(ByPeer[I].Cost));
      json_object_set_new(Entry, (std::string(Peers[I]) + "_seconds").c_str(),
                          json_real(ByPeer[I].Seconds));
    }
    std::printf("\n");
    std::fflush(stdout);
    json_array_append_new(Cases, Entry);
    double &Slowest = SlowestBySize[C.threads()];
    Slowest = std::max(Slowest, Own.Seconds);
  }

  void printSummary() {
    std::printf("\ncost / best known          geometric mean   worst\n");
    print("refine", OfBest);
    for (size_t I = 0; I < std::size(Peers); ++I)
      print(Peers[I], OfPeer[I]);
    std::printf("refine / the best of the others each time\n");
    print("", OfBestPeer);
    std::printf("planted optimum found in %d of %d\n", PlantedFound, Planted);
    if (hasScotch())
      std::printf("Scotch's default put two threads on a core in %d of %d\n", ScotchRepaired,
                  OfPeer[0].Count);
    for (const auto &[Threads, Seconds] : SlowestBySize)
      std::printf("refine, %4u threads: %9.2f ms at most\n", Threads, Seconds * 1e3);
    json_object_set_new(Json, "refine_mean", json_real(OfBest.mean()));
    json_object_set_new(Json, "refine_worst", json_real(OfBest.Worst));
    json_object_set_new(Json, "refine_of_best_peer", json_real(OfBestPeer.mean()));
    json_object_set_new(Json, "planted", json_integer(Planted));
    json_object_set_new(Json, "planted_found", json_integer(PlantedFound));
  }

  static void print(const char *Name, const Summary &S) {
    std::printf("  %-24s %14.4f %7.4f\n", Name, S.mean(), S.Worst);
  }

  uint64_t Seeds;
  double Effort;
  uint32_t Most; ///< threads
  Summary OfBest, OfBestPeer, OfPeer[std::size(Peers)];
  int Planted = 0, PlantedFound = 0, ScotchRepaired = 0;
  std::map<uint32_t, double> SlowestBySize;
  json_t *Json = json_object();
  json_t *Cases = json_array();
};

/// Many seeds and numberings of each matrix: how much luck there is in a map.
void runLottery(uint64_t Seeds, double Effort, uint32_t MostThreads) {
  constexpr int Shuffles = 3;
  Summary OfAll;
  std::printf("\n%d numberings x %llu seeds, cost / the best of these and a long search\n",
              Shuffles, static_cast<unsigned long long>(Seeds));
  std::printf("%-8s %-12s %7s %7s %9s\n", "machine", "matrix", "mean", "worst", "ms");
  for (const char *Topology : Topologies)
    for (const auto &[What, Name] : Kinds) {
      Case C(Topology, What, true, 1);
      if (C.threads() > MostThreads || What == Kind::Homogeneous)
        continue;
      double Best = std::min(C.inOrder(), C.longSearch(Effort)), Seconds = 0;
      std::vector<double> Costs;
      for (int Times = 0; Times < Shuffles; ++Times, C.renumber())
        for (uint64_t Seed = 1; Seed <= Seeds; ++Seed) {
          const Measured Own = C.refine(Seed);
          Costs.push_back(Own.Cost);
          Seconds = std::max(Seconds, Own.Seconds);
          Best = std::min(Best, Own.Cost);
        }
      Summary OfCase;
      for (const double Cost : Costs) {
        OfCase.add(ratio(Cost, Best));
        OfAll.add(ratio(Cost, Best));
      }
      std::printf("%-8s %-12s %7.4f %7.4f %9.2f\n", Topology, Name, OfCase.mean(), OfCase.Worst,
                  Seconds * 1e3);
      std::fflush(stdout);
    }
  std::printf("all: mean %.5f, worst %.5f of %d\n", OfAll.mean(), OfAll.Worst, OfAll.Count);
}

/// Times alone, for a machine of 4096 CPUs.
void runLarge() {
  std::printf("\n4096 threads, 64x64, shuffled\n");
  for (const auto &[What, Name] : Kinds) {
    const Case C("64x64", What, true, 1);
    const Measured Own = C.refine();
    std::printf("  %-12s %9.2f s   cost / cost in order %.4f\n", Name, Own.Seconds,
                ratio(Own.Cost, C.inOrder()));
    std::fflush(stdout);
  }
}

} // namespace

int main(int Argc, char **Argv) {
  uint64_t Seeds = 3;
  double Effort = 20;
  bool Large = false, Lottery = false;
  uint32_t MostThreads = UINT32_MAX;
  const char *File = nullptr;
  for (int Letter = 0; (Letter = getopt(Argc, Argv, "s:e:j:lrt:")) != -1;)
    switch (Letter) {
    case 's':
      Seeds = std::strtoull(optarg, nullptr, 10);
      break;
    case 'e':
      Effort = std::strtod(optarg, nullptr);
      break;
    case 'j':
      File = optarg;
      break;
    case 'l':
      Large = true;
      break;
    case 'r':
      Lottery = true;
      break;
    case 't':
      MostThreads = static_cast<uint32_t>(std::strtoul(optarg, nullptr, 10));
      break;
    default:
      return 2;
    }
  if (Lottery) {
    runLottery(Seeds, Effort, MostThreads);
    return 0;
  }
  Bench B(Seeds, Effort, MostThreads);
  B.run();
  if (Large)
    runLarge();
  if (File && !B.write(File)) {
    std::fprintf(stderr, "map-bench: cannot write %s\n", File);
    return 1;
  }
  return 0;
}
