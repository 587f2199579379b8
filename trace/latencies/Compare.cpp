//===-- Compare.cpp - several runs beside one another -----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Compare.h"

#include "support/Text.h"

#include "llvm/Support/Path.h"

#include <algorithm>
#include <cstdio>

using namespace maiprof;
using support::countText;
using support::percentText;

namespace {

/// A table's row: a name and its cells.
using Row = std::vector<std::string>;

/// Columns as wide as what is in them; names to the left, figures to the right.
std::string tableText(const std::vector<Row> &Rows) {
  std::vector<size_t> Widths;
  for (const Row &Each : Rows)
    for (size_t I = 0; I < Each.size(); ++I) {
      Widths.resize(std::max(Widths.size(), I + 1));
      Widths[I] = std::max(Widths[I], Each[I].size());
    }
  std::string Out;
  for (const Row &Each : Rows) {
    for (size_t I = 0; I < Each.size(); ++I) {
      const std::string Space(Widths[I] - Each[I].size(), ' ');
      Out += I ? "  " + Space + Each[I] : Each[I] + Space;
    }
    Out += "\n";
  }
  return Out;
}

bool areMeasured(const std::vector<ComparedRun> &Runs) {
  return std::all_of(Runs.begin(), Runs.end(),
                     [](const ComparedRun &R) { return R.Measured.has_value(); });
}

/// What the tables are about, by either.
struct Figures {
  Figures(const ComparedRun &R, bool IsMeasured)
      : Private(IsMeasured ? R.Measured->Private : R.Modelled.Private),
        Shared(IsMeasured ? R.Measured->Shared : R.Modelled.Shared),
        Mean(IsMeasured ? R.Measured->MeanLong : R.Modelled.MeanRemote),
        Deviation(IsMeasured ? R.Measured->DeviationLong : R.Modelled.DeviationRemote) {}

  LatencySum all() const { return {Private.Total + Shared.Total, Private.Number + Shared.Number}; }

  LatencySum Private, Shared;
  double Mean, Deviation; ///< of the threads' accesses that are long, or remote
};

std::string averageText(const LatencySum &Its, bool IsMeasured) {
  char Text[64];
  std::snprintf(Text, sizeof Text, "%.*f", IsMeasured ? 0 : 2, Its.average());
  return Text;
}

std::string factorText(double Value, double Of) {
  char Text[64];
  std::snprintf(Text, sizeof Text, "%.2f", Of > 0 ? Value / Of : 0);
  return Text;
}

std::string dataTable(const std::vector<ComparedRun> &Runs, bool IsMeasured) {
  std::vector<Row> Rows{
      {"data", "TL", "of first", "private TL", "TN", "AL", "shared TL", "TN", "AL"}};
  const double First = Figures(Runs.front(), IsMeasured).all().Total;
  for (const ComparedRun &Each : Runs) {
    const Figures F(Each, IsMeasured);
    Row New{Each.Name, countText(F.all().Total), factorText(F.all().Total, First)};
    for (const LatencySum &Its : {F.Private, F.Shared})
      New.insert(New.end(), {countText(Its.Total), countText(double(Its.Number)),
                             averageText(Its, IsMeasured)});
    Rows.push_back(New);
  }
  return tableText(Rows);
}

std::string placeTable(const std::vector<ComparedRun> &Runs, bool IsMeasured) {
  std::vector<Row> Rows{{"accesses", "remote", "busiest"}};
  if (IsMeasured)
    for (const uint32_t Each : LatencyThresholds)
      Rows.front().push_back(">= " + std::to_string(Each));
  for (const ComparedRun &Each : Runs) {
    Rows.push_back({Each.Name, percentText(Each.Remote), percentText(Each.Busiest)});
    if (IsMeasured)
      for (const double Part : Each.Measured->AtLeast)
        Rows.back().push_back(percentText(Part));
  }
  return tableText(Rows);
}

std::string signsText(const ComparedRun &Of) {
  std::string Text;
  for (const Finding &Each : Of.Measured->Findings)
    Text += (Text.empty() ? "" : ", ") + std::string(wordOf(Each.What));
  return Text.empty() ? "-" : Text;
}

std::string threadTable(const std::vector<ComparedRun> &Runs, bool IsMeasured) {
  std::vector<Row> Rows{{IsMeasured ? ">= " + std::to_string(LongLatency) + " by thread"
                                    : std::string("remote by thread"),
                         "threads", "mean", "deviation", "critical"}};
  if (IsMeasured)
    Rows.front().emplace_back("signs");
  for (const ComparedRun &Each : Runs) {
    const Figures F(Each, IsMeasured);
    Rows.push_back({Each.Name, std::to_string(Each.Threads), countText(F.Mean),
                    countText(F.Deviation), Each.CriticalThread});
    if (IsMeasured)
      Rows.back().push_back(signsText(Each));
  }
  return tableText(Rows);
}

std::string numberText(double Value) {
  char Text[64];
  std::snprintf(Text, sizeof Text, "%.9g", Value);
  return Text;
}

std::string quoted(const std::string &Text) {
  std::string Out = "\"";
  for (const char C : Text)
    Out += C == '"' ? std::string("\"\"") : std::string(1, C);
  return Out + "\"";
}

} // namespace

std::string maiprof::runName(const std::string &File) {
  constexpr std::string_view Suffix = ".maiprof";
  std::string Name = llvm::sys::path::filename(File).str();
  if (Name.ends_with(Suffix))
    Name.resize(Name.size() - Suffix.size());
  return Name;
}

std::string maiprof::comparedText(const std::vector<ComparedRun> &Runs) {
  const bool IsMeasured = areMeasured(Runs);
  return std::string("latency   ") +
         (IsMeasured ? "measured by samples, in cycles"
                     : "not measured in all runs; by distances, a local access being 1") +
         "\n\n" + dataTable(Runs, IsMeasured) + "\n" + placeTable(Runs, IsMeasured) + "\n" +
         threadTable(Runs, IsMeasured);
}

std::string maiprof::comparedCsv(const std::vector<ComparedRun> &Runs) {
  const bool IsMeasured = areMeasured(Runs);
  std::string Out = "run,threads,remote,busiest,private_TL,private_TN,private_AL,shared_TL,"
                    "shared_TN,shared_AL,mean_of_threads,deviation_of_threads,critical_thread";
  if (IsMeasured) {
    for (const uint32_t Each : LatencyThresholds)
      Out += ",at_least_" + std::to_string(Each);
    Out += ",signs";
  }
  Out += "\n";
  for (const ComparedRun &Each : Runs) {
    const Figures F(Each, IsMeasured);
    Out += quoted(Each.Name) + "," + std::to_string(Each.Threads);
    for (const double Value :
         {Each.Remote, Each.Busiest, F.Private.Total, double(F.Private.Number), F.Private.average(),
          F.Shared.Total, double(F.Shared.Number), F.Shared.average(), F.Mean, F.Deviation})
      Out += "," + numberText(Value);
    Out += "," + quoted(Each.CriticalThread);
    if (IsMeasured) {
      for (const double Part : Each.Measured->AtLeast)
        Out += "," + numberText(Part);
      Out += "," + quoted(signsText(Each));
    }
    Out += "\n";
  }
  return Out;
}
