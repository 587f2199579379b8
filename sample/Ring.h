//===-- Ring.h - a ring buffer that the kernel fills -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_SAMPLE_RING_H
#define MINAS_SAMPLE_RING_H

#include <cstdint>
#include <string>
#include <string_view>

struct perf_event_mmap_page;

namespace sample {

/// The head of a record.
struct Head {
  uint32_t Type = 0;
  uint16_t Misc = 0, Size = 0;
};

/// Memory whose end is followed by its start.
class Circle {
public:
  /// @param Count a power of 2
  Circle(const char *Start, uint64_t Count) : Data(Start), Bytes(Count) {}

  /// What stands there; up to the next call where it goes on at the start.
  std::string_view at(uint64_t At, uint64_t Count);
  uint64_t size() const { return Bytes; }

private:
  const char *Data;
  uint64_t Bytes;
  std::string Whole;
};

class Ring {
public:
  /// @param Bytes of the data, a power of 2
  Ring(perf_event_mmap_page *Head_, const char *Start, uint64_t Count)
      : Control(Head_), Data(Start, Count) {}

  /// Calls Visit(head, contents) for what is there, and frees the room. What is no record ends it.
  template <typename Visitor> void drain(Visitor &&Visit) {
    const uint64_t End = written();
    uint64_t At = read();
    Head Its;
    while (headAt(At, End, Its)) {
      Visit(Its, Data.at(At + sizeof(Head), Its.Size - sizeof(Head)));
      At += Its.Size;
    }
    free(End);
  }

private:
  uint64_t written() const;
  uint64_t read() const;
  void free(uint64_t End);
  bool headAt(uint64_t At, uint64_t End, Head &Its);

  perf_event_mmap_page *Control;
  Circle Data;
};

} // namespace sample
#endif
