//===-- RunTime.cpp - where a program's time goes -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RunTime.h"

#include "System.h"

#include <algorithm>
#include <unistd.h>

using namespace sample;

namespace {

/// In samples a second: of a thread, and of all that run at once. That suffices for parts of 1 %,
/// and is nothing beside counting.
constexpr uint64_t OfThread = 200, OfAll = 4000, Least = 10;

uint64_t frequency() {
  const auto Cpus = static_cast<uint64_t>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
  return std::clamp(OfAll / Cpus, Least, OfThread);
}

} // namespace

bool RunTime::open(pid_t Process) {
  std::string Refused;
  return From.open({Process}, true,
                   {.Processor = Unit::None, .Faults = false, .Frequency = frequency()}, Refused);
}

void RunTime::take(int Milliseconds) {
  From.wait(Milliseconds);
  const uint64_t Until = now(); /* what is older is in the buffers already */
  From.drain(Waiting);
  Waiting.pass(Until, [&](const Event &Its) { take(Its); });
}

void RunTime::take(const Event &Its) {
  if (const auto *S = std::get_if<Sample>(&Its.What)) {
    const Process &Of = All.of(S->Process);
    const Map *Where = Of.mapOf(S->Code);
    if (Where && Where->File == "[vdso]")
      return; /* the kernel's code, by which counting and the program ask for the time */
    const CodePlace At = All.placeOf(Of, S->Code);
    ++Samples[S->Process][{Where && At.File ? Where->File : "", At.Address}];
    return;
  }
  if (const auto *M = std::get_if<Map>(&Its.What); M && !M->IsCode)
    return;
  if (const auto *R = std::get_if<Renamed>(&Its.What); R && R->IsExec)
    Samples.erase(R->Process);
  All.take(Its, From.sources());
}

const RunTime::Places &RunTime::of(uint32_t Process) const {
  static const Places None;
  const auto Found = Samples.find(Process);
  return Found == Samples.end() ? None : Found->second;
}
