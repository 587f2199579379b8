//===-- Try.cpp - running a program with a cure -----------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Try.h"

#include "support/Files.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace maiprof;

namespace {

int fail(const std::string &Message) {
  llvm::errs() << "mai-trace: " << Message << '\n';
  return ExitError;
}

/// mai-run beside this program, or else along PATH; empty: there is none.
std::string findMaiRun() {
  static const char Here = 0;
  const std::string Self = llvm::sys::fs::getMainExecutable(nullptr, const_cast<char *>(&Here));
  const llvm::StringRef Folder = llvm::sys::path::parent_path(Self);
  llvm::ErrorOr<std::string> Found = llvm::sys::findProgramByName("mai-run", {Folder});
  if (!Found)
    Found = llvm::sys::findProgramByName("mai-run");
  return Found ? *Found : "";
}

std::string mapText(const std::vector<uint32_t> &Cpus) {
  std::string Text;
  for (const uint32_t Cpu : Cpus)
    Text += (Text.empty() ? "" : " ") + std::to_string(Cpu);
  return Text + "\n";
}

} // namespace

std::optional<Trial> maiprof::trialOf(const Judgement &J) {
  const auto Found = std::find_if(J.Verdicts.begin(), J.Verdicts.end(), [](const Verdict &V) {
    return V.Gain > 0 && (!V.Policy.empty() || !V.Cpus.empty());
  });
  if (Found == J.Verdicts.end())
    return std::nullopt;
  Trial Result;
  Result.Verdict = size_t(Found - J.Verdicts.begin());
  Result.Cpus = Found->Cpus;
  if (!Found->Policy.empty())
    Result.Arguments = {"-p", Found->Policy};
  if (Found->LeastSize > 0)
    Result.Arguments.insert(Result.Arguments.end(), {"-s", std::to_string(Found->LeastSize)});
  return Result;
}

int maiprof::runTrial(const Trial &Its, RunOptions Options) {
  const std::string MaiRun = findMaiRun();
  if (MaiRun.empty())
    return fail("mai-run is neither beside mai-trace nor along PATH");
  Options.Wrapper = {MaiRun};
  Options.Wrapper.insert(Options.Wrapper.end(), Its.Arguments.begin(), Its.Arguments.end());
  support::TemporaryFile Map;
  if (!Its.Cpus.empty()) {
    if (const std::error_code Error = Map.create(Options.Output + ".map", mapText(Its.Cpus)))
      return fail(Options.Output + ".map: " + Error.message());
    Options.Wrapper.insert(Options.Wrapper.end(), {"-m", Map.name()});
  }
  return runTraced(Options);
}
