//===-- Pmu.cpp - the processor's own sampling of accesses -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Pmu.h"

#include "System.h"

#include <algorithm>
#include <charconv>

using namespace sample;

namespace {

/// Decimal, or hexadecimal behind 0x.
std::optional<uint64_t> numberIn(std::string_view Text) {
  const int Base = Text.starts_with("0x") ? 16 : 10;
  Text.remove_prefix(Base == 16 ? 2 : 0);
  uint64_t Value = 0;
  const auto [End, Error] = std::from_chars(Text.data(), Text.data() + Text.size(), Value, Base);
  if (Error != std::errc() || End != Text.data() + Text.size())
    return std::nullopt;
  return Value;
}

/// The pieces of a text between separators.
std::vector<std::string> split(const std::string &Text, char Separator) {
  std::vector<std::string> List;
  for (size_t At = 0; At < Text.size();) {
    const size_t End = std::min(Text.find(Separator, At), Text.size());
    List.push_back(Text.substr(At, End - At));
    At = End + 1;
  }
  return List;
}

class Device {
public:
  Device(const std::string &Devices, const std::string &Name_)
      : Name(Name_), Folder(Devices + "/" + Name_) {
    if (const std::optional<uint64_t> Number = numberIn(firstLineOf(Folder + "/type")))
      Type = static_cast<uint32_t>(*Number);
  }

  bool isThere() const { return Type != 0; }
  bool has(const std::string &Field) const {
    return !firstLineOf(Folder + "/format/" + Field).empty();
  }

  /// What the unit can do, such as its shortest period.
  std::optional<uint64_t> ability(const std::string &Its) const {
    return numberIn(firstLineOf(Folder + "/caps/" + Its));
  }

  /// An event that the kernel has a name for, such as "event=0xcd,umask=0x1,ldlat=3".
  std::optional<PmuEvent> event(const std::string &Its) const {
    const std::string Terms = firstLineOf(Folder + "/events/" + Its);
    if (Terms.empty())
      return std::nullopt;
    PmuEvent Result = plain("/" + Its + "/");
    for (const std::string &Each : split(Terms, ',')) {
      const size_t Sign = std::min(Each.find('='), Each.size());
      const std::optional<uint64_t> Value =
          Sign == Each.size() ? 1 : numberIn(std::string_view(Each).substr(Sign + 1));
      if (!Value || !set(Result, Each.substr(0, Sign), *Value))
        return std::nullopt;
    }
    return Result;
  }

  PmuEvent plain(const std::string &Suffix) const {
    PmuEvent Result;
    Result.Name = Name + Suffix;
    Result.Type = Type;
    return Result;
  }

  /// Puts a value where the format of its field says, such as "config:0-7,32-35". What stood there
  /// is overwritten. \returns whether the device has the field
  bool set(PmuEvent &To, const std::string &Field, uint64_t Value) const {
    const std::string Format = firstLineOf(Folder + "/format/" + Field);
    const size_t Colon = Format.find(':');
    if (Colon == std::string::npos || !Format.starts_with("config"))
      return false;
    const std::string Which = Format.substr(6, Colon - 6);
    const uint64_t Index = numberIn(Which.empty() ? "0" : Which).value_or(To.Config.size());
    if (Index >= To.Config.size())
      return false;
    for (const std::string &Range : split(Format.substr(Colon + 1), ','))
      if (!setBits(To.Config[Index], Range, Value))
        return false;
    return true;
  }

private:
  /// The lowest bits of Value to a range such as "0-7" or "19"; the others are left in Value.
  static bool setBits(uint64_t &To, const std::string &Range, uint64_t &Value) {
    const size_t Dash = std::min(Range.find('-'), Range.size());
    const std::optional<uint64_t> First = numberIn(std::string_view(Range).substr(0, Dash));
    const std::optional<uint64_t> Last =
        Dash == Range.size() ? First : numberIn(std::string_view(Range).substr(Dash + 1));
    if (!First || !Last || *Last < *First || *Last > 63)
      return false;
    for (uint64_t Bit = *First; Bit <= *Last; ++Bit, Value >>= 1)
      To = (To & ~(uint64_t(1) << Bit)) | (Value & 1) << Bit;
    return true;
  }

  std::string Name, Folder;
  uint32_t Type = 0; /* that of the general events of hardware, which are no device's */
};

/// Machines with two kinds of cores have a unit for each: that of the strong ones.
std::vector<PmuEvent> pebsEvents(const std::string &Devices, uint64_t Latency) {
  constexpr unsigned MostPrecise = 3;
  Device Its(Devices, "cpu_core");
  if (!Its.isThere())
    Its = Device(Devices, "cpu");
  std::vector<PmuEvent> List;
  std::optional<PmuEvent> Loads = Its.event("mem-loads");
  if (Loads && Its.set(*Loads, "ldlat", Latency)) {
    Loads->Name.insert(Loads->Name.size() - 1, ",ldlat=" + std::to_string(Latency));
    if (const std::optional<PmuEvent> Before = Its.event("mem-loads-aux")) {
      Loads->HasLeader = true;
      Loads->Leader = Before->Config[0];
    }
    List.push_back(*Loads);
  }
  if (const std::optional<PmuEvent> Stores = Its.event("mem-stores"))
    List.push_back(*Stores);
  for (PmuEvent &Each : List)
    Each.Precise = MostPrecise;
  return List;
}

/// Before Linux 6.14 IBS cannot leave the kernel out by itself; the latency from which on it
/// samples is there on Zen 5.
std::vector<PmuEvent> ibsEvents(const std::string &Devices, uint64_t Latency) {
  constexpr uint64_t LeastLatency = 128, MostLatency = 2048;
  const Device Its(Devices, "ibs_op");
  if (!Its.isThere())
    return {};
  PmuEvent New = Its.plain("//");
  Its.set(New, "cnt_ctl", 1); /* instructions rather than cycles, where it can count them */
  New.LeavesKernel = Its.set(New, "swfilt", 1);
  if (Latency >= LeastLatency && Latency <= MostLatency && Its.has("ldlat"))
    Its.set(New, "ldlat", Latency);
  return {New};
}

/// Loads and stores, as perf mem asks for them. Machines with several kinds of cores have a unit
/// for each.
std::vector<PmuEvent> speEvents(const std::string &Devices, uint64_t Latency) {
  constexpr uint64_t MostLatency = 4095;
  std::vector<PmuEvent> List;
  for (unsigned Number = 0;; ++Number) {
    const Device Its(Devices, "arm_spe_" + std::to_string(Number));
    if (!Its.isThere())
      return List;
    PmuEvent New = Its.plain("//");
    New.IsTracing = true;
    New.LeastPeriod = Its.ability("min_interval").value_or(1);
    for (const char *Each : {"ts_enable", "load_filter", "store_filter"})
      Its.set(New, Each, 1);
    Its.set(New, "min_latency", std::min(Latency, MostLatency));
    PmuEvent Physical;
    Its.set(Physical, "pa_enable", 1);
    New.PhysicalBits = Physical.Config;
    List.push_back(New);
  }
}

} // namespace

std::vector<PmuEvent> sample::memoryEvents(const std::string &Devices, Unit Of, uint64_t Latency) {
  std::vector<PmuEvent> List;
  if (Of == Unit::Pebs || Of == Unit::Any)
    List = pebsEvents(Devices, Latency);
  if (List.empty() && (Of == Unit::Ibs || Of == Unit::Any))
    List = ibsEvents(Devices, Latency);
  if (List.empty() && (Of == Unit::Spe || Of == Unit::Any))
    List = speEvents(Devices, Latency);
  return List;
}
