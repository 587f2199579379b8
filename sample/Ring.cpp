//===-- Ring.cpp - a ring buffer that the kernel fills -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Ring.h"

#include <cstring>
#include <linux/perf_event.h>

using namespace sample;

std::string_view Circle::at(uint64_t At, uint64_t Count) {
  const uint64_t Start = At % Bytes;
  if (Start + Count <= Bytes)
    return {Data + Start, Count};
  Whole.assign(Data + Start, Bytes - Start);
  Whole.append(Data, Count - (Bytes - Start));
  return Whole;
}

uint64_t Ring::written() const { return __atomic_load_n(&Control->data_head, __ATOMIC_ACQUIRE); }

uint64_t Ring::read() const { return Control->data_tail; }

void Ring::free(uint64_t End) { __atomic_store_n(&Control->data_tail, End, __ATOMIC_RELEASE); }

bool Ring::headAt(uint64_t At, uint64_t End, Head &Its) {
  if (At >= End || End - At < sizeof Its || End - At > Data.size())
    return false;
  std::memcpy(&Its, Data.at(At, sizeof Its).data(), sizeof Its);
  return Its.Size >= sizeof Its && Its.Size <= End - At;
}
