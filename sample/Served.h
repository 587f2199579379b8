//===-- Served.h - which memory answered an access -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The fields of perf_mem_data_src, which the kernel makes of what each processor tells.
//
//===----------------------------------------------------------------------===//
#ifndef MINAS_SAMPLE_SERVED_H
#define MINAS_SAMPLE_SERVED_H

#include "trace/profile/Profile.h"

#include <cstdint>

namespace sample {

/// @param Its perf_mem_data_src, as in samples of both byte orders once they are read
maiprof::Served servedBy(uint64_t Its);

/// Whether the access was a store, and no load.
bool isStore(uint64_t Its);

} // namespace sample
#endif
