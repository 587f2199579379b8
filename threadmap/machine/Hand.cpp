//===-- Hand.cpp - what the user decides of a machine -----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Hand.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <map>
#include <set>

using namespace threadmap;

namespace {

constexpr size_t MostCpus = 65536; // of a map file, too

/// Reads a number and moves behind it.
bool readNumber(const char *&At, const char *End, uint32_t &Into) {
  const auto [Rest, Failed] = std::from_chars(At, End, Into);
  At = Rest;
  return Failed == std::errc();
}

/// Reads a list of CPUs.
class Reader {
public:
  Reader(const std::string &From, const std::string &ListName)
      : Name(ListName), Begin(From.data()), At(Begin), End(Begin + From.size()) {}

  std::optional<std::vector<uint32_t>> run(std::string &Error) {
    while (skip())
      if (!readEntry()) {
        Error = position() +
                ": expected a CPU number or a range such as 0-7 or 0-14:2, of at most " +
                std::to_string(MostCpus) + " CPUs, found " + found();
        return std::nullopt;
      }
    return std::move(Result);
  }

private:
  static bool separates(char C) {
    return C == ' ' || C == '\t' || C == '\n' || C == '\r' || C == ',';
  }

  /// Moves to the next entry. @return whether there is one
  bool skip() {
    while (At != End && (separates(*At) || *At == '#'))
      At = *At == '#' ? std::find(At, End, '\n') : At + 1;
    Entry = At;
    return At != End;
  }

  bool readEntry() {
    uint32_t First = 0, Stride = 1;
    if (!readNumber(At, End, First))
      return false;
    uint32_t Last = First;
    if (At != End && *At == '-' && !readNumber(++At, End, Last))
      return false;
    if (At != End && *At == ':' && (!readNumber(++At, End, Stride) || Stride == 0))
      return false;
    const uint32_t Steps = (First < Last ? Last - First : First - Last) / Stride;
    if ((At != End && !separates(*At) && *At != '#') || Result.size() + Steps >= MostCpus)
      return false;
    for (uint32_t Step = 0; Step <= Steps; ++Step)
      Result.push_back(First < Last ? First + Step * Stride : First - Step * Stride);
    return true;
  }

  std::string position() const {
    const auto Lines = std::count(Begin, Entry, '\n');
    const char *Line = Entry;
    while (Line != Begin && Line[-1] != '\n')
      --Line;
    return Name + ":" + std::to_string(Lines + 1) + ":" + std::to_string(Entry - Line + 1);
  }

  /// A word, or a byte of what nobody sees, such as a byte order mark.
  std::string found() const {
    constexpr ptrdiff_t Most = 20;
    const auto First = static_cast<unsigned char>(*Entry);
    if (First < ' ' || First >= 0x7f) {
      char Byte[32];
      std::snprintf(Byte, sizeof Byte, "the byte 0x%02x", First);
      return Byte;
    }
    const char *Last = std::find_if(Entry, std::min(End, Entry + Most), separates);
    return "'" + std::string(Entry, Last) + "'";
  }

  const std::string &Name;
  const char *Begin, *At, *End;
  const char *Entry = nullptr; ///< the one in hand
  std::vector<uint32_t> Result;
};

/// Copies what has CPUs left; a part of one child is that child.
class Copy {
public:
  Copy(const Machine &Whole, const std::vector<uint32_t> &Without)
      : From(Whole), Excluded(Without.begin(), Without.end()), Left(Whole.Parts.size(), 0) {
    for (size_t Index = From.Parts.size(); Index-- > 0;) {
      const Machine::Part &Part = From.Parts[Index];
      if (Part.Children.empty())
        Left[Index] = !Excluded.contains(Part.Cpu);
      for (const uint32_t Child : Part.Children)
        Left[Index] += Left[Child] > 0;
    }
  }

  Machine run() {
    Result.Name = From.Name;
    Result.Nodes = From.Nodes;
    Result.Slit = From.Slit;
    Result.Latency = From.Latency;
    Result.Bandwidth = From.Bandwidth;
    if (Left[0])
      add(0, 0);
    Result.Cores = static_cast<uint32_t>(Core.size());
    return std::move(Result);
  }

private:
  void add(uint32_t Index, uint32_t Parent) {
    const Machine::Part &Part = From.Parts[Index];
    const bool IsCopied = Part.Children.empty() || Left[Index] > 1;
    uint32_t Self = Parent;
    if (IsCopied) {
      Self = static_cast<uint32_t>(Result.Parts.size());
      Result.Parts.push_back(Part);
      Result.Parts[Self].Parent = Parent;
      Result.Parts[Self].Children.clear();
      if (Self)
        Result.Parts[Parent].Children.push_back(Self);
    }
    if (Part.Children.empty())
      Result.Parts[Self].Core =
          Core.try_emplace(Part.Core, static_cast<uint32_t>(Core.size())).first->second;
    Result.Cpus += Part.Children.empty();
    for (const uint32_t Child : Part.Children)
      if (Left[Child])
        add(Child, Self);
  }

  const Machine &From;
  std::set<uint32_t> Excluded;
  std::vector<uint32_t> Left; ///< by part: children with CPUs, or whether a CPU is left
  std::map<uint32_t, uint32_t> Core;
  Machine Result;
};

bool hasCpu(const Machine &On, uint32_t Cpu) {
  return std::any_of(On.Parts.begin(), On.Parts.end(), [&](const Machine::Part &Part) {
    return Part.Children.empty() && Part.Cpu == Cpu;
  });
}

std::string noSuchCpu(const Machine &On, uint32_t Cpu) {
  return "CPU " + std::to_string(Cpu) + " is none that " + On.Name + " has for this process";
}

} // namespace

std::optional<std::vector<uint32_t>>
threadmap::readCpus(const std::string &Text, const std::string &Name, std::string &Error) {
  return Reader(Text, Name).run(Error);
}

std::optional<std::vector<Fixed>> threadmap::readFixed(const std::string &Text,
                                                       std::string &Error) {
  std::vector<Fixed> Result;
  const char *At = Text.data(), *End = At + Text.size();
  for (bool More = true; More;) {
    uint32_t Thread = 0, Cpu = 0;
    const bool IsGood = readNumber(At, End, Thread) && At != End && *At++ == '=' &&
                        readNumber(At, End, Cpu) && (At == End || *At == ',');
    if (!IsGood) {
      Error = "--fix takes threads and CPUs such as 0=4,1=5, found '" + Text + "'";
      return std::nullopt;
    }
    Result.emplace_back(Thread, Cpu);
    More = At++ != End;
  }
  return Result;
}

std::optional<Machine> threadmap::without(const Machine &On, const std::vector<uint32_t> &Cpus,
                                          std::string &Error) {
  for (const uint32_t Cpu : Cpus)
    if (!hasCpu(On, Cpu)) {
      Error = "--exclude: " + noSuchCpu(On, Cpu);
      return std::nullopt;
    }
  Machine Result = Copy(On, Cpus).run();
  if (Result.Cpus)
    return Result;
  Error = "--exclude leaves no CPU of " + On.Name;
  return std::nullopt;
}

std::string threadmap::fix(const std::vector<Fixed> &Wanted, uint32_t Threads, Machine &On) {
  std::set<uint32_t> Known;
  for (const auto &[Thread, Cpu] : Wanted) {
    if (Thread >= Threads)
      return "--fix: there is no thread " + std::to_string(Thread) + " among " +
             std::to_string(Threads) + " (the first is 0)";
    if (!Known.insert(Thread).second)
      return "--fix: thread " + std::to_string(Thread) + " is fixed twice";
    if (!hasCpu(On, Cpu))
      return "--fix: " + noSuchCpu(On, Cpu);
    for (Machine::Part &Part : On.Parts)
      Part.Fixed += Part.Children.empty() && Part.Cpu == Cpu;
  }
  const bool AnyFree = std::any_of(On.Parts.begin(), On.Parts.end(), [](const auto &Part) {
    return Part.Children.empty() && !Part.Fixed;
  });
  if (!AnyFree && Wanted.size() < Threads)
    return "--fix leaves no CPU for the other threads";
  return "";
}
