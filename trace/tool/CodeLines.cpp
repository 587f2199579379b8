//===-- CodeLines.cpp - accesses by line of the source ----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "CodeLines.h"

#include "support/Text.h"
#include "trace/profile/PageOwners.h"

#include "llvm/Support/Path.h"

#include <algorithm>
#include <map>
#include <tuple>

using namespace maiprof;

namespace {

class Summing {
public:
  Summing(const Profile &Source, const Usage &Used) : P(Source), U(Used), Owners(Source, Used) {
    for (const Code &Each : P.Codes)
      LineOf.push_back(lineOf(Each));
    Sums.resize(Lines.size());
  }

  std::vector<LineUse> run() {
    for (const CodeUse &Use : P.Uses)
      add(Use);
    for (size_t I = 0; I < Lines.size(); ++I)
      finish(Lines[I], Sums[I]);
    std::erase_if(Lines, [](const LineUse &L) { return L.Accesses.sum() == 0; });
    std::stable_sort(Lines.begin(), Lines.end(), [](const LineUse &A, const LineUse &B) {
      return std::tuple(B.Accesses.sum(), A.File, A.Line, A.Function) <
             std::tuple(A.Accesses.sum(), B.File, B.Line, B.Function);
    });
    return std::move(Lines);
  }

private:
  size_t lineOf(const Code &Of) {
    const auto [At, IsNew] =
        Known.try_emplace({Of.Module, Of.File, Of.Line, Of.Function}, Lines.size());
    if (IsNew) {
      LineUse &New = Lines.emplace_back();
      New.File = Of.File;
      New.Line = Of.Line;
      New.Function = Of.Function;
      New.Module = Of.Module;
    }
    return At->second;
  }

  void add(const CodeUse &Use) {
    LineUse &L = Lines[LineOf[Use.Code]];
    const uint64_t Count = Use.Accesses.sum() * P.Sample;
    L.Accesses.Reads += Use.Accesses.Reads * P.Sample;
    L.Accesses.Writes += Use.Accesses.Writes * P.Sample;
    L.Where.add(Count, U.Where.OfThread[Use.Thread], nodeOfPage(P, U.Where, Use.Page), U.Where);
    if (const uint32_t Array = Owners.of(Use.Page); Array != None)
      Sums[LineOf[Use.Code]][Array] += Count;
  }

  static void finish(LineUse &L, const std::map<size_t, uint64_t> &OfArrays) {
    L.Arrays.assign(OfArrays.begin(), OfArrays.end());
    std::stable_sort(L.Arrays.begin(), L.Arrays.end(),
                     [](const auto &A, const auto &B) { return A.second > B.second; });
  }

  const Profile &P;
  const Usage &U;
  PageOwners Owners;
  std::map<std::tuple<std::string, std::string, uint32_t, std::string>, size_t> Known;
  std::vector<LineUse> Lines;
  std::vector<size_t> LineOf;                   ///< by index in Profile::Codes
  std::vector<std::map<size_t, uint64_t>> Sums; ///< by line: accesses by array
};

} // namespace

std::string LineUse::position() const {
  return File.empty() ? "(no line of " + llvm::sys::path::filename(Module).str() + ")"
                      : llvm::sys::path::filename(File).str() + ":" + std::to_string(Line);
}

std::vector<LineUse> maiprof::codeLines(const Profile &P, const Usage &U) {
  return Summing(P, U).run();
}

std::vector<std::pair<size_t, uint64_t>> maiprof::mainArrays(const LineUse &L) {
  constexpr size_t Most = 4;
  constexpr double Least = 0.02; /* of the line's accesses */
  std::vector<std::pair<size_t, uint64_t>> Main;
  for (const auto &Each : L.Arrays)
    if (Main.size() < Most && double(Each.second) >= Least * double(L.Accesses.sum()))
      Main.push_back(Each);
  return Main;
}

std::string maiprof::mostBy(const std::vector<LineUse> &Lines, const Usage &U, size_t Array) {
  constexpr size_t Most = 3;
  constexpr double Least = 0.01; /* of the array's accesses */
  std::vector<std::pair<uint64_t, const LineUse *>> Its;
  for (const LineUse &L : Lines)
    for (const auto &[Index, Accesses] : L.Arrays)
      if (Index == Array)
        Its.emplace_back(Accesses, &L);
  std::stable_sort(Its.begin(), Its.end(),
                   [](const auto &A, const auto &B) { return A.first > B.first; });
  const double All = double(std::max<uint64_t>(1, U.Arrays[Array].Accesses.sum()));
  std::string Text;
  for (size_t I = 0; I < std::min(Most, Its.size()) && double(Its[I].first) >= Least * All; ++I)
    Text += (I ? ", " : "") + Its[I].second->position() + " (" +
            support::percentText(std::min(1.0, double(Its[I].first) / All)) + ")";
  return Text;
}

std::string maiprof::mostBy(const std::vector<LineUse> &Lines, const Usage &U,
                            const std::string &Array) {
  for (size_t I = 0; I < U.Arrays.size(); ++I)
    if (U.Arrays[I].Name == Array)
      return mostBy(Lines, U, I);
  return "";
}
