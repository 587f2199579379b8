//===-- Effect.cpp - how accesses fare by a placement -----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Effect.h"

#include <algorithm>

using namespace maiprof;

double maiprof::gain(const Effect &Before, const Effect &After) {
  const double Local = Before.Remote - After.Remote;
  const double Relieved = Before.Crowded - After.Crowded;
  return Local < 0 ? Relieved + Local : std::max(Local, Relieved);
}

void Traffic::spread(uint32_t Thread, const std::vector<uint32_t> &Over, double Accesses) {
  for (const uint32_t Node : Over)
    add(Thread, Node, Accesses / double(Over.size()));
}

void Traffic::addCrowd(Effect &To, const std::vector<uint32_t> &NodeOfThread) const {
  std::vector<double> Served(Nodes), Elsewhere(Nodes);
  double Known = 0;
  for (size_t Thread = 0; Thread < NodeOfThread.size(); ++Thread)
    for (uint32_t Node = 0; Node < Nodes; ++Node) {
      Known += at(Thread, Node);
      Served[Node] += at(Thread, Node);
      Elsewhere[Node] += NodeOfThread[Thread] == Node ? 0 : at(Thread, Node);
    }
  for (uint32_t Node = 0; Node < Nodes; ++Node) {
    const double Beyond = std::max(0.0, Served[Node] - Known / Nodes);
    To.Busiest = std::max(To.Busiest, Served[Node] / All);
    To.Crowded = std::max(To.Crowded, std::min(Beyond, Elsewhere[Node]) / All);
  }
}

Effect Traffic::effect(const std::vector<uint32_t> &NodeOfThread) const {
  Effect Result;
  if (All <= 0)
    return Result;
  double Most = 0;
  for (uint32_t Thread = 0; Thread < NodeOfThread.size(); ++Thread) {
    double Remote = 0, Own = 0;
    for (uint32_t Node = 0; Node < Nodes; ++Node) {
      Own += at(Thread, Node);
      Remote += NodeOfThread[Thread] == Node ? 0 : at(Thread, Node);
    }
    Result.Remote += Remote / All;
    if (Remote > Most) {
      Most = Remote;
      Result.MostRemote = Thread;
      Result.MostRemotePart = Remote / Own;
    }
  }
  addCrowd(Result, NodeOfThread);
  return Result;
}
