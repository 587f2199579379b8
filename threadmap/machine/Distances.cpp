//===-- Distances.cpp - how far apart nodes and CPUs are --------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Distances.h"

#include "Measured.h"
#include "threadmap/matrix/Csv.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <set>

using namespace threadmap;

namespace {

/// Far is what has a small share of the greatest bandwidth; the greatest is as near as 10 in a
/// SLIT.
std::vector<double> fromBandwidth(std::vector<double> Values) {
  if (Values.empty())
    return Values;
  const double Greatest = *std::max_element(Values.begin(), Values.end());
  for (double &Value : Values)
    Value = 10 * Greatest / Value;
  return Values;
}

std::optional<Distances> ofFirmware(const Machine &On, std::vector<double> Values,
                                    const std::string &What, std::string &Error) {
  if (!Values.empty())
    return Distances{std::move(Values), false};
  Error = On.Name + ": expected " + What + " of all pairs of its " +
          std::to_string(On.Nodes.size()) + " nodes with CPUs, found none";
  return std::nullopt;
}

std::optional<Distances> ofMeasurements(const Machine &On, std::string &Error) {
  std::string Why;
  std::optional<Distances> Result =
      ofFirmware(On, measuredLatencies(On.Nodes, Why), "measured latencies", Error);
  if (!Result)
    Error += Why.empty() ? " ('numarch --measure' measures them)" : "; " + Why;
  return Result;
}

std::optional<Distances> ofFile(const Machine &On, const std::string &File, std::string &Error) {
  std::ifstream Stream(File, std::ios::binary);
  if (!Stream || Stream.peek() == std::ifstream::traits_type::eof()) {
    Error = File + ": " +
            (Stream.is_open() ? "expected distances, found no text" : strerror(errno)) +
            " (--distances takes slit, latency, bandwidth, measured or a file)";
    return std::nullopt;
  }
  std::optional<std::vector<double>> Values = readSquare(Stream, File, Error);
  if (!Values)
    return std::nullopt;
  const auto Rows = static_cast<size_t>(std::lround(std::sqrt(Values->size())));
  if (Rows == On.Nodes.size() || Rows == On.Cpus)
    return Distances{std::move(*Values), Rows != On.Nodes.size()};
  Error = File + ": expected as many rows as " + On.Name + " has nodes with CPUs (" +
          std::to_string(On.Nodes.size()) + ") or CPUs (" + std::to_string(On.Cpus) + "), found " +
          std::to_string(Rows);
  return std::nullopt;
}

/// The domain of each CPU, by OS index.
std::map<uint32_t, uint32_t> domains(const Machine &On, bool OfCpus) {
  std::map<uint32_t, uint32_t> Result;
  for (const Machine::Part &Part : On.Parts)
    if (Part.Children.empty())
      Result[Part.Cpu] = Part.Node;
  uint32_t Next = 0;
  if (OfCpus)
    for (auto &[Cpu, Domain] : Result)
      Domain = Next++;
  return Result;
}

/// Changes the weights of parts to what the distances say.
class Weights {
public:
  Weights(const Distances &Told, Locations &ToChange) : From(Told), At(ToChange) {}

  void run() {
    std::vector<bool> IsInside;
    for (const Locations::Part &Part : At.Parts)
      IsInside.push_back(isInside(Part));
    for (size_t Index = 0; Index < At.Parts.size(); ++Index) {
      Locations::Part &Part = At.Parts[Index];
      if (!IsInside[Index])
        Part.Weight = meanAcross(Part);
      else if (Index == 0 || !IsInside[Part.Parent])
        scale(static_cast<uint32_t>(Index), local(At.Domain[Part.Begin]) / Part.Weight);
    }
  }

private:
  double local(uint32_t Domain) const { return From.Values[size_t{Domain} * At.Domains + Domain]; }

  bool isInside(const Locations::Part &Part) const {
    return std::all_of(At.Domain.begin() + Part.Begin, At.Domain.begin() + Part.End,
                       [&](uint32_t D) { return D == At.Domain[Part.Begin]; });
  }

  void scale(uint32_t Index, double Factor) {
    At.Parts[Index].Weight *= Factor;
    for (const uint32_t Child : At.Parts[Index].Children)
      scale(Child, Factor);
  }

  /// The mean distance of two domains of a part: a hint for searches that know levels only.
  double meanAcross(const Locations::Part &Part) const {
    const std::set<uint32_t> Of(At.Domain.begin() + Part.Begin, At.Domain.begin() + Part.End);
    double Sum = 0;
    for (const uint32_t A : Of)
      for (const uint32_t B : Of)
        Sum += A == B ? 0 : At.Between[size_t{A} * At.Domains + B];
    const auto Count = static_cast<double>(Of.size());
    return Sum / (Count * (Count - 1));
  }

  const Distances &From;
  Locations &At;
};

} // namespace

std::optional<Distances> threadmap::distancesOf(const Machine &On, const std::string &Source,
                                                std::string &Error) {
  if (Source == "slit")
    return ofFirmware(On, On.Slit, "distances (ACPI SLIT)", Error);
  if (Source == "latency")
    return ofFirmware(On, On.Latency, "latencies (ACPI HMAT)", Error);
  if (Source == "bandwidth")
    return ofFirmware(On, fromBandwidth(On.Bandwidth), "bandwidths (ACPI HMAT)", Error);
  if (Source == "measured")
    return ofMeasurements(On, Error);
  return ofFile(On, Source, Error);
}

void threadmap::useDistances(const Machine &On, const Distances &Told, Locations &At) {
  const std::map<uint32_t, uint32_t> DomainOf = domains(On, Told.OfCpus);
  for (const uint32_t Cpu : At.Cpu)
    At.Domain.push_back(DomainOf.at(Cpu));
  At.Domains = Told.OfCpus ? On.Cpus : static_cast<uint32_t>(On.Nodes.size());
  for (size_t A = 0; A < At.Domains; ++A)
    for (size_t B = 0; B < At.Domains; ++B)
      At.Between.push_back((Told.Values[A * At.Domains + B] + Told.Values[B * At.Domains + A]) / 2);
  Weights(Told, At).run();
}
