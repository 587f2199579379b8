//===-- sample_test.cpp - samples without a kernel that takes them -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ring buffers as the kernel fills them, the log of blocks as programs leave it, and addresses that
// instructions have accessed.
//
//===----------------------------------------------------------------------===//
#include "sample/Accesses.h"
#include "sample/Blocks.h"
#include "sample/Objects.h"
#include "sample/Records.h"
#include "sample/Ring.h"
#include "sample/inside/log.h"

#include <cstdio>
#include <cstring>
#include <linux/perf_event.h>

using namespace sample;

static int Failures;

static void expect(bool Is, const char *What, int Line) {
  if (!Is)
    std::printf("line %d: %s\n", Line, What);
  Failures += !Is;
}
#define EXPECT(condition) expect(condition, #condition, __LINE__)

/*===-- Ring buffers --------------------------------------------------------===*/

class Written {
public:
  static constexpr size_t Size = 256;
  perf_event_mmap_page Control{};
  char Data[Size]{};

  void put(uint32_t Type, const std::string &Contents) {
    const Head Its{Type, 0, static_cast<uint16_t>(sizeof(Head) + Contents.size())};
    std::string All(reinterpret_cast<const char *>(&Its), sizeof Its);
    All += Contents;
    for (const char Byte : All)
      Data[Control.data_head++ % Size] = Byte;
  }
};

/// Records that go on at the start of the ring are whole, and their room is free again.
static void testRing() {
  Written Kernel;
  Ring Its(&Kernel.Control, Kernel.Data, Written::Size);
  size_t Seen = 0;
  for (unsigned Round = 0; Round < 40; ++Round) {
    const std::string Text(56 + Round % 8 * 8, static_cast<char>('a' + Round % 26));
    Kernel.put(PERF_RECORD_COMM, Text);
    Kernel.put(PERF_RECORD_EXIT, Text.substr(0, 16));
    Its.drain([&](const Head &Found, std::string_view Contents) {
      ++Seen;
      EXPECT(Contents == (Found.Type == PERF_RECORD_COMM ? Text : Text.substr(0, 16)));
    });
    EXPECT(Kernel.Control.data_tail == Kernel.Control.data_head);
  }
  EXPECT(Seen == 80);
  Kernel.put(PERF_RECORD_EXIT, "");
  Kernel.Data[(Kernel.Control.data_head - 2) % Written::Size] = 4; /* a size that cannot be */
  Its.drain([&](const Head &, std::string_view) { ++Seen; });
  EXPECT(Seen == 80 && Kernel.Control.data_tail == Kernel.Control.data_head);
}

/*===-- Records -------------------------------------------------------------===*/

static std::string numbers(std::initializer_list<uint64_t> All) {
  std::string Out;
  for (const uint64_t Each : All)
    Out.append(reinterpret_cast<const char *>(&Each), sizeof Each);
  return Out;
}

static void testRecords() {
  Records All;
  Source Timer;
  Timer.Fields = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_REGS_USER;
  Timer.UserRegisters = 0x81; /* AX and SP */
  Timer.Ids = {7};
  Source Faults;
  Faults.Fields = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_ADDR;
  Faults.Ids = {8};
  All.add(Timer);
  All.add(Faults);
  const auto First = All.read(PERF_RECORD_SAMPLE, 0, numbers({7, 0x1000, 2, 11, 12}));
  const auto *S = First ? std::get_if<Sample>(&First->What) : nullptr;
  EXPECT(S && S->From == 0 && S->Code == 0x1000 && S->User.has(0) && S->User.Values[0] == 11 &&
         S->User.Values[Registers::Sp] == 12 && !S->User.has(1));
  const auto Second = All.read(PERF_RECORD_SAMPLE, 0, numbers({8, 0x1000, 0x2000}));
  S = Second ? std::get_if<Sample>(&Second->What) : nullptr;
  EXPECT(S && S->From == 1 && S->Address == 0x2000);
  EXPECT(!All.read(PERF_RECORD_SAMPLE, 0, numbers({7, 0x1000, 2, 11}))); /* too short */
  EXPECT(!All.read(PERF_RECORD_SAMPLE, 0, numbers({9, 0x1000, 0})));     /* nobody's */
  const auto Gone = All.read(PERF_RECORD_LOST, 0, numbers({7, 5}));
  EXPECT(Gone && std::get<Lost>(Gone->What).Count == 5);
  EXPECT(All.read(PERF_RECORD_THROTTLE, 0, numbers({1, 7, 7})).has_value());
  EXPECT(All.read(PERF_RECORD_AUX, 0, numbers({0, 64, 0})).has_value() && All.unknown() == 1);
}

/*===-- Blocks --------------------------------------------------------------===*/

static sample_log_slot slot(sample_log_kind Kind, uint64_t Time, uint64_t Address, uint64_t Bytes,
                            uint64_t Chain) {
  sample_log_slot Its{};
  Its.kind = Kind;
  Its.process = 1;
  Its.time = Time;
  Its.address = Address;
  Its.bytes = Bytes;
  Its.chain = Chain;
  return Its;
}

/// A log with a slot that was never finished, and more than it has room for.
static std::string logOf(const std::vector<sample_log_slot> &All) {
  const sample_log_head Its{.used = 99, .slots = 1 + All.size(), .spare = {}};
  std::string Out(reinterpret_cast<const char *>(&Its), sizeof Its);
  for (const sample_log_slot &Each : All)
    Out.append(reinterpret_cast<const char *>(&Each), sizeof Each);
  return Out;
}

/// Two blocks have one address after the other: what was seen of each stays its own.
static void testBlocks() {
  sample_log_slot Text{};
  Text.kind = SAMPLE_LOG_TEXT;
  std::strcpy(Text.text, "grid<main\n401000 402000 ");
  const BlockLog Log = readBlocks(logOf(
      {slot(SAMPLE_LOG_CHAIN, 0, 0, 24, 0), Text, slot(SAMPLE_LOG_ALLOCATED, 10, 0x9000, 8192, 1),
       slot(SAMPLE_LOG_NOTHING, 0, 0, 0, 0), slot(SAMPLE_LOG_FREED, 20, 0x9000, 0, 0),
       slot(SAMPLE_LOG_ALLOCATED, 30, 0x9000, 4096, 1)}));
  EXPECT(Log.IsFull && Log.Chains.size() == 1 && Log.Events.size() == 3);
  EXPECT(Log.Chains.at(1).Key == "grid<main" &&
         Log.Chains.at(1).Calls == (std::vector<uint64_t>{0x401000, 0x402000}));
  Processes All;
  Process &Its = All.of(1);
  Its.threadOf(1);
  for (const uint64_t Time : {15, 16, 35, 5})
    Its.Uses.push_back({.Address = 0x9010, .Time = Time});
  const Objects Known = objectsOf(All, Its, &Log);
  EXPECT(Known.Arrays.size() == 2 && Known.Chains.size() == 1 &&
         Known.Chains[0].Key == "grid<main");
  EXPECT(Known.Arrays.size() == 2 && Known.Arrays[0].Instances == 1 &&
         Known.Arrays[0].Bytes == 8192 && Known.Arrays[1].Instances == 0 &&
         Known.Arrays[1].Start == 0x9000);
  EXPECT(Known.Uses[0].Address == 0x9010); /* before there was a block */
  EXPECT(Known.Uses[1].Address == Known.Arrays[0].Start + 0x10 && Known.Uses[3].Address == 0x9010);
}

/*===-- Instructions --------------------------------------------------------===*/

extern "C" {
extern char in_loop[], after_load[], after_sum[], after_chase[], after_update[], after_static[],
    after_push[], after_store[], behind_loop[], at_copy[];
char table_of_steps[8];
}

__asm__(".text\n.type steps,@function\nsteps:\n.cfi_startproc\n"
        "mov 16(%rdi,%rsi,8),%rax\n"
        "after_load: add $1,%rdx\n"
        "after_sum: mov (%rbx),%rbx\n"
        "after_chase: add %rdx,8(%rcx)\n"
        "after_update: incq table_of_steps(%rip)\n"
        "after_static: push %rbx\n"
        "after_push: movsd %xmm0,-8(%r9)\n"
        "after_store: nop\n"
        "in_loop: add $8,%rdi\n"
        "cmpq $0,(%rsi)\n"
        "jne in_loop\n"
        "behind_loop: nop\n"
        "at_copy: rep movsb\n"
        "ret\n.cfi_endproc\n.size steps,.-steps\n");

static void testInstructions() {
  const Code Own("/proc/self/exe");
  Instructions All;
  Registers Values;
  Values.Known = 0xff00ff;
  for (unsigned I = 0; I < Registers::Count; ++I)
    Values.Values[I] = 0x10000 * (I + 1);
  const uint64_t Cx = 0x30000, Si = 0x50000, Di = 0x60000, R9 = 0x120000;
  const auto Before = [&](const char *Label) {
    return All.before(Own, reinterpret_cast<uint64_t>(Label), 0, Values);
  };
  const auto Is = [](const Access &Its, uint64_t Address, bool Reads, bool Writes) {
    return Its.What == Access::Result::Known && Its.Address == Address && Its.Reads == Reads &&
           Its.Writes == Writes;
  };
  EXPECT(Is(Before(after_load), Di + 8 * Si + 16, true, false));
  EXPECT(Before(after_sum).What == Access::Result::None);
  EXPECT(Before(after_chase).What == Access::Result::Gone);
  EXPECT(Is(Before(after_update), Cx + 8, true, true));
  EXPECT(Is(Before(after_static), reinterpret_cast<uint64_t>(table_of_steps), true, true));
  EXPECT(Before(after_push).What == Access::Result::None);
  EXPECT(Is(Before(after_store), R9 - 8, false, true));
  EXPECT(Is(Before(in_loop), Si, true, false));
  EXPECT(Is(Before(behind_loop), Si, true, false));
  EXPECT(Is(Before(at_copy), Di, true, true));
  Values.Known &= ~(1U << 2); /* CX is not told */
  EXPECT(Before(after_update).What == Access::Result::Gone);
  EXPECT(All.before(Own, 0x10, 0, Values).What == Access::Result::NotKnown);
}

int main() {
  testRing();
  testRecords();
  testBlocks();
  testInstructions();
  return Failures != 0;
}
