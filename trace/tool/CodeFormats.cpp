//===-- CodeFormats.cpp - lines of the source in other forms ----*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Annotated sources, and what other tools show: the profile data of callgrind (valgrind's manual,
// "Callgrind Format Specification"), and speedscope's files.
//
//===----------------------------------------------------------------------===//

#include "CodeLines.h"

#include "support/Json.h"
#include "support/Text.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <map>

using namespace maiprof;
using llvm::json::Object;
using support::oneLine;

namespace {

//===-- Annotated sources -----------------------------------------------------===//

struct OfLine {
  uint64_t Accesses = 0;
  Split Where;
};

/// What a file's lines access.
struct OfFile {
  std::string Path;
  uint64_t Accesses = 0;
  std::map<uint32_t, OfLine> Lines;
};

std::vector<OfFile> byFile(const std::vector<LineUse> &Lines) {
  std::map<std::string, OfFile> Files;
  for (const LineUse &L : Lines) {
    if (L.File.empty())
      continue;
    OfFile &Its = Files[L.File];
    Its.Path = L.File;
    Its.Accesses += L.Accesses.sum();
    OfLine &One = Its.Lines[L.Line];
    One.Accesses += L.Accesses.sum();
    One.Where.Local += L.Where.Local;
    One.Where.Remote += L.Where.Remote;
  }
  std::vector<OfFile> Sorted;
  for (auto &[Path, Its] : Files)
    Sorted.push_back(std::move(Its));
  std::stable_sort(Sorted.begin(), Sorted.end(),
                   [](const OfFile &A, const OfFile &B) { return A.Accesses > B.Accesses; });
  return Sorted;
}

/// Whether a path ends with a name, which is one of a file, perhaps with folders.
bool isNamed(llvm::StringRef Path, llvm::StringRef Name) {
  return Path == Name || (Path.ends_with(Name) && Path.drop_back(Name.size()).ends_with("/"));
}

/// The text of a source; nothing where it cannot be shown.
std::unique_ptr<llvm::MemoryBuffer> sourceText(const std::string &Path) {
  constexpr uint64_t Most = uint64_t(64) << 20;
  uint64_t Bytes = 0;
  if (!llvm::sys::fs::is_regular_file(Path) || llvm::sys::fs::file_size(Path, Bytes) ||
      Bytes > Most)
    return nullptr;
  auto Text = llvm::MemoryBuffer::getFile(Path);
  return Text ? std::move(*Text) : nullptr;
}

std::string annotatedLine(const OfLine *Its, double All) {
  if (!Its)
    return std::string(30, ' ');
  char Text[64];
  const std::string Remote =
      Its->Where.placed() ? support::percentText(Its->Where.remoteShare()) : "-";
  std::snprintf(Text, sizeof Text, "%12llu %8s %8s", static_cast<unsigned long long>(Its->Accesses),
                support::percentText(double(Its->Accesses) / All).c_str(), Remote.c_str());
  return Text;
}

std::string annotatedFile(const OfFile &Of, double All, llvm::StringRef Text) {
  std::string Out = Of.Path + ": " + support::percentText(double(Of.Accesses) / All) +
                    " of all accesses\n    accesses   of all   remote\n";
  llvm::SmallVector<llvm::StringRef> Lines;
  Text.split(Lines, '\n');
  if (!Lines.empty() && Lines.back().empty())
    Lines.pop_back();
  for (uint32_t Number = 1; Number <= Lines.size(); ++Number) {
    const auto Found = Of.Lines.find(Number);
    char Front[16];
    std::snprintf(Front, sizeof Front, " %6u  ", Number);
    Out += annotatedLine(Found == Of.Lines.end() ? nullptr : &Found->second, All) + Front +
           Lines[Number - 1].str() + "\n";
  }
  return Out;
}

//===-- callgrind -------------------------------------------------------------===//

/// Names are written once, and then as numbers.
class Abbreviations {
public:
  std::string of(const std::string &Name) {
    const auto [At, IsNew] = Numbers.try_emplace(Name, Numbers.size() + 1);
    const std::string Number = "(" + std::to_string(At->second) + ")";
    return IsNew ? Number + " " + oneLine(Name) : Number;
  }

private:
  std::map<std::string, size_t> Numbers;
};

std::string costs(const Counts &Accesses, uint64_t Remote) {
  return std::to_string(Accesses.Reads) + " " + std::to_string(Accesses.Writes) + " " +
         std::to_string(Remote) + "\n";
}

std::string orUnknown(const std::string &Name) { return Name.empty() ? "???" : Name; }

//===-- speedscope ------------------------------------------------------------===//

class Speedscope {
public:
  explicit Speedscope(const Profile &Source) : P(Source) {}

  std::string write() {
    std::vector<std::map<std::vector<size_t>, uint64_t>> OfThreads(P.Threads.size());
    for (const CodeUse &Use : P.Uses)
      OfThreads[Use.Thread][stack(Use)] += Use.Accesses.sum() * P.Sample;
    llvm::json::Array Profiles;
    for (size_t I = 0; I < OfThreads.size(); ++I)
      if (!OfThreads[I].empty())
        Profiles.push_back(profile("thread " + P.Threads[I].name(), OfThreads[I]));
    return support::jsonLines(
        Object{{"$schema", "https://www.speedscope.app/file-format-schema.json"},
               {"name", support::jsonText(P.Program)},
               {"exporter", "mai-trace"},
               {"shared", Object{{"frames", std::move(Frames)}}},
               {"profiles", std::move(Profiles)}});
  }

private:
  size_t frame(const std::string &Name, const std::string &File, uint32_t Line) {
    const auto [At, IsNew] = Numbers.try_emplace({Name, File, Line}, Frames.size());
    if (IsNew) {
      Object New{{"name", support::jsonText(Name)}};
      if (!File.empty())
        New["file"] = support::jsonText(File);
      if (Line > 0)
        New["line"] = Line;
      Frames.push_back(std::move(New));
    }
    return At->second;
  }

  /// The outermost first.
  std::vector<size_t> stack(const CodeUse &Use) {
    const Code &Of = P.Codes[Use.Code];
    std::vector<size_t> Stack;
    if (P.HasPhases)
      Stack.push_back(
          frame(Use.Phase ? P.Phases[Use.Phase - 1].name() : "outside of parallel regions", "", 0));
    Stack.push_back(frame(Of.Function.empty() ? orUnknown(Of.Module) : Of.Function, Of.File, 0));
    if (!Of.File.empty())
      Stack.push_back(
          frame(llvm::sys::path::filename(Of.File).str() + ":" + std::to_string(Of.Line), Of.File,
                Of.Line));
    return Stack;
  }

  static Object profile(const std::string &Name,
                        const std::map<std::vector<size_t>, uint64_t> &Stacks) {
    llvm::json::Array Samples, Weights;
    uint64_t Sum = 0;
    for (const auto &[Stack, Accesses] : Stacks) {
      Samples.push_back(llvm::json::Array(Stack));
      Weights.push_back(Accesses);
      Sum += Accesses;
    }
    return Object{{"type", "sampled"},
                  {"name", support::jsonText(Name)},
                  {"unit", "none"},
                  {"startValue", 0},
                  {"endValue", Sum},
                  {"samples", std::move(Samples)},
                  {"weights", std::move(Weights)}};
  }

  const Profile &P;
  std::map<std::tuple<std::string, std::string, uint32_t>, size_t> Numbers;
  llvm::json::Array Frames;
};

} // namespace

std::string maiprof::annotated(const std::vector<LineUse> &Lines,
                               const std::vector<std::string> &Files, std::string &Error) {
  const std::vector<OfFile> Known = byFile(Lines);
  uint64_t All = 0;
  for (const LineUse &L : Lines)
    All += L.Accesses.sum();
  for (const std::string &Name : Files)
    if (std::none_of(Known.begin(), Known.end(),
                     [&](const OfFile &Of) { return isNamed(Of.Path, Name); })) {
      Error = Name + ": no line of it accesses memory";
      return "";
    }
  std::string Out;
  for (const OfFile &Of : Known) {
    const bool IsAsked = std::any_of(Files.begin(), Files.end(), [&](const std::string &Name) {
      return isNamed(Of.Path, Name);
    });
    const auto Text = IsAsked || Files.empty() ? sourceText(Of.Path) : nullptr;
    if (Text)
      Out += (Out.empty() ? "" : "\n") + annotatedFile(Of, double(All), Text->getBuffer());
    else if (IsAsked)
      Error = Of.Path + ": cannot be read";
  }
  if (Out.empty() && Error.empty())
    Error = "none of the sources can be read";
  return Out;
}

std::string maiprof::callgrind(const Profile &P, const std::vector<LineUse> &Lines) {
  Counts All;
  uint64_t Remote = 0;
  for (const LineUse &L : Lines) {
    All.Reads += L.Accesses.Reads;
    All.Writes += L.Accesses.Writes;
    Remote += L.Where.Remote;
  }
  std::string Command;
  for (const std::string &Argument : P.Arguments)
    Command += (Command.empty() ? "" : " ") + oneLine(Argument);
  std::string Out =
      "# callgrind format\nversion: 1\ncreator: mai-trace\npid: " + std::to_string(P.Process) +
      "\ncmd: " + Command +
      "\npositions: line\nevent: Dr : Reads\nevent: Dw : Writes\n"
      "event: Remote : Accesses to other nodes\nevents: Dr Dw Remote\nsummary: " +
      costs(All, Remote);
  Abbreviations Objects, Files, Functions;
  for (const LineUse &L : Lines)
    Out += "\nob=" + Objects.of(orUnknown(L.Module)) + "\nfl=" + Files.of(orUnknown(L.File)) +
           "\nfn=" + Functions.of(orUnknown(L.Function)) + "\n" + std::to_string(L.Line) + " " +
           costs(L.Accesses, L.Where.Remote);
  return Out;
}

std::string maiprof::speedscope(const Profile &P) { return Speedscope(P).write(); }
