//===-- Records.h - the kernel's records of events -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// perf_event_open(2) describes them. They may come from anywhere: nothing is read beyond a record.
//
//===----------------------------------------------------------------------===//
#ifndef MINAS_SAMPLE_RECORDS_H
#define MINAS_SAMPLE_RECORDS_H

#include "Events.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>

namespace sample {

/// Numbers one after the other, in the byte order of the machine that wrote them. The first thing
/// that is not there makes all that follows 0.
class Bytes {
public:
  Bytes(std::string_view All, bool IsSwapped) : Rest(All), Swapped(IsSwapped) {}

  uint16_t u16() { return number<uint16_t>(); }
  uint32_t u32() { return number<uint32_t>(); }
  uint64_t u64() { return number<uint64_t>(); }
  void skip(uint64_t Count) { take(Count); }
  /// Up to a 0, or all that is left.
  std::string text() const;
  std::string_view take(uint64_t Count) {
    if (Failed || Count > Rest.size()) {
      Failed = true;
      return {};
    }
    const std::string_view Result = Rest.substr(0, Count);
    Rest.remove_prefix(Count);
    return Result;
  }
  size_t left() const { return Rest.size(); }
  bool failed() const { return Failed; }

private:
  template <typename Number> Number number() {
    Number Value = 0;
    const char *From = take(sizeof Value).data();
    auto *To = reinterpret_cast<char *>(&Value);
    if (!From)
      return 0;
    if (Swapped)
      std::reverse_copy(From, From + sizeof Value, To);
    else
      std::copy_n(From, sizeof Value, To);
    return Value;
  }

  std::string_view Rest;
  bool Swapped;
  bool Failed = false;
};

/// What perf_event_attr is, wherever it stands.
Source readSource(std::string_view All, bool IsSwapped);

class Records {
public:
  /// @param IsSwapped they were written by a machine of the other byte order
  explicit Records(bool IsSwapped = false) : Swapped(IsSwapped) {}

  void add(Source New);
  void name(uint32_t Number, const std::string &Name) {
    if (Number < Sources.size())
      Sources[Number].Name = Name;
  }
  const std::vector<Source> &sources() const { return Sources; }

  /// A record without its head. \returns nothing where it is broken; an event of nothing where its
  /// type is not known, which unknown() counts.
  std::optional<Event> read(uint32_t Type, uint16_t Misc, std::string_view Contents);

  uint64_t unknown() const { return Unknown; }

private:
  const Source *sourceOf(uint64_t Id) const;
  const Source *sourceOfSample(std::string_view Contents) const;
  std::optional<Event> readSample(std::string_view Contents) const;
  void readTrailer(std::string_view Contents, Event &Of) const;

  bool Swapped;
  std::vector<Source> Sources;
  std::unordered_map<uint64_t, uint32_t> ById;
  uint64_t Unknown = 0;
};

} // namespace sample
#endif
