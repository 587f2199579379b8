//===-- RunTime.h - where a program's time goes -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Some samples of the program counter, which the kernel takes for another process: the program gets
// no signal, has no thread or file of ours, and computes the same.
//
//===----------------------------------------------------------------------===//
#ifndef MINAS_SAMPLE_RUNTIME_H
#define MINAS_SAMPLE_RUNTIME_H

#include "Kernel.h"
#include "Processes.h"

#include <map>
#include <string>
#include <utility>

namespace sample {

class RunTime {
public:
  /// By file, empty where code lies in none, and address as the file counts.
  using Places = std::map<std::pair<std::string, uint64_t>, uint64_t>;

  /// Of a process that is to call exec(). \returns whether the kernel allows it
  bool open(pid_t Process);

  /// Waits for samples, but not longer than so, and takes what there is.
  void take(int Milliseconds);

  /// How many samples there are of each place of a process's code.
  const Places &of(uint32_t Process) const;

private:
  void take(const Event &Its);

  Calls System;
  Kernel From{System};
  Order Waiting;
  Processes All; ///< knows what is mapped where
  std::map<uint32_t, Places> Samples;
};

} // namespace sample
#endif
