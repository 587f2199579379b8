//===-- Drawing.cpp - a report as a picture ---------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The cells of one array and of one state (a node, or none) are one path, a square each: a picture
// of many pages stays small. Rows are numbered by their first page.
//
//===----------------------------------------------------------------------===//

#include "Drawing.h"

#include "support/Text.h"

#include "llvm/Support/FormatVariadic.h"

#include <map>

using namespace picture;
using llvm::formatv;

namespace {

constexpr size_t CellSide = 8, CellsARow = 128, LabelledRows = 4;
constexpr size_t Margin = 16, Label = 72, Line = 18, Baseline = 12, Gap = 14;
constexpr size_t LegendEntry = 90, ThreadEntry = 120;
constexpr size_t Width = Margin + Label + CellsARow * CellSide + Margin;
constexpr size_t LegendALine = (Width - 2 * Margin) / LegendEntry;
constexpr size_t ThreadsALine = (Width - 2 * Margin - Label) / ThreadEntry;

constexpr const char *Style = "<style>\n"
                              "text { font: 12px sans-serif; fill: #222 }\n"
                              ".title { font-weight: bold }\n"
                              ".page { font-size: 9px; text-anchor: end; fill: #666 }\n"
                              "path { stroke: #fff; stroke-width: 1 }\n"
                              ".untouched { fill: #eee }\n"
                              ".unknown { fill: #888 }\n"
                              ".mixed { fill: #fff; stroke: none }\n"
                              ".spilled { fill: #000; stroke: #fff; stroke-width: 0.5 }\n"
                              "</style>\n";

/// Names come from programs and symbol tables, and may be of any length.
std::string shortened(const std::string &Text) {
  constexpr size_t MostCharacters = 100;
  size_t Characters = 0, End = 0;
  for (; End < Text.size(); ++End) {
    const bool Begins = (static_cast<unsigned char>(Text[End]) & 0xC0U) != 0x80;
    Characters += Begins;
    if (Characters > MostCharacters)
      return support::escaped(Text.substr(0, End)) + "...";
  }
  return support::escaped(Text);
}

//===-- Colours ---------------------------------------------------------------===//

unsigned mixed(unsigned Colour, unsigned With, unsigned Percent) {
  unsigned Result = 0;
  for (unsigned Shift = 0; Shift < 24; Shift += 8) {
    const unsigned A = Colour >> Shift & 0xFFU, B = With >> Shift & 0xFFU;
    Result |= (A * (100 - Percent) + B * Percent) / 100 << Shift;
  }
  return Result;
}

/// Colours that are told apart also by the colour-blind: M. Okabe, K. Ito, "Color Universal
/// Design", 2008. Further nodes have the same, darker and then lighter; after that they repeat.
std::string colourOf(int64_t Node) {
  static constexpr unsigned Colours[] = {0xe69f00, 0x56b4e9, 0x009e73, 0xf0e442,
                                         0x0072b2, 0xd55e00, 0xcc79a7};
  const auto Number = static_cast<uint64_t>(Node);
  const unsigned Colour = Colours[Number % std::size(Colours)];
  const uint64_t Shade = Number / std::size(Colours) % 3;
  return formatv("#{0:x-6}", Shade == 1   ? mixed(Colour, 0x000000, 50)
                             : Shade == 2 ? mixed(Colour, 0xffffff, 60)
                                          : Colour);
}

/// The attributes of a path of cells in this state.
std::string attributes(const State &Of) {
  if (Of.What == State::OnNode)
    return formatv("class=\"node{0}\" fill=\"{1}\"", Of.Node, colourOf(Of.Node));
  return Of.What == State::Untouched ? "class=\"untouched\"" : "class=\"unknown\"";
}

//===-- The picture -----------------------------------------------------------===//

/// Is drawn from the top down.
class Drawing {
public:
  explicit Drawing(const Report &Of) : R(Of) {}

  std::string run() {
    text(Margin, formatv("<tspan class=\"title\">MAi report</tspan>: {0}, process {1}, pages of "
                         "{2} bytes",
                         shortened(R.Program), R.Process, R.PageBytes));
    Y += Line;
    group("legend", [&] { legend(); });
    Y += Gap;
    for (const Array &A : R.Arrays)
      group("array", [&] { array(A); });
    if (R.NotListed > 0) {
      text(Margin, formatv("and {0} freed arrays that are not listed", R.NotListed));
      Y += Line;
    }
    group("threads", [&] { threads(); });
    return formatv("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
                   "viewBox=\"0 0 {0} {1}\">\n{2}"
                   "<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n{3}</svg>\n",
                   Width, Y + Margin, Style, Body);
  }

private:
  template <typename Function> void group(const char *Class, Function &&Draw) {
    Body += formatv("<g class=\"{0}\">\n", Class);
    Draw();
    Body += "</g>\n";
  }

  /// A text that is escaped already, in the line that begins at Y.
  void text(size_t X, const std::string &Text) {
    Body += formatv("<text x=\"{0}\" y=\"{1}\">{2}</text>\n", X, Y + Baseline, Text);
  }

  void legendEntry(size_t X, const std::string &Attributes, const std::string &Text) {
    Body += formatv("<path {0} d=\"M{1} {2}h{3}v{3}h-{3}z\"/>", Attributes, X,
                    Y + Baseline - CellSide, CellSide);
    text(X + CellSide + 5, Text);
  }

  void legend() {
    for (size_t I = 0; I < R.Nodes.size(); ++I) {
      legendEntry(Margin + I % LegendALine * LegendEntry,
                  formatv("fill=\"{0}\"", colourOf(R.Nodes[I])), formatv("node {0}", R.Nodes[I]));
      if (I % LegendALine == LegendALine - 1 || I + 1 == R.Nodes.size())
        Y += Line;
    }
    legendEntry(Margin, "class=\"untouched\"", "untouched");
    legendEntry(Margin + LegendEntry, "class=\"unknown\"", "not known");
    legendEntry(Margin + 2 * LegendEntry, "class=\"spilled\"",
                "a page here is not where its policy means it");
    text(Margin + 6 * LegendEntry - 40,
         "a corner cut off: pages here are in several states, most as the colour says");
    Y += Line;
  }

  void array(const Array &A) {
    text(Margin, title(A));
    Y += Line;
    const size_t Rows = (A.Cells.size() + CellsARow - 1) / CellsARow;
    for (size_t Row = 0; Row < Rows; Row += LabelledRows)
      Body += formatv("<text class=\"page\" x=\"{0}\" y=\"{1}\">{2}</text>\n", Margin + Label - 4,
                      Y + (Row + 1) * CellSide, Row * CellsARow * size_t(A.PagesACell));
    cells(A);
    Y += Rows * CellSide + Gap;
  }

  static std::string title(const Array &A) {
    std::string Text = formatv("<tspan class=\"title\">{0}</tspan>{1}: {2}, {3}, ",
                               shortened(A.Name), A.Freed ? " (freed)" : "",
                               support::bytesText(double(A.Bytes)), shortened(A.Policy));
    if (A.NotKnown.empty())
      Text += formatv("pages: {0} placed, {1} spilled, {2} untouched", A.Placed, A.Spilled,
                      A.Untouched);
    else
      Text += "pages not known: " + shortened(A.NotKnown);
    if (A.Failed > 0)
      Text += formatv(", {0} not known", A.Failed);
    if (!A.NotPlaced.empty())
      Text += ", not placed: " + shortened(A.NotPlaced);
    if (A.PagesACell > 1)
      Text += formatv(" (a cell: {0} pages)", A.PagesACell);
    return Text;
  }

  /// A corner is cut off cells whose pages are not all in one state, a dot is in those with spilled
  /// pages.
  void cells(const Array &A) {
    std::map<State, std::string> ByState;
    std::string Corners, Dots;
    for (size_t I = 0; I < A.Cells.size(); ++I) {
      const Cell &C = A.Cells[I];
      const size_t Left = Margin + Label + I % CellsARow * CellSide;
      const size_t Top = Y + I / CellsARow * CellSide;
      ByState[C.Most] += formatv("M{0} {1}h{2}v{2}h-{2}z", Left, Top, CellSide);
      if (C.Mixed)
        Corners += formatv("M{0} {1}h4l-4 4z", Left, Top);
      if (C.Spilled)
        Dots += formatv("M{0} {1}h3v3h-3z", Left + 3, Top + 3);
    }
    for (const auto &[Of, Squares] : ByState)
      Body += formatv("<path {0} d=\"{1}\"/>\n", attributes(Of), Squares);
    if (!A.Cells.empty())
      Body += formatv("<path class=\"mixed\" d=\"{0}\"/>\n<path class=\"spilled\" d=\"{1}\"/>\n",
                      Corners, Dots);
  }

  void threads() {
    text(Margin, formatv("<tspan class=\"title\">threads</tspan> ({0})", shortened(R.MappedBy)));
    Y += Line;
    std::map<int64_t, std::vector<const Thread *>> ByNode;
    constexpr int64_t Behind = INT64_MAX; // Where one cannot tell.
    for (const Thread &T : R.Threads)
      ByNode[T.Node.value_or(Behind)].push_back(&T);
    for (const auto &[Node, Threads] : ByNode) {
      text(Margin, "node " + (Node == Behind ? std::string("?") : std::to_string(Node)));
      for (size_t I = 0; I < Threads.size(); ++I) {
        const Thread &T = *Threads[I];
        Y += I > 0 && I % ThreadsALine == 0 ? Line : 0;
        text(Margin + Label + I % ThreadsALine * ThreadEntry,
             "thread " + std::to_string(T.Number) +
                 (T.Cpu ? ", CPU " + std::to_string(*T.Cpu) : std::string()));
      }
      Y += Line;
    }
  }

  const Report &R;
  std::string Body;
  size_t Y = Margin; ///< where the next line begins
};

} // namespace

std::string picture::drawing(const Report &R) { return Drawing(R).run(); }
