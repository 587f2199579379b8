//===-- Report.cpp - phase 5: what was decided, in words --------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Report.h"

#include "mapp/choice/UseText.h"

#include "advice/PolicyText.h"
#include "support/Json.h"
#include "support/Text.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <set>

using namespace mapp;
using llvm::raw_ostream;
using support::bytesText;
using support::countText;
using support::percentText;

namespace {

std::string where(const SourcePosition &P) {
  return P.Line > 0 ? P.File + ':' + std::to_string(P.Line) : P.File;
}

const char *outcomeName(const Decision &D) {
  switch (D.What) {
  case Decision::Outcome::Place:
    return "placed";
  case Decision::Outcome::AlreadyPlaced:
    return "already placed";
  case Decision::Outcome::LeftAlone:
    break;
  }
  return D.isRefused() ? "refused" : "left alone";
}

/// Each unit has the static arrays of the headers it includes: they are spoken of once.
class Once {
public:
  bool operator()(const Decision &D) {
    return Said
        .insert(where(D.At->Where) + D.At->Name + D.At->InFunction + plainEntry(D.Chosen.policy()))
        .second;
  }

private:
  std::set<std::string> Said;
};

std::string reason(const Decision &D) {
  const SourcePosition &From = D.Chosen.evidence();
  return D.Chosen.reason() + (From.Line > 0 ? " (" + where(From) + ")" : "");
}

/// Functions that are one text, as of a header that is included for each of several types, have the
/// same said of each of their arrays: people read it once.
class OnceInWords {
public:
  bool operator()(const Decision &D) {
    return Arrays(D) &&
           Said.insert(where(D.At->Where) + D.At->Name + plainEntry(D.Chosen.policy()) + reason(D))
               .second;
  }

private:
  Once Arrays;
  std::set<std::string> Said;
};

//===-- Text ------------------------------------------------------------------===//

raw_ostream::Colors colourOf(const Decision &D) {
  if (D.What != Decision::Outcome::LeftAlone)
    return raw_ostream::GREEN;
  return D.isRefused() ? raw_ostream::YELLOW : raw_ostream::CYAN;
}

void printLine(raw_ostream &Stream, const Decision &D) {
  Stream << where(D.At->Where) << ": " << D.At->Name << ": ";
  Stream.changeColor(colourOf(D));
  const bool Already = D.What == Decision::Outcome::AlreadyPlaced;
  Stream << (Already ? "already placed" : plainEntry(D.Chosen.policy()));
  Stream.resetColor();
  if (!Already)
    Stream << ": " << reason(D);
  Stream << " [" << label(D.Chosen.number()) << "]\n";
}

bool isNote(const Remark &What) { return infoOf(What.Number).Kind == DiagnosticKind::Note; }

void printWarning(raw_ostream &Stream, const SourcePosition &Where, const Remark &What) {
  if (!Where.File.empty())
    Stream << where(Where) << ": ";
  Stream.changeColor(isNote(What) ? raw_ostream::CYAN : raw_ostream::MAGENTA);
  Stream << (isNote(What) ? "note" : "warning");
  Stream.resetColor();
  Stream << ": " << labelled(What.Text, What.Number);
}

const Remark IncompleteRemark = {Topic::Incomplete,
                                 "not every chain of calls was followed: the program has too many"};

/// Whether the array's size is known only when the program runs.
bool sizeIsUnknown(const ArrayDeclaration &Array) {
  return Array.Allocated ? Array.Bytes == 0
                         : Array.Refusal.Number == Topic::OnStack && Array.Extents.empty();
}

//===-- JSON ------------------------------------------------------------------===//

llvm::json::Object json(const SourcePosition &P) {
  return llvm::json::Object{{"file", P.File}, {"line", P.Line}};
}

llvm::json::Object json(const SourcePosition &Where, const Remark &What) {
  return llvm::json::Object{
      {"diagnostic", label(What.Number)}, {"message", What.Text}, {"at", json(Where)}};
}

llvm::json::Object json(const CountedEvidence &E) {
  llvm::json::Array Threads;
  for (const CountedEvidence::Share &S : E.Parts) {
    llvm::json::Object Thread{{"thread", S.Thread}, {"accesses", S.Accesses}};
    if (E.IsDivided) {
      Thread["to_own_part"] = S.Own;
      Thread["begin"] = S.Begin;
      Thread["end"] = S.End;
    }
    Threads.push_back(std::move(Thread));
  }
  llvm::json::Object Result{{"file", E.File},
                            {"bytes", static_cast<int64_t>(E.Bytes)},
                            {"blocks", static_cast<int64_t>(E.Blocks)},
                            {"accesses", E.Accesses},
                            {"decides", E.Overruled},
                            {"threads", std::move(Threads)}};
  if (E.Overruled)
    Result["estimate"] = E.Estimate;
  return Result;
}

llvm::json::Object json(const Metrics &M) {
  return llvm::json::Object{
      {"cost_bytes", M.Cost}, {"remote_bytes", M.Remote}, {"busiest_memory", M.Busiest}};
}

llvm::json::Array texts(const std::vector<Reason> &Reasons, bool AreAgainst) {
  llvm::json::Array Texts;
  for (const Reason &R : Reasons)
    if (R.IsAgainst == AreAgainst)
      Texts.push_back(R.Text);
  return Texts;
}

void addPolicy(llvm::json::Object &To, const Candidate &C) {
  To["policy"] = policyText(C);
  if (C.Range)
    To["range"] = llvm::json::Object{{"first", C.Range->First}, {"count", C.Range->Count}};
}

llvm::json::Object json(const Candidate &C) {
  llvm::json::Object Result{{"for", texts(C.Reasons, false)}, {"against", texts(C.Reasons, true)}};
  addPolicy(Result, C);
  if (C.Estimated)
    Result["estimated"] = json(*C.Estimated);
  if (C.Counted)
    Result["counted"] = json(*C.Counted);
  if (!C.Excluded.empty())
    Result["excluded"] = C.Excluded;
  return Result;
}

llvm::json::Object json(const Decision &D) {
  llvm::json::Object Result{{"name", D.At->Name},         {"function", D.At->InFunction},
                            {"at", json(D.At->Where)},    {"block", D.At->Allocated.has_value()},
                            {"outcome", outcomeName(D)},  {"diagnostic", label(D.Chosen.number())},
                            {"reason", D.Chosen.reason()}};
  if (sizeIsUnknown(*D.At))
    Result["bytes"] = nullptr;
  else
    Result["bytes"] = static_cast<int64_t>(D.At->Bytes);
  if (D.What == Decision::Outcome::Place)
    addPolicy(Result, D.Chosen.policy());
  if (D.Chosen.evidence().Line > 0)
    Result["evidence"] = json(D.Chosen.evidence());
  if (D.Chosen.Counts)
    Result["profile"] = json(*D.Chosen.Counts);
  llvm::json::Array Candidates;
  for (const Candidate &C : D.Chosen.Candidates)
    Candidates.push_back(json(C));
  Result["candidates"] = std::move(Candidates);
  return Result;
}

//===-- SARIF -----------------------------------------------------------------===//

llvm::json::Object sarifResult(const Remark &What, const char *Level, const SourcePosition &Where,
                               const std::string &Message) {
  llvm::json::Object Result{{"ruleId", label(What.Number)},
                            {"level", Level},
                            {"message", llvm::json::Object{{"text", Message}}}};
  if (!Where.File.empty())
    Result["locations"] = llvm::json::Array{llvm::json::Object{
        {"physicalLocation",
         llvm::json::Object{
             {"artifactLocation", llvm::json::Object{{"uri", Where.File}}},
             {"region", llvm::json::Object{{"startLine", std::max(Where.Line, 1U)}}}}}}};
  return Result;
}

llvm::json::Array sarifRules() {
  llvm::json::Array Rules;
  for (const DiagnosticInfo &Info : allDiagnostics())
    Rules.push_back(
        llvm::json::Object{{"id", label(Info.Number)},
                           {"helpUri", MINAS_DIAGNOSTICS_URI "#" + label(Info.Number)},
                           {"shortDescription", llvm::json::Object{{"text", Info.Title}}},
                           {"fullDescription", llvm::json::Object{{"text", Info.Text}}}});
  return Rules;
}

//===-- Explanation -----------------------------------------------------------===//

const char *modeName(AccessMode M) {
  switch (M) {
  case AccessMode::Read:
    return "read";
  case AccessMode::Write:
    return "write";
  case AccessMode::ReadWrite:
    return "read and write";
  case AccessMode::Clear:
    return "clear";
  }
  return "";
}

/// One line of the list of accesses: all that differ in nothing that it says.
struct AccessLine {
  const Use *First;
  double Bytes = 0;
};

std::string accessText(const Use &U, bool Rows) {
  std::string Text = U.In->File + ':' + std::to_string(U.Line) + ": " + modeName(U.Mode) + ": " +
                     describe(U, Rows);
  if (U.Loop)
    Text += " (" + where(U.Loop->Where) + ")";
  if (U.HasRange)
    Text += llvm::formatv(", units {0}..{1}", U.First, U.First + U.Count - 1);
  if (U.Team > 0)
    Text += llvm::formatv(", {0} threads", U.Team);
  return Text;
}

void printAccesses(raw_ostream &Stream, const Decision &D, const std::vector<Use> &Uses) {
  const bool Rows = D.At->Extents.size() > 1;
  std::map<std::string, AccessLine> Lines;
  for (const Use &U : Uses) {
    AccessLine &Line = Lines.try_emplace(accessText(U, Rows), AccessLine{&U, 0}).first->second;
    Line.Bytes += U.Bytes;
  }
  std::vector<std::pair<double, std::string>> Sorted;
  for (const auto &[Text, Line] : Lines)
    Sorted.emplace_back(Line.Bytes, Text + llvm::formatv("; {0}{1:f0} steps, {2}",
                                                         Line.First->Estimated ? "about " : "",
                                                         Line.First->Steps, bytesText(Line.Bytes))
                                               .str());
  llvm::stable_sort(Sorted, [](const auto &L, const auto &R) { return L.first > R.first; });
  Stream << "  accesses, most traffic first:" << (Sorted.empty() ? " none\n" : "\n");
  for (const auto &[Bytes, Text] : Sorted)
    Stream << "    " << Text << '\n';
}

void printFirstTouch(raw_ostream &Stream, const Decision &D, const std::vector<Use> &Uses) {
  Stream << "  first written: ";
  if (const Use *First = firstWrite(Uses))
    Stream << First->In->File << ':' << First->Line << ": "
           << (First->How == Pattern::OneThread ? "by one thread in " + First->In->Name + "()"
                                                : describe(*First, D.At->Extents.size() > 1))
           << '\n';
  else
    Stream << "nowhere in the files given\n";
}

/// What was counted, thread by thread, and what became of the estimate.
void printCounts(raw_ostream &Stream, const CountedEvidence &E) {
  constexpr size_t Most = 16;
  Stream << "  counted in " << E.File << ": " << countText(E.Accesses) << " accesses of "
         << E.Threads << (E.Threads == 1 ? " thread" : " threads") << " to "
         << bytesText(static_cast<double>(E.Bytes));
  if (E.Blocks > 1)
    Stream << " in " << E.Blocks << " blocks";
  if (E.HasPhases)
    Stream << ", " << percentText(E.Serial) << " outside of parallel regions";
  Stream << '\n';
  for (const CountedEvidence::Share &S : E.Parts) {
    if (S.Thread >= Most) {
      Stream << "    and " << E.Parts.size() - Most << " threads more\n";
      break;
    }
    Stream << "    thread " << S.Thread << ": " << percentText(S.Accesses) << " of them";
    if (E.IsDivided)
      Stream << "; its part of the array is " << percentText(S.Begin) << " to "
             << percentText(S.End) << ", where it makes " << percentText(S.Own) << " of its own";
    Stream << '\n';
  }
  Stream << "  " << E.Verdict << '\n';
}

//===-- The table of candidates -----------------------------------------------===//

constexpr size_t PolicyColumn = 32, PriceColumn = 10;

std::string cells(std::initializer_list<std::string> Texts) {
  std::string Line;
  for (const std::string &Text : Texts)
    Line += std::string(PriceColumn - std::min(Text.size(), PriceColumn), ' ') + Text;
  return Line;
}

std::string cells(const Metrics &M) {
  return cells({bytesText(M.Cost), bytesText(M.Remote), llvm::formatv("{0:f1}", M.Busiest)});
}

void printHead(raw_ostream &Stream, const Choice &C, const Machine &On) {
  Stream << "  candidates (* is chosen: the first that nothing excludes), "
         << llvm::formatv("estimated for {0} nodes with NUMA factor {1:f1};\n", On.Nodes,
                          On.numaFactor())
         << "  price: the time lost, as bytes of local traffic; remote: bytes from other nodes;\n"
         << "  busiest: how many times its part the busiest memory serves\n";
  const std::string Metrics = cells({"price", "remote", "busiest"});
  const std::string Policy(PolicyColumn, ' ');
  if (C.Counts)
    Stream << "    " << Policy << cells({"", "estimated", "", "", "counted"}) << '\n';
  Stream << "    policy" << std::string(PolicyColumn - 6, ' ') << Metrics
         << (C.Counts ? Metrics : "") << '\n';
}

void printCandidate(raw_ostream &Stream, const Candidate &C, bool IsChosen) {
  const std::string Policy = plainEntry(C);
  Stream << (IsChosen ? "  * " : "    ") << Policy;
  if (C.Estimated || C.Counted) {
    if (Policy.size() > PolicyColumn)
      Stream << "\n    ";
    Stream.indent(PolicyColumn - (Policy.size() > PolicyColumn ? 0 : Policy.size()))
        << (C.Estimated ? cells(*C.Estimated) : cells({"-", "-", "-"}));
  }
  if (C.Counted)
    Stream << cells(*C.Counted);
  Stream << '\n';
  for (const Reason &R : C.Reasons)
    Stream << "        " << (R.IsAgainst ? "against: " : "for: ") << R.Text << '\n';
  if (!C.Excluded.empty())
    Stream << "        excluded: " << C.Excluded << '\n';
}

void printCandidates(raw_ostream &Stream, const Choice &C, const Machine &On) {
  printHead(Stream, C, On);
  for (const Candidate &Of : C.Candidates)
    printCandidate(Stream, Of, &Of == &C.policy());
}

void printDecision(raw_ostream &Stream, const Plan &P, const Decision &D, const Machine &On) {
  const ArrayDeclaration &Array = *D.At;
  Stream << Array.Name << ", " << where(Array.Where)
         << (Array.InFunction.empty() ? "" : " in " + Array.InFunction + "()") << ": "
         << (sizeIsUnknown(Array) ? "as large as the run decides"
                                  : bytesText(static_cast<double>(Array.Bytes)));
  for (size_t I = 0; I < Array.Extents.size(); ++I)
    Stream << (I == 0 ? ", " : " x ") << Array.Extents[I];
  if (Array.Extents.size() > 1)
    Stream << ", a row has " << bytesText(static_cast<double>(Array.UnitBytes));
  Stream << "\n  "
         << (D.What == Decision::Outcome::AlreadyPlaced ? "already placed"
                                                        : plainEntry(D.Chosen.policy()))
         << (D.Chosen.reason().empty() ? "" : ": " + reason(D)) << " [" << label(D.Chosen.number())
         << "]\n";
  const std::vector<Use> Uses = P.usesOf(D);
  printFirstTouch(Stream, D, Uses);
  printAccesses(Stream, D, Uses);
  if (D.Chosen.Counts)
    printCounts(Stream, *D.Chosen.Counts);
  printCandidates(Stream, D.Chosen, On);
}

} // namespace

static void colourWhereSeen(raw_ostream &Stream) {
  Stream.enable_colors(Stream.has_colors() && !std::getenv("NO_COLOR"));
}

void mapp::report(raw_ostream &Stream, const Plan &P, uint64_t MinBytes) {
  colourWhereSeen(Stream);
  Stream.SetBuffered(); // Standard error is not, and there may be a line for each of many arrays.
  OnceInWords First;
  for (const Decision &D : P.Decisions)
    if (First(D))
      printLine(Stream, D);
  for (const UserPolicies::Complaint &C : P.Complaints)
    printWarning(Stream, C.Where, C.What);
  for (const Note &N : P.Notes)
    printWarning(Stream, N.Where, N.What);
  if (P.Small > 0)
    Stream << P.Small << (P.Small == 1 ? " array" : " arrays") << " smaller than " << MinBytes
           << " bytes left alone\n";
  if (!P.Complete)
    printWarning(Stream, {}, IncompleteRemark);
  Stream.flush();
}

void mapp::reportUseless(raw_ostream &Stream, const Plan &P) {
  colourWhereSeen(Stream);
  for (const UserPolicies::Complaint &C : P.Complaints)
    if (C.What.Number == Topic::ForeignProfile)
      printWarning(Stream, C.Where, C.What);
}

std::string mapp::reportJson(const Plan &P) {
  Once First;
  llvm::json::Array Arrays, Warnings, Notes;
  for (const Decision &D : P.Decisions)
    if (First(D))
      Arrays.push_back(json(D));
  for (const UserPolicies::Complaint &C : P.Complaints)
    Warnings.push_back(json(C.Where, C.What));
  for (const Note &N : P.Notes)
    Notes.push_back(json(N.Where, N.What));
  return support::jsonLines(llvm::json::Object{{"version", 1},
                                               {"arrays", std::move(Arrays)},
                                               {"warnings", std::move(Warnings)},
                                               {"notes", std::move(Notes)},
                                               {"small", static_cast<int64_t>(P.Small)},
                                               {"complete", P.Complete}});
}

std::string mapp::reportSarif(const Plan &P) {
  OnceInWords First;
  llvm::json::Array Results;
  for (const Decision &D : P.Decisions)
    if (First(D))
      Results.push_back(
          sarifResult({D.Chosen.number(), ""}, D.isRefused() ? "warning" : "note", D.At->Where,
                      D.At->Name + ": " + outcomeName(D) +
                          (D.What == Decision::Outcome::Place ? ", " + plainEntry(D.Chosen.policy())
                                                              : std::string()) +
                          (D.Chosen.reason().empty() ? "" : ": " + reason(D))));
  for (const UserPolicies::Complaint &C : P.Complaints)
    Results.push_back(sarifResult(C.What, "warning", C.Where, C.What.Text));
  for (const Note &N : P.Notes)
    Results.push_back(sarifResult(N.What, "note", N.Where, N.What.Text));
  if (!P.Complete)
    Results.push_back(sarifResult(IncompleteRemark, "warning", {}, IncompleteRemark.Text));
  llvm::json::Object Driver{
      {"name", "mapp-rewrite"}, {"version", MINAS_VERSION}, {"rules", sarifRules()}};
  return support::jsonLines(
      llvm::json::Object{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                         {"version", "2.1.0"},
                         {"runs", llvm::json::Array{llvm::json::Object{
                                      {"tool", llvm::json::Object{{"driver", std::move(Driver)}}},
                                      {"results", std::move(Results)}}}}});
}

bool mapp::explain(raw_ostream &Stream, const Plan &P, const std::string &Name, const Machine &On) {
  bool Found = false;
  for (const Decision &D : P.Decisions)
    if (D.At->Name == Name) {
      printDecision(Stream, P, D, On);
      Found = true;
    }
  return Found;
}
