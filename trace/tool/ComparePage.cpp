//===-- ComparePage.cpp - several runs beside one another, as a page -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ComparePage.h"

#include "PageElements.h"
#include "support/Text.h"

using namespace maiprof;
using support::escaped;

namespace {

/// What the words in the tables' heads mean.
constexpr const char *Words =
    "<p>TL is the sum of the latencies, TN the number of accesses whose place is known, AL = TL / "
    "TN; private data is what one thread uses, shared data what several do. <em>Of first</em>: TL "
    "as a multiple of the first run's. <em>Busiest</em>: the part of the accesses that go to the "
    "most loaded node. <em>Critical</em>: the thread that waits longest.</p>\n";

std::string cellHtml(const ComparedCell &Its) {
  return Its.Share ? barCell(*Its.Share, Its.IsRemote, Its.Text)
                   : "<td>" + escaped(Its.Text) + "</td>";
}

std::string tableHtml(const ComparedTable &Its) {
  std::string Out = "<section>\n<table class=\"wide\"><thead><tr><th scope=\"col\">" +
                    escaped(Its.About) + "</th>";
  for (const std::string &Head : Its.Heads)
    Out += "<th scope=\"col\">" + escaped(Head) + "</th>";
  Out += "</tr></thead><tbody>\n";
  for (const std::vector<ComparedCell> &Row : Its.Rows) {
    Out += "<tr><th scope=\"row\">" + code(Row.front().Text) + "</th>";
    for (size_t I = 1; I < Row.size(); ++I)
      Out += cellHtml(Row[I]);
    Out += "</tr>\n";
  }
  return Out + "</tbody></table>\n</section>\n";
}

} // namespace

std::string maiprof::comparedHtml(const std::vector<ComparedRun> &Runs) {
  std::string Out = pageTop("Runs beside one another", nullptr) +
                    "<header><h1>Runs beside one another</h1></header>\n<dl class=\"facts\">\n"
                    "<div><dt>Latency</dt><dd>" +
                    escaped(comparedBy(Runs)) + "</dd></div>\n</dl>\n<main>\n" + Words;
  for (const ComparedTable &Each : comparedTables(Runs))
    Out += tableHtml(Each);
  return Out + "</main>\n" + PageDefinitions + "</body></html>\n";
}
