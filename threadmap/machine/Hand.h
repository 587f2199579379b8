//===-- Hand.h - what the user decides of a machine -------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_HAND_H
#define THREADMAP_HAND_H

#include "Machine.h"

#include <utility>

namespace threadmap {

/// A thread and the CPU that it has to run on.
using Fixed = std::pair<uint32_t, uint32_t>;

/// CPUs as taskset and map files list them: `0 2 4-7 0-14:2`, separated by commas or white space;
/// what follows a `#` is comment.
/// @param Name what messages call the list
/// @return nothing where it is no such list, and `Error` says where
std::optional<std::vector<uint32_t>> readCpus(const std::string &Text, const std::string &Name,
                                              std::string &Error);

/// The threads and CPUs of `0=4,1=5`.
/// @return nothing where it is no such list, and `Error` says why
std::optional<std::vector<Fixed>> readFixed(const std::string &Text, std::string &Error);

/// A machine without some of its CPUs.
/// @return nothing where it has no such CPU, or no other one, and `Error` says so
std::optional<Machine> without(const Machine &On, const std::vector<uint32_t> &Cpus,
                               std::string &Error);

/// Notes in a machine which CPUs threads are fixed to.
/// @return what is wrong, or ""
std::string fix(const std::vector<Fixed> &Wanted, uint32_t Threads, Machine &On);

} // namespace threadmap

#endif // THREADMAP_HAND_H
