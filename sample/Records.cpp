//===-- Records.cpp - the kernel's records of events -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Records.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <linux/perf_event.h>

using namespace sample;

namespace {

/// Newer than the headers that this may be compiled with.
constexpr uint64_t FieldWeightStruct = uint64_t(1) << 24;
constexpr uint64_t BranchesIndex = uint64_t(1) << 17, BranchesCounters = uint64_t(1) << 19;
constexpr uint16_t MiscExec = 1 << 13, MiscData = 1 << 13, MiscBuildId = 1 << 14;
constexpr uint32_t ProtectionExec = 4;

uint64_t reversedBits(uint64_t Value) {
  uint64_t Result = 0;
  for (unsigned Bit = 0; Bit < 64; ++Bit)
    Result |= (Value >> Bit & 1) << (63 - Bit);
  return Result;
}

/// A group's values, or one.
void skipRead(Bytes &In, uint64_t Format) {
  const uint64_t Each = 1 + std::popcount(Format & (PERF_FORMAT_ID | 16 /* PERF_FORMAT_LOST */));
  const uint64_t Times =
      std::popcount(Format & (PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING));
  const uint64_t Count = Format & PERF_FORMAT_GROUP ? In.u64() : 1;
  if (Count > In.left())
    In.skip(UINT64_MAX);
  else
    In.skip((Count * Each + Times) * 8);
}

void skipItems(Bytes &In, uint64_t Count, uint64_t Size) {
  In.skip(Count > In.left() ? UINT64_MAX : Count * Size);
}

void skipBranches(Bytes &In, uint64_t Kind) {
  const uint64_t Count = In.u64();
  if (Kind & BranchesIndex)
    In.u64();
  skipItems(In, Count, Kind & BranchesCounters ? 32 : 24);
}

Registers readRegisters(Bytes &In, uint64_t Mask) {
  Registers Result;
  if (In.u64() == PERF_SAMPLE_REGS_ABI_NONE)
    return Result;
  for (unsigned Bit = 0; Bit < 64; ++Bit)
    if (Mask >> Bit & 1) {
      const uint64_t Value = In.u64();
      if (Bit < Registers::Count) {
        Result.Values[Bit] = Value;
        Result.Known |= 1U << Bit;
      }
    }
  return Result;
}

void skipStack(Bytes &In) {
  const uint64_t Size = In.u64();
  In.skip(Size);
  if (Size)
    In.u64();
}

Map readMap(Bytes &In) {
  Map Result;
  Result.Process = In.u32();
  Result.Thread = In.u32();
  Result.Start = In.u64();
  Result.Bytes = In.u64();
  Result.Offset = In.u64();
  return Result;
}

Event mapEvent(Bytes &In, uint16_t Misc) {
  Map Result = readMap(In);
  Result.IsCode = !(Misc & MiscData);
  Result.File = In.text();
  return {0, std::move(Result)};
}

/// Device and inode, or a build-id with its length in front.
std::string readIdentity(Bytes &In, bool IsBuildId) {
  constexpr unsigned IdentityBytes = 24, HeadBytes = 4;
  const std::string_view All = In.take(IdentityBytes);
  if (!IsBuildId || All.size() < IdentityBytes)
    return "";
  const size_t Length = static_cast<unsigned char>(All[0]);
  return std::string(All.substr(HeadBytes, std::min(Length, All.size() - HeadBytes)));
}

Event map2Event(Bytes &In, uint16_t Misc) {
  Map Result = readMap(In);
  Result.BuildId = readIdentity(In, Misc & MiscBuildId);
  Result.IsCode = In.u32() & ProtectionExec;
  In.u32();
  Result.File = In.text();
  return {0, std::move(Result)};
}

Event nameEvent(Bytes &In, uint16_t Misc) {
  Renamed Result;
  Result.Process = In.u32();
  Result.Thread = In.u32();
  Result.IsExec = Misc & MiscExec;
  Result.Name = In.text();
  return {0, std::move(Result)};
}

Forked readTask(Bytes &In) {
  Forked Result;
  Result.Process = In.u32();
  Result.Parent = In.u32();
  Result.Thread = In.u32();
  Result.ParentThread = In.u32();
  return Result;
}

Event exitEvent(Bytes &In) {
  const Forked Its = readTask(In);
  return {0, Exited{Its.Process, Its.Thread}};
}

Traced readTraced(Bytes &In) {
  Traced Its;
  Its.Offset = In.u64();
  Its.Bytes = In.u64();
  Its.IsTruncated = In.u64() & PERF_AUX_FLAG_TRUNCATED;
  return Its;
}

Event lostEvent(Bytes &In) {
  In.u64();
  return {0, Lost{In.u64()}};
}

} // namespace

/*===-- Bytes ---------------------------------------------------------------===*/

std::string Bytes::text() const { return std::string(Rest.substr(0, Rest.find('\0'))); }

/*===-- Sources -------------------------------------------------------------===*/

bool Source::isTimer() const {
  return Type == PERF_TYPE_SOFTWARE &&
         (Config == PERF_COUNT_SW_CPU_CLOCK || Config == PERF_COUNT_SW_TASK_CLOCK);
}

bool Source::isFaults() const {
  return Type == PERF_TYPE_SOFTWARE &&
         (Config == PERF_COUNT_SW_PAGE_FAULTS || Config == PERF_COUNT_SW_PAGE_FAULTS_MIN ||
          Config == PERF_COUNT_SW_PAGE_FAULTS_MAJ);
}

bool Source::tellsAccesses() const {
  return !isFaults() && (Type != PERF_TYPE_SOFTWARE || Config != PERF_COUNT_SW_DUMMY);
}

Source sample::readSource(std::string_view All, bool IsSwapped) {
  Bytes In(All, IsSwapped);
  Source Result;
  Result.Type = In.u32();
  In.u32();
  Result.Config = In.u64();
  Result.Period = In.u64();
  Result.Fields = In.u64();
  Result.ReadFormat = In.u64();
  Result.Flags = In.u64();
  if (IsSwapped) /* bit fields begin at the other end there */
    Result.Flags = reversedBits(Result.Flags);
  In.skip(8 + 8 + 8); /* wakeup, breakpoint type, config1, config2 */
  Result.Branches = In.u64();
  Result.UserRegisters = In.u64();
  In.skip(4 + 4);
  Result.Registers = In.u64();
  return Result;
}

void Records::add(Source New) {
  for (const uint64_t Id : New.Ids)
    ById.emplace(Id, static_cast<uint32_t>(Sources.size()));
  Sources.push_back(std::move(New));
}

const Source *Records::sourceOf(uint64_t Id) const {
  const auto Found = ById.find(Id);
  return Found == ById.end() ? nullptr : &Sources[Found->second];
}

/// Samples of several sources tell theirs in their first field, or where all have it.
const Source *Records::sourceOfSample(std::string_view Contents) const {
  if (Sources.empty())
    return nullptr;
  const Source &First = Sources.front();
  if (Sources.size() == 1)
    return &First;
  Bytes In(Contents, Swapped);
  if (First.Fields & PERF_SAMPLE_IDENTIFIER)
    return sourceOf(In.u64());
  if (!(First.Fields & PERF_SAMPLE_ID))
    return &First;
  constexpr uint64_t Before =
      PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR;
  In.skip(8 * static_cast<uint64_t>(std::popcount(First.Fields & Before)));
  return sourceOf(In.u64());
}

/*===-- Events --------------------------------------------------------------===*/

namespace {

/// Whose sample it is, of what, when.
void readOrigin(Bytes &In, uint64_t Has, Event &Of, Sample &S) {
  if (Has & PERF_SAMPLE_IDENTIFIER)
    In.u64();
  if (Has & PERF_SAMPLE_IP)
    S.Code = In.u64();
  if (Has & PERF_SAMPLE_TID) {
    S.Process = In.u32();
    S.Thread = In.u32();
  }
  if (Has & PERF_SAMPLE_TIME)
    Of.Time = In.u64();
  if (Has & PERF_SAMPLE_ADDR)
    S.Address = In.u64();
  if (Has & PERF_SAMPLE_ID)
    In.u64();
  if (Has & PERF_SAMPLE_STREAM_ID)
    In.u64();
  if (Has & PERF_SAMPLE_CPU) {
    S.Cpu = In.u32();
    S.HasCpu = true;
    In.u32();
  }
  if (Has & PERF_SAMPLE_PERIOD)
    S.Period = In.u64();
}

/// What stands between that and the registers.
void skipCalls(Bytes &In, const Source &From) {
  if (From.Fields & PERF_SAMPLE_READ)
    skipRead(In, From.ReadFormat);
  if (From.Fields & PERF_SAMPLE_CALLCHAIN)
    skipItems(In, In.u64(), 8);
  if (From.Fields & PERF_SAMPLE_RAW)
    In.skip(In.u32());
  if (From.Fields & PERF_SAMPLE_BRANCH_STACK)
    skipBranches(In, From.Branches);
}

/// The registers, and how the access fared.
void readAccess(Bytes &In, const Source &From, Sample &S) {
  const uint64_t Has = From.Fields;
  if (Has & PERF_SAMPLE_REGS_USER)
    S.User = readRegisters(In, From.UserRegisters);
  if (Has & PERF_SAMPLE_STACK_USER)
    skipStack(In);
  if (Has & PERF_SAMPLE_WEIGHT)
    S.Latency = In.u64();
  else if (Has & FieldWeightStruct)
    S.Latency = In.u64() & UINT32_MAX;
  if (Has & PERF_SAMPLE_DATA_SRC)
    S.Served = In.u64();
  if (Has & PERF_SAMPLE_TRANSACTION)
    In.u64();
  if (Has & PERF_SAMPLE_REGS_INTR)
    readRegisters(In, From.Registers);
  if (Has & PERF_SAMPLE_PHYS_ADDR)
    S.Physical = In.u64();
}

} // namespace

/// Fields stand in one order, which is that of perf_event_open(2).
std::optional<Event> Records::readSample(std::string_view Contents) const {
  const Source *From = sourceOfSample(Contents);
  if (!From)
    return std::nullopt;
  Bytes In(Contents, Swapped);
  Event Result;
  Sample &S = Result.What.emplace<Sample>();
  S.From = static_cast<uint32_t>(From - Sources.data());
  readOrigin(In, From->Fields, Result, S);
  skipCalls(In, *From);
  readAccess(In, *From, S);
  if (In.failed())
    return std::nullopt;
  return Result;
}

/// The last numbers of records that are no samples, in the order of the sample's fields.
void Records::readTrailer(std::string_view Contents, Event &Of) const {
  if (Sources.empty() || !Sources.front().hasIds())
    return;
  constexpr uint64_t Behind =
      PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER;
  const uint64_t Has = Sources.front().Fields;
  const size_t FromEnd = 8 * (1 + static_cast<size_t>(std::popcount(Has & Behind)));
  if (!(Has & PERF_SAMPLE_TIME) || Contents.size() < FromEnd)
    return;
  Of.Time = Bytes(Contents.substr(Contents.size() - FromEnd), Swapped).u64();
  auto *Its = std::get_if<Traced>(&Of.What);
  if (!Its || !(Has & PERF_SAMPLE_TID) || Contents.size() < FromEnd + 8)
    return;
  Bytes Who(Contents.substr(Contents.size() - FromEnd - 8), Swapped);
  Its->Process = Who.u32();
  Its->Thread = Who.u32();
}

std::optional<Event> Records::read(uint32_t Type, uint16_t Misc, std::string_view Contents) {
  if (Type == PERF_RECORD_SAMPLE)
    return readSample(Contents);
  Bytes In(Contents, Swapped);
  Event Result;
  switch (Type) {
  case PERF_RECORD_MMAP:
    Result = mapEvent(In, Misc);
    break;
  case PERF_RECORD_MMAP2:
    Result = map2Event(In, Misc);
    break;
  case PERF_RECORD_COMM:
    Result = nameEvent(In, Misc);
    break;
  case PERF_RECORD_FORK:
    Result = {0, readTask(In)};
    break;
  case PERF_RECORD_EXIT:
    Result = exitEvent(In);
    break;
  case PERF_RECORD_LOST:
    Result = lostEvent(In);
    break;
  case PERF_RECORD_LOST_SAMPLES:
    Result = {0, Lost{In.u64()}};
    break;
  case PERF_RECORD_THROTTLE:
    Result = {0, Throttled{}};
    break;
  case PERF_RECORD_AUX:
    Result = {0, readTraced(In)};
    break;
  default:
    ++Unknown;
    return Result;
  }
  if (In.failed())
    return std::nullopt;
  readTrailer(Contents, Result);
  return Result;
}
