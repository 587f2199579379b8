//===-- Record.cpp - samples of a program that nobody built for it -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Record.h"

#include "Run.h"
#include "sample/Loading.h"
#include "support/Progress.h"

#include "llvm/Support/Path.h"

#include <cstdio>
#include <cstring>
#include <sys/wait.h>

using namespace maiprof;

namespace {

std::string outputName(const sample::RecordOptions &Options) {
  if (Options.Process)
    return std::to_string(Options.Process) + ".maiprof";
  const std::string &Program = Options.Command[0];
  return llvm::sys::path::filename(Program).str() + ".maiprof";
}

void say(const std::string &Text) { std::fprintf(stderr, "mai-trace: %s\n", Text.c_str()); }

/// \returns an exit status
int completeAll(const sample::Profiles &Its, bool Quiet) {
  if (Its.LeftOut && !Quiet)
    say(std::to_string(Its.LeftOut) + " more processes had too few samples to say anything");
  int Result = 0;
  if (!Its.Error.empty()) {
    say(Its.Error);
    Result = ExitError;
  }
  for (const std::string &File : Its.Files)
    Result = std::max(Result, complete(File, Quiet));
  return Result;
}

} // namespace

int maiprof::recordProgram(sample::RecordOptions Options, bool Quiet) {
  if (Options.Output.empty())
    Options.Output = outputName(Options);
  if (cannotBeProfile(Options.Output))
    return ExitError;
  const std::string Obstacle = Options.Preload ? sample::obstacleToLoading(Options.Command[0]) : "";
  Options.Preload &= Obstacle.empty();
  if (!Obstacle.empty() && !Quiet)
    say(Options.Command[0] + ": " + Obstacle +
        ": nothing is loaded into it, and memory goes by its mappings");
  const sample::Recorded Its = sample::record(Options);
  if (!Its.Refused.empty() && (!Quiet || Its.Failure >= 0))
    say("the kernel refuses a source of samples: " + Its.Refused);
  if (Its.Failure >= 0) {
    say(Its.Error);
    return Its.Failure;
  }
  if (WIFSIGNALED(Its.Status))
    say(Options.Command[0] + " was ended by signal " + std::to_string(WTERMSIG(Its.Status)) + " (" +
        strsignal(WTERMSIG(Its.Status)) + ")");
  if (Its.BlocksMissing && !Quiet)
    say("there were more blocks than can be noted: the later ones have no names (--block)");
  int Result = 0;
  if (!Its.Error.empty()) {
    say(Its.Error);
    Result = ExitError;
  }
  for (const std::string &Each : Its.RunOn)
    if (!Quiet)
      say("process " + Each + " runs on, and is sampled no more (mai-trace record -p)");
  Result = std::max(Result, completeAll(Its.Written, Quiet));
  const int Exit = WIFSIGNALED(Its.Status) ? 128 + WTERMSIG(Its.Status) : WEXITSTATUS(Its.Status);
  return Exit ? Exit : Result;
}

int maiprof::importSamples(const std::string &File, const std::string &Output, bool Quiet) {
  const std::string Name = llvm::sys::path::filename(File).str();
  const sample::Imported Its = [&] {
    const support::Progress Shown("reads " + File);
    return sample::import(File, Output.empty() ? Name + ".maiprof" : Output);
  }();
  if (Its.Skipped && !Quiet)
    say(File + ": " + std::to_string(Its.Skipped) + " records of other kinds were skipped");
  for (const std::string &Each : Its.Replaced)
    if (!Quiet)
      say(Each + " is another build than that which was recorded: nothing is taken from it");
  if (!Its.Error.empty()) {
    say(Its.Error);
    return ExitError;
  }
  return completeAll(Its.Written, Quiet);
}
