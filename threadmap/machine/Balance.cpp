//===-- Balance.cpp - no node above its share -------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Balance.h"

#include "Formatted.h"
#include "threadmap/matrix/Lines.h"
#include "threadmap/matrix/Matrix.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <numeric>
#include <set>

using namespace threadmap;

namespace {

/// Threads cannot be divided, so a little more than its share is no harm to a node.
constexpr double Tolerance = 1.02;

/// The strength of each node: the bandwidth of its own memory, or its cores.
std::vector<double> strengths(const Machine &On) {
  const size_t Nodes = On.Nodes.size();
  std::vector<double> Result(Nodes, 0);
  std::set<uint32_t> Cores;
  for (const Machine::Part &Part : On.Parts)
    if (Part.Children.empty() && Cores.insert(Part.Core).second)
      Result[Part.Node] += 1;
  for (size_t Node = 0; Node < Nodes && !On.Bandwidth.empty(); ++Node)
    if (Result[Node] > 0)
      Result[Node] = On.Bandwidth[Node * Nodes + Node];
  return Result;
}

} // namespace

double Balance::excess(size_t Node, double Load) const {
  return std::max(0.0, Load - Tolerance * Share[Node]);
}

double Balance::unitPrice(double Cost) const {
  const double Whole = std::accumulate(Weight.begin(), Weight.end(), 0.0);
  return Whole > 0 ? std::max(Cost, 1.0) * 100 / Whole : 0;
}

Balance threadmap::balanceFor(const Machine &On, const Locations &At, std::vector<double> Weights) {
  std::map<uint32_t, const Machine::Part *> OfCpu;
  for (const Machine::Part &Part : On.Parts)
    if (Part.Children.empty())
      OfCpu[Part.Cpu] = &Part;
  Balance Result;
  for (const uint32_t Cpu : At.Cpu) {
    Result.GroupOf.push_back(OfCpu.at(Cpu)->Node);
    Result.Slowness.push_back(OfCpu.at(Cpu)->Kind);
  }
  Result.Groups = On.Nodes.size();
  Result.Share = strengths(On);
  const double Strength = std::accumulate(Result.Share.begin(), Result.Share.end(), 0.0);
  const double Whole = std::accumulate(Weights.begin(), Weights.end(), 0.0);
  for (double &Share : Result.Share)
    Share *= Whole / Strength;
  Result.Weight = std::move(Weights);
  Result.Os = On.Nodes;
  return Result;
}

std::optional<std::vector<double>> threadmap::readWeights(const std::string &File, uint32_t Threads,
                                                          std::string &Error) {
  std::ifstream Stream(File, std::ios::binary);
  if (!Stream || Stream.peek() == std::ifstream::traits_type::eof()) {
    Error = File + ": " + (Stream.is_open() ? "expected weights, found no text" : strerror(errno)) +
            " (--balance takes accesses or a file)";
    return std::nullopt;
  }
  Lines Input(Stream, File);
  std::vector<double> Result;
  bool IsGood = true;
  while (IsGood && Input.next('#'))
    for (bool Some = Input.skipBlanks(); Some && IsGood; Some = Input.skipSeparator()) {
      const char *Position = Input.position();
      double Weight = -1;
      IsGood = Input.read(Weight) == std::errc() && Weight >= 0 && Weight <= MaxVolume;
      if (!IsGood)
        Input.fail(Input.number(), Input.columnOf(Position),
                   "expected a weight from 0 to 1e18, found " + Input.found(Position));
      else if (Result.size() == Threads)
        IsGood = Input.fail(Input.number(), Input.columnOf(Position),
                            "expected " + std::to_string(Threads) +
                                " weights, one for each thread, found more");
      Result.push_back(Weight);
    }
  if (IsGood && Input.message().empty() && Result.size() < Threads)
    Input.fail(Input.number(), 0,
               "expected " + std::to_string(Threads) + " weights, one for each thread, found " +
                   std::to_string(Result.size()));
  Error = Input.message();
  return Error.empty() ? std::optional(std::move(Result)) : std::nullopt;
}

std::string Balance::table(const Map &Of) const {
  const std::vector<double> Loads = loads(Of);
  const double Whole = std::accumulate(Loads.begin(), Loads.end(), 0.0);
  const auto Percent = [&](double Part) { return Whole > 0 ? 100 * Part / Whole : 0; };
  std::string Result = formatted("\n%-8s  %14s  %9s  %9s\n", "node", "weight", "%", "% at most");
  for (size_t Node = 0; Node < Loads.size(); ++Node)
    Result += formatted("%-8u  %14.8g  %9.1f  %9.1f\n", Os[Node], Loads[Node], Percent(Loads[Node]),
                        Percent(Share[Node]));
  return Result;
}

std::string Balance::sentence(const Map &Of) const {
  const std::vector<double> Loads = loads(Of);
  double Most = 0;
  for (size_t Node = 0; Node < Loads.size(); ++Node)
    if (Share[Node] > 0)
      Most = std::max(Most, Loads[Node] / Share[Node]);
  return formatted("the node with the most weight has %.3g times its share", Most);
}
