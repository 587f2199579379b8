//===-- Accesses.h - which address an instruction has accessed -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A timer's sample shows the program just behind the instruction that it had to wait for. All
// instructions of the basic block around that one are carried out equally often, so the sample
// tells of any of their accesses the address of which can be computed from its registers.
//
//===----------------------------------------------------------------------===//
#ifndef MINAS_SAMPLE_ACCESSES_H
#define MINAS_SAMPLE_ACCESSES_H

#include "Code.h"
#include "Events.h"

#include <map>
#include <memory>
#include <optional>

namespace sample {

struct Access {
  enum class Result {
    Known,
    None,    ///< the instruction accesses no memory
    Waits,   ///< it reads places again and again until somebody else writes to them
    Gone,    ///< a register of the address has been overwritten, or is not told
    NotKnown ///< there is no code to look at
  };
  Result What = Result::NotKnown;
  uint64_t Address = 0;
  bool Reads = false, Writes = false;
};

class Decoder;
struct Form;

class Instructions {
public:
  Instructions();
  ~Instructions();

  /// An access that a timer's sample at an instruction tells of.
  /// @param Bias what an address of the process exceeds that of the file by
  Access sampled(const Code &In, uint64_t Address, uint64_t Bias, const Registers &Values);

  /// What an instruction does that has not been carried out, such as one at a page fault.
  Access at(const Code &In, uint64_t Address, uint64_t Bias, const Registers &Values);

  /// Whether some of a function's code accesses other memory than its own stack and constants.
  bool accessesMemory(std::string_view Its, uint64_t Start) const;
  /// What an instruction does, by the registers before or behind it.
  Access access(std::string_view Bytes, uint64_t Address, const Registers &Values,
                bool IsDone) const;

private:
  struct Step;
  struct Point;
  bool isWait(std::string_view Loop, uint64_t Start) const;
  bool isOfWait(const Code::Function &In, uint64_t Address) const;
  const std::vector<Step> &stepsOf(const Code &In, const Code::Function &Of);
  const Form &formOf(const Code &In, const Step &Of) const;
  static std::optional<Form> seenFrom(const Step *Here, const Step *Its);
  Point pointBehind(const Code &In, const std::vector<Step> &All, const Step *Here);
  Point pointAt(const Code &In, uint64_t Address);
  const Form *choose(const Point &Of);
  Access evaluate(const Form &Of, uint64_t Bias, const Registers &Values) const;

  std::unique_ptr<Decoder> Decoded;
  uint64_t Chance = 0;
  std::map<std::pair<const Code *, uint64_t>, std::vector<Step>> Functions; ///< by file and start
  /// What was found, by file and address.
  std::map<std::pair<const Code *, uint64_t>, std::unique_ptr<Point>> Points;
  std::map<std::pair<const Code *, uint64_t>, std::unique_ptr<Form>> KnownAt;
};

} // namespace sample
#endif
