//===-- Calls.h - what is called of the kernel to take samples -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_SAMPLE_CALLS_H
#define MINAS_SAMPLE_CALLS_H

#include <cstddef>
#include <cstdint>
#include <sys/types.h>

struct perf_event_attr;

namespace sample {

/// The kernel's, as they are. Tests have others, which have processors that are not here.
class Calls {
public:
  Calls() = default;
  virtual ~Calls() = default;
  Calls(const Calls &) = delete;
  Calls &operator=(const Calls &) = delete;

  /// perf_event_open(); -1 with errno.
  virtual int open(const perf_event_attr &Its, pid_t Thread, unsigned Cpu, int Leader);
  virtual void *map(int File, size_t Bytes, size_t Offset);
  virtual void unmap(void *At, size_t Bytes);
  virtual int control(int File, unsigned long What, void *Argument);
  virtual void close(int File);
  virtual unsigned cpus() const;
};

} // namespace sample
#endif
