//===-- Processes.h - the programs of a recording -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_SAMPLE_PROCESSES_H
#define MINAS_SAMPLE_PROCESSES_H

#include "Accesses.h"
#include "Code.h"
#include "Events.h"
#include "Lifetimes.h"
#include "Memory.h"

#include "trace/profile/Profile.h"

#include <list>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>

namespace sample {

/// An access that a sample tells of, or a page that was touched first.
struct Use {
  uint64_t Address = 0, Time = 0, Weight = 1;
  uint32_t Thread = 0;              ///< index in Process::Threads
  uint32_t Cycles = 0;              ///< that it took; 0: not told
  uint32_t Block = Lifetimes::None; ///< in the process's Blocks
  uint32_t Function = 0;            ///< the code's: its number in Processes; 0: not known
  uint32_t Phase = 0, View = 0;     ///< in Objects
  maiprof::Served By = maiprof::Served::NotKnown;
  bool IsWrite = false;
  bool IsTouch = false; ///< the page was touched first
};

struct Thread {
  uint32_t Id = 0;
  uint32_t Number = UINT32_MAX; ///< in its team of OpenMP, if it was told
  std::string Name = {};        ///< that it has given itself; empty: the program's
  uint32_t Cpu = UINT32_MAX;    ///< where it was seen last
  uint64_t Looks = 0, Moves = 0;
  uint64_t LowestStack = UINT64_MAX; ///< the stack pointer
};

/// Samples that tell of no access.
struct Missing {
  uint64_t Accesses = 0, Addresses = 0, Code = 0;
};

class Process {
public:
  explicit Process(uint32_t Its) : Id(Its) {}

  uint32_t Id;
  std::string Name;
  std::vector<Thread> Threads;
  std::vector<Use> Uses;
  Missing Without;
  std::map<uint64_t, Map> Maps; ///< by start; they do not overlap
  std::set<uint64_t> NoStacks; ///< starts of those with stacks in memory that has other things, too
  std::map<uint64_t, uint32_t> Nodes; ///< of pages, as far as they are known: OS indices
  Lifetimes Blocks;
  std::set<uint32_t> Unshared; ///< functions with loops of which any thread may get any piece
  size_t Asked = 0;            ///< the uses of whose pages the nodes were asked for

  const Map *mapOf(uint64_t Address) const;
  uint32_t threadOf(uint32_t ThreadId);
  void add(const Map &New);
  void beginAnew();                    ///< by exec()
  void inherit(const Process &Parent); ///< by fork()
  size_t accesses() const;             ///< of which there are samples
  bool isRunning() const { return Running > 0; }

private:
  friend class Processes;
  std::unordered_map<uint32_t, uint32_t> ById;
  uint32_t Running = 1; ///< threads
};

/// What an address of code is in its file.
struct CodePlace {
  Code *File = nullptr; ///< null: there is none
  uint64_t Address = 0; ///< as the file counts
  uint64_t Bias = 0;
};

/// A function that samples lie in.
struct SampledFunction {
  std::string Module;
  uint64_t Start;   ///< as the file counts
  std::string Name; ///< its symbol; may be empty
};

class Processes {
public:
  /// Events in the order of time.
  void take(const Event &Its, const std::vector<Source> &Sources);

  /// Those that are there, and of the others those of which there are samples.
  const std::list<Process> &all() const { return List; }
  std::list<Process> &all() { return List; }
  CodePlace placeOf(const Process &In, uint64_t Address);
  Process &of(uint32_t Id);

  /// By their numbers, the first of which is 1.
  const std::vector<SampledFunction> &functions() const { return Functions; }

  /// One that is kept in any case.
  void keep(uint32_t Id) { Kept = Id; }

  /// The node of a CPU of the machine that recorded.
  void setNode(uint32_t Cpu, uint32_t Node) { NodeOf[Cpu] = Node; }
  void setMemory(MemoryNodes Its) { Memory = std::move(Its); }

  /// Files that are not those which were mapped, by their build-ids: nothing is taken from them.
  const std::set<std::string> &replaced() const { return NotSame; }

  uint64_t lost() const { return LostCount; }
  uint64_t throttled() const { return ThrottledCount; }

private:
  void take(uint64_t Time, const Sample &Its, const std::vector<Source> &Sources);
  /// @param AreAll there are no samples but of first touches
  void takeTouch(Process &Of, const Use &Begun, const Sample &Its, bool AreAll);
  /// @param TellsAddresses the source itself does, of all accesses
  void takeAccess(Process &Of, Use New, const Sample &Its, bool TellsAddresses);
  static void add(Process &Of, Use New);
  void noteServed(Process &Of, const Sample &Its, maiprof::Served By) const;
  static void noteThread(Thread &Of, const Sample &Its);
  static void noteBelowStack(Process &Of, uint64_t Address, const Registers &User);
  Code *codeOf(const Map &Its);
  uint32_t functionOf(const Process &In, uint64_t Address);

  void take(const Renamed &Its);
  void take(const Forked &Its);
  void take(const Exited &Its);
  void take(const BlockEvent &Its);
  void take(const Numbered &Its);
  void take(const Unshared &Its);

  uint32_t Kept = 0;
  std::list<Process> List;
  std::unordered_map<uint32_t, std::list<Process>::iterator> ById;
  using FileOfCode = std::pair<std::string, std::string>; ///< its name and build-id
  std::map<FileOfCode, std::unique_ptr<Code>> Files;
  decltype(Files)::value_type *LastFile = nullptr; ///< the one asked for last: so is the next
  std::set<std::string> NotSame;
  Instructions Decoded;
  std::vector<SampledFunction> Functions;
  std::map<std::pair<const Code *, uint64_t>, uint32_t> FunctionNumbers;
  std::unordered_map<uint32_t, uint32_t> NodeOf; ///< by CPU
  MemoryNodes Memory;
  uint64_t LostCount = 0, ThrottledCount = 0;
};

/// How samples of these sources were taken, and what of them is missing.
maiprof::Sampling samplingOf(const std::vector<Source> &Sources, const Processes &Read);

} // namespace sample
#endif
