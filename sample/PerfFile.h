//===-- PerfFile.h - files of perf record -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The format is that of tools/perf/Documentation/perf.data-file-format.txt of Linux. A file may
// come from anywhere: what is not known is skipped and counted, what is broken told with its
// offset.
//
//===----------------------------------------------------------------------===//
#ifndef MINAS_SAMPLE_PERF_FILE_H
#define MINAS_SAMPLE_PERF_FILE_H

#include "Memory.h"
#include "Order.h"
#include "Records.h"
#include "Spe.h"

#include <functional>
#include <memory>
#include <unordered_map>

namespace sample {

/// A node of the machine that recorded.
struct RecordedNode {
  uint32_t OsIndex = 0;
  uint64_t MemoryBytes = 0;
  std::vector<uint32_t> Cpus;
};

class PerfFile {
public:
  explicit PerfFile(std::string_view Whole);
  ~PerfFile();
  PerfFile(const PerfFile &) = delete;
  PerfFile &operator=(const PerfFile &) = delete;

  /// Reads all of it. Events come by time as far as their rounds tell.
  /// \returns what is wrong, with the offset; empty: nothing
  std::string read(const std::function<void(const Event &)> &Visit);

  const std::vector<Source> &sources() const { return Known->sources(); }
  uint64_t unknown() const { return Known->unknown(); } ///< records that were skipped
  const std::string &host() const { return Host; }
  const std::vector<std::string> &command() const { return Command; }
  const std::vector<RecordedNode> &nodes() const { return Nodes; }
  const MemoryNodes &memory() const { return Memory; }

private:
  class Inflater;
  struct Section {
    uint64_t Offset = 0, Bytes = 0;
  };

  bool fail(uint64_t Offset, const std::string &Why);
  Bytes bytesOf(std::string_view All_) const { return {All_, Swapped}; }
  /// What of the file a section has; nothing where it does not hold it.
  std::optional<std::string_view> contents(const Section &Its) const;
  Section readSection(Bytes &In) const;

  bool readHead();
  bool readAttributes(const Section &Of, uint64_t Size);
  bool readFeatures(const Section &Data, const uint64_t (&Has)[4]);
  void readFeature(unsigned Number, std::string_view Its);
  void readNames(Bytes &In);
  void readBuildIds(Bytes &In);
  void readTopology(Bytes &In);
  void readMemory(Bytes &In);
  std::string readString(Bytes &In) const;

  bool readRecords(std::string_view All_, uint64_t Offset, bool IsInflated, size_t &Used);
  bool readRecord(uint32_t Type, uint16_t Misc, std::string_view Contents, uint64_t Offset,
                  uint64_t &Behind);
  bool readEvent(uint32_t Type, uint16_t Misc, std::string_view Contents, uint64_t Offset);
  bool readCompressed(std::string_view Packed, uint64_t Offset);
  void readUnit(Bytes &In);
  void readTimeConversion(Bytes &In);
  void readTrace(std::string_view Announced, std::string_view Trace);
  void noteThread(const Event &Its);
  void readPipedAttribute(std::string_view Contents);
  void endRound();
  /// Completes what the head of the file tells.
  void complete(Event &Its) const;

  std::string_view All;
  bool Swapped = false, IsPiped = false;
  std::unique_ptr<Records> Known;
  std::unique_ptr<Inflater> Unpacked;
  Order Waiting;
  uint64_t Latest = 0, LatestOfRound = 0;
  std::string Error, Host;
  std::vector<std::string> Command;
  std::vector<RecordedNode> Nodes;
  MemoryNodes Memory;
  std::optional<uint32_t> TracingUnit; ///< the type of its event, of one whose packets we read
  std::optional<TimeConversion> Ticks;
  std::unordered_map<uint32_t, uint32_t> ProcessOf;      ///< by thread
  uint32_t First = 0;                                    ///< process that was heard of
  std::unordered_map<std::string, std::string> BuildIds; ///< by file
  Section Data;
  const std::function<void(const Event &)> *Visitor = nullptr;
};

} // namespace sample
#endif
