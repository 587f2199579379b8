//===-- Command.h - running other programs ----------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MAICC_COMMAND_H
#define MAICC_COMMAND_H

#include "CommandLine.h"

#include <sys/types.h>

namespace maicc {

/// What becomes of a command's surroundings.
struct Surroundings {
  std::string Directory = {};    ///< where it runs; empty: here
  bool Silent = false;           ///< its standard error goes nowhere
  std::string *Output = nullptr; ///< receives its standard output; its standard error goes nowhere
  std::string *Errors = nullptr; ///< the same for its standard error, and output goes nowhere
};

/// Runs a command to its end, after a message where that is impossible.
/// @return the exit status as a shell has it
int run(const Arguments &Command, const Surroundings &Around = {});

/// Runs several commands, at most `Jobs` at a time.
/// @return the exit status of each
std::vector<int> runAll(const std::vector<Arguments> &Commands,
                        const std::vector<Surroundings> &Around, size_t Jobs);

/// From here on SIGINT, SIGTERM and SIGHUP end no more than what a command does, so that temporary
/// files can be removed.
void catchSignals();

/// The signal that was caught, or 0.
int caughtSignal();

/// Becomes the command; returns only when that is impossible, after a message.
int become(const Arguments &Command);

/// Prints a command as a shell would read it.
void print(const Arguments &Command, const std::string &Directory = "");

} // namespace maicc

#endif // MAICC_COMMAND_H
