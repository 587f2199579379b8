//===-- Spe.cpp - samples of Arm's statistical profiling extension -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Spe.h"

#include <linux/perf_event.h>

using namespace sample;

namespace {

enum class Packet {
  None,
  Padding,
  End,
  Time,
  Events,
  Source,
  Context,
  Operation,
  Counter,
  Address
};

struct PacketHead {
  Packet What = Packet::None;
  unsigned Index = 0; ///< which counter, address or class of operations
  unsigned Bytes = 0; ///< of the head
  unsigned Payload = 0;
};

enum : unsigned { TotalLatency = 0, CodeAddress = 0, DataAddress = 2, PhysicalAddress = 3 };
enum : unsigned { LoadsAndStores = 1 };

/// Of the packet Events.
enum : uint64_t { FirstLevelMiss = 1 << 3, LastLevel = 1 << 8, LastLevelMiss = 1 << 9 };
enum : uint64_t { FirstLevel = 1 << 2, Remote = 1 << 10 };

/// By its last byte.
PacketHead headOf(unsigned char Its) {
  PacketHead Result;
  Result.Bytes = 1;
  Result.Payload = 1U << (Its >> 4 & 3);
  const auto Is = [&](Packet What, unsigned Index) {
    Result.What = What;
    Result.Index = Index;
    return Result;
  };
  if (Its == 0x71)
    return Is(Packet::Time, 0);
  if ((Its & 0xcf) == 0x42)
    return Is(Packet::Events, 0);
  if ((Its & 0xcf) == 0x43)
    return Is(Packet::Source, 0);
  if ((Its & 0xfc) == 0x64)
    return Is(Packet::Context, Its & 3);
  if ((Its & 0xfc) == 0x48)
    return Is(Packet::Operation, Its & 3);
  if ((Its & 0xf8) == 0x98)
    return Is(Packet::Counter, Its & 7);
  if ((Its & 0xf8) == 0xb0)
    return Is(Packet::Address, Its & 7);
  Result.Payload = 0;
  return Its < 2 ? Is(Its ? Packet::End : Packet::Padding, 0) : Result;
}

/// Some have a byte in front, with more bits of the index; before 0 that tells how far to go on to
/// a round address.
PacketHead headAt(std::string_view All, size_t At) {
  const auto First = static_cast<unsigned char>(All[At]);
  if ((First & 0xfc) != 0x20 || At + 1 == All.size())
    return headOf(First);
  const auto Second = static_cast<unsigned char>(All[At + 1]);
  if (Second == 0) {
    const size_t Round = size_t(2) << (First & 15);
    return {Packet::Padding, 0, static_cast<unsigned>(Round - At % Round), 0};
  }
  PacketHead Result = headOf(Second);
  Result.Bytes = 2;
  Result.Index |= (First & 3U) << 3;
  return Result;
}

uint64_t numberAt(std::string_view All, size_t At, unsigned Bytes) {
  uint64_t Value = 0;
  for (unsigned I = 0; I < Bytes; ++I)
    Value |= uint64_t(static_cast<unsigned char>(All[At + I])) << (8 * I);
  return Value;
}

/// Its highest byte says something else; the kernel's own addresses have all bits there.
uint64_t address(uint64_t Its) {
  constexpr uint64_t Bits = (uint64_t(1) << 56) - 1;
  return Its >> 52 & 8 ? Its | ~Bits : Its & Bits;
}

/// Which memory answered, by what happened: of where data came from processors tell each in its own
/// way.
uint64_t servedBy(uint64_t Events, bool IsStore) {
  uint64_t Level = PERF_MEM_LVL_NA;
  if (Events & LastLevelMiss)
    Level = Events & Remote ? PERF_MEM_LVL_REM_RAM1 : PERF_MEM_LVL_LOC_RAM;
  else if (Events & Remote)
    Level = PERF_MEM_LVL_REM_CCE1;
  else if (Events & LastLevel)
    Level = PERF_MEM_LVL_L3 | PERF_MEM_LVL_HIT;
  else if (Events & FirstLevel)
    Level = Events & FirstLevelMiss ? PERF_MEM_LVL_L2 | PERF_MEM_LVL_HIT
                                    : PERF_MEM_LVL_L1 | PERF_MEM_LVL_HIT;
  return (IsStore ? PERF_MEM_OP_STORE : PERF_MEM_OP_LOAD) | Level << PERF_MEM_LVL_SHIFT;
}

class Operation {
public:
  void take(const PacketHead &Its, uint64_t Value) {
    switch (Its.What) {
    case Packet::Events:
      Events = Value;
      break;
    case Packet::Context:
      Known.Context = static_cast<uint32_t>(Value);
      break;
    case Packet::Operation:
      IsAccess = Its.Index == LoadsAndStores;
      IsStore = Value & 1;
      break;
    case Packet::Counter:
      if (Its.Index == TotalLatency)
        Known.Latency = Value;
      break;
    case Packet::Address:
      takeAddress(Its.Index, Value);
      break;
    case Packet::Time:
      Known.Time = Value;
      break;
    default:
      break;
    }
  }

  void end(const std::function<void(const SpeAccess &)> &Visit) {
    Known.Served = servedBy(Events, IsStore);
    if (IsAccess && Known.Address)
      Visit(Known);
    *this = {};
  }

private:
  void takeAddress(unsigned Index, uint64_t Value) {
    constexpr uint64_t PhysicalBits = (uint64_t(1) << 56) - 1;
    if (Index == CodeAddress)
      Known.Code = address(Value);
    else if (Index == DataAddress)
      Known.Address = address(Value);
    else if (Index == PhysicalAddress)
      Known.Physical = Value & PhysicalBits;
  }

  SpeAccess Known;
  uint64_t Events = 0;
  bool IsAccess = false, IsStore = false;
};

} // namespace

void sample::fill(Sample &To, const SpeAccess &Its) {
  To.Code = Its.Code;
  To.Address = Its.Address;
  To.Physical = Its.Physical;
  To.Latency = Its.Latency;
  To.Served = Its.Served;
}

void sample::readSpe(std::string_view All, const std::function<void(const SpeAccess &)> &Visit) {
  Operation Now;
  for (size_t At = 0; At < All.size();) {
    const PacketHead Its = headAt(All, At);
    At += Its.Bytes;
    if (At > All.size() || Its.Payload > All.size() - At)
      return;
    Now.take(Its, numberAt(All, At, Its.Payload));
    At += Its.Payload;
    if (Its.What == Packet::Time || Its.What == Packet::End)
      Now.end(Visit);
  }
}
