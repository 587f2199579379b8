//===-- Kernel.cpp - samples that the kernel takes -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Kernel.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <fstream>
#include <linux/perf_event.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace sample;

namespace {

constexpr uint64_t Billion = 1000000000;

perf_event_attr common(uint32_t Type, uint64_t Config) {
  perf_event_attr Result{};
  Result.size = sizeof Result;
  Result.type = Type;
  Result.config = Config;
  Result.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
                       PERF_SAMPLE_TIME | PERF_SAMPLE_CPU;
  Result.disabled = 1;
  Result.inherit = 1;
  Result.exclude_kernel = 1;
  Result.exclude_hv = 1;
  Result.sample_id_all = 1;
  Result.use_clockid = 1;
  Result.clockid = CLOCK_MONOTONIC;
  Result.watermark = 1;
  Result.wakeup_watermark = 1 << 16;
  return Result;
}

/// @param Period in nanoseconds of a thread's time
perf_event_attr timer(uint64_t Period) {
  constexpr uint64_t General = 0xff00ff; /* AX to SP, except IP and what follows; R8 to R15 */
  perf_event_attr Result = common(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
  Result.sample_period = Period;
  Result.sample_type |= PERF_SAMPLE_REGS_USER;
  Result.sample_regs_user = General;
  return Result;
}

perf_event_attr faults(uint64_t Period) {
  perf_event_attr Result = common(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS);
  Result.sample_period = Period;
  Result.sample_type |= PERF_SAMPLE_ADDR;
  return Result;
}

/// That it costs rights is why it is asked for apart.
void askPhysical(perf_event_attr &To, const PmuEvent &Of) {
  To.sample_type |= PERF_SAMPLE_PHYS_ADDR;
  To.config |= Of.PhysicalBits[0];
  To.config1 |= Of.PhysicalBits[1];
  To.config2 |= Of.PhysicalBits[2];
}

void askNoPhysical(perf_event_attr &To, const PmuEvent &Of) {
  To.sample_type &= ~uint64_t(PERF_SAMPLE_PHYS_ADDR);
  To.config &= ~Of.PhysicalBits[0];
  To.config1 &= ~Of.PhysicalBits[1];
  To.config2 &= ~Of.PhysicalBits[2];
}

/// Of what the processor writes by itself nobody adapts the period. It counts operations of all
/// kinds, but tells of accesses only: a thread has some 500 million of these in a second.
void trace(perf_event_attr &To, uint64_t Frequency, uint64_t LeastPeriod) {
  constexpr uint64_t Accesses = 500000000, Most = 0xffff00;
  constexpr uint32_t SomeSamples = 1 << 14;
  To.freq = 0;
  To.sample_period = std::min(Most, std::max(LeastPeriod, Accesses / Frequency));
  To.aux_watermark = SomeSamples;
}

/// The kernel adapts the period to the rate.
perf_event_attr processor(const PmuEvent &Of, const Wanted &What) {
  perf_event_attr Result = common(Of.Type, Of.Config[0]);
  Result.config1 = Of.Config[1];
  Result.config2 = Of.Config[2];
  Result.freq = 1;
  Result.sample_freq = What.Frequency;
  Result.sample_type |=
      PERF_SAMPLE_ADDR | PERF_SAMPLE_PERIOD | PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC;
  if (What.Physical)
    askPhysical(Result, Of);
  Result.exclude_kernel = Result.exclude_hv = Of.LeavesKernel;
  if (Of.IsTracing)
    trace(Result, What.Frequency, Of.LeastPeriod);
  return Result;
}

/// It is counted only, for the sake of the one behind it.
perf_event_attr leaderOf(const perf_event_attr &Its, uint64_t Config) {
  perf_event_attr Result = common(Its.type, Config);
  Result.sample_type = PERF_SAMPLE_IDENTIFIER;
  Result.enable_on_exec = Its.enable_on_exec;
  return Result;
}

/// Of what is mapped, forked and ended.
void tellAll(perf_event_attr &Of) {
  Of.mmap = 1;
  Of.mmap2 = 1;
  Of.mmap_data = 1;
  Of.comm = 1;
  Of.comm_exec = 1;
  Of.task = 1;
}

std::string settingText(const char *Name) {
  std::ifstream In(std::string("/proc/sys/kernel/") + Name);
  std::string Value;
  return In >> Value ? Value : "not there";
}

/// Why the kernel refuses a source, and who can change that.
std::string reasonFor(int Error) {
  const std::string Paranoid = settingText("perf_event_paranoid");
  if (Error == ENOENT || Error == EOPNOTSUPP)
    return "this kernel or processor does not have it";
  if (Error == ENOBUFS)
    return "this user has locked all memory for samples that kernel.perf_event_mlock_kb and "
           "ulimit -l allow: another recording runs";
  if (Error == EMFILE || Error == ENFILE)
    return "there are more threads than files that may be open (ulimit -n)";
  if (Error == ENOSYS)
    return "this kernel has no perf_event_open(), or a sandbox hides it";
  if (Error != EACCES && Error != EPERM)
    return std::strerror(Error);
  if (Paranoid != "2" && Paranoid != "1" && Paranoid != "0" && Paranoid != "-1")
    return "kernel.perf_event_paranoid is " + Paranoid +
           "; programs may be sampled with 2 (sysctl kernel.perf_event_paranoid=2)";
  return "kernel.perf_event_paranoid is " + Paranoid +
         ", which allows it: a container or sandbox forbids perf_event_open() (docker run "
         "--cap-add PERFMON, or another seccomp profile)";
}

/// Sources that are refused for one reason stand together.
void note(std::string &Refused, const std::string &Name, const std::string &Reason) {
  const std::string End = ": " + Reason;
  if (Refused.ends_with(End))
    Refused.insert(Refused.size() - End.size(), ", " + Name);
  else
    Refused += (Refused.empty() ? "" : "; ") + Name + End;
}

} // namespace

Kernel::~Kernel() {
  for (const Buffer &Each : Buffers) {
    if (Each.Packets)
      Its.unmap(Each.MappedPackets, Each.PacketBytes);
    Its.unmap(Each.Mapped, Each.Bytes);
  }
  for (const int File : Files)
    Its.close(File);
}

/// Of a power of two of pages, as many as the kernel allows: kernel.perf_event_mlock_kb says how
/// much may be locked.
bool Kernel::addBuffer(Buffer New, size_t MostPages, size_t LeastPages, bool HasPackets) {
  const auto Page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  for (size_t Pages = MostPages; Pages >= LeastPages; Pages /= 2) {
    New.Bytes = (1 + Pages) * Page;
    New.Mapped = Its.map(New.File, New.Bytes, 0);
    if (New.Mapped == MAP_FAILED)
      continue;
    if (HasPackets && !addPackets(New)) {
      Its.unmap(New.Mapped, New.Bytes);
      break;
    }
    New.Data = std::make_unique<Ring>(static_cast<perf_event_mmap_page *>(New.Mapped),
                                      static_cast<char *>(New.Mapped) + Page, Pages * Page);
    Buffers.push_back(std::move(New));
    return true;
  }
  errno = errno == EPERM ? ENOBUFS : errno;
  return false;
}

/// They stand behind the buffer in the same file.
bool Kernel::addPackets(Buffer &To) {
  constexpr size_t Most = 1 << 18, LeastPages = 4;
  const auto Least = LeastPages * static_cast<size_t>(sysconf(_SC_PAGESIZE));
  auto *Head = static_cast<perf_event_mmap_page *>(To.Mapped);
  Head->aux_offset = To.Bytes;
  for (size_t Bytes = std::max(Most, Least); Bytes >= Least; Bytes /= 2) {
    Head->aux_size = Bytes;
    To.MappedPackets = Its.map(To.File, Bytes, To.Bytes);
    if (To.MappedPackets == MAP_FAILED)
      continue;
    To.PacketBytes = Bytes;
    To.Packets = std::make_unique<PacketRing>(Head, static_cast<char *>(To.MappedPackets), Bytes,
                                              To.Source, To.Cpu);
    return true;
  }
  return false;
}

/// Into a buffer of the CPU, which the first event there makes. Page faults come in floods, in
/// which no sample of the timer is to be lost: they have one of their own where the kernel allows
/// it.
bool Kernel::attach(int File, unsigned Cpu, const perf_event_attr &Of) {
  constexpr size_t OfSamples = 128, OfFaults = 256, BesidePackets = 32, Useful = 4;
  const bool IsFlood = !Of.freq && Of.sample_period == 1, HasPackets = Of.aux_watermark > 0;
  const size_t Most = IsFlood ? OfFaults : HasPackets ? BesidePackets : OfSamples;
  const size_t Slot = 2 * size_t(Cpu) + IsFlood;
  BufferOf.resize(std::max(BufferOf.size(), 2 * (size_t(Cpu) + 1)), -1);
  const int Shared = BufferOf[Slot - IsFlood];
  if (BufferOf[Slot] < 0) {
    const auto Source = static_cast<uint32_t>(Known.sources().size());
    if (addBuffer({.File = File, .Cpu = Cpu, .Source = Source}, Most, Shared >= 0 ? Useful : 1,
                  HasPackets)) {
      BufferOf[Slot] = static_cast<int>(Buffers.size() - 1);
      return true;
    }
    if (Shared < 0)
      return false;
    BufferOf[Slot] = Shared;
  }
  return Its.control(File, PERF_EVENT_IOC_SET_OUTPUT,
                     reinterpret_cast<void *>(intptr_t(Buffers[size_t(BufferOf[Slot])].File))) == 0;
}

/// \returns the event's file; -1 with errno
int Kernel::openAndAttach(const perf_event_attr &Wanted, const perf_event_attr *Leader,
                          pid_t Thread, unsigned Cpu, uint64_t &Id) {
  const int First = Leader ? Its.open(*Leader, Thread, Cpu, -1) : -1;
  if (Leader && First < 0)
    return -1;
  const int File = Its.open(Wanted, Thread, Cpu, First);
  if (File >= 0 && attach(File, Cpu, Wanted) && Its.control(File, PERF_EVENT_IOC_ID, &Id) == 0) {
    if (First >= 0)
      Files.push_back(First);
    return File;
  }
  const int Error = errno;
  for (const int Each : {File, First})
    if (Each >= 0)
      Its.close(Each);
  errno = Error;
  return -1;
}

bool Kernel::openSource(perf_event_attr Wanted, const perf_event_attr *Leader,
                        const std::string &Name, const std::vector<pid_t> &Threads,
                        std::string &Refused) {
  const bool Tells = !HasTeller && Wanted.aux_watermark == 0; /* which is switched off at times */
  if (Tells)
    tellAll(Wanted);
  Source New;
  New.Name = Name;
  New.Type = Wanted.type;
  New.Config = Wanted.config;
  New.Period = Wanted.sample_period;
  const auto First = std::ranges::find_if(sources(), &Source::isTimer);
  if (New.isTimer() && First != sources().end())
    New.Weight = New.Period / First->Period;
  New.Fields = Wanted.sample_type;
  New.Flags = Source::FlagIds | (Wanted.freq ? Source::FlagFrequency : 0);
  New.UserRegisters = Wanted.sample_regs_user;
  int Error = 0;
  for (const pid_t Thread : Threads)
    for (unsigned Cpu = 0; Cpu < Its.cpus(); ++Cpu) {
      uint64_t Id = 0;
      const int File = openAndAttach(Wanted, Leader, Thread, Cpu, Id);
      if (File < 0) {
        if (errno != ENODEV && errno != ESRCH) /* a CPU that is off; a thread that has ended */
          Error = errno;
        continue;
      }
      Files.push_back(File);
      New.Ids.push_back(Id);
    }
  if (New.Ids.empty() || Error)
    note(Refused, Name + (New.Ids.empty() ? "" : " (of some threads or CPUs)"),
         reasonFor(Error ? Error : ESRCH));
  if (New.Ids.empty())
    return false;
  HasTeller |= Tells;
  Known.add(std::move(New));
  return true;
}

/// Processors differ in how exact they can be. Physical addresses need rights.
bool Kernel::openPrecisely(perf_event_attr Wanted, const PmuEvent &Of,
                           const std::vector<pid_t> &Threads, std::string &Refused) {
  const perf_event_attr Leader = leaderOf(Wanted, Of.Leader);
  for (unsigned Precise = Of.Precise;; --Precise) {
    Wanted.precise_ip = Precise & 3;
    std::string Last;
    if (openSource(Wanted, Of.HasLeader ? &Leader : nullptr, Of.Name, Threads, Last))
      return true;
    if (Precise > 1)
      continue;
    if (Wanted.sample_type & PERF_SAMPLE_PHYS_ADDR) {
      askNoPhysical(Wanted, Of);
      return openPrecisely(Wanted, Of, Threads, Refused);
    }
    Refused += (Refused.empty() ? "" : "; ") + Last;
    return false;
  }
}

bool Kernel::openProcessor(const Wanted &What, bool FromExec, const std::vector<pid_t> &Threads,
                           std::string &Refused) {
  const std::vector<PmuEvent> Events = memoryEvents(Devices, What.Processor, What.Latency);
  const bool IsForced = What.Processor != Unit::None && What.Processor != Unit::Any;
  if (Events.empty() && IsForced)
    Refused = "the processor's sampling: " + Devices + " has no such unit";
  for (const PmuEvent &Each : Events) {
    perf_event_attr Attributes = processor(Each, What);
    Attributes.enable_on_exec = FromExec;
    if (Each.IsTracing)
      openTracing(Each, Attributes, What, Threads, Refused);
    else
      openPrecisely(Attributes, Each, Threads, Refused);
  }
  return std::ranges::any_of(sources(), &Source::tellsAccesses);
}

bool Kernel::openSwitched(const perf_event_attr &Wanted, const std::string &Name,
                          const std::vector<pid_t> &Threads, Switched &To, std::string &Refused) {
  const auto Before = static_cast<ptrdiff_t>(Files.size());
  const bool IsOpen = openSource(Wanted, nullptr, Name, Threads, Refused);
  To.Of.assign(Files.begin() + Before, Files.end());
  return IsOpen;
}

/// What is switched off tells nothing, so one that is always on tells what is mapped: an event of
/// page faults where there is one anyway, as each costs time whenever threads take turns.
bool Kernel::openTeller(const Wanted &What, bool FromExec, const std::string &For,
                        const std::vector<pid_t> &Threads, std::string &Refused) {
  std::string ToldLater; /* where all page faults are asked for */
  if (HasTeller || (What.Faults && openSomeFaults(FromExec, Threads, ToldLater)))
    return true;
  perf_event_attr Teller = common(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
  Teller.enable_on_exec = FromExec;
  return openSource(Teller, nullptr, For, Threads, Refused);
}

/// It is off at times. The buffer is that of the first event: it has to be one for packets.
bool Kernel::openTracing(const PmuEvent &Of, const perf_event_attr &Asked, const Wanted &What,
                         const std::vector<pid_t> &Threads, std::string &Refused) {
  const auto Before = static_cast<ptrdiff_t>(Files.size());
  if (!openPrecisely(Asked, Of, Threads, Refused))
    return false;
  Tracing.Of.insert(Tracing.Of.end(), Files.begin() + Before, Files.end());
  OfTracing = Duty(static_cast<double>(What.Frequency));
  return openTeller(What, Asked.enable_on_exec, Of.Name, Threads, Refused);
}

/// Of a timer that is to be slower later there are several, of which one is on.
bool Kernel::openTimer(const Wanted &What, bool FromExec, const std::vector<pid_t> &Threads,
                       std::string &Refused) {
  const uint64_t Period = std::max<uint64_t>(1, Billion / What.Frequency);
  if (!What.IsPaced) {
    perf_event_attr Only = timer(Period);
    Only.enable_on_exec = FromExec;
    return openSource(Only, nullptr, "cpu-clock", Threads, Refused);
  }
  bool IsOpen = openTeller(What, FromExec, "cpu-clock", Threads, Refused);
  for (size_t I = 0; IsOpen && I < Steps.size(); ++I) {
    perf_event_attr Next = timer(Period * Pace::TimesFewer[I]);
    Steps[I].IsOn = I == 0;
    Next.enable_on_exec = FromExec && Steps[I].IsOn;
    IsOpen = openSwitched(Next, "cpu-clock", Threads, Steps[I], Refused);
  }
  return IsOpen;
}

/// Where they are all that there is, each stands for an access.
bool Kernel::openFaults(bool FromExec, const std::vector<pid_t> &Threads, std::string &Refused) {
  perf_event_attr Each = faults(1);
  Each.enable_on_exec = FromExec;
  if (std::ranges::none_of(sources(), &Source::tellsAccesses))
    return openSource(Each, nullptr, "page-faults", Threads, Refused);
  return (std::ranges::any_of(sources(), &Source::isFaults) ||
          openSomeFaults(FromExec, Threads, Refused)) &&
         openSwitched(Each, "page-faults", Threads, EachTouch, Refused);
}

bool Kernel::openSomeFaults(bool FromExec, const std::vector<pid_t> &Threads,
                            std::string &Refused) {
  perf_event_attr Some = faults(Pace::TouchesInFlood);
  Some.enable_on_exec = FromExec;
  return openSource(Some, nullptr, "page-faults", Threads, Refused);
}

bool Kernel::open(const std::vector<pid_t> &Threads, bool FromExec, const Wanted &What,
                  std::string &Refused) {
  if (!openProcessor(What, FromExec, Threads, Refused) && What.Timer)
    openTimer(What, FromExec, Threads, Refused);
  if (What.Faults)
    openFaults(FromExec, Threads, Refused);
  return std::ranges::any_of(
      sources(), [](const Source &Each) { return Each.tellsAccesses() || Each.isFaults(); });
}

void Kernel::turn(Switched &Which, bool On) {
  if (Which.Of.empty() || Which.IsOn == On)
    return;
  Which.IsOn = On;
  for (const int File : Which.Of)
    Its.control(File, On ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, nullptr);
}

void Kernel::keepPace(uint64_t Now) {
  At.passTo(Now);
  for (size_t I = 0; I < Steps.size(); ++I)
    turn(Steps[I], I == At.step());
  turn(EachTouch, !At.isFlood());
  OfTracing.passTo(Now);
  turn(Tracing, OfTracing.isOn());
}

void Kernel::begin() {
  for (const int File : Files)
    Its.control(File, PERF_EVENT_IOC_ENABLE, nullptr);
  for (const Switched &Each : Steps)
    for (const int File : Each.Of)
      if (!Each.IsOn)
        Its.control(File, PERF_EVENT_IOC_DISABLE, nullptr);
}

/// For good: nothing of it is switched on again.
void Kernel::end() {
  for (Switched &Each : Steps)
    Each.Of.clear();
  EachTouch.Of.clear();
  Tracing.Of.clear();
  for (const int File : Files)
    Its.control(File, PERF_EVENT_IOC_DISABLE, nullptr);
}

void Kernel::wait(int Milliseconds) {
  std::vector<pollfd> All;
  for (const Buffer &Each : Buffers)
    All.push_back({Each.File, POLLIN, 0});
  poll(All.data(), All.size(), Milliseconds);
  /* Without a thread they are always ready. */
  if (std::any_of(All.begin(), All.end(), [](const pollfd &F) { return F.revents & POLLHUP; }))
    poll(nullptr, 0, 1);
}

bool Kernel::isEachTouch(const Sample &Of) const {
  const Source &From = sources()[Of.From];
  return From.isFaults() && From.Period == 1;
}

void Kernel::drain(Order &To) {
  for (const Buffer &Each : Buffers)
    Each.Data->drain([&](const Head &Found, std::string_view Contents) {
      std::optional<Event> Next = Known.read(Found.Type, Found.Misc, Contents);
      if (!Next)
        return;
      if (const auto *What = std::get_if<Traced>(&Next->What); What && Each.Packets)
        OfTracing.count(Each.Cpu, Each.Packets->take(*What, Next->Time, OfTracing.weight(), To));
      if (const auto *What = std::get_if<Sample>(&Next->What); What && isEachTouch(*What))
        At.countTouch();
      To.add(std::move(*Next));
    });
}
