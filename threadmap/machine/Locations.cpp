//===-- Locations.cpp - where a number of threads may run ----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Locations.h"

#include <algorithm>
#include <cmath>

using namespace threadmap;

namespace {

/// How many threads CPUs take.  They are filled in rounds: the first CPU of every core, the second
/// of every core that has one, ..., each time those of fast cores before those of slow ones; when
/// all have a thread, again.  CPUs with threads that are fixed to them have these, and come first
/// in their cores.  Where cores may be shared, all of their CPUs are in their first round.
class Rounds {
public:
  Rounds(const Machine &On, uint32_t Threads, Cores HowUsed) : Use(HowUsed), NextOf(On.Cores, 0) {
    for (const Machine::Part &Part : On.Parts)
      if (Part.Children.empty()) {
        Kinds = std::max(Kinds, Part.Kind + 1);
        NextOf[Part.Core] += Part.Fixed > 0;
        Threads -= Part.Fixed;
      }
    std::vector<uint32_t> Cpus; // by round
    for (const Machine::Part &Part : On.Parts)
      RoundOf.push_back(Part.Children.empty() && !Part.Fixed ? nextRound(Part) : Never);
    uint32_t Free = 0;
    for (const uint32_t Round : RoundOf)
      if (Round != Never) {
        Cpus.resize(std::max<size_t>(Cpus.size(), Round + size_t{1}), 0);
        ++Cpus[Round];
        ++Free;
      }
    Times = Free ? Threads / Free : 0;
    for (uint32_t Rest = Free ? Threads % Free : 0; Rest; ++Begun) {
      Full += Cpus[Begun] <= Rest;
      Rest -= std::min(Cpus[Begun], Rest);
    }
  }

  /// How many locations a CPU has, by its index among the parts.
  uint32_t locations(const Machine &On, uint32_t Cpu) const { return filled(On, Cpu, Begun); }

  /// How many of them have a thread in every map.
  uint32_t taken(const Machine &On, uint32_t Cpu) const { return filled(On, Cpu, Full); }

  uint32_t times() const { return Times; }

private:
  static constexpr uint32_t Never = std::numeric_limits<uint32_t>::max();

  uint32_t nextRound(const Machine::Part &Cpu) {
    return Use == Cores::Shared ? Cpu.Kind : NextOf[Cpu.Core]++ * Kinds + Cpu.Kind;
  }

  uint32_t filled(const Machine &On, uint32_t Cpu, uint32_t Last) const {
    return RoundOf[Cpu] == Never ? On.Parts[Cpu].Fixed : Times + (RoundOf[Cpu] < Last);
  }

  Cores Use;
  uint32_t Times = 0;            ///< how often all CPUs are filled
  uint32_t Kinds = 1;            ///< of cores
  uint32_t Full = 0;             ///< rounds that are complete after that
  uint32_t Begun = 0;            ///< rounds that are begun
  std::vector<uint32_t> NextOf;  ///< by core: the rank of its next CPU
  std::vector<uint32_t> RoundOf; ///< by part
};

/// Makes the tree of locations from that of the machine.
class LocationBuilder {
public:
  LocationBuilder(const Machine &From, uint32_t Threads, Cores Use)
      : All(From), Locations(From.Parts.size(), 0), Filled(From, Threads, Use) {
    count(0);
    Result.AtLeast.assign(Filled.times() ? From.Cpus : From.Cores, 0);
  }

  threadmap::Locations run() {
    if (Locations[0] == 1 || All.Parts[0].Children.empty())
      addOnly();
    else
      addPart(0, 0, 0);
    return std::move(Result);
  }

private:
  /// How many locations a part has.
  uint32_t count(uint32_t Index) {
    const Machine::Part &Part = All.Parts[Index];
    if (Part.Children.empty())
      Locations[Index] = Filled.locations(All, Index);
    for (const uint32_t Child : Part.Children)
      Locations[Index] += count(Child);
    return Locations[Index];
  }

  /// 10^(height - 1); threads of one CPU, whose height is 0, share at a tenth of the cost of a
  /// core.
  static double weightOf(uint32_t Height) { return std::pow(10.0, static_cast<int>(Height) - 1); }

  uint32_t newPart(uint32_t Parent, uint32_t Level, double Weight) {
    const auto Index = static_cast<uint32_t>(Result.Parts.size());
    const uint32_t Begin = Result.count();
    Result.Parts.push_back({Parent, Level, Begin, Begin, Weight, {}});
    if (Index)
      Result.Parts[Parent].Children.push_back(Index);
    return Index;
  }

  void addLocations(uint32_t Part, uint32_t Owner) {
    if (!All.Parts[Part].Children.empty()) {
      for (const uint32_t Child : All.Parts[Part].Children)
        addLocations(Child, Owner);
      return;
    }
    addCpu(Part, Owner);
  }

  void addCpu(uint32_t Index, uint32_t Owner) {
    const Machine::Part &Cpu = All.Parts[Index];
    const uint32_t Count = Locations[Index];
    const uint32_t Unit = Filled.times() ? CpusSeen++ : Cpu.Core;
    Result.AtLeast[Unit] += Filled.taken(All, Index);
    Result.Owner.insert(Result.Owner.end(), Count, Owner);
    Result.Cpu.insert(Result.Cpu.end(), Count, Cpu.Cpu);
    Result.Unit.insert(Result.Unit.end(), Count, Unit);
  }

  void addOnly() {
    newPart(0, 0, weightOf(0));
    addLocations(0, 0);
    Result.Parts[0].End = Result.count();
  }

  /// Adds a part with several locations.
  void addPart(uint32_t Index, uint32_t Parent, uint32_t Level) {
    const Machine::Part &Part = All.Parts[Index];
    const auto HasSeveral = [&](uint32_t Child) { return Locations[Child] > 1; };
    const auto Occupied = std::count_if(Part.Children.begin(), Part.Children.end(),
                                        [&](uint32_t Child) { return Locations[Child] > 0; });
    if (Occupied == 1 && !Part.Children.empty()) { // What is shared is the only child's.
      addPart(*std::find_if(Part.Children.begin(), Part.Children.end(), HasSeveral), Parent, Level);
      return;
    }
    const uint32_t Self = newPart(Parent, Level, weightOf(Part.Height));
    const bool Mixed = std::any_of(Part.Children.begin(), Part.Children.end(), HasSeveral);
    for (const uint32_t Child : Part.Children) {
      if (HasSeveral(Child))
        addPart(Child, Self, Level + 1);
      else if (Locations[Child])
        addSingle(Child, Self, Level + 1, Mixed);
    }
    if (Part.Children.empty())
      addLocations(Index, Self);
    Result.Parts[Self].End = Result.count();
  }

  /// Adds a location; where it stands among larger parts it needs a part of its own.
  void addSingle(uint32_t Index, uint32_t Parent, uint32_t Level, bool Mixed) {
    const uint32_t Owner = Mixed ? newPart(Parent, Level, Result.Parts[Parent].Weight) : Parent;
    addLocations(Index, Owner);
    if (Mixed)
      Result.Parts[Owner].End = Result.count();
  }

  const Machine &All;
  threadmap::Locations Result;
  std::vector<uint32_t> Locations; ///< by part of the machine
  uint32_t CpusSeen = 0;
  Rounds Filled;
};

} // namespace

double Locations::weight(uint32_t A, uint32_t B) const {
  if (Domains && Domain[A] != Domain[B])
    return Between[size_t{Domain[A]} * Domains + Domain[B]];
  uint32_t Around = Owner[A];
  while (B < Parts[Around].Begin || B >= Parts[Around].End)
    Around = Parts[Around].Parent;
  return Parts[Around].Weight;
}

Locations threadmap::slotsFor(const Machine &From, uint32_t Threads, Cores Use) {
  return LocationBuilder(From, Threads, Use).run();
}

std::vector<uint32_t> threadmap::threadsByLocation(const Locations &At, const Map &Of) {
  std::vector<uint32_t> Result(At.count(), None);
  for (uint32_t Thread = 0; Thread < Of.size(); ++Thread)
    Result[Of[Thread]] = Thread;
  return Result;
}
