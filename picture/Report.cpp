//===-- Report.cpp - what MAi's report says ---------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Report.h"

#include "llvm/Support/JSON.h"

using namespace picture;
namespace json = llvm::json;

namespace llvm::json {

// llvm::json finds these by the type's namespace or here; what they return is whether the value is
// what it should be.

static bool fromJSON(const Value &Of, std::vector<Cell> &Cells, Path At) {
  constexpr size_t MostCells = 1 << 20;
  StringRef Rest = Of.getAsString().value_or("");
  while (!Rest.empty()) {
    StringRef Word;
    std::tie(Word, Rest) = Rest.split(' ');
    auto [Text, Digits] = Word.split('*');
    Cell C;
    C.Spilled = Text.consume_back("!");
    C.Mixed = Text.consume_back("~");
    size_t Count = 1;
    const bool HasCount = Word.contains('*');
    if (Text == "-")
      C.Most.What = State::Untouched;
    else if (Text != "?")
      C.Most.What = State::OnNode;
    if ((C.Most.What == State::OnNode && Text.getAsInteger(10, C.Most.Node)) ||
        (HasCount && Digits.getAsInteger(10, Count)) || Count > MostCells - Cells.size()) {
      At.report("expected cells such as \"0*3 1~! -\"");
      return false;
    }
    Cells.insert(Cells.end(), Count, C);
  }
  return true;
}

} // namespace llvm::json

namespace picture {

static bool fromJSON(const json::Value &Of, Array &To, json::Path At) {
  json::ObjectMapper Map(Of, At);
  const json::Object *Members = Of.getAsObject();
  if (!Map || !Map.map("name", To.Name) || !Map.map("policy", To.Policy) ||
      !Map.map("freed", To.Freed) || !Map.map("bytes", To.Bytes) ||
      !Map.map("pages_a_cell", To.PagesACell) || !Map.map("cells", To.Cells))
    return false;
  To.NotPlaced = Members->getString("not_placed").value_or("");
  To.NotKnown = Members->getString("pages_not_known").value_or("");
  if (const json::Object *Pages = Members->getObject("pages")) {
    To.Placed = Pages->getInteger("placed").value_or(0);
    To.Spilled = Pages->getInteger("spilled").value_or(0);
    To.Untouched = Pages->getInteger("untouched").value_or(0);
    To.Failed = Pages->getInteger("failed").value_or(0);
  }
  return true;
}

static bool fromJSON(const json::Value &Of, Thread &To, json::Path At) {
  json::ObjectMapper Map(Of, At);
  return Map && Map.map("thread", To.Number) && Map.map("cpu", To.Cpu) && Map.map("node", To.Node);
}

static bool fromJSON(const json::Value &Of, Report &To, json::Path At) {
  json::ObjectMapper Map(Of, At);
  int64_t Version = 0;
  if (!Map || !Map.map("mai_report", Version))
    return false;
  if (Version != 1) {
    At.field("mai_report").report("expected version 1");
    return false;
  }
  return Map.map("program", To.Program) && Map.map("process", To.Process) &&
         Map.map("page_size", To.PageBytes) && Map.map("nodes", To.Nodes) &&
         Map.map("arrays", To.Arrays) && Map.map("freed_arrays_not_listed", To.NotListed) &&
         Map.map("threads_mapped_by", To.MappedBy) && Map.map("threads", To.Threads);
}

} // namespace picture

llvm::Expected<Report> picture::readReport(llvm::StringRef Json) {
  return json::parse<Report>(Json, "MAi's report");
}
