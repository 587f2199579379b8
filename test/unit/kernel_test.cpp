//===-- kernel_test.cpp - processors that sample and are not here -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// In the place of perf_event_open() stands one that answers as kernels on such processors do, and
// fills its rings from a recording: what is asked for, and what is made of what comes.
//
//===----------------------------------------------------------------------===//
#include "check.h"
#include "sample/Kernel.h"
#include "sample/Processes.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <linux/perf_event.h>
#include <map>
#include <sys/mman.h>

using namespace sample;
using maiprof::Served;

namespace {

/*===-- The machine ---------------------------------------------------------===*/

constexpr size_t Page = 4096, RingPages = 4; /* it locks no more */
constexpr uint64_t LoadsConfig = 0x1cd, StoresConfig = 0x2cd, LeaderConfig = 0x8203;
constexpr uint32_t CpuType = 4, IbsType = 11, SpeType = 9;
constexpr uint64_t SpeConfig = uint64_t(6) << 32 | 1, SpePhysical = 2;

/// As sysfs shows it.
class Devices {
public:
  Devices() {
    std::string Name = std::filesystem::temp_directory_path() / "kernel_test.XXXXXX";
    Folder = mkdtemp(Name.data()) ? Name : "";
  }
  ~Devices() { std::filesystem::remove_all(Folder); }
  Devices(const Devices &) = delete;
  Devices &operator=(const Devices &) = delete;

  void put(const std::string &File, const std::string &Text) const {
    const std::filesystem::path Whole = Folder + "/" + File;
    std::filesystem::create_directories(Whole.parent_path());
    std::ofstream(Whole) << Text << "\n";
  }
  void addIntel() const {
    put("cpu/type", "4");
    put("cpu/format/event", "config:0-7");
    put("cpu/format/umask", "config:8-15");
    put("cpu/format/ldlat", "config1:0-15");
    put("cpu/events/mem-loads", "event=0xcd,umask=0x1,ldlat=3");
    put("cpu/events/mem-loads-aux", "event=0x03,umask=0x82");
    put("cpu/events/mem-stores", "event=0xcd,umask=0x2");
  }
  void addAmd() const {
    put("ibs_op/type", "11");
    put("ibs_op/format/cnt_ctl", "config:19");
  }
  void addArm() const {
    put("arm_spe_0/type", "9");
    put("arm_spe_0/caps/min_interval", "1024");
    put("arm_spe_0/format/ts_enable", "config:0");
    put("arm_spe_0/format/pa_enable", "config:1");
    put("arm_spe_0/format/load_filter", "config:33");
    put("arm_spe_0/format/store_filter", "config:34");
    put("arm_spe_0/format/min_latency", "config2:0-11");
  }
  const std::string &name() const { return Folder; }

private:
  std::string Folder;
};

struct Opened {
  perf_event_attr Its{};
  unsigned Cpu = 0;
  int Leader = -1;
};

class Machine : public Calls {
public:
  ~Machine() override {
    for (const auto &All : {Rings, Packets})
      for (const auto &[File, Ring] : All)
        std::free(Ring);
  }

  int open(const perf_event_attr &Its, pid_t, unsigned Cpu, int Leader) override {
    errno = Its.precise_ip > MostPrecise ? EOPNOTSUPP : EACCES;
    if (Its.precise_ip > MostPrecise || Its.type == ForbiddenType ||
        (ForbidsPhysical && Its.sample_type & PERF_SAMPLE_PHYS_ADDR))
      return -1;
    Events.push_back({Its, Cpu, Leader});
    return static_cast<int>(Events.size() - 1);
  }
  void *map(int File, size_t Bytes, size_t Offset) override {
    if (Bytes > (1 + RingPages) * Page || (Offset && !controlOf(File)))
      return MAP_FAILED;
    void *New = std::aligned_alloc(Page, Bytes);
    std::memset(New, 0, Bytes);
    (Offset ? Packets : Rings)[File] = static_cast<char *>(New);
    return New;
  }
  void unmap(void *, size_t) override {}
  int control(int File, unsigned long What, void *Argument) override {
    if (What == PERF_EVENT_IOC_ID)
      *static_cast<uint64_t *>(Argument) = idOf(File);
    if (What == PERF_EVENT_IOC_SET_OUTPUT)
      Output[File] = static_cast<int>(reinterpret_cast<intptr_t>(Argument));
    if (What == PERF_EVENT_IOC_ENABLE || What == PERF_EVENT_IOC_DISABLE)
      IsOff[File] = What == PERF_EVENT_IOC_DISABLE;
    return 0;
  }
  void close(int) override {}
  unsigned cpus() const override { return 2; }

  static uint64_t idOf(int File) { return 1000 + static_cast<uint64_t>(File); }

  /// The event of that kind on a CPU; -1: there is none.
  int find(uint32_t Type, uint64_t Config, unsigned Cpu) const {
    const auto At = std::find_if(Events.begin(), Events.end(), [&](const Opened &E) {
      return E.Its.type == Type && E.Its.config == Config && E.Cpu == Cpu;
    });
    return At == Events.end() ? -1 : static_cast<int>(At - Events.begin());
  }

  /// The kernel's own event of a period on the first CPU; -1: there is none.
  int findPeriod(uint64_t Config, uint64_t Period) const {
    const auto At = std::find_if(Events.begin(), Events.end(), [&](const Opened &E) {
      return E.Its.type == PERF_TYPE_SOFTWARE && E.Its.config == Config &&
             E.Its.sample_period == Period;
    });
    return At == Events.end() ? -1 : static_cast<int>(At - Events.begin());
  }

  /// What it was told last to be.
  bool isOff(int File) const {
    const auto Known = IsOff.find(File);
    return Known != IsOff.end() && Known->second;
  }
  bool isOn(int File) const {
    const auto Known = IsOff.find(File);
    return Known != IsOff.end() && !Known->second;
  }

  /// As the kernel writes it: not at all where there is no room. \returns whether there was
  bool put(int File, uint32_t Type, const std::string &Contents) {
    char *Ring = Rings.at(Output.contains(File) ? Output[File] : File);
    auto *Control = reinterpret_cast<perf_event_mmap_page *>(Ring);
    const uint64_t Room = RingPages * Page - (Control->data_head - Control->data_tail);
    const perf_event_header Its{Type, 2, static_cast<uint16_t>(sizeof Its + Contents.size())};
    if (Its.size > Room)
      return false;
    std::string All(reinterpret_cast<const char *>(&Its), sizeof Its);
    All += Contents;
    for (const char Byte : All)
      Ring[Page + Control->data_head++ % (RingPages * Page)] = Byte;
    return true;
  }

  /// As the processor does, on and on from the end to the start. \returns where they begin
  uint64_t putPackets(int File, const std::string &Its) {
    perf_event_mmap_page *Control = controlOf(File);
    CHECK(Control->aux_head + Its.size() - Control->aux_tail <= Control->aux_size);
    const uint64_t Begin = Control->aux_head;
    for (const char Byte : Its)
      Packets.at(File)[Control->aux_head++ % Control->aux_size] = Byte;
    return Begin;
  }

  /// What the first page of an event's ring tells; null: it has none.
  perf_event_mmap_page *controlOf(int File) {
    const auto Known = Rings.find(File);
    return Known == Rings.end() ? nullptr : reinterpret_cast<perf_event_mmap_page *>(Known->second);
  }

  std::vector<Opened> Events;
  bool ForbidsPhysical = false;
  unsigned MostPrecise = 2;
  uint32_t ForbiddenType = UINT32_MAX;

private:
  std::map<int, char *> Rings, Packets;
  std::map<int, int> Output;
  std::map<int, bool> IsOff;
};

/*===-- The recording -------------------------------------------------------===*/

std::string numbers(std::initializer_list<uint64_t> All) {
  std::string Out;
  for (const uint64_t Each : All)
    Out.append(reinterpret_cast<const char *>(&Each), sizeof Each);
  return Out;
}

constexpr uint32_t Program = 77;
constexpr uint64_t Code = 0x401000, Data = 0x7f0000000000, Tid = uint64_t(Program) << 32 | Program;

struct Taken {
  uint64_t Time = 0, Address = 0, Period = 1, Latency = 0, Served = 0;
};

/// In the order of perf_event_open(2).
std::string sampleOf(const Machine &From, int File, const Taken &Its) {
  const Opened &Event = From.Events[static_cast<size_t>(File)];
  CHECK(Event.Its.sample_type == (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
                                  PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_CPU |
                                  PERF_SAMPLE_PERIOD | PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC));
  return numbers({Machine::idOf(File), Code, Tid, Its.Time, Its.Address, Event.Cpu, Its.Period,
                  Its.Latency, Its.Served});
}

std::string trailer(uint64_t Time, int File) {
  return numbers({Tid, Time, 0, Machine::idOf(File)});
}

constexpr uint64_t levels(uint64_t Bits) { return Bits << PERF_MEM_LVL_SHIFT; }
constexpr uint64_t Load = PERF_MEM_OP_LOAD, Store = PERF_MEM_OP_STORE;
constexpr uint64_t FromL1 = levels(PERF_MEM_LVL_L1 | PERF_MEM_LVL_HIT);
constexpr uint64_t FromHere = levels(PERF_MEM_LVL_LOC_RAM | PERF_MEM_LVL_HIT);
constexpr uint64_t FromThere = levels(PERF_MEM_LVL_REM_RAM1 | PERF_MEM_LVL_HIT);
constexpr uint64_t FromThereByNumber =
    uint64_t(PERF_MEM_LVLNUM_RAM) << PERF_MEM_LVLNUM_SHIFT | uint64_t(1) << PERF_MEM_REMOTE_SHIFT;
constexpr uint64_t FromOtherCpu = levels(PERF_MEM_LVL_L3 | PERF_MEM_LVL_HIT) |
                                  uint64_t(PERF_MEM_SNOOP_HITM) << PERF_MEM_SNOOP_SHIFT;

/// Takes what is in the rings.
void drain(Kernel &From, Processes &To) {
  Order Waiting;
  From.drain(Waiting);
  Waiting.pass(UINT64_MAX, [&](const Event &Its) { To.take(Its, From.sources()); });
}

Wanted wanted(Unit Processor) {
  Wanted Result;
  Result.Processor = Processor;
  Result.Latency = 50;
  return Result;
}

/// A program whose threads are being recorded.
struct Recording {
  /// By a unit that the machine has.
  Recording(void (Devices::*AddUnit)() const, Unit Of,
            const std::vector<pid_t> &Threads = {Program})
      : From(Its, Shown.name()) {
    (Shown.*AddUnit)();
    open(wanted(Of), true, Threads);
  }
  /// By what the kernel has on any machine.
  explicit Recording(const Wanted &What, bool FromExec = true) : From(Its, Shown.name()) {
    open(What, FromExec, {Program});
  }

  const Devices Shown;
  Machine Its;
  Kernel From;
  Processes Read;

private:
  void open(const Wanted &What, bool FromExec, const std::vector<pid_t> &Threads) {
    std::string Refused;
    CHECK(From.open(Threads, FromExec, What, Refused));
  }
};

/// The timer at a pace, and page faults.
Wanted paced() {
  Wanted Result;
  Result.IsPaced = true;
  return Result;
}

/*===-- Tests ---------------------------------------------------------------===*/

/// Of Intel's, loads of a latency with the event in front that new ones need, and stores; as exact
/// as it can be.
void testPebsAsked() {
  const Devices Shown;
  Shown.addIntel();
  Machine Its;
  Kernel From(Its, Shown.name());
  std::string Refused;
  CHECK(From.open({Program}, true, wanted(Unit::Any), Refused) && Refused.empty());
  CHECK(From.sources().size() == 4 && From.sources()[0].Name == "cpu/mem-loads,ldlat=50/" &&
        From.sources()[1].Name == "cpu/mem-stores/" && From.sources()[2].Name == "page-faults");
  const int Loads = Its.find(CpuType, LoadsConfig, 1), Stores = Its.find(CpuType, StoresConfig, 1),
            Faults = Its.find(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, 1);
  CHECK(Loads >= 0 && Stores >= 0 && Faults >= 0 &&
        Its.find(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, 0) < 0);
  const Opened &L = Its.Events[static_cast<size_t>(Loads)];
  CHECK(L.Its.config1 == 50 && L.Its.precise_ip == 2 && L.Its.freq && L.Its.sample_freq == 1000 &&
        L.Its.exclude_kernel && L.Its.enable_on_exec && L.Its.mmap2 && L.Its.inherit);
  CHECK(L.Leader >= 0 && Its.Events[static_cast<size_t>(L.Leader)].Its.config == LeaderConfig &&
        Its.Events[static_cast<size_t>(L.Leader)].Its.sample_freq == 0 &&
        Its.Events[static_cast<size_t>(L.Leader)].Cpu == 1);
  const Opened &S = Its.Events[static_cast<size_t>(Stores)];
  CHECK(S.Leader < 0 && S.Its.config1 == 0 && !S.Its.mmap2);
}

/// Rings wrap around many times in the middle of records, which come from several events.
void testPebsTaken() {
  constexpr uint64_t Samples = 4000;
  const uint64_t Kinds[] = {Load | FromL1, Load | FromHere, Load | FromThere,
                            Load | FromThereByNumber, Load | FromOtherCpu};
  const Served By[] = {Served::Caches, Served::LocalMemory, Served::RemoteMemory,
                       Served::RemoteMemory, Served::OtherCache};
  Recording Now(&Devices::addIntel, Unit::Pebs);
  auto &[Shown, Its, From, Read] = Now;
  const int Loads = Its.find(CpuType, LoadsConfig, 0), Stores = Its.find(CpuType, StoresConfig, 0);
  for (uint64_t I = 0; I < Samples; ++I) {
    const bool IsStore = I % 10 == 9;
    const int File = IsStore ? Stores : Loads;
    const Taken New{100 + I, Data + 64 * I, 10 + I % 3, IsStore ? 0 : 50 + I,
                    IsStore ? Store | FromL1 : Kinds[I % 5]};
    CHECK(Its.put(File, PERF_RECORD_SAMPLE, sampleOf(Its, File, New)));
    if (I % 100 == 99)
      drain(From, Read);
  }
  const std::vector<Use> &Uses = Read.of(Program).Uses;
  CHECK(Uses.size() == Samples);
  for (uint64_t I = 0; I < Uses.size(); ++I) {
    const bool IsStore = I % 10 == 9;
    CHECK(Uses[I].Address == Data + 64 * I && Uses[I].Time == 100 + I &&
          Uses[I].Weight == 10 + I % 3 && Uses[I].IsWrite == IsStore &&
          Uses[I].Cycles == (IsStore ? 0 : 50 + I) &&
          Uses[I].By == (IsStore ? Served::Caches : By[I % 5]));
  }
  CHECK(samplingOf(From.sources(), Read).Of == maiprof::Sampling::Unit::Accesses);
}

/// What the kernel has lost or throttled is counted; packets in another buffer are none of ours.
void testLost() {
  Recording Now(&Devices::addIntel, Unit::Pebs);
  auto &[Shown, Its, From, Read] = Now;
  const int Loads = Its.find(CpuType, LoadsConfig, 0);
  uint64_t Written = 0, Dropped = 0;
  for (uint64_t I = 0; I < 300; ++I)
    (Its.put(Loads, PERF_RECORD_SAMPLE, sampleOf(Its, Loads, {I, Data, 1, 60, Load | FromHere}))
         ? Written
         : Dropped)++;
  CHECK(Dropped > 0);
  drain(From, Read);
  CHECK(Read.of(Program).Uses.size() == Written);
  const uint64_t Id = Machine::idOf(Loads);
  CHECK(Its.put(Loads, PERF_RECORD_LOST, numbers({Id, Dropped}) + trailer(400, Loads)));
  CHECK(Its.put(Loads, PERF_RECORD_THROTTLE, numbers({401, Id, Id}) + trailer(401, Loads)));
  CHECK(Its.put(Loads, PERF_RECORD_UNTHROTTLE, numbers({402, Id, Id}) + trailer(402, Loads)));
  CHECK(Its.put(Loads, PERF_RECORD_AUX, numbers({0, 4096, 0}) + trailer(403, Loads)));
  CHECK(Its.put(Loads, PERF_RECORD_SAMPLE,
                sampleOf(Its, Loads, {404, Data, 1, 60, Load | FromHere})));
  drain(From, Read);
  CHECK(Read.lost() == Dropped && Read.throttled() == 1 &&
        Read.of(Program).Uses.size() == Written + 1);
}

/// One of the timer or of a page fault, in the order of perf_event_open(2): the last field is an
/// address, or the registers' form.
std::string softwareSample(int File, uint64_t AddressOrCpu) {
  return numbers({Machine::idOf(File), Code, Tid, 100, AddressOrCpu, 0});
}

/// A flood of page faults fills no buffer but its own: the timer's samples are there all the same.
void testFlood() {
  Recording Now{Wanted()};
  auto &[Shown, Its, From, Read] = Now;
  CHECK(From.sources().size() == 3);
  const int Timer = Its.find(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, 0),
            Faults = Its.findPeriod(PERF_COUNT_SW_PAGE_FAULTS, 1);
  while (Its.put(Faults, PERF_RECORD_SAMPLE, softwareSample(Faults, Data)))
    ;
  CHECK(Its.put(Timer, PERF_RECORD_LOST, numbers({Machine::idOf(Timer), 3}) + trailer(101, Timer)));
  drain(From, Read);
  CHECK(Read.lost() == 3);
}

/// Where the first touches of pages come in a flood, one of 16 is told, until telling of those
/// before is a small part of the time again.
void testTouchesInFlood() {
  constexpr uint64_t Exactly = 4096, InSecond = 5000, Second = 1000000000;
  Recording Now{Wanted()};
  Machine &Its = Now.Its;
  Kernel &From = Now.From;
  const int Each = Its.findPeriod(PERF_COUNT_SW_PAGE_FAULTS, 1),
            Some = Its.findPeriod(PERF_COUNT_SW_PAGE_FAULTS, 16);
  CHECK(Each >= 0 && Some >= 0);
  From.keepPace(1);
  const auto Touch = [&](uint64_t Times) {
    for (uint64_t I = 0; I < Times; ++I) {
      CHECK(Its.put(Each, PERF_RECORD_SAMPLE, softwareSample(Each, Data)));
      drain(From, Now.Read);
    }
  };
  Touch(Exactly);
  From.keepPace(2);
  CHECK(!Its.isOff(Each));
  Touch(1);
  From.keepPace(3);
  CHECK(Its.isOff(Each) && !Its.isOff(Some));
  From.keepPace(1 + Second);
  CHECK(!Its.isOff(Each));
  Touch(InSecond - 1);
  From.keepPace(1 + Second);
  CHECK(!Its.isOff(Each));
  Touch(1);
  From.keepPace(1 + Second);
  CHECK(Its.isOff(Each));
}

/// The timer is fast at first and slower in two steps; its samples stand for more time then. What
/// is mapped is told all the time.
void testPaced() {
  constexpr uint64_t AQuarter = 250000000, TenSeconds = 10000000000;
  Wanted What = paced();
  What.Faults = false;
  Recording Now(What);
  Machine &Its = Now.Its;
  Kernel &From = Now.From;
  CHECK(From.sources().size() == 4);
  const int Fast = Its.findPeriod(PERF_COUNT_SW_CPU_CLOCK, 1000000),
            Slow = Its.findPeriod(PERF_COUNT_SW_CPU_CLOCK, 2000000),
            Slowest = Its.findPeriod(PERF_COUNT_SW_CPU_CLOCK, 4000000),
            Teller = Its.findPeriod(PERF_COUNT_SW_DUMMY, 0);
  CHECK(Fast >= 0 && Slow >= 0 && Slowest >= 0 && Teller >= 0);
  const auto AttributesOf = [&](int File) { return Its.Events[static_cast<size_t>(File)].Its; };
  CHECK(AttributesOf(Fast).enable_on_exec && !AttributesOf(Slow).enable_on_exec &&
        !AttributesOf(Slowest).enable_on_exec && AttributesOf(Teller).enable_on_exec);
  CHECK(!AttributesOf(Fast).mmap2 && !AttributesOf(Slow).mmap2 && AttributesOf(Teller).mmap2);
  CHECK(From.sources()[1].Weight == 1 && From.sources()[2].Weight == 2 &&
        From.sources()[3].Weight == 4);
  CHECK(samplingOf(From.sources(), Processes()).Period == 1000000);
  From.keepPace(1);
  From.keepPace(AQuarter);
  CHECK(!Its.isOff(Fast) && !Its.isOn(Slow));
  From.keepPace(1 + AQuarter);
  CHECK(Its.isOff(Fast) && Its.isOn(Slow) && !Its.isOn(Slowest) && !Its.isOff(Teller));
  From.keepPace(TenSeconds);
  CHECK(Its.isOn(Slow) && !Its.isOn(Slowest));
  From.keepPace(1 + TenSeconds);
  CHECK(Its.isOff(Fast) && Its.isOff(Slow) && Its.isOn(Slowest) && !Its.isOff(Teller));
}

/// Of a timer at a pace, beside page faults: one of these tells what is mapped, so that three events
/// are on and no more; the timer is named first all the same.
void testPacedTeller() {
  Recording Now(paced());
  const Machine &Its = Now.Its;
  CHECK(Its.find(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY, 0) < 0);
  int AreOn = 0, Tell = 0;
  for (const Opened &Each : Its.Events) {
    AreOn += Each.Cpu == 0 && Each.Its.enable_on_exec;
    Tell += Each.Cpu == 0 && Each.Its.mmap2;
  }
  CHECK(AreOn == 3 && Tell == 1);
  const auto Some = static_cast<size_t>(Its.findPeriod(PERF_COUNT_SW_PAGE_FAULTS, 16));
  CHECK(Its.Events[Some].Its.mmap2 && Its.Events[Some].Its.enable_on_exec);
  const maiprof::Sampling Said = samplingOf(Now.From.sources(), Now.Read);
  CHECK(Said.Source == "cpu-clock and page-faults" && Said.Period == 1000000);
}

/// What has ended stays so.
void testPacedEnd() {
  Recording Now(paced());
  Machine &Its = Now.Its;
  Kernel &From = Now.From;
  From.keepPace(1);
  From.end();
  From.keepPace(uint64_t(1) << 60);
  for (size_t File = 0; File < Its.Events.size(); ++File)
    CHECK(Its.isOff(static_cast<int>(File)));
}

/// Of a program that runs already the fast timer is on at first, and the slow one off.
void testPacedAttached() {
  Recording Now(paced(), false);
  Machine &Its = Now.Its;
  Kernel &From = Now.From;
  From.begin();
  CHECK(Its.isOn(Its.findPeriod(PERF_COUNT_SW_CPU_CLOCK, 1000000)) &&
        Its.isOff(Its.findPeriod(PERF_COUNT_SW_CPU_CLOCK, 2000000)) &&
        Its.isOff(Its.findPeriod(PERF_COUNT_SW_CPU_CLOCK, 4000000)));
}

/// IBS samples instructions of all kinds: those that access nothing are counted.
void testIbs() {
  const Devices Shown;
  Shown.addAmd();
  Machine Its;
  Its.MostPrecise = 0;
  Kernel From(Its, Shown.name());
  Processes Read;
  std::string Refused;
  CHECK(From.open({Program}, false, wanted(Unit::Any), Refused));
  const int File = Its.find(IbsType, 1 << 19, 0);
  CHECK(File >= 0 && !Its.Events[static_cast<size_t>(File)].Its.exclude_kernel);
  const Taken All[] = {{1, Data, 1, 200, Load | FromThere},
                       {2, 0, 1, 0, PERF_MEM_OP_NA},
                       {3, uint64_t(0xffff) << 48, 1, 90, Load | FromL1}};
  for (const Taken &Each : All)
    CHECK(Its.put(File, PERF_RECORD_SAMPLE, sampleOf(Its, File, Each)));
  drain(From, Read);
  const Process &Of = Read.of(Program);
  CHECK(Of.Uses.size() == 1 && Of.Uses[0].Cycles == 200 && Of.Without.Accesses == 1);

  Shown.put("ibs_op/format/swfilt", "config2:0");
  Shown.put("ibs_op/format/ldlat", "config1:0-11");
  const std::vector<PmuEvent> Newer = memoryEvents(Shown.name(), Unit::Ibs, 300);
  CHECK(Newer.size() == 1 && Newer[0].LeavesKernel && Newer[0].Config[1] == 300 &&
        Newer[0].Config[2] == 1);
}

/// Of Arm's, loads and stores by a fixed period; physical addresses where the kernel gives them.
void testSpeAsked() {
  const Devices Shown;
  Shown.addArm();
  for (const bool Forbids : {false, true}) {
    Machine Its;
    Its.ForbidsPhysical = Forbids;
    Kernel From(Its, Shown.name());
    std::string Refused;
    Wanted What = wanted(Unit::Any);
    What.Physical = true;
    CHECK(From.open({Program}, true, What, Refused) && Refused.empty());
    CHECK(From.sources().size() == 3 && From.sources()[0].Name == "arm_spe_0//" &&
          From.sources()[0].Period == 500000 && !From.sources()[0].isByFrequency());
    CHECK(samplingOf(From.sources(), Processes()).Source == "arm_spe_0// and page-faults");
    const int File = Its.find(SpeType, SpeConfig | (Forbids ? 0 : SpePhysical), 1);
    CHECK(File >= 0);
    const perf_event_attr &Asked = Its.Events[static_cast<size_t>(File)].Its;
    const int Teller = Its.findPeriod(PERF_COUNT_SW_PAGE_FAULTS, 16);
    CHECK(Asked.config2 == 50 && !Asked.freq && Asked.aux_watermark > 0 && !Asked.mmap2 &&
          Its.Events[static_cast<size_t>(Teller)].Its.mmap2);
    CHECK(Its.controlOf(File)->aux_offset && Its.controlOf(File)->aux_size);
  }
  Machine Its;
  Kernel Fast(Its, Shown.name());
  std::string Refused;
  Wanted What = wanted(Unit::Spe);
  What.Frequency = 1000000;
  CHECK(Fast.open({Program}, true, What, Refused) && Fast.sources()[0].Period == 1024);
}

std::string packet(unsigned char Head, uint64_t Value, size_t Bytes) {
  return static_cast<char>(Head) + std::string(reinterpret_cast<const char *>(&Value), Bytes);
}

/// A load that came from another node's memory; 37 bytes, which divide no ring.
std::string packetsOf(uint64_t Address, uint64_t Ticks, uint64_t Latency) {
  return packet(0xb0, Code, 8) + packet(0x49, 0, 1) + packet(0x52, 1 << 9 | 1 << 10, 2) +
         packet(0x98, Latency, 2) + packet(0xb2, Address, 8) + packet(0x71, Ticks, 8) +
         std::string(1, '\0');
}

/// The ring of packets wraps around in the middle of one; each record tells whose they are, and the
/// ticks how long before it they were.
void testSpeTaken() {
  constexpr uint64_t Records = 300, OfRecord = 16, Other = Program + 1, Tick = 10;
  Recording Now(&Devices::addArm, Unit::Spe, {Program, Other});
  auto &[Shown, Its, From, Read] = Now;
  const int File = Its.find(SpeType, SpeConfig, 0);
  perf_event_mmap_page *Control = Its.controlOf(File);
  Control->cap_user_time = 1;
  Control->time_mult = Tick << 4;
  Control->time_shift = 4;
  for (uint64_t I = 0; I < Records; ++I) {
    std::string Packets;
    for (uint64_t J = 0; J < OfRecord; ++J)
      Packets += packetsOf(Data + 64 * (I * OfRecord + J), 1000 * I + J, 40 + J);
    const uint64_t Begin = Its.putPackets(File, Packets), Time = 1000000 + 1000 * I;
    const uint64_t Who = (I % 2 ? Other : Program) << 32 | Program;
    const auto Trailer = numbers({Who, Time, 0, Machine::idOf(File)});
    CHECK(Its.put(File, PERF_RECORD_AUX, numbers({Begin, Packets.size(), 0}) + Trailer));
    drain(From, Read);
    CHECK(Control->aux_tail == Control->aux_head);
  }
  CHECK(Control->aux_head > 4 * Control->aux_size && Control->aux_size % 37 != 0);
  const std::vector<Use> &Uses = Read.of(Program).Uses;
  CHECK(Uses.size() == Records * OfRecord && Read.lost() == 0);
  for (uint64_t I = 0; I < Uses.size(); ++I) {
    const uint64_t Of = I / OfRecord, J = I % OfRecord;
    CHECK(Uses[I].Address == Data + 64 * I && Uses[I].Cycles == 40 + J &&
          Uses[I].Thread == Of % 2 && Uses[I].By == Served::RemoteMemory &&
          Uses[I].Time == 1000000 + 1000 * Of - (OfRecord - 1 - J) * Tick);
  }
  CHECK(samplingOf(From.sources(), Read).Of == maiprof::Sampling::Unit::Accesses);
}

/// Where it tells of five times as many as are wanted it is on for a fifth of the time, and each
/// sample stands for five; where it tells of few, all the time.
void testSpeDuty() {
  constexpr uint64_t Wanted = 1000, Second = 1000000000, Look = 10000000, OfLook = 50;
  Recording Now(&Devices::addArm, Unit::Spe);
  auto &[Shown, Its, From, Read] = Now;
  const int File = Its.find(SpeType, SpeConfig, 0);
  uint64_t Time = 1;
  const auto Run = [&](uint64_t Seconds, uint64_t Accesses) {
    const uint64_t End = Time + Seconds * Second;
    for (; Time < End; Time += Look) {
      std::string Packets;
      for (uint64_t I = 0; I < Accesses && !Its.isOff(File); ++I)
        Packets += packetsOf(Data, Time, 60);
      const uint64_t Begin = Its.putPackets(File, Packets);
      CHECK(Its.put(File, PERF_RECORD_AUX,
                    numbers({Begin, Packets.size(), 0}) + trailer(Time, File)));
      drain(From, Read);
      From.keepPace(Time);
    }
  };
  const std::vector<Use> &Uses = Read.of(Program).Uses;
  Run(1, OfLook);
  CHECK(Uses.size() > Wanted && Uses.back().Weight > 1);
  const size_t Before = Uses.size();
  Run(10, OfLook);
  const size_t Taken = Uses.size() - Before;
  CHECK(Taken > 9 * Wanted && Taken < 11 * Wanted);
  uint64_t StandFor = 0;
  for (size_t I = Before; I < Uses.size(); ++I)
    StandFor += Uses[I].Weight;
  CHECK(StandFor > 47 * Wanted && StandFor < 53 * Wanted);
  Run(2, 1);
  const size_t Few = Uses.size();
  Run(1, 1);
  CHECK(Uses.size() - Few == Second / Look && Uses[Few].Weight == 1);
}

/// What the processor had no room for is lost, and a record that announces more than a ring can
/// hold, or begins within a packet, makes nothing up.
void testSpeLost() {
  Recording Now(&Devices::addArm, Unit::Spe);
  auto &[Shown, Its, From, Read] = Now;
  const int File = Its.find(SpeType, SpeConfig, 0);
  const std::string Whole = packetsOf(Data, 5, 60);
  Its.putPackets(File, Whole + Whole.substr(0, 20));
  CHECK(Its.put(File, PERF_RECORD_AUX,
                numbers({0, Whole.size() + 20, PERF_AUX_FLAG_TRUNCATED}) + trailer(100, File)));
  drain(From, Read);
  CHECK(Read.lost() == 1 && Read.of(Program).Uses.size() == 1 &&
        Read.of(Program).Uses[0].Time == 100);
  CHECK(Its.put(File, PERF_RECORD_AUX, numbers({1, UINT64_MAX, 0}) + trailer(101, File)));
  drain(From, Read);
}

/// What the kernel refuses is said, and what is left goes on; what was forced does not.
void testRefused() {
  const Devices Shown;
  Shown.addIntel();
  Machine Its;
  Its.ForbiddenType = CpuType;
  std::string Refused;
  {
    Kernel From(Its, Shown.name());
    CHECK(From.open({Program}, true, wanted(Unit::Any), Refused));
    CHECK(From.sources().size() == 3 && From.sources()[0].Name == "cpu-clock");
    CHECK(Refused.starts_with("cpu/mem-loads,ldlat=50/: kernel.perf_event_paranoid is ") &&
          Refused.find("; cpu/mem-stores/: ") != std::string::npos);
  }
  Wanted Only = wanted(Unit::Pebs);
  Only.Timer = Only.Faults = false;
  Kernel Forced(Its, Shown.name());
  CHECK(!Forced.open({Program}, true, Only, Refused));
  Only.Processor = Unit::Ibs;
  Kernel Missing(Its, Shown.name());
  CHECK(!Missing.open({Program}, true, Only, Refused) &&
        Refused == "the processor's sampling: " + Shown.name() + " has no such unit");
}

/// Files of sysfs that say something else are no unit's.
void testOdd() {
  const Devices Shown;
  CHECK(memoryEvents(Shown.name(), Unit::Any, 30).empty());
  Shown.addIntel();
  Shown.put("cpu/format/umask", "config9:8-15");
  CHECK(memoryEvents(Shown.name(), Unit::Any, 30).empty());
  Shown.put("cpu/format/umask", "config:8-99");
  CHECK(memoryEvents(Shown.name(), Unit::Any, 30).empty());
  Shown.put("cpu/format/umask", "config:8-11,32-35"); /* in two pieces */
  Shown.put("cpu/events/mem-stores", "event=0xcd,umask=0x92");
  const std::vector<PmuEvent> All = memoryEvents(Shown.name(), Unit::Any, 30);
  CHECK(All.size() == 2 && All[1].Config[0] == (uint64_t(9) << 32 | 0x2cd));
  Shown.put("cpu_core/type", "10"); /* machines with two kinds of cores */
  CHECK(memoryEvents(Shown.name(), Unit::Any, 30).empty());
}

} // namespace

int main() {
  testPebsAsked();
  testPebsTaken();
  testLost();
  testFlood();
  testTouchesInFlood();
  testPaced();
  testPacedAttached();
  testPacedTeller();
  testPacedEnd();
  testIbs();
  testSpeAsked();
  testSpeTaken();
  testSpeDuty();
  testSpeLost();
  testRefused();
  testOdd();
  return failures != 0;
}
