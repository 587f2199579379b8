//===-- Input.cpp - sharing matrices from files -----------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Input.h"

#include "Csv.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <sys/stat.h>

using namespace threadmap;

namespace {

/// Why a file cannot be read; null where it can.
const char *reasonAgainst(const std::string &File) {
  struct stat Status{};
  if (stat(File.c_str(), &Status) != 0)
    return strerror(errno);
  return S_ISDIR(Status.st_mode) ? strerror(EISDIR) : nullptr;
}

std::optional<Input> readText(std::istream &From, const std::string &Name,
                              const std::string &Metric, std::string &Message) {
  if (!Metric.empty()) {
    Message = Name + ": a matrix as text has no metrics to choose from; leave --metric out";
    return std::nullopt;
  }
  std::optional<Matrix> Volumes = readCsv(From, Name, Message);
  if (!Volumes)
    return std::nullopt;
  return Input{std::move(*Volumes), Name};
}

} // namespace

std::optional<Input> threadmap::readInput(const std::string &File, const std::string &Metric,
                                          std::string &Message) {
  if (File == "-")
    return readText(std::cin, "standard input", Metric, Message);
  if (const char *Reason = reasonAgainst(File)) {
    Message = File + ": " + Reason;
    return std::nullopt;
  }
  std::ifstream Stream(File, std::ios::binary);
  if (!Stream) {
    Message = File + ": " + strerror(errno);
    return std::nullopt;
  }
  return readText(Stream, File, Metric, Message);
}
