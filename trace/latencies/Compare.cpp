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
using support::csvField;
using support::percentText;

namespace {

using Row = std::vector<ComparedCell>;

/// Columns as wide as what is in them; names to the left, figures to the right.
std::string tableText(const ComparedTable &Its) {
  std::vector<std::vector<std::string>> Lines{{Its.About}};
  Lines.front().insert(Lines.front().end(), Its.Heads.begin(), Its.Heads.end());
  for (const Row &Each : Its.Rows) {
    Lines.emplace_back();
    for (const ComparedCell &Cell : Each)
      Lines.back().push_back(Cell.Text);
  }
  std::vector<size_t> Widths(Lines.front().size());
  for (const auto &Line : Lines)
    for (size_t I = 0; I < Line.size(); ++I)
      Widths[I] = std::max(Widths[I], Line[I].size());
  std::string Out;
  for (const auto &Line : Lines) {
    for (size_t I = 0; I < Line.size(); ++I) {
      const std::string Space(Widths[I] - Line[I].size(), ' ');
      Out += I ? "  " + Space + Line[I] : Line[I] + Space;
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

ComparedCell shareOf(double Part) { return {percentText(Part), Part}; }

ComparedCell remoteShareOf(double Part) {
  ComparedCell Its = shareOf(Part);
  Its.IsRemote = true;
  return Its;
}

ComparedTable dataTable(const std::vector<ComparedRun> &Runs, bool IsMeasured) {
  ComparedTable Table{
      "data", {"TL", "of first", "private TL", "TN", "AL", "shared TL", "TN", "AL"}, {}};
  double Most = 0;
  for (const ComparedRun &Each : Runs)
    Most = std::max(Most, Figures(Each, IsMeasured).all().Total);
  const double First = Figures(Runs.front(), IsMeasured).all().Total;
  for (const ComparedRun &Each : Runs) {
    const Figures F(Each, IsMeasured);
    const double All = F.all().Total;
    Row New{Each.Name, ComparedCell(countText(All), Most > 0 ? All / Most : 0),
            factorText(All, First)};
    for (const LatencySum &Its : {F.Private, F.Shared})
      New.insert(New.end(), {countText(Its.Total), countText(double(Its.Number)),
                             averageText(Its, IsMeasured)});
    Table.Rows.push_back(New);
  }
  return Table;
}

ComparedTable placeTable(const std::vector<ComparedRun> &Runs, bool IsMeasured) {
  ComparedTable Table{"accesses", {"remote", "busiest"}, {}};
  if (IsMeasured)
    for (const uint32_t Each : LatencyThresholds)
      Table.Heads.push_back(">= " + std::to_string(Each));
  for (const ComparedRun &Each : Runs) {
    Table.Rows.push_back({Each.Name, remoteShareOf(Each.Remote), shareOf(Each.Busiest)});
    if (IsMeasured)
      for (const double Part : Each.Measured->AtLeast)
        Table.Rows.back().push_back(shareOf(Part));
  }
  return Table;
}

std::string signsText(const ComparedRun &Of) {
  std::string Text;
  for (const Finding &Each : Of.Measured->Findings)
    Text += (Text.empty() ? "" : ", ") + std::string(wordOf(Each.What));
  return Text.empty() ? "-" : Text;
}

ComparedTable threadTable(const std::vector<ComparedRun> &Runs, bool IsMeasured) {
  ComparedTable Table{IsMeasured ? ">= " + std::to_string(LongLatency) + " by thread"
                                 : std::string("remote by thread"),
                      {"threads", "mean", "deviation", "critical"},
                      {}};
  if (IsMeasured)
    Table.Heads.emplace_back("signs");
  for (const ComparedRun &Each : Runs) {
    const Figures F(Each, IsMeasured);
    Table.Rows.push_back({Each.Name, std::to_string(Each.Threads), countText(F.Mean),
                          countText(F.Deviation), Each.CriticalThread});
    if (IsMeasured)
      Table.Rows.back().emplace_back(signsText(Each));
  }
  return Table;
}

std::string numberText(double Value) {
  char Text[64];
  std::snprintf(Text, sizeof Text, "%.9g", Value);
  return Text;
}

} // namespace

std::string maiprof::runName(const std::string &File) {
  constexpr std::string_view Suffix = ".maiprof";
  std::string Name = llvm::sys::path::filename(File).str();
  if (Name.ends_with(Suffix))
    Name.resize(Name.size() - Suffix.size());
  return Name;
}

std::string maiprof::comparedBy(const std::vector<ComparedRun> &Runs) {
  return areMeasured(Runs) ? "measured by samples, in cycles"
                           : "not measured in all runs; by distances, a local access being 1";
}

std::vector<ComparedTable> maiprof::comparedTables(const std::vector<ComparedRun> &Runs) {
  const bool IsMeasured = areMeasured(Runs);
  return {dataTable(Runs, IsMeasured), placeTable(Runs, IsMeasured), threadTable(Runs, IsMeasured)};
}

std::string maiprof::comparedText(const std::vector<ComparedRun> &Runs) {
  std::string Out = "latency   " + comparedBy(Runs) + "\n";
  for (const ComparedTable &Each : comparedTables(Runs))
    Out += "\n" + tableText(Each);
  return Out;
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
    Out += csvField(Each.Name) + "," + std::to_string(Each.Threads);
    for (const double Value :
         {Each.Remote, Each.Busiest, F.Private.Total, double(F.Private.Number), F.Private.average(),
          F.Shared.Total, double(F.Shared.Number), F.Shared.average(), F.Mean, F.Deviation})
      Out += "," + numberText(Value);
    Out += "," + csvField(Each.CriticalThread);
    if (IsMeasured) {
      for (const double Part : Each.Measured->AtLeast)
        Out += "," + numberText(Part);
      Out += "," + csvField(signsText(Each));
    }
    Out += "\n";
  }
  return Out;
}
