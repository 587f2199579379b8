//===-- PageFigures.cpp - what the page draws -------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "PageFigures.h"

#include "support/Json.h"

#include <algorithm>
#include <numeric>

using namespace maiprof;
using llvm::json::Object;
using support::jsonText;

namespace {

constexpr size_t RowsMost = 16;
constexpr size_t ColumnsMost = 128;

/// So many things in bins of as many each, one after the other; the last may have fewer.
struct Bins {
  size_t Things, Each, Count;

  Bins(size_t Of, size_t Most)
      : Things(Of), Each(std::max<size_t>(1, (Of + Most - 1) / Most)),
        Count((Of + Each - 1) / Each) {}
  size_t first(size_t Bin) const { return Bin * Each; }
  size_t end(size_t Bin) const { return std::min(Things, first(Bin) + Each); }
  size_t of(size_t Thing) const { return Thing / Each; }
};

/// "pages 3 to 7", with the names of the first and the last.
std::string range(const char *One, const char *Several, const std::string &First,
                  const std::string &Last) {
  return First == Last ? std::string(One) + " " + First
                       : std::string(Several) + " " + First + " to " + Last;
}

llvm::json::Array texts(const std::vector<std::string> &Of) {
  llvm::json::Array Result;
  for (const std::string &Text : Of)
    Result.push_back(jsonText(Text));
  return Result;
}

std::vector<std::string> threadNames(const Bins &By, const Profile &P) {
  std::vector<std::string> Names;
  for (size_t Bin = 0; Bin < By.Count; ++Bin)
    Names.push_back(range("thread", "threads", P.Threads[By.first(Bin)].name(),
                          P.Threads[By.end(Bin) - 1].name()));
  return Names;
}

/// Threads by their nodes, where there are several, or else by their order: the rows of a figure.
class Groups {
public:
  Groups(const Profile &P, const Layout &L)
      : AreNodes(L.Nodes > 1), By(AreNodes ? L.Nodes : P.Threads.size(), RowsMost) {
    for (uint32_t I = 0; I < P.Threads.size(); ++I)
      OfThread.push_back(AreNodes ? ofNode(L.OfThread[I]) : By.of(I));
    if (AreNodes)
      for (size_t Bin = 0; Bin < By.Count; ++Bin)
        Names.push_back(range("node", "nodes", std::to_string(L.OsIndex[By.first(Bin)]),
                              std::to_string(L.OsIndex[By.end(Bin) - 1])));
    else
      Names = threadNames(By, P);
    if (std::count(OfThread.begin(), OfThread.end(), By.Count))
      Names.emplace_back("not known");
  }

  size_t ofNode(uint32_t Node) const { return Node == None ? By.Count : By.of(Node); }

  bool AreNodes;
  std::vector<size_t> OfThread;
  std::vector<std::string> Names;

private:
  Bins By;
};

/// Accesses by row and column, and where they go.
class AccessTable {
public:
  AccessTable(std::vector<std::string> RowNames, std::vector<std::string> ColumnNames)
      : Rows(std::move(RowNames)), Columns(std::move(ColumnNames)),
        Cells(Rows.size() * Columns.size()) {}

  Split &at(size_t Row, size_t Column) { return Cells[Row * Columns.size() + Column]; }

  Object figure(const char *Kind) const {
    llvm::json::Array Local, Remote, Unknown;
    for (const Split &Cell : Cells) {
      Local.push_back(Cell.Local);
      Remote.push_back(Cell.Remote);
      Unknown.push_back(Cell.Unknown);
    }
    return Object{{"kind", Kind},
                  {"rows", texts(Rows)},
                  {"columns", texts(Columns)},
                  {"local", std::move(Local)},
                  {"remote", std::move(Remote)},
                  {"unknown", std::move(Unknown)}};
  }

private:
  std::vector<std::string> Rows, Columns;
  std::vector<Split> Cells;
};

void add(Split &To, const Split &More) {
  To.Local += More.Local;
  To.Remote += More.Remote;
  To.Unknown += More.Unknown;
}

/// Of the pages of each column, the part that is on the node of each row.
llvm::json::Array homes(const ArrayUse &A, const Bins &Columns, const Groups &Rows) {
  std::vector<double> Parts(Rows.Names.size() * Columns.Count);
  for (size_t I = 0; I < A.Pages.size(); ++I) {
    const size_t Row = Rows.ofNode(A.Pages[I].Node), Column = Columns.of(I);
    if (A.Pages[I].Node != None)
      Parts[Row * Columns.Count + Column] +=
          1 / double(Columns.end(Column) - Columns.first(Column));
  }
  llvm::json::Array Result;
  for (const double Part : Parts)
    Result.push_back(Part);
  return Result;
}

/// By the nodes of threads, so that their squares are the diagonal's; then by number.
std::vector<size_t> orderByNode(const std::vector<uint32_t> &NodeOfRow) {
  std::vector<size_t> Order(NodeOfRow.size());
  std::iota(Order.begin(), Order.end(), size_t(0));
  std::stable_sort(Order.begin(), Order.end(),
                   [&](size_t A, size_t B) { return NodeOfRow[A] < NodeOfRow[B]; });
  return Order;
}

void appendNumber(std::string &Out, uint64_t Number) {
  for (; Number > 0x7f; Number >>= 7)
    Out += static_cast<char>(Number | 0x80);
  Out += static_cast<char>(Number);
}

} // namespace

Object maiprof::pagesFigure(const ArrayUse &A, const Profile &P, const Layout &L) {
  const Groups Rows(P, L);
  const Bins Columns(A.Pages.size(), ColumnsMost);
  std::vector<std::string> Names;
  for (size_t I = 0; I < Columns.Count; ++I)
    Names.push_back(range("page", "pages", std::to_string(Columns.first(I)),
                          std::to_string(Columns.end(I) - 1)));
  AccessTable Sum(Rows.Names, std::move(Names));
  for (size_t I = 0; I < A.Pages.size(); ++I)
    for (const auto &[Thread, Accesses] : A.Pages[I].Users)
      Sum.at(Rows.OfThread[Thread], Columns.of(I))
          .add(Accesses.sum(), L.OfThread[Thread], A.Pages[I].Node, L);
  Object Figure = Sum.figure("traffic");
  if (Rows.AreNodes)
    Figure["homes"] = homes(A, Columns, Rows);
  return Figure;
}

Object maiprof::threadsFigure(const std::vector<Split> &OfThreads, const Profile &P) {
  const Bins Columns(OfThreads.size(), ColumnsMost);
  AccessTable Sum({""}, threadNames(Columns, P));
  for (size_t I = 0; I < OfThreads.size(); ++I)
    add(Sum.at(0, Columns.of(I)), OfThreads[I]);
  return Sum.figure("bars");
}

Object maiprof::regionsFigure(const std::vector<RegionUse> &Regions, const Profile &P) {
  const Bins Columns(P.Threads.size(), ColumnsMost);
  std::vector<std::string> Names;
  for (const RegionUse &Use : Regions)
    Names.push_back(Use.Name);
  AccessTable Sum(std::move(Names), threadNames(Columns, P));
  for (size_t Row = 0; Row < Regions.size(); ++Row)
    for (size_t I = 0; I < P.Threads.size(); ++I)
      add(Sum.at(Row, Columns.of(I)), Regions[Row].ByThread[I]);
  return Sum.figure("traffic");
}

Object maiprof::similarityFigure(const std::vector<RegionUse> &Regions) {
  llvm::json::Array Names, Values;
  for (const RegionUse &Use : Regions) {
    Names.push_back(jsonText(Use.Name));
    for (const double Its : Use.Likeness)
      Values.push_back(Its < 0 ? llvm::json::Value(nullptr) : llvm::json::Value(Its));
  }
  return Object{{"kind", "amounts"}, {"rows", std::move(Names)}, {"values", std::move(Values)}};
}

MatrixRows::MatrixRows(size_t ThreadRows, size_t Most)
    : Each(Bins(ThreadRows, Most).Each), Count(Bins(ThreadRows, Most).Count), Threads(ThreadRows) {}

std::vector<std::string> MatrixRows::names(const Sharing &S, const Profile &P) const {
  std::vector<std::string> Names;
  for (size_t Row = 0; Row < Count; ++Row)
    Names.push_back(range("thread", "threads", S.rowName(P, Row * Each),
                          S.rowName(P, std::min(Threads, (Row + 1) * Each) - 1)));
  return Names;
}

std::string MatrixRows::packed(const Matrix &M, bool IsSymmetric) const {
  Matrix Sum(Count);
  for (size_t I = 0; I < M.Size; ++I)
    for (size_t J = 0; J < M.Size; ++J)
      Sum.at(I / Each, J / Each) += M.at(I, J);
  std::string Out;
  for (size_t I = 0; I < Count; ++I)
    for (size_t J = IsSymmetric ? I : 0; J < Count; ++J)
      appendNumber(Out, Sum.at(I, J));
  return Out;
}

Object MatrixRows::figure(const Sharing &S, const std::vector<uint32_t> &NodeOf,
                          const Layout &L) const {
  std::vector<uint32_t> NodeOfRow;
  for (size_t Row = 0; Row < Count; ++Row) {
    const uint32_t Thread = S.Rows[Row * Each];
    NodeOfRow.push_back(Thread == None ? None : NodeOf[Thread]);
  }
  llvm::json::Array Order, Borders, Names;
  std::optional<uint32_t> Last;
  for (const size_t Row : orderByNode(NodeOfRow)) {
    const uint32_t Node = NodeOfRow[Row];
    if (Node != Last) {
      Names.push_back(Node == None ? "no node" : "node " + std::to_string(L.OsIndex[Node]));
      if (Last)
        Borders.push_back(Order.size());
    }
    Last = Node;
    Order.push_back(Row);
  }
  return Object{{"kind", "pairs"},
                {"order", std::move(Order)},
                {"borders", std::move(Borders)},
                {"nodes", std::move(Names)}};
}
