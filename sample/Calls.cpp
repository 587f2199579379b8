//===-- Calls.cpp - what is called of the kernel to take samples -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Calls.h"

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace sample;

int Calls::open(const perf_event_attr &Its, pid_t Thread, unsigned Cpu, int Leader) {
  return static_cast<int>(syscall(SYS_perf_event_open, &Its, Thread, static_cast<int>(Cpu), Leader,
                                  PERF_FLAG_FD_CLOEXEC));
}

void *Calls::map(int File, size_t Bytes, size_t Offset) {
  return mmap(nullptr, Bytes, PROT_READ | PROT_WRITE, MAP_SHARED, File, static_cast<off_t>(Offset));
}

void Calls::unmap(void *At, size_t Bytes) { munmap(At, Bytes); }

int Calls::control(int File, unsigned long What, void *Argument) {
  return ioctl(File, What, Argument);
}

void Calls::close(int File) { ::close(File); }

unsigned Calls::cpus() const { return static_cast<unsigned>(sysconf(_SC_NPROCESSORS_CONF)); }
