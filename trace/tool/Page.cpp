//===-- Page.cpp - a profile as a page --------------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One file of HTML that loads nothing. Its sentences and tables are HTML; its figures are
// compressed data that its script (page.js) draws. A profile may come from anywhere: every text of
// it is escaped, and the page forbids itself (by a Content-Security-Policy) all scripts and styles
// but its own two, which it names by their hashes.
//
//===----------------------------------------------------------------------===//

#include "CodeLines.h"
#include "PageElements.h"
#include "PageFigures.h"
#include "PageParts.h"
#include "Report.h"
#include "support/Json.h"
#include "support/Text.h"

#include "llvm/Support/Base64.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <stdexcept>
#include <zlib.h>

using namespace maiprof;
using support::bytesText;
using support::countText;
using support::escaped;
using support::percentText;

namespace {

constexpr size_t VerdictsShown = 12; /* the others follow folded */

/// For DecompressionStream("deflate").
std::string compressed(const std::string &Bytes) {
  uLongf Size = compressBound(Bytes.size());
  std::string Out(Size, '\0');
  if (compress2(reinterpret_cast<Bytef *>(Out.data()), &Size,
                reinterpret_cast<const Bytef *>(Bytes.data()), Bytes.size(),
                Z_BEST_COMPRESSION) != Z_OK)
    throw std::runtime_error("a figure cannot be compressed");
  Out.resize(Size);
  return llvm::encodeBase64(Out);
}

/// Data in a script that no browser runs.
std::string dataBlock(const std::string &Id, const std::string &Bytes) {
  return "<script type=\"application/octet-stream\" id=\"" + Id + "\">" + compressed(Bytes) +
         "</script>\n";
}

class PageWriter {
public:
  PageWriter(const Profile &Of, const Usage &Used, const Judgement &Judged,
             const Latencies &OfAccesses, const SharingOptions &Options)
      : P(Of), U(Used), J(Judged), Times(OfAccesses), Shared(Options), S(sharing(Of, Options)),
        Rows(S.Rows.size()), Regions(regions(Of, Used.Where)), Code(codeLines(Of, Used)) {}

  std::string write() {
    const std::string Main = verdicts() + matrix() + arrays() + timeLine() + lines() + threads();
    return top() + facts() + "<main>\n" + Main + "</main>\n" + PageDefinitions + data() +
           "<script>" + PageScript + "</script>\n</body></html>\n";
  }

private:
  //===-- Frame -----------------------------------------------------------------===//

  std::string top() const {
    const std::string Name = llvm::sys::path::filename(P.Program).str();
    return pageTop(Name + ": memory and nodes", PageScript) +
           "<a class=\"skip\" href=\"#verdicts\">To the verdicts</a>\n"
           "<header>\n<h1>" +
           escaped(Name) +
           "</h1>\n<nav aria-label=\"Parts of this page\"><a href=\"#verdicts\">Verdicts</a> <a "
           "href=\"#sharing\">Sharing</a> <a href=\"#arrays\">Arrays</a> <a href=\"#time\">Time "
           "line</a> <a href=\"#lines\">Lines</a> <a href=\"#threads\">Threads</a></nav>\n"
           "</header>\n";
  }

  std::string nodesText() const {
    const std::string Count = std::to_string(U.Where.Nodes);
    if (U.Where.Imagined)
      return Count + " nodes, imagined: threads distributed in blocks, pages where they are first "
                     "touched";
    return Count + (U.Where.Nodes == 1 ? " node" : " nodes") + ", " +
           std::to_string(P.Cpus.size()) + " CPUs";
  }

  /// What was run and counted, and what was not.
  std::string facts() const {
    std::string Command;
    for (const std::string &Argument : P.Arguments)
      Command += (Command.empty() ? "" : " ") + Argument;
    std::string Missing;
    for (const std::string &Gap : gaps(P))
      Missing += (Missing.empty() ? "" : "; ") + Gap;
    std::string Out = "<dl class=\"facts\">\n<div><dt>Program</dt><dd>" +
                      code(Command.empty() ? P.Program : Command) +
                      "</dd></div>\n<div><dt>Machine</dt><dd>" + escaped(P.Host) + ", " +
                      nodesText() + "</dd></div>\n<div><dt>Counted</dt><dd>" +
                      countText(double(U.Total.Accesses.Reads)) + " reads, " +
                      countText(double(U.Total.Accesses.Writes)) + " writes by " +
                      std::to_string(P.Threads.size()) + " threads</dd></div>\n";
    if (P.Sampled)
      return Out + "<div class=\"missing\"><dt>Sampled</dt><dd>" + escaped(samplingText(P)) +
             "</dd></div>\n" + notes() + "</dl>\n";
    Out += Missing.empty()
               ? "<div><dt>Complete</dt><dd>all that the program's own code accesses is "
                 "counted</dd></div>\n"
               : "<div class=\"missing\"><dt>Missing</dt><dd>" + escaped(Missing) + "</dd></div>\n";
    return Out + notes() + "</dl>\n";
  }

  std::string notes() const {
    std::string Out;
    for (const std::string &Condition : conditions(P))
      Out += "<div><dt>Note</dt><dd>" + escaped(Condition) + "</dd></div>\n";
    return Out;
  }

  /// Everything that the script draws, and the matrices by themselves: they are the most.
  std::string data() {
    std::string Out;
    llvm::json::Array Names;
    for (const std::string &Name : Rows.names(S, P))
      Names.push_back(support::jsonText(Name));
    std::string Text;
    llvm::raw_string_ostream Stream(Text);
    Stream << llvm::json::Value(
        llvm::json::Object{{"figures", std::move(Figures)}, {"threads", std::move(Names)}});
    Out += dataBlock("figures", Text);
    for (const auto &[Id, Bytes] : Matrices)
      Out += dataBlock(Id, Bytes);
    return Out;
  }

  /// A place for a figure, and what it shows to those who do not see it.
  /// @param IsLarge is explored with pointer and keys
  std::string figure(llvm::json::Object Data, const std::string &Label, bool IsLarge) {
    Figures.emplace_back(std::move(Data));
    const std::string Number = std::to_string(Figures.size() - 1);
    const std::string Canvas = "<canvas data-figure=\"" + Number + "\" " +
                               (IsLarge ? "tabindex=\"0\" role=\"application\" "
                                          "aria-describedby=\"keys\" "
                                        : "role=\"img\" ") +
                               "aria-label=\"" + escaped(Label) + "\"></canvas>";
    return "<div class=\"figure\">" + Canvas +
           (IsLarge ? "<output aria-live=\"polite\">&nbsp;</output>" : "") + "</div>\n";
  }

  static std::string legend(bool HasPages) {
    std::string Out =
        "<ul class=\"legend\"><li><svg viewBox=\"0 0 14 14\"><rect class=\"local\" "
        "width=\"14\" height=\"14\"/></svg>local: to the thread's own node</li>"
        "<li><svg viewBox=\"0 0 14 14\"><rect class=\"remote\" width=\"14\" height=\"14\"/></svg>"
        "remote: to another node</li>"
        "<li><svg viewBox=\"0 0 14 14\"><rect class=\"unknown\" width=\"14\" height=\"14\"/></svg>"
        "node not known</li>";
    if (HasPages)
      Out += "<li><svg viewBox=\"0 0 14 14\"><rect class=\"home\" y=\"10\" width=\"14\" "
             "height=\"3\"/></svg>the pages are on this node</li>";
    return Out + "<li>the stronger the colour, the more</li></ul>\n";
  }

  //===-- Verdicts --------------------------------------------------------------===//

  std::string verdicts() {
    std::string Out = "<section id=\"verdicts\" tabindex=\"-1\">\n<h2>" +
                      sentence(summary(J, P, U.Where)) + "</h2>\n";
    if (!J.Verdicts.empty())
      Out += legend(true);
    Out += "<ol class=\"verdicts\">\n";
    for (size_t I = 0; I < J.Verdicts.size(); ++I) {
      if (I == VerdictsShown)
        Out += "</ol>\n<details class=\"more\"><summary>" + std::to_string(J.Verdicts.size() - I) +
               " more, that gain less</summary>\n<ol class=\"verdicts\">\n";
      Out += verdict(J.Verdicts[I], I + 1);
    }
    Out += "</ol>\n";
    if (J.Verdicts.size() > VerdictsShown)
      Out += "</details>\n";
    return Out + "<noscript><p>The figures of this page need JavaScript.</p></noscript>\n"
                 "</section>\n";
  }

  /// Begun with a capital letter, ended by a full stop; numbers stay with their units.
  static std::string sentence(const std::string &Text) {
    std::string Out = escaped(Text) + ".";
    for (size_t At = 0; (At = Out.find(" %", At)) != std::string::npos; ++At)
      Out.replace(At, 1, "&nbsp;");
    if (Out[0] >= 'a' && Out[0] <= 'z')
      Out[0] = static_cast<char>(Out[0] - 'a' + 'A');
    return Out;
  }

  /// A sentence. With many threads it may be long, and is folded behind its beginning.
  static std::string paragraph(const std::string &Text) {
    constexpr size_t LongAt = 500, BeginningAtMost = 90;
    if (Text.size() < LongAt)
      return "<p>" + sentence(Text) + "</p>\n";
    const std::string Beginning = Text.substr(0, Text.rfind(' ', BeginningAtMost));
    return "<details class=\"long\"><summary>" + sentence(Beginning + " ..") + "</summary><p>" +
           sentence(Text) + "</p></details>\n";
  }

  std::string verdict(const Verdict &V, size_t Number) {
    const std::string About = V.Array.empty() ? "" : code(V.Array) + ": ";
    const std::string Gain =
        V.Gain > 0 ? "saves <strong>" + gainPercentText(V, P) + "</strong>" : "no placement helps";
    std::string Cures;
    for (const std::string &Cure : V.Cures)
      Cures += "<div class=\"cure\"><pre tabindex=\"0\">" + escaped(Cure) +
               "</pre><button type=\"button\" data-copy>Copy</button></div>\n";
    return "<li><article>\n<h3>" + std::to_string(Number) + ". " + About + escaped(V.Sentence) +
           " <small>" + wordOf(V.What) + "</small></h3>\n<p class=\"gain\">" + Gain +
           "</p>\n<div class=\"case\">" + picture(V) + "<div>" + effects(V) + "</div></div>\n" +
           paragraph(V.Reason) + linesOf(V) + Cures + "</article></li>\n";
  }

  std::string linesOf(const Verdict &V) const {
    const std::string By = mostBy(Code, U, V.Array);
    return By.empty() ? "" : "<p>" + sentence("accessed most by " + By) + "</p>\n";
  }

  const ArrayUse *arrayOf(const Verdict &V) const {
    const auto Found = std::find_if(U.Arrays.begin(), U.Arrays.end(),
                                    [&](const ArrayUse &A) { return A.Name == V.Array; });
    return Found == U.Arrays.end() ? nullptr : &*Found;
  }

  /// A small one of what is wrong.
  std::string picture(const Verdict &V) {
    const ArrayUse *A = arrayOf(V);
    if (V.What == Trouble::Threads)
      return figure(Rows.figure(S, V.Nodes, U.Where),
                    "Accesses that pairs of threads share, those of one node side by side as the "
                    "cure has them",
                    false);
    if (!A)
      return "";
    if (V.What == Trouble::SharedLines || V.What == Trouble::FalseSharing)
      return figure(threadsFigure(A->WhereByThread, P), "Accesses to " + A->Name + " by thread",
                    false);
    return figure(pagesFigure(*A, P, U.Where),
                  "Which node uses which pages of " + A->Name + ", and where they are", false);
  }

  static std::string effectRow(const std::string &Name, bool IsRemote,
                               const std::vector<double> &Shares) {
    std::string Out = "<tr><th scope=\"row\">" + Name + "</th>";
    for (const double Share : Shares)
      Out += shareCell(Share, IsRemote);
    return Out + "</tr>\n";
  }

  /// What changes with the cure, and what changed when it was tried.
  std::string effects(const Verdict &V) const {
    std::vector<Effect> All = {J.Now};
    std::string Head = "<th scope=\"col\">now</th>";
    if (V.Gain > 0) {
      All.push_back(V.After);
      Head += "<th scope=\"col\">with the cure</th>";
    }
    if (V.Tried) {
      All.push_back(*V.Tried);
      Head += "<th scope=\"col\">tried</th>";
    }
    std::vector<double> Remote, Busiest, Worst;
    for (const Effect &Each : All) {
      Remote.push_back(Each.Remote);
      Busiest.push_back(Each.Busiest);
      Worst.push_back(Each.MostRemotePart);
    }
    return "<table class=\"effects\"><thead><tr><td></td>" + Head + "</tr></thead><tbody>\n" +
           effectRow("remote accesses", true, Remote) +
           effectRow("of the most remote thread", true, Worst) +
           effectRow("most loaded node serves", false, Busiest) + "</tbody></table>\n";
  }

  //===-- Sharing ---------------------------------------------------------------===//

  struct Metric {
    std::string Id, Title, Unit;
    bool IsSymmetric;
  };

  Metric addMatrix(const std::string &Id, const std::string &Title, const std::string &Unit,
                   const Matrix &M, bool IsSymmetric = true) {
    Matrices.emplace_back("matrix-" + Id, Rows.packed(M, IsSymmetric));
    return {Id, Title, Unit, IsSymmetric};
  }

  std::vector<Metric> metrics() {
    std::vector<Metric> All = {
        addMatrix("accesses", "Accesses of both", "accesses", S.Accesses),
        addMatrix("memory", "Bytes", "bytes", S.Memory),
        addMatrix("smaller", "Accesses of the one with fewer", "accesses", S.Smaller)};
    if (!Shared.Writers) {
      SharingOptions Writers = Shared;
      Writers.Writers = true;
      All.push_back(addMatrix("written", "Accesses to lines that one of them writes", "accesses",
                              sharing(P, Writers).Accesses));
    }
    if (P.HasTransfers)
      All.push_back(addMatrix("transfers", "Lines that go from the row's thread to the column's",
                              "transfers", transfers(P, Shared), false));
    return All;
  }

  std::string matrix() {
    std::string Choices;
    for (const Metric &M : metrics())
      Choices += "<label><input type=\"radio\" name=\"metric\" value=\"" + M.Id +
                 "\" data-unit=\"" + M.Unit + "\" data-symmetric=\"" + (M.IsSymmetric ? "1" : "") +
                 "\"" + (Choices.empty() ? " checked" : "") + ">" + M.Title + "</label>\n";
    return "<section id=\"sharing\" tabindex=\"-1\">\n<h2>What threads share</h2>\n"
           "<p>Each square is a pair of threads and what they do to the lines of memory that both "
           "use. The diagonal, what a thread has alone, is left out.</p>\n"
           "<fieldset><legend>Show</legend>" +
           Choices +
           "</fieldset>\n<div class=\"matrix\"><div class=\"figure\"><canvas id=\"matrix\" "
           "tabindex=\"0\" role=\"application\" aria-label=\"Sharing matrix\" "
           "aria-describedby=\"keys\"></canvas>\n<output "
           "aria-live=\"polite\">&nbsp;</output></div>\n<p class=\"scale\"><span>0</span><canvas "
           "id=\"scale\" role=\"img\" aria-label=\"More is darker against the "
           "page\"></canvas><span "
           "id=\"most\"></span><button type=\"button\" id=\"whole\" hidden>Show all "
           "threads</button></p></div>\n<p id=\"keys\" class=\"hint\">Point at a figure, or go to "
           "it "
           "with the tabulator and move with the arrow keys. Return enlarges a part of the matrix, "
           "Escape shows all of it again.</p>\n</section>\n";
  }

  //===-- Arrays ----------------------------------------------------------------===//

  std::string arrays() {
    std::string Out = "<section id=\"arrays\" tabindex=\"-1\">\n<h2>Arrays</h2>\n" + legend(true);
    size_t Known = 0;
    for (size_t I = 0; I < U.Arrays.size(); ++I)
      if (U.Arrays[I].IsArray && ++Known <= ArraysShown)
        Out += array(U.Arrays[I], J.OfArrays[I], Known == 1);
    if (Known > ArraysShown)
      Out += "<p class=\"hint\">And " + std::to_string(Known - ArraysShown) +
             " more, with fewer accesses: mai-trace info lists them.</p>\n";
    if (Known == 0)
      Out += "<p>No array is known.</p>\n";
    return Out + "</section>\n";
  }

  std::string array(const ArrayUse &A, const advice::Advice &Its, bool IsOpen) {
    const double Part =
        double(A.Accesses.sum()) / double(std::max<uint64_t>(1, U.Total.Accesses.sum()));
    return std::string("<details class=\"array\"") + (IsOpen ? " open" : "") + "><summary>" +
           code(A.Name) + "<span>" + kindName(A.What) + ", " + bytesText(double(A.Bytes)) +
           "</span><span>" + percentText(Part) + " of accesses</span><span class=\"share\">" +
           bar(A.Where.remoteShare(), true) + percentText(A.Where.remoteShare()) +
           " remote</span></summary>\n" +
           figure(pagesFigure(A, P, U.Where), "Pages of " + A.Name + " by who uses them", true) +
           advice(A, Its) + paragraph("first touched by thread (pages): " + firstTouchers(P, A)) +
           "</details>\n";
  }

  static std::string advice(const ArrayUse &A, const advice::Advice &Its) {
    std::string Out = "<p>";
    for (const std::string &Each : adviceLines(A, Its))
      Out += sentence(Each) + " ";
    return Out + "</p>\n";
  }

  //===-- Time ------------------------------------------------------------------===//

  std::string timeLine() {
    return "<section id=\"time\" tabindex=\"-1\">\n<h2>Time line</h2>\n" + regionsOfTime() +
           slicesOfTime() + "</section>\n";
  }

  /// Sharing in slices of time, some of them where there are many.
  std::string slicesOfTime() {
    constexpr size_t Shown = 12;
    const std::vector<RegionUse> Slices = slices(P, U.Where);
    if (Slices.empty())
      return "";
    std::string Out = "<h3>Slices of time</h3>\n" +
                      figure(regionsFigure(Slices, P), "Accesses of threads in each slice", true) +
                      "<h3>How alike slices are</h3>\n" +
                      figure(similarityFigure(Slices), "Similarity of slices", true) +
                      "<h3>Who shares with whom in them</h3>\n<div class=\"matrices\">\n";
    const size_t Step = (Slices.size() + Shown - 1) / Shown;
    for (size_t I = 0; I < Slices.size(); I += Step) {
      SharingOptions OfSlice = Shared;
      OfSlice.Slice = Slices[I].Phase;
      Out += smallMatrix(Slices[I].Name, "slice-" + std::to_string(I), OfSlice);
    }
    return Out + "</div>\n";
  }

  /// Who shares with whom in a part of the run, with few rows: there may be many such parts.
  std::string smallMatrix(const std::string &Name, const std::string &Id,
                          const SharingOptions &Options) {
    constexpr size_t RowsMost = 64;
    const Sharing Its = sharing(P, Options);
    const MatrixRows Few(Its.Rows.size(), RowsMost);
    Matrices.emplace_back("matrix-" + Id, Few.packed(Its.Accesses, true));
    llvm::json::Object Data = Few.figure(Its, U.Where.OfThread, U.Where);
    llvm::json::Array Names;
    for (const std::string &Each : Few.names(Its, P))
      Names.push_back(support::jsonText(Each));
    Data["matrix"] = "matrix-" + Id;
    Data["names"] = std::move(Names);
    return "<div><h4>" + code(Name) + "</h4>\n" +
           figure(std::move(Data), "Accesses that pairs of threads share in " + Name, true) +
           "</div>\n";
  }

  /// Of the regions that access most, in their order.
  std::string matricesOfRegions() {
    constexpr size_t Shown = 12;
    std::vector<size_t> Order(Regions.size());
    std::iota(Order.begin(), Order.end(), size_t(0));
    std::stable_sort(Order.begin(), Order.end(), [&](size_t A, size_t B) {
      return Regions[A].Accesses.sum() > Regions[B].Accesses.sum();
    });
    Order.resize(std::min(Shown, Order.size()));
    std::sort(Order.begin(), Order.end());
    std::string Out = "<h3>Who shares with whom in them</h3>\n";
    if (Order.size() < Regions.size())
      Out += "<p>In the " + std::to_string(Shown) + " that access most.</p>\n";
    Out += "<div class=\"matrices\">\n";
    for (const size_t I : Order) {
      SharingOptions OfRegion = Shared;
      OfRegion.Phase = Regions[I].Phase;
      Out += smallMatrix(Regions[I].Name, "region-" + std::to_string(I), OfRegion);
    }
    return Out + "</div>\n";
  }

  std::string regionsOfTime() {
    if (Regions.empty())
      return "<p>Parallel regions were not told apart: <code>mai-trace --phases</code> counts "
             "each by itself.</p>\n";
    std::string Out =
        "<p>Parallel regions in the order in which the program first came to them.</p>\n" +
        changesList() + legend(false) +
        figure(regionsFigure(Regions, P), "Accesses of threads in each region", true) +
        regionsTable();
    if (Regions.size() > 1)
      Out +=
          "<h3>How alike regions are</h3>\n<p>Full where two regions divide the memory that both "
          "use among the threads in the same way, empty where in another way; a dot where they "
          "use none together.</p>\n" +
          figure(similarityFigure(Regions), "Similarity of regions", true);
    return Out + matricesOfRegions();
  }

  std::string changesList() const {
    std::string Out;
    for (const std::string &Change : changesText(Regions))
      Out += "<li>" + sentence(Change) + "</li>\n";
    return Out.empty() ? "<p>No region divides memory among the threads in another way than the "
                         "one before.</p>\n"
                       : "<ul>\n" + Out + "</ul>\n";
  }

  std::string regionsTable() const {
    const double All = double(std::max<uint64_t>(1, U.Total.Accesses.sum()));
    std::string Out =
        "<table class=\"wide\"><thead><tr><th scope=\"col\">region</th><th "
        "scope=\"col\">of all accesses</th><th scope=\"col\">remote</th><th "
        "scope=\"col\">remote if its pages were moved for it</th><th scope=\"col\">what would help "
        "it by itself</th></tr></thead><tbody>\n";
    for (const RegionUse &Use : Regions)
      Out += "<tr><th scope=\"row\">" + code(Use.Name) + "</th>" +
             shareCell(double(Use.Accesses.sum()) / All, false) +
             shareCell(Use.Where.remoteShare(), true) + shareCell(Use.LeastRemote, true) + "<td>" +
             escaped(regionText(J, Use.Phase)) + "</td></tr>\n";
    return Out + "</tbody></table>\n";
  }

  //===-- Lines of the source ---------------------------------------------------===//

  struct Line {
    std::string What;
    uint64_t Accesses = 0;
    Split Where;
  };

  static void addLine(std::map<std::string, Line> &To, const std::string &Position,
                      const std::string &What, uint64_t Accesses, const Split &Where) {
    Line &L = To[Position];
    L.What += (L.What.empty() ? "" : ", ") + What;
    L.Accesses += Accesses;
    L.Where.Local += Where.Local;
    L.Where.Remote += Where.Remote;
  }

  /// Of static arrays only the file is known.
  static bool isLine(const std::string &Position) { return Position.find(':') != Position.npos; }

  /// By position: what allocates arrays, and what begins parallel regions.
  std::map<std::string, Line> knownLines() const {
    std::map<std::string, Line> All;
    for (const ArrayUse &A : U.Arrays)
      if (A.IsArray && !A.Arrays.empty() && isLine(P.Arrays[A.Arrays[0]].Position))
        addLine(All, P.Arrays[A.Arrays[0]].Position, "array " + code(A.Name), A.Accesses.sum(),
                A.Where);
    for (const RegionUse &Use : Regions)
      if (Use.Phase && isLine(P.Phases[Use.Phase - 1].Position))
        addLine(All, P.Phases[Use.Phase - 1].Position, "parallel region " + code(Use.Name),
                Use.Accesses.sum(), Use.Where);
    return All;
  }

  std::string lines() const {
    return "<section id=\"lines\" tabindex=\"-1\">\n<h2>Lines of the source</h2>\n" +
           accessingLines() + placesOfArrays() + "</section>\n";
  }

  /// What each line accesses, of runs with --sources.
  std::string accessingLines() const {
    if (Code.empty())
      return "";
    const double All = double(std::max<uint64_t>(1, U.Total.Accesses.sum()));
    std::string Out =
        "<table class=\"wide\"><thead><tr><th scope=\"col\">line</th><th scope=\"col\">arrays"
        "</th><th scope=\"col\">of all accesses</th><th scope=\"col\">remote</th></tr></thead>"
        "<tbody>\n";
    for (size_t I = 0; I < std::min(LinesShown, Code.size()); ++I) {
      std::string Arrays;
      for (const auto &[Array, Accesses] : mainArrays(Code[I]))
        Arrays += (Arrays.empty() ? "" : ", ") + code(U.Arrays[Array].Name);
      Out += "<tr><th scope=\"row\">" + code(Code[I].position()) + "</th><td>" + Arrays + "</td>" +
             shareCell(double(Code[I].Accesses.sum()) / All, false) +
             shareCell(Code[I].Where.remoteShare(), true) + "</tr>\n";
    }
    return Out + "</tbody></table>\n";
  }

  std::string placesOfArrays() const {
    std::string Out;
    const std::map<std::string, Line> Known = knownLines();
    if (Known.empty())
      return "<p>None are known: compile with <code>-g</code>.</p>\n";
    std::vector<std::pair<std::string, Line>> Sorted(Known.begin(), Known.end());
    std::stable_sort(Sorted.begin(), Sorted.end(), [](const auto &A, const auto &B) {
      return A.second.Accesses > B.second.Accesses;
    });
    Sorted.resize(std::min<size_t>(Sorted.size(), LinesShown));
    Out += "<p>Where arrays are allocated and parallel regions begin.</p>\n<table "
           "class=\"wide\"><thead><tr><th scope=\"col\">line</th><th scope=\"col\">what</th><th "
           "scope=\"col\">accesses</th><th scope=\"col\">remote</th></tr></thead><tbody>\n";
    for (const auto &[Position, Its] : Sorted)
      Out += "<tr><th scope=\"row\">" + code(Position) + "</th><td>" + Its.What +
             "</td><td class=\"number\">" + countText(double(Its.Accesses)) + "</td>" +
             shareCell(Its.Where.remoteShare(), true) + "</tr>\n";
    return Out + "</tbody></table>\n";
  }

  //===-- Threads ---------------------------------------------------------------===//

  std::string threads() {
    std::vector<Split> Where;
    for (const ThreadUse &T : U.Threads)
      Where.push_back(T.Where);
    std::string Out = "<section id=\"threads\" tabindex=\"-1\">\n<h2>Threads</h2>\n" +
                      legend(false) + figure(threadsFigure(Where, P), "Accesses by thread", true) +
                      latency() +
                      "<details><summary>All figures</summary>\n<table class=\"wide\"><thead><tr>";
    for (const char *Name : {"thread", "CPU", "node", "reads", "writes", "remote", ""})
      Out += std::string("<th scope=\"col\">") + Name + "</th>";
    Out += "</tr></thead><tbody>\n";
    for (size_t I = 0; I < P.Threads.size(); ++I)
      Out += thread(P.Threads[I], U.Threads[I], U.Where.OfThread[I]);
    return Out + "</tbody></table></details>\n</section>\n";
  }

  /// TL, TN and AL.
  std::string latency() const {
    if (const std::optional<SampledLatencies> Measured = sampledLatencies(P))
      return "<pre>" + escaped(sampledText(*Measured, P)) + "</pre>\n";
    if (Times.AtLeast.empty())
      return "";
    std::string Out = "<p>Latency: " + sentence(modelText(Times.Model)) + " " +
                      sentence(threadsText(Times, P)) +
                      "</p>\n<table><thead><tr><td></td><th scope=\"col\">TL</th><th "
                      "scope=\"col\">TN</th><th scope=\"col\">AL</th></tr></thead><tbody>\n";
    for (const auto &[Name, Sum] :
         {std::pair("private data", Times.Private), std::pair("shared data", Times.Shared)}) {
      char Average[32];
      std::snprintf(Average, sizeof Average, "%.2f", Sum.average());
      Out += std::string("<tr><th scope=\"row\">") + Name + "</th><td class=\"number\">" +
             countText(Sum.Total) + "</td><td class=\"number\">" + countText(double(Sum.Number)) +
             "</td><td class=\"number\">" + Average + "</td></tr>\n";
    }
    return Out + "</tbody></table>\n";
  }

  std::string thread(const Thread &T, const ThreadUse &Use, uint32_t Node) const {
    const auto Number = [](const std::string &Text) {
      return "<td class=\"number\">" + Text + "</td>";
    };
    return "<tr><th scope=\"row\">" + T.name() + "</th>" +
           Number(T.Cpu == None ? "?" : std::to_string(T.Cpu)) +
           Number(Node == None ? "?" : std::to_string(U.Where.OsIndex[Node])) +
           Number(std::to_string(Use.Accesses.Reads)) +
           Number(std::to_string(Use.Accesses.Writes)) + shareCell(Use.Where.remoteShare(), true) +
           "<td>" + (T.Moves ? "wanders between CPUs" : "") + "</td></tr>\n";
  }

  static constexpr size_t LinesShown = 40;

  const Profile &P;
  const Usage &U;
  const Judgement &J;
  const Latencies &Times;
  const SharingOptions &Shared;
  const Sharing S;
  const MatrixRows Rows;
  const std::vector<RegionUse> Regions;
  const std::vector<LineUse> Code;
  llvm::json::Array Figures;
  std::vector<std::pair<std::string, std::string>> Matrices; ///< id and numbers
};

} // namespace

std::string maiprof::reportHtml(const Profile &P, const Usage &U, const Judgement &J,
                                const Latencies &Times, const SharingOptions &Options) {
  return PageWriter(P, U, J, Times, Options).write();
}
