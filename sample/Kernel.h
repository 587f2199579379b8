//===-- Kernel.h - samples that the kernel takes -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_SAMPLE_KERNEL_H
#define MINAS_SAMPLE_KERNEL_H

#include "Calls.h"
#include "Duty.h"
#include "Order.h"
#include "Pace.h"
#include "PacketRing.h"
#include "Pmu.h"
#include "Records.h"
#include "Ring.h"

#include <array>
#include <memory>

namespace sample {

struct Wanted {
  Unit Processor = Unit::Any; ///< its own sampling
  bool Timer = true;          ///< where the processor's is not there
  bool Faults = true;
  uint64_t Frequency = 1000; ///< samples a second of a thread
  bool IsPaced = false;      ///< of the timer's fewer later
  uint64_t Latency = 30;     ///< of the processor's: only loads that take so many cycles
  bool Physical = false;     ///< addresses of the memory itself, where the kernel tells these
};

/// perf_event_open() for a process and all that it begins. Of no program but its own code is
/// sampled, which needs no rights.
class Kernel {
public:
  /// @param Devices where the processor's units are shown
  explicit Kernel(Calls &By, std::string Devices_ = EventDevices)
      : Its(By), Devices(std::move(Devices_)) {}
  ~Kernel();
  Kernel(const Kernel &) = delete;
  Kernel &operator=(const Kernel &) = delete;

  /// Threads are sampled from the program's exec() on, or from begin() on.
  /// \returns whether a source is there; what was refused, and by which setting, in Refused
  bool open(const std::vector<pid_t> &Threads, bool FromExec, const Wanted &What,
            std::string &Refused);
  void begin();
  void end();

  /// Waits until there is something to read, or for a time.
  void wait(int Milliseconds);
  void drain(Order &To);
  /// Takes more or fewer samples from now on, in nanoseconds, as Pace says.
  void keepPace(uint64_t Now);

  const std::vector<Source> &sources() const { return Known.sources(); }

private:
  struct Buffer {
    int File;
    unsigned Cpu;
    uint32_t Source; ///< of its packets
    void *Mapped = nullptr;
    size_t Bytes = 0;
    std::unique_ptr<Ring> Data = nullptr;
    std::unique_ptr<PacketRing> Packets = nullptr; ///< where the processor itself writes
    void *MappedPackets = nullptr;
    size_t PacketBytes = 0;
  };
  /// Files of events that are switched off at times.
  struct Switched {
    std::vector<int> Of;
    bool IsOn = true;
  };
  /// An event of each thread and CPU, with one in front of it where there is a leader.
  bool openSource(perf_event_attr Wanted, const perf_event_attr *Leader, const std::string &Name,
                  const std::vector<pid_t> &Threads, std::string &Refused);
  bool openProcessor(const Wanted &What, bool FromExec, const std::vector<pid_t> &Threads,
                     std::string &Refused);
  bool openPrecisely(perf_event_attr Wanted, const PmuEvent &Of, const std::vector<pid_t> &Threads,
                     std::string &Refused);
  bool openTimer(const Wanted &What, bool FromExec, const std::vector<pid_t> &Threads,
                 std::string &Refused);
  bool openTracing(const PmuEvent &Of, const perf_event_attr &Asked, const Wanted &What,
                   const std::vector<pid_t> &Threads, std::string &Refused);
  bool openTeller(const Wanted &What, bool FromExec, const std::string &For,
                  const std::vector<pid_t> &Threads, std::string &Refused);
  bool openSomeFaults(bool FromExec, const std::vector<pid_t> &Threads, std::string &Refused);
  bool openFaults(bool FromExec, const std::vector<pid_t> &Threads, std::string &Refused);
  bool openSwitched(const perf_event_attr &Wanted, const std::string &Name,
                    const std::vector<pid_t> &Threads, Switched &To, std::string &Refused);
  void turn(Switched &Which, bool On);
  bool isEachTouch(const Sample &Of) const;
  int openAndAttach(const perf_event_attr &Wanted, const perf_event_attr *Leader, pid_t Thread,
                    unsigned Cpu, uint64_t &Id);
  bool addBuffer(Buffer New, size_t MostPages, size_t LeastPages, bool HasPackets);
  bool addPackets(Buffer &To);
  bool attach(int File, unsigned Cpu, const perf_event_attr &Of);

  Calls &Its;
  std::string Devices;
  std::vector<int> Files;
  std::vector<Buffer> Buffers;
  /// Indices in Buffers, of each CPU one for samples and one for page faults; -1: none.
  std::vector<int> BufferOf;
  Records Known;
  bool HasTeller = false;                              ///< of what is mapped, forked and ended
  std::array<Switched, Pace::TimesFewer.size()> Steps; ///< samples of the timer
  Switched Tracing;                                    ///< what adapts no period itself
  Duty OfTracing;
  Switched EachTouch; ///< page faults, one by one
  Pace At;
};

} // namespace sample
#endif
