//===-- Used.h - CPUs that other programs use -------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef THREADMAP_USED_H
#define THREADMAP_USED_H

#include "threadmap/machine/Machine.h"

namespace threadmap {

/// The CPUs of a machine to which the user's other programs have pinned threads by MAi.
std::vector<uint32_t> usedByOthers(const Machine &On);

} // namespace threadmap

#endif // THREADMAP_USED_H
