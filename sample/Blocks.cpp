//===-- Blocks.cpp - what a program has told of its blocks -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Blocks.h"

#include "inside/log.h"

#include <algorithm>
#include <charconv>
#include <cstring>

using namespace sample;

namespace {

using Slot = sample_log_slot;

Slot slotAt(std::string_view Log, uint64_t Number) {
  Slot Result;
  std::memcpy(&Result, Log.data() + Number * sizeof(Slot), sizeof Result);
  return Result;
}

std::string textAt(std::string_view Log, uint64_t Number, uint64_t Slots, uint64_t Length) {
  std::string Text;
  for (; Text.size() < Length && Number < Slots; ++Number) {
    const Slot Its = slotAt(Log, Number);
    if (Its.kind != SAMPLE_LOG_TEXT)
      break;
    Text.append(Its.text, std::min<uint64_t>(SAMPLE_LOG_TEXT_BYTES, Length - Text.size()));
  }
  return Text;
}

Chain chainOf(const std::string &Text) {
  Chain Result;
  const size_t End = std::min(Text.find('\n'), Text.size());
  Result.Key = Text.substr(0, End);
  const char *At = Text.data() + std::min(End + 1, Text.size()), *Last = Text.data() + Text.size();
  while (At < Last) {
    uint64_t Code = 0;
    const auto [Behind, Error] = std::from_chars(At, Last, Code, 16);
    if (Error != std::errc())
      break;
    Result.Calls.push_back(Code);
    At = Behind + 1;
  }
  return Result;
}

} // namespace

BlockLog sample::readBlocks(std::string_view Log) {
  BlockLog Result;
  sample_log_head Head;
  if (Log.size() < sizeof Head)
    return Result;
  std::memcpy(&Head, Log.data(), sizeof Head);
  Result.IsFull = Head.used > Head.slots;
  const uint64_t Slots = std::min<uint64_t>(Head.used, Log.size() / sizeof(Slot));
  for (uint64_t I = 1; I < Slots; ++I) {
    const Slot Its = slotAt(Log, I);
    if (Its.kind == SAMPLE_LOG_CHAIN)
      Result.Chains.emplace(I, chainOf(textAt(Log, I + 1, Slots, Its.bytes)));
    else if (Its.kind == SAMPLE_LOG_ALLOCATED || Its.kind == SAMPLE_LOG_FREED)
      Result.Events.push_back(
          {Its.process, Its.kind == SAMPLE_LOG_FREED, Its.time, Its.address, Its.bytes, Its.chain});
  }
  std::stable_sort(Result.Events.begin(), Result.Events.end(),
                   [](const BlockEvent &A, const BlockEvent &B) { return A.Time < B.Time; });
  return Result;
}
