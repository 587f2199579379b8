//===-- Kernel.h - samples that the kernel takes -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_SAMPLE_KERNEL_H
#define MINAS_SAMPLE_KERNEL_H

#include "Order.h"
#include "Records.h"
#include "Ring.h"

#include <memory>
#include <sys/types.h>

struct perf_event_attr;

namespace sample {

struct Wanted {
  bool Timer = true, Faults = true;
  uint64_t Frequency = 1000; ///< of the timer, in samples a second of a thread
};

/// perf_event_open() for a process and all that it begins. Of no program but its own code is
/// sampled, which needs no rights.
class Kernel {
public:
  Kernel() = default;
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

  const std::vector<Source> &sources() const { return Known.sources(); }

private:
  struct Buffer {
    int File;
    void *Mapped;
    size_t Bytes;
    std::unique_ptr<Ring> Its;
  };
  bool openSource(const perf_event_attr &Its, const char *Name, const std::vector<pid_t> &Threads,
                  std::string &Refused);
  bool attach(int File, unsigned Cpu);

  std::vector<int> Files;
  std::vector<Buffer> Buffers;
  std::vector<int> BufferOf; ///< index in Buffers by CPU; -1: none
  Records Known;
};

} // namespace sample
#endif
