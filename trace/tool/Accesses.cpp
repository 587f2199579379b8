//===-- Accesses.cpp - who accesses which lines, for programs ---*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Lines are many: they are written as they are summed up, and not kept as JSON.
//
//===----------------------------------------------------------------------===//

#include "Accesses.h"

#include "Report.h"
#include "support/Json.h"

#include <algorithm>
#include <map>

using namespace maiprof;
using llvm::json::OStream;

namespace {

constexpr int FormatVersion = 1;

/// The accesses to lines, by their numbers.
using LineSums = std::map<uint64_t, uint64_t>;

void add(LineSums &Sums, const Series &Of, uint64_t UnitsOfLine, uint64_t Each) {
  for (const Touch &T : Of.Touches)
    Sums[T.Unit / UnitsOfLine] += T.Accesses.sum() * Each;
}

/// For each thread, in all phases.
std::vector<LineSums> lineSums(const Profile &P) {
  std::vector<LineSums> Result(P.Threads.size());
  for (const Series &S : P.Lines)
    add(Result[S.Thread], S, 1, P.Sample);
  for (const Series &S : P.Parts)
    add(Result[S.Thread], S, P.LineBytes, P.Sample);
  return Result;
}

/// Whether the line of each access is known.
bool isComplete(const Profile &P) {
  return !P.Coarse && std::all_of(P.Threads.begin(), P.Threads.end(),
                                  [](const Thread &T) { return T.Elsewhere.sum() == 0; });
}

void writeMachine(OStream &Out, const Profile &P) {
  Out.attributeArray("nodes", [&] {
    for (const Node &N : P.Nodes)
      Out.value(N.OsIndex);
  });
  Out.attributeArray("cpus", [&] {
    for (const Cpu &C : P.Cpus)
      Out.object([&] {
        Out.attribute("cpu", C.OsIndex);
        if (C.Node != None)
          Out.attribute("node", P.Nodes[C.Node].OsIndex);
      });
  });
}

/// What each thread accesses in tasks, where they are told apart.
std::vector<uint64_t> accessesInTasks(const Profile &P) {
  std::vector<uint64_t> Result(P.Threads.size());
  for (const std::vector<Series> *All : {&P.Lines, &P.Parts})
    for (const Series &S : *All)
      for (const Touch &T : S.Touches)
        Result[S.Thread] += S.Task ? T.Accesses.sum() * P.Sample : 0;
  return Result;
}

void writeThreads(OStream &Out, const Profile &P) {
  const std::vector<uint64_t> InTasks = accessesInTasks(P);
  for (size_t I = 0; I < P.Threads.size(); I++)
    Out.object([&, &T = P.Threads[I]] {
      if (!P.Tasks.empty())
        Out.attribute("in_tasks", InTasks[I]);
      Out.attribute("openmp", T.What == Thread::Kind::OpenMP);
      Out.attribute("number", T.Number);
      if (T.Cpu != None)
        Out.attribute("cpu", T.Cpu);
    });
}

void writeCall(OStream &Out, llvm::StringRef Module, uint64_t Offset) {
  Out.object([&] {
    Out.attribute("module", support::jsonText(Module));
    Out.attribute("offset", Offset);
  });
}

void writeArray(OStream &Out, const Profile &P, const Array &A) {
  Out.object([&] {
    Out.attribute("kind", kindWord(A.What));
    Out.attribute("start", A.Start);
    Out.attribute("bytes", A.Bytes);
    Out.attribute("name", support::jsonText(A.Name));
    Out.attribute("module", support::jsonText(A.Module));
    Out.attributeArray("calls", [&] {
      if (A.Chain != None)
        for (const Call &C : P.Chains[A.Chain].Calls)
          writeCall(Out, C.Module, C.Offset);
      else if (A.Offset)
        writeCall(Out, A.Module, A.Offset);
    });
  });
}

void writePages(OStream &Out, const Profile &P) {
  for (const Page &Its : P.Pages)
    if (Its.Node != None)
      Out.object([&] {
        Out.attribute("page", Its.Number);
        Out.attribute("node", P.Nodes[Its.Node].OsIndex);
      });
}

void writeLines(OStream &Out, const LineSums &Sums) {
  Out.object([&] {
    Out.attributeArray("lines", [&] {
      for (const auto &[Line, Count] : Sums)
        Out.value(Line);
    });
    Out.attributeArray("accesses", [&] {
      for (const auto &[Line, Count] : Sums)
        Out.value(Count);
    });
  });
}

} // namespace

std::string maiprof::accessesJson(const Profile &P) {
  std::string Text;
  llvm::raw_string_ostream Stream(Text);
  OStream Out(Stream);
  Out.object([&] {
    Out.attribute("version", FormatVersion);
    Out.attribute("program", support::jsonText(P.Program));
    Out.attribute("line_bytes", P.LineBytes);
    Out.attribute("page_bytes", P.PageBytes);
    Out.attribute("complete", isComplete(P));
    writeMachine(Out, P);
    Out.attributeArray("threads", [&] { writeThreads(Out, P); });
    Out.attributeArray("arrays", [&] {
      for (const Array &A : P.Arrays)
        writeArray(Out, P, A);
    });
    Out.attributeArray("pages", [&] { writePages(Out, P); });
    Out.attributeArray("accesses", [&] {
      for (const LineSums &Sums : lineSums(P))
        writeLines(Out, Sums);
    });
  });
  return Text + "\n";
}
