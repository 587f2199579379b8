//===-- Blocks.cpp - what a program tells of its blocks -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Blocks.h"

#include <charconv>
#include <fcntl.h>
#include <fstream>
#include <sys/mman.h>
#include <unistd.h>

using namespace sample;

namespace {

using Slot = sample_log_slot;

constexpr size_t LogBytes = (1 + size_t(SAMPLE_LOG_SLOTS)) * sizeof(Slot);

uint64_t load(const uint64_t &From) { return __atomic_load_n(&From, __ATOMIC_ACQUIRE); }
uint32_t load(const uint32_t &From) { return __atomic_load_n(&From, __ATOMIC_ACQUIRE); }

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

/*===-- Reading -------------------------------------------------------------===*/

Slot &LogReader::at(uint64_t Number) const {
  return reinterpret_cast<Slot *>(Head)[1 + Number % Slots];
}

std::string LogReader::textBehind(uint64_t Number, uint64_t Length) const {
  std::string Text;
  while (Text.size() < Length) {
    const Slot &Its = at(++Number);
    if (load(Its.kind) != SAMPLE_LOG_TEXT)
      break;
    Text.append(Its.text, std::min<uint64_t>(SAMPLE_LOG_TEXT_BYTES, Length - Text.size()));
  }
  return Text;
}

/// With those of its text.
uint64_t LogReader::slotsOf(uint64_t Number, uint64_t End) const {
  const Slot &Its = at(Number);
  const uint64_t Length = Its.kind == SAMPLE_LOG_TEXT ? 0 : std::min(Its.length, mostText());
  const uint64_t Pieces = (Length + SAMPLE_LOG_TEXT_BYTES - 1) / SAMPLE_LOG_TEXT_BYTES;
  return std::min(1 + Pieces, End - Number);
}

/// A process may have been killed while it wrote.
bool LogReader::isGivenUp(uint64_t Now) {
  if (WaitsAt != Next) {
    WaitsAt = Next;
    WaitsSince = Now;
  }
  return Now - WaitsSince >= Long;
}

void LogReader::take(const Slot &Its, uint64_t Number, Order &To) {
  switch (Its.kind) {
  case SAMPLE_LOG_CHAIN:
    Known.emplace(Its.chain, chainOf(textBehind(Number, std::min(Its.length, mostText()))));
    return;
  case SAMPLE_LOG_ALLOCATED:
  case SAMPLE_LOG_FREED:
  case SAMPLE_LOG_NAMED:
    To.add({Its.time, BlockEvent{Its.process, Its.kind == SAMPLE_LOG_FREED,
                                 Its.kind == SAMPLE_LOG_NAMED, Its.address, Its.bytes, Its.chain,
                                 textBehind(Number, std::min(Its.length, mostText()))}});
    return;
  case SAMPLE_LOG_THREAD:
    To.add({Its.time, Numbered{Its.process, static_cast<uint32_t>(Its.thread),
                               static_cast<uint32_t>(Its.bytes)}});
    return;
  case SAMPLE_LOG_LOOP:
    To.add({Its.time, Unshared{Its.process, Its.address}});
    return;
  default:
    return;
  }
}

bool LogReader::drain(Order &To, uint64_t Now) {
  const uint64_t End = load(Head->taken);
  if (End - Next > Slots) /* nobody who keeps to the rules has written that */
    return true;
  while (Next < End) {
    uint64_t Count = 1;
    if (load(at(Next).kind) != SAMPLE_LOG_NOTHING) {
      Count = slotsOf(Next, End);
      take(at(Next), Next, To);
    } else if (!isGivenUp(Now)) {
      return false;
    }
    for (; Count; --Count)
      __atomic_store_n(&at(Next++).kind, SAMPLE_LOG_NOTHING, __ATOMIC_RELAXED);
    __atomic_store_n(&Head->read, Next, __ATOMIC_RELEASE);
  }
  return true;
}

uint64_t LogReader::missed() const { return load(Head->missed); }

/*===-- Memory --------------------------------------------------------------===*/

namespace {

/// A page that the kernel has not when a program writes to it ends the program. Where it counts
/// what it promises, it has to be asked for all of them at once; else that would only take longer
/// than many programs run.
bool makeRoom(int File) {
  std::ifstream Setting("/proc/sys/vm/overcommit_memory");
  constexpr int Strict = 2;
  int Its = Strict;
  Setting >> Its;
  return Its == Strict ? posix_fallocate(File, 0, LogBytes) == 0 : ftruncate(File, LogBytes) == 0;
}

} // namespace

Log::Log()
    : File(memfd_create(SAMPLE_LOG_NAME, MFD_CLOEXEC)),
      Path("/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(File)) {
  if (File < 0 || !makeRoom(File))
    return;
  void *All = mmap(nullptr, LogBytes, PROT_READ | PROT_WRITE, MAP_SHARED, File, 0);
  if (All == MAP_FAILED)
    return;
  Mapped = static_cast<sample_log_head *>(All);
  Mapped->slots = SAMPLE_LOG_SLOTS;
}

Log::~Log() {
  if (Mapped)
    munmap(Mapped, LogBytes);
  if (File >= 0)
    close(File);
}
