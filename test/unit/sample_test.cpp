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
#include "sample/ProfileFile.h"
#include "sample/Records.h"
#include "sample/Ring.h"

#include <cstdio>
#include <cstring>
#include <linux/perf_event.h>
#include <map>
#include <tuple>

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
  const auto Packets = All.read(PERF_RECORD_AUX, 0, numbers({32, 64, PERF_AUX_FLAG_TRUNCATED}));
  const auto *T = Packets ? std::get_if<Traced>(&Packets->What) : nullptr;
  EXPECT(T && T->Offset == 32 && T->Bytes == 64 && T->IsTruncated);
  EXPECT(All.read(PERF_RECORD_UNTHROTTLE, 0, numbers({1, 7, 7})) && All.unknown() == 1);
}

/*===-- Blocks --------------------------------------------------------------===*/

/// A log of a few slots, as a program fills it.
class LogOf {
public:
  static constexpr uint64_t Slots = 8;
  LogOf() { head().slots = Slots; }

  sample_log_head &head() { return *reinterpret_cast<sample_log_head *>(All); }
  sample_log_slot &put(uint32_t Kind, uint64_t Time, uint64_t Address = 0, uint64_t Bytes = 0) {
    sample_log_slot &Its = All[1 + head().taken++ % Slots];
    Its = {};
    Its.kind = Kind;
    Its.process = 1;
    Its.time = Time;
    Its.address = Address;
    Its.bytes = Bytes;
    return Its;
  }
  void putChain(uint64_t Number, const std::string &Text) {
    sample_log_slot &Its = put(SAMPLE_LOG_CHAIN, 0);
    Its.chain = Number;
    Its.length = Text.size();
    for (size_t At = 0; At < Text.size(); At += SAMPLE_LOG_TEXT_BYTES)
      Text.copy(put(SAMPLE_LOG_TEXT, 0).text, SAMPLE_LOG_TEXT_BYTES, At);
  }
  LogReader reader() { return {&head(), Slots}; }

private:
  sample_log_slot All[1 + Slots]{};
};

static std::vector<Event> eventsOf(Order &Of) {
  std::vector<Event> List;
  Of.pass(UINT64_MAX, [&](const Event &Each) { List.push_back(Each); });
  return List;
}

/// What goes on at the start of the ring is whole, slots are free again once they are read, and one
/// that is not finished holds up what is behind it for a second.
static void testLog() {
  LogOf Log;
  LogReader Its = Log.reader();
  Order Seen;
  const std::string Text = "grid<main\n401000 402000 " + std::string(60, ' ');
  for (uint64_t Round = 1; Round < 20; ++Round) {
    Log.putChain(Round, Text);
    Log.put(SAMPLE_LOG_ALLOCATED, Round, 0x9000, 4096).chain = Round;
    EXPECT(Its.drain(Seen, 0) && Log.head().read == Log.head().taken);
    EXPECT(Its.chains().at(Round).Key == "grid<main" &&
           Its.chains().at(Round).Calls == (std::vector<uint64_t>{0x401000, 0x402000}));
    EXPECT(eventsOf(Seen).size() == 1);
  }
  Log.put(SAMPLE_LOG_NOTHING, 0);
  Log.put(SAMPLE_LOG_THREAD, 30, 0, 5).thread = 77;
  EXPECT(!Its.drain(Seen, 1000) && eventsOf(Seen).empty());
  EXPECT(!Its.drain(Seen, 1000 + LogReader::Long - 1) && eventsOf(Seen).empty());
  EXPECT(Its.drain(Seen, 1000 + LogReader::Long));
  const std::vector<Event> Last = eventsOf(Seen);
  const auto *Thread = Last.size() == 1 ? std::get_if<Numbered>(&Last[0].What) : nullptr;
  EXPECT(Thread && Thread->Thread == 77 && Thread->Number == 5);
  Log.put(SAMPLE_LOG_CHAIN, 40).length = UINT64_MAX; /* text that is not there */
  EXPECT(Its.drain(Seen, 0) && Log.head().read == Log.head().taken);
  Log.head().taken += 1000; /* which nobody can have filled */
  EXPECT(Its.drain(Seen, 0));
}

static Event allocated(uint64_t Time, uint64_t Address, uint64_t Bytes, uint32_t Process = 1) {
  BlockEvent Its;
  Its.Process = Process;
  Its.Address = Address;
  Its.Bytes = Bytes;
  Its.Chain = 1;
  return {Time, Its};
}

static Event freed(uint64_t Time, uint64_t Address) {
  BlockEvent Its;
  Its.Process = 1;
  Its.IsFreed = true;
  Its.Address = Address;
  return {Time, Its};
}

/// A first touch by a source of faults alone, which is an access as well.
static Event used(uint64_t Time, uint64_t Address, uint32_t Process = 1, uint32_t Thread = 0) {
  Sample Its;
  Its.Process = Process;
  Its.Thread = Thread ? Thread : Process;
  Its.Code = 0x1000;
  Its.Address = Address;
  return {Time, Its};
}

static std::vector<Source> faults() {
  Source Its;
  Its.Type = PERF_TYPE_SOFTWARE;
  Its.Config = PERF_COUNT_SW_PAGE_FAULTS;
  Its.Period = 1;
  return {Its};
}

/// Two blocks have one address after the other: what was seen of each stays its own. A child of
/// fork() has its parent's blocks; what comes where an end was missed ends what was there.
static void testBlocks() {
  const Chains Known{{1, {"grid<main", {}}}};
  const std::vector<Source> From = faults();
  Processes All;
  for (const Event &Each :
       {used(5, 0x9010), allocated(10, 0x9000, 8192), used(15, 0x9010), freed(20, 0x9000),
        allocated(30, 0x9000, 4096), used(35, 0x9010), allocated(36, 0x20000, 8192),
        Event{40, Forked{2, 1, 2, 1}}, used(41, 0x20010, 2), allocated(42, 0x20100, 64, 2),
        used(43, 0x20010, 2), used(44, 0x20110, 2)})
    All.take(Each, From);
  const Objects Its = objectsOf(All, All.of(1), &Known, 1);
  EXPECT(Its.Arrays.size() == 2 && Its.Chains.size() == 1 && Its.Chains[0].Key == "grid<main");
  EXPECT(Its.Arrays.size() == 2 && Its.Arrays[0].Instances == 1 && Its.Arrays[0].Bytes == 8192 &&
         Its.Arrays[1].Instances == 0 && Its.Arrays[1].Start == 0x9000);
  EXPECT(Its.Uses.size() == 6 && Its.Uses[0].Address == 0x9010); /* before there was a block */
  EXPECT(Its.Uses.size() == 6 && Its.Uses[2].Address == Its.Arrays[0].Start + 0x10 &&
         Its.Uses[4].Address == 0x9010);
  const Objects Child = objectsOf(All, All.of(2), &Known, 1);
  EXPECT(Child.Arrays.size() == 2 && Child.Arrays[0].Instances == 1 && Child.Arrays[1].Bytes == 64);
}

/// Small blocks of a site are one array, with the pages that they were seen in.
static void testSmallBlocks() {
  const Chains Known{{1, {"node<main", {}}}};
  Processes All;
  All.of(1);
  for (uint64_t I = 0; I < 100; ++I) {
    All.take(allocated(I, 0x100000 + I * 256, 64), faults());
    All.take(used(I, 0x100000 + I * 256 + 8), faults());
  }
  const Objects Its = objectsOf(All, All.of(1), &Known, 4096);
  EXPECT(Its.Arrays.size() == 1 && Its.Arrays[0].Instances == 100 &&
         Its.Arrays[0].Bytes == uint64_t(7) * 4096);
  EXPECT(Its.Arrays.size() == 1 && Its.Uses.back().Address == Its.Arrays[0].Start + 99 * 256 + 8);
}

/// Of processes that nothing was seen of nothing is kept, and numbers are given anew.
static void testProcesses() {
  Processes All;
  All.keep(1);
  for (uint32_t I = 2; I < 1000; ++I) {
    All.take({I, Forked{I % 10 + 2, 1, I % 10 + 2, 1}}, faults());
    if (I == 500)
      All.take(used(I, 0x5000, I % 10 + 2), faults());
    All.take({I, Exited{I % 10 + 2, I % 10 + 2}}, faults());
  }
  EXPECT(All.all().size() == 2 && All.all().back().Id == 2 && All.all().back().accesses() > 0);
}

/// Threads go by what the run-time calls them; others are behind them if there are samples of them.
static void testThreads() {
  Processes All;
  const Chains Known;
  All.take(used(1, 0x5000), faults());
  for (const auto &[Thread, Number] : {std::pair(7U, 2U), {8U, UINT32_MAX}, {9U, 1U}, {10U, 2U}}) {
    All.take({2, Forked{1, 1, Thread, 1}}, faults());
    if (Number != UINT32_MAX)
      All.take({3, Numbered{1, Thread, Number}}, faults());
  }
  All.take(used(4, 0x5000, 1, 8), faults());
  All.take({5, Forked{1, 1, 11, 1}}, faults());
  const Objects Its = objectsOf(All, All.of(1), &Known, 1);
  EXPECT(Its.Threads.size() == 4);
  for (uint32_t I = 0; I < 3 && I < Its.Threads.size(); ++I)
    EXPECT(Its.Threads[I].What == maiprof::Thread::Kind::OpenMP && Its.Threads[I].Number == I);
  EXPECT(Its.Threads.back().What == maiprof::Thread::Kind::Other && Its.Threads.back().Number == 2);
}

/*===-- Instructions --------------------------------------------------------===*/

extern "C" {
extern char after_growth[], after_chase[], in_loop[], in_test[], behind_loop[], of_registers[],
    behind_alone[], in_wait[], behind_pause[], behind_wait[], behind_first[], behind_both[],
    in_both_loops[], at_copy[], behind_copy[];
char table_of_steps[8], wait_of_steps[8];
}

__asm__(".text\n.type steps,@function\nsteps:\n.cfi_startproc\n"
        "mov 16(%rdi,%rsi,8),%rax\n"
        "lea 8(%rdi),%rdi\n"
        "after_growth: mov (%rbx),%rbx\n"
        "after_chase: add %rdx,8(%rcx)\n"
        "incq table_of_steps(%rip)\n"
        "addsd steps(%rip),%xmm0\n" /* a constant */
        "push %rbx\n"
        "movsd %xmm0,-8(%r9)\n"
        "in_loop: add $8,%rdi\n"
        "in_test: cmpq $0,(%rdi)\n"
        "jne in_loop\n"
        "behind_loop: xor %rax,%rdx\n"
        "of_registers: jmp alone\n"
        "alone: mov (%rbx),%rbx\n"
        "behind_alone: jmp in_wait\n"
        "in_wait: pause\n"
        "behind_pause: cmpq %rdx,8(%rsi)\n"
        "jne in_wait\n"
        "behind_wait: nop\n"
        "in_both: cmpq $0,(%rsi)\n"
        "behind_first: jne behind_both\n"
        "cmpq $0,(%rdi)\n"
        "je in_both\n"
        "behind_both: nop\n"
        "in_both_loops: mov wait_of_steps(%rip),%ecx\n"
        "cmp %ecx,%edx\n"
        "jg in_both_loops\n"
        "incq table_of_steps(%rip)\n"
        "dec %edx\n"
        "jne in_both_loops\n"
        "at_copy: rep movsb\n"
        "behind_copy: ret\n.cfi_endproc\n.size steps,.-steps\n");

class SampledInstructions {
public:
  SampledInstructions() {
    Values.Known = 0xff00ff;
    for (unsigned I = 0; I < Registers::Count; ++I)
      Values.Values[I] = valueOf(I);
  }
  static uint64_t valueOf(unsigned Register) { return 0x10000 * (Register + 1); }

  Access at(const char *Label) {
    return All.sampled(Own, reinterpret_cast<uint64_t>(Label), 0, Values);
  }
  /// How often a thousand samples tell of each access that they can tell of.
  std::map<std::tuple<uint64_t, bool, bool>, unsigned> thousandAt(const char *Label) {
    std::map<std::tuple<uint64_t, bool, bool>, unsigned> Result;
    for (unsigned I = 0; I < 1000; ++I)
      if (const Access Its = at(Label); Its.What == Access::Result::Known)
        ++Result[{Its.Address, Its.Reads, Its.Writes}];
    return Result;
  }
  bool areOnly(const char *Label, uint64_t Address, bool Reads, bool Writes) {
    const auto All_ = thousandAt(Label);
    return All_.size() == 1 && All_.begin()->second == 1000 &&
           All_.begin()->first == std::tuple(Address, Reads, Writes);
  }

  const Code Own{"/proc/self/exe"};
  Instructions All;
  Registers Values;
};

/// A sample tells of each access of its basic block whose address its registers tell, equally often.
static void testBasicBlocks() {
  SampledInstructions Its;
  const uint64_t Bx = Its.valueOf(1), Cx = Its.valueOf(2), Si = Its.valueOf(4), Di = Its.valueOf(5),
                 R9 = Its.valueOf(17), Static = reinterpret_cast<uint64_t>(table_of_steps);
  const std::tuple Load(Di - 8 + 8 * Si + 16, true, false), Chase(Bx, true, false),
      Update(Cx + 8, true, true), Counter(Static, true, true), Store(R9 - 8, false, true);
  const auto Growth = Its.thousandAt(after_growth);
  EXPECT(Growth.size() == 5);
  for (const auto &Each : {Load, Chase, Update, Counter, Store})
    EXPECT(Growth.contains(Each) && Growth.at(Each) > 180 && Growth.at(Each) < 220);
  const auto Chased = Its.thousandAt(after_chase);
  EXPECT(Chased.size() == 4 && !Chased.contains(Chase));
  EXPECT(Its.areOnly(in_loop, Di, true, false));
  EXPECT(Its.areOnly(in_test, Di, true, false));
  EXPECT(Its.areOnly(behind_loop, Di, true, false));
}

/// What a sample tells nothing of, and why.
static void testOtherInstructions() {
  SampledInstructions Its;
  const uint64_t Di = Its.valueOf(5);
  EXPECT(Its.at(of_registers).What == Access::Result::None);
  EXPECT(Its.at(behind_alone).What == Access::Result::Gone);
  for (const char *Each :
       {in_wait, behind_pause, behind_wait, behind_first, behind_both, in_both_loops})
    EXPECT(Its.at(Each).What == Access::Result::Waits);
  EXPECT(Its.areOnly(at_copy, Di, true, true));
  EXPECT(Its.areOnly(behind_copy, Di - 8, true, true));
  Its.Values.Known &= ~(1U << 5); /* DI is not told */
  EXPECT(Its.at(in_loop).What == Access::Result::Gone);
  EXPECT(Its.All.sampled(Its.Own, 0x10, 0, Its.Values).What == Access::Result::NotKnown);
}

/*===-- First touches -------------------------------------------------------===*/

/// A page of which no fault was told, of a huge page or of a flood of faults, has been touched by
/// the thread of the nearest fault in the room of a huge page; without one there by its first user.
static void testTouches() {
  constexpr uint64_t PageBytes = 4096, Data = uint64_t(1) << 30;
  Objects Its;
  Its.Threads.resize(3);
  const auto add = [&](uint64_t Page, uint32_t Thread, bool IsTouch) {
    Use New;
    New.Address = Data + Page * PageBytes;
    New.Thread = Thread;
    New.IsTouch = IsTouch;
    Its.Uses.push_back(New);
  };
  add(0, 0, true);
  add(20, 1, true);
  for (const uint64_t Page : {2, 18, 20, 500, 600})
    add(Page, 2, false);
  Run Whole;
  Whole.Head.Sampled.emplace();
  std::string Error;
  const std::optional<maiprof::Profile> Read =
      maiprof::parse(profileOf(Whole, Process(1), Its), Error);
  EXPECT(Read && Read->Pages.size() == 5);
  const uint32_t Expected[] = {0, 1, 1, 1, 2};
  for (size_t I = 0; Read && I < Read->Pages.size(); ++I)
    EXPECT(Read->Pages[I].firstToucher() == Expected[I]);
}

int main() {
  testRing();
  testRecords();
  testLog();
  testBlocks();
  testSmallBlocks();
  testProcesses();
  testThreads();
  testBasicBlocks();
  testOtherInstructions();
  testTouches();
  return Failures != 0;
}
