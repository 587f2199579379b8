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
#include <sys/syscall.h>
#include <unistd.h>

using namespace sample;

namespace {

constexpr uint64_t Billion = 1000000000;

perf_event_attr common(uint64_t Config) {
  perf_event_attr Result{};
  Result.size = sizeof Result;
  Result.type = PERF_TYPE_SOFTWARE;
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

perf_event_attr timer(uint64_t Frequency) {
  constexpr uint64_t General = 0xff00ff; /* AX to SP, except IP and what follows; R8 to R15 */
  perf_event_attr Result = common(PERF_COUNT_SW_CPU_CLOCK);
  Result.sample_period = std::max<uint64_t>(1, Billion / Frequency);
  Result.sample_type |= PERF_SAMPLE_REGS_USER;
  Result.sample_regs_user = General;
  return Result;
}

perf_event_attr faults() {
  perf_event_attr Result = common(PERF_COUNT_SW_PAGE_FAULTS);
  Result.sample_period = 1;
  Result.sample_type |= PERF_SAMPLE_ADDR;
  return Result;
}

/// What is mapped, forked and ended is told by the first source.
void tellAll(perf_event_attr &Of) {
  Of.mmap = 1;
  Of.mmap2 = 1;
  Of.mmap_data = 1;
  Of.comm = 1;
  Of.comm_exec = 1;
  Of.task = 1;
}

int openEvent(const perf_event_attr &Wanted, pid_t Thread, unsigned Cpu) {
  return static_cast<int>(syscall(SYS_perf_event_open, &Wanted, Thread, static_cast<int>(Cpu), -1,
                                  PERF_FLAG_FD_CLOEXEC));
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

} // namespace

Kernel::~Kernel() {
  for (const Buffer &Each : Buffers)
    munmap(Each.Mapped, Each.Bytes);
  for (const int File : Files)
    close(File);
}

/// Into the buffer of a CPU, which the first event there makes.
bool Kernel::attach(int File, unsigned Cpu) {
  BufferOf.resize(std::max<size_t>(BufferOf.size(), Cpu + 1), -1);
  if (BufferOf[Cpu] >= 0)
    return ioctl(File, PERF_EVENT_IOC_SET_OUTPUT, Buffers[size_t(BufferOf[Cpu])].File) == 0;
  const auto Page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  void *Mapped = MAP_FAILED;
  size_t Pages = 256; /* what may be locked depends on kernel.perf_event_mlock_kb */
  for (; Mapped == MAP_FAILED && Pages; Pages /= 2) {
    Mapped = mmap(nullptr, (1 + Pages) * Page, PROT_READ | PROT_WRITE, MAP_SHARED, File, 0);
    if (Mapped != MAP_FAILED)
      break;
  }
  if (Mapped == MAP_FAILED)
    return false;
  BufferOf[Cpu] = static_cast<int>(Buffers.size());
  Buffers.push_back({File, Mapped, (1 + Pages) * Page,
                     std::make_unique<Ring>(static_cast<perf_event_mmap_page *>(Mapped),
                                            static_cast<char *>(Mapped) + Page, Pages * Page)});
  return true;
}

bool Kernel::openSource(const perf_event_attr &Wanted, const char *Name,
                        const std::vector<pid_t> &Threads, std::string &Refused) {
  const auto Cpus = static_cast<unsigned>(sysconf(_SC_NPROCESSORS_CONF));
  Source Its;
  Its.Name = Name;
  Its.Type = Wanted.type;
  Its.Config = Wanted.config;
  Its.Period = Wanted.sample_period;
  Its.Fields = Wanted.sample_type;
  Its.Flags = Source::FlagIds;
  Its.UserRegisters = Wanted.sample_regs_user;
  int Error = 0;
  for (const pid_t Thread : Threads)
    for (unsigned Cpu = 0; Cpu < Cpus; ++Cpu) {
      const int File = openEvent(Wanted, Thread, Cpu);
      if (File < 0) {
        if (errno != ENODEV && errno != ESRCH) /* a CPU that is off; a thread that has ended */
          Error = errno;
        continue;
      }
      uint64_t Id = 0;
      if (!attach(File, Cpu) || ioctl(File, PERF_EVENT_IOC_ID, &Id) != 0) {
        Error = errno;
        close(File);
        continue;
      }
      Files.push_back(File);
      Its.Ids.push_back(Id);
    }
  if (Its.Ids.empty()) {
    Refused +=
        (Refused.empty() ? "" : "; ") + std::string(Name) + ": " + reasonFor(Error ? Error : ESRCH);
    return false;
  }
  Known.add(std::move(Its));
  return true;
}

bool Kernel::open(const std::vector<pid_t> &Threads, bool FromExec, const Wanted &What,
                  std::string &Refused) {
  perf_event_attr Timer = timer(What.Frequency), Faults = faults();
  Timer.enable_on_exec = Faults.enable_on_exec = FromExec;
  tellAll(Timer);
  const bool HasTimer = What.Timer && openSource(Timer, "cpu-clock", Threads, Refused);
  if (!HasTimer)
    tellAll(Faults);
  const bool HasFaults = What.Faults && openSource(Faults, "page-faults", Threads, Refused);
  return HasTimer || HasFaults;
}

void Kernel::begin() {
  for (const int File : Files)
    ioctl(File, PERF_EVENT_IOC_ENABLE, 0);
}

void Kernel::end() {
  for (const int File : Files)
    ioctl(File, PERF_EVENT_IOC_DISABLE, 0);
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

void Kernel::drain(Order &To) {
  for (const Buffer &Each : Buffers)
    Each.Its->drain([&](const Head &Its, std::string_view Contents) {
      if (std::optional<Event> Next = Known.read(Its.Type, Its.Misc, Contents))
        To.add(std::move(*Next));
    });
}
