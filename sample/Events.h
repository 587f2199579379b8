//===-- Events.h - what a recording consists of -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The same for what the kernel writes into its ring buffers and what perf writes into files.
//
//===----------------------------------------------------------------------===//
#ifndef MINAS_SAMPLE_EVENTS_H
#define MINAS_SAMPLE_EVENTS_H

#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace sample {

/// A source of samples: what matters of perf_event_attr.
struct Source {
  uint32_t Type = 0;
  uint64_t Config = 0;
  uint64_t Period = 0; ///< or the frequency
  uint64_t Fields = 0; ///< of a sample: PERF_SAMPLE_*
  uint64_t ReadFormat = 0;
  uint64_t Flags = 0; ///< the bits behind read_format, the first one lowest
  uint64_t Branches = 0;
  uint64_t UserRegisters = 0, Registers = 0; ///< which a sample has
  std::vector<uint64_t> Ids;
  std::string Name;
  uint64_t Weight = 1; ///< of a sample where they do not tell themselves: of a slower timer more

  static constexpr uint64_t FlagFrequency = uint64_t(1) << 10;
  static constexpr uint64_t FlagIds = uint64_t(1) << 18;
  bool isByFrequency() const { return Flags & FlagFrequency; }
  bool isVarying() const { return isByFrequency() || Period == 0; }
  bool isTimer() const;
  bool isFaults() const;                          ///< the kernel's first touch of pages
  bool tellsAccesses() const;                     ///< neither that, nor nothing but what is mapped
  bool hasIds() const { return Flags & FlagIds; } ///< all records tell whose they are
};

/// The registers of an x86-64 program, numbered as the kernel does: AX, BX, CX, DX, SI, DI, BP, SP,
/// IP, flags, CS, SS, DS, ES, FS, GS, R8 to R15.
struct Registers {
  static constexpr unsigned Count = 24, Bp = 6, Sp = 7;
  uint32_t Known = 0; ///< a bit for each
  std::array<uint64_t, Count> Values{};
  bool has(unsigned Register) const { return Known >> Register & 1; }
};

struct Sample {
  uint32_t From = 0; ///< index of its source
  uint32_t Process = 0, Thread = 0;
  uint32_t Cpu = 0;
  bool HasCpu = false;
  uint64_t Code = 0;     ///< address of the instruction
  uint64_t Address = 0;  ///< of the data; 0: not told
  uint64_t Period = 0;   ///< 0: not told
  uint64_t Latency = 0;  ///< in cycles; 0: not told
  uint64_t Served = 0;   ///< by which memory: perf_mem_data_src; 0: not told
  uint64_t Physical = 0; ///< address of the memory itself; 0: not told
  uint64_t Times = 1;    ///< it stands for as many, as its source was off for some time
  Registers User;
};

/// A file or memory that was mapped.
struct Map {
  uint32_t Process = 0, Thread = 0;
  uint64_t Start = 0, Bytes = 0, Offset = 0;
  bool IsCode = false;
  std::string File;
  std::string BuildId; ///< of the file that was mapped, its bytes; empty: not told
  uint64_t end() const { return Start + Bytes; }
};

struct Renamed {
  uint32_t Process = 0, Thread = 0;
  bool IsExec = false; ///< by exec(): another program begins
  std::string Name;
};

struct Forked {
  uint32_t Process = 0, Parent = 0, Thread = 0, ParentThread = 0;
};

struct Exited {
  uint32_t Process = 0, Thread = 0;
};

struct Lost {
  uint64_t Count = 0;
};

struct Throttled {};

/// The processor itself has written what a thread did, into a ring that the event has besides.
struct Traced {
  uint32_t Process = 0, Thread = 0;
  uint64_t Offset = 0, Bytes = 0;
  bool IsTruncated = false; ///< there was no room for all of it
};

/// A heap block or an array of MAi begins or ends.
struct BlockEvent {
  uint32_t Process = 0;
  bool IsFreed = false, IsOfMai = false;
  uint64_t Address = 0, Bytes = 0;
  uint64_t Chain = 0; ///< the calls that have led to it; 0: not known
  std::string Name;   ///< as MAi calls it
};

/// What a thread's number in its team of OpenMP is.
struct Numbered {
  uint32_t Process = 0, Thread = 0;
  uint32_t Number = 0;
};

/// Any thread may get any piece of a loop.
struct Unshared {
  uint32_t Process = 0;
  uint64_t Code = 0; ///< behind a call in the loop's
};

struct Event {
  uint64_t Time = 0; ///< nanoseconds of the kernel's clock; 0: not told
  std::variant<std::monostate, Sample, Map, Renamed, Forked, Exited, Lost, Throttled, Traced,
               BlockEvent, Numbered, Unshared>
      What;
};

} // namespace sample
#endif
