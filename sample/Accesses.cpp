//===-- Accesses.cpp - which address an instruction has accessed -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Accesses.h"

#include "Decoder.h"

#include "llvm/MC/MCInstrDesc.h"

#include <algorithm>
#include <cmath>
#include <set>

using namespace sample;

/// An instruction of a function.
struct Instructions::Step {
  /// What is known of those only that samples lie near: functions may be of megabytes.
  struct Work {
    Form Its;         ///< by the registers before it
    uint32_t Changes; ///< registers, a bit for each
    int Grown;        ///< the one that only grows; -1: none does
    uint64_t By;      ///< so much it grows
  };

  uint64_t Address, Target; ///< the target of a jump, or 0
  bool IsConditional, IsUnconditional;
  bool BeginsBlock; ///< a basic block: all of its instructions are carried out equally often
  mutable std::optional<Work> Does = {};
  mutable uint64_t Told = 0; ///< samples by which its address could be told

  using Place = std::vector<Step>::const_iterator;

  /// Where something jumps to an instruction, most often the end of a loop that it begins, what
  /// precedes the last of such jumps. Processors carry a comparison out with the jump behind it.
  /// \returns null where there is none
  static const Step *before(const std::vector<Step> &All, Place Its) {
    for (Place Jump = Its->BeginsBlock ? All.end() : All.begin();
         Jump != All.begin() && --Jump != All.begin();)
      if (Jump != Its && Jump->Target == Its->Address)
        return Jump->IsConditional ? &*std::prev(Jump) : &*Jump;
    if (Its == All.begin() || std::prev(Its)->IsUnconditional)
      return nullptr;
    const Place Before = std::prev(Its);
    if (!Before->IsConditional)
      return &*Before;
    return Before == All.begin() ? nullptr : &*std::prev(Before);
  }
};

/// What a sample at an instruction may tell of: accesses of the basic block that the program was
/// in, by the registers that the sample has.
struct Instructions::Point {
  struct Candidate {
    Form Its;
    const Step *Of;
  };
  Access::Result What = Access::Result::NotKnown; ///< where there are none
  std::vector<Candidate> Candidates;
};

Instructions::Instructions() : Decoded(std::make_unique<Decoder>()) {}
Instructions::~Instructions() = default;

/// Whether a loop does nothing but read places that it does not move on from: what it reads is
/// another thread's to change.
bool Instructions::isWait(std::string_view Loop, uint64_t Start) const {
  std::vector<Decoder::Instruction> All;
  std::set<int> Fixed; /* registers of addresses */
  for (uint64_t Offset = 0; Offset < Loop.size(); Offset += All.back().Bytes) {
    Decoder::Instruction &Now = All.emplace_back();
    if (!Decoded->decode(Loop.substr(Offset), Start + Offset, Now))
      return false;
    const Form Its = Decoded->formOf(Now, false);
    const llvm::MCInstrDesc &What = Decoded->description(Now);
    if (Its.What == Access::Result::Gone || Its.Writes || What.isCall() || What.isReturn() ||
        What.isIndirectBranch())
      return false;
    Fixed.insert({Its.Base, Its.Index});
  }
  Fixed.erase(-1);
  return std::none_of(All.begin(), All.end(), [&](const Decoder::Instruction &Each) {
    return std::any_of(
        Fixed.begin(), Fixed.end(),
        [Changed = Decoded->changed(Each)](int Register) { return Changed >> Register & 1; });
  });
}

/// Whether the shortest loop around an address is such a one.
bool Instructions::isOfWait(const Code::Function &In, uint64_t Address) const {
  constexpr uint64_t LongestLoop = 128; /* bytes: one that waits is short */
  Decoder::Instruction Now;
  for (uint64_t Offset = Address - In.Start;
       Offset < In.Bytes.size() && In.Start + Offset - Address < LongestLoop; Offset += Now.Bytes) {
    if (!Decoded->decode(In.Bytes.substr(Offset), In.Start + Offset, Now))
      return false;
    const uint64_t Target = Decoded->target(Now);
    if (Target >= In.Start && Target <= Address && Target != 0)
      return isWait(In.Bytes.substr(Target - In.Start, Now.Address + Now.Bytes - Target), Target);
  }
  return false;
}

/// A function's instructions, up to the first that is none.
const std::vector<Instructions::Step> &Instructions::stepsOf(const Code &In,
                                                             const Code::Function &Of) {
  const auto [At, IsNew] = Functions.try_emplace({&In, Of.Start});
  std::vector<Step> &All = At->second;
  if (!IsNew)
    return All;
  bool Begins = true;
  Decoder::Instruction Now;
  for (uint64_t Offset = 0; Offset < Of.Bytes.size(); Offset += Now.Bytes) {
    if (!Decoded->decode(Of.Bytes.substr(Offset), Of.Start + Offset, Now))
      break;
    const llvm::MCInstrDesc &What = Decoded->description(Now);
    All.push_back({Now.Address, Decoded->target(Now), What.isConditionalBranch(),
                   What.isUnconditionalBranch(), Begins});
    Begins = What.isBranch() || What.isCall() || What.isReturn();
  }
  for (const Step &Each : All)
    if (const auto To = Each.Target == 0
                            ? All.end()
                            : std::ranges::lower_bound(All, Each.Target, {}, &Step::Address);
        To != All.end() && To->Address == Each.Target)
      To->BeginsBlock = true;
  return All;
}

const Form &Instructions::formOf(const Code &In, const Step &Of) const {
  if (Of.Does)
    return Of.Does->Its;
  const Decoder::Instruction Now = *Decoded->decode(In, Of.Address); /* as when it was found */
  const auto [Grown, By] = Decoded->growth(Now).value_or(std::pair(-1, uint64_t(0)));
  Form Its = Decoded->formOf(Now, false);
  if (Its.IsInFile && In.isReadOnly(Its.Offset))
    Its.What = Access::Result::None; /* a constant: nobody counts these */
  return Of.Does.emplace(Its, Decoded->changed(Now), Grown, By).Its;
}

/// An access of a basic block by the registers behind another of its instructions.
/// \returns nothing where the address cannot be computed from these
std::optional<Form> Instructions::seenFrom(const Step *Here, const Step *Its) {
  const bool IsDone = Its <= Here;
  Form Result = Its->Does->Its;
  for (const Step *Each = IsDone ? Its : Here + 1, *End = IsDone ? Here + 1 : Its; Each < End;
       ++Each)
    for (const auto &[Register, Scale] :
         {std::pair(Result.Base, uint64_t(1)), std::pair(Result.Index, Result.Scale)}) {
      const Step::Work &Does = *Each->Does;
      if (Register < 0 || !(Does.Changes >> Register & 1))
        continue;
      if (Does.Grown != Register)
        return std::nullopt;
      Result.Offset += Scale * (IsDone ? uint64_t(0) - Does.By : Does.By);
    }
  return Result;
}

/// Accesses of the basic block around an instruction that has just been carried out; of the nearest
/// instructions where the block is long.
Instructions::Point Instructions::pointBehind(const Code &In, const std::vector<Step> &All,
                                              const Step *Here) {
  constexpr ptrdiff_t Near = 64;
  const auto IsCopy = [&](const Step *Its) { return formOf(In, *Its).IsNext; };
  const Step *First = Here, *End = Here + 1;
  while (!First->BeginsBlock && Here - First < Near && !IsCopy(First - 1))
    --First;
  while (End < All.data() + All.size() && !End->BeginsBlock && End - Here < Near && !IsCopy(End))
    ++End;
  Point Result;
  Result.What = Access::Result::None;
  for (const Step *Its = First; Its < End; ++Its) {
    const Access::Result What = formOf(In, *Its).What;
    if (What != Access::Result::Known && What != Access::Result::Gone)
      continue;
    Result.What = Access::Result::Gone;
    if (const std::optional<Form> Seen = seenFrom(Here, Its))
      Result.Candidates.push_back({*Seen, Its});
  }
  return Result;
}

/// The program has waited for the instruction before the one that a sample shows.
Instructions::Point Instructions::pointAt(const Code &In, uint64_t Address) {
  const Code::Function Of = In.functionAt(Address);
  const std::vector<Step> &All = stepsOf(In, Of);
  const auto There = std::ranges::lower_bound(All, Address, {}, &Step::Address);
  if (There == All.end() || There->Address != Address)
    return {};
  if (const Form &Repeated = formOf(In, *There); Repeated.IsNext)
    return {.Candidates = {{Repeated, &*There}}};
  const Step *Here = Step::before(All, There);
  if (!Here)
    return {.What = Access::Result::None, .Candidates = {}};
  if (formOf(In, *Here).IsNext)
    return {.Candidates = {{Decoded->formOf(*Decoded->decode(In, Here->Address), true), Here}}};
  /* The loop that waits may begin where another one does, which ends with what is before. */
  if (formOf(In, *Here).What == Access::Result::Waits || isOfWait(Of, Here->Address) ||
      isOfWait(Of, Address))
    return {.What = Access::Result::Waits, .Candidates = {}};
  return pointBehind(In, All, Here);
}

/// One of them by chance: equally often each instruction of a block, those that few samples could
/// tell of by more of these.
const Form *Instructions::choose(const Point &Of) {
  double All = 0;
  for (const Point::Candidate &Each : Of.Candidates)
    All += 1 / double(++Each.Of->Told);
  constexpr uint64_t GoldenRatio = 0x9e3779b97f4a7c15; /* of 2^64: multiples are spread evenly */
  Chance += GoldenRatio;
  double Left = std::ldexp(double(Chance), -64) * All;
  for (const Point::Candidate &Each : Of.Candidates)
    if ((Left -= 1 / double(Each.Of->Told)) < 0)
      return &Each.Its;
  return Of.Candidates.empty() ? nullptr : &Of.Candidates.back().Its;
}

Access Instructions::sampled(const Code &In, uint64_t Address, uint64_t Bias,
                             const Registers &Values) {
  const auto [At, IsNew] = Points.try_emplace({&In, Address});
  if (IsNew)
    At->second = std::make_unique<Point>(pointAt(In, Address));
  Access Result;
  Result.What = At->second->What;
  if (const Form *Its = choose(*At->second))
    Result = evaluate(*Its, Bias, Values);
  return Result;
}

Access Instructions::evaluate(const Form &Of, uint64_t Bias, const Registers &Values) const {
  Access Result;
  Result.What = Of.What;
  Result.Reads = Of.Reads;
  Result.Writes = Of.Writes;
  if (Of.What != Access::Result::Known)
    return Result;
  Result.Address = Of.Offset + (Of.IsInFile ? Bias : 0);
  for (const auto &[Register, Scale] :
       {std::pair(Of.Base, uint64_t(1)), std::pair(Of.Index, Of.Scale)})
    if (Register >= 0) {
      if (!Values.has(static_cast<unsigned>(Register)))
        Result.What = Access::Result::Gone;
      Result.Address += Values.Values[static_cast<size_t>(Register)] * Scale;
    }
  return Result;
}

Access Instructions::at(const Code &In, uint64_t Address, uint64_t Bias, const Registers &Values) {
  std::unique_ptr<Form> &Of = KnownAt[{&In, Address}];
  if (!Of) {
    Of = std::make_unique<Form>();
    if (const std::optional<Decoder::Instruction> Now = Decoded->decode(In, Address))
      *Of = Decoded->formOf(*Now, false);
  }
  return evaluate(*Of, Bias, Values);
}

bool Instructions::accessesMemory(std::string_view Its, uint64_t Start) const {
  Decoder::Instruction Now;
  for (uint64_t Offset = 0;
       Offset < Its.size() && Decoded->decode(Its.substr(Offset), Start + Offset, Now);
       Offset += Now.Bytes) {
    const Form Of = Decoded->formOf(Now, false);
    if (Of.What == Access::Result::Known &&
        (Of.IsInFile ? Of.Writes
                     : Of.Base >= 0 && Of.Base != Registers::Sp && Of.Base != Registers::Bp))
      return true;
  }
  return false;
}

Access Instructions::access(std::string_view Bytes, uint64_t Address, const Registers &Values,
                            bool IsDone) const {
  Decoder::Instruction Its;
  Form Of;
  if (Decoded->decode(Bytes, Address, Its))
    Of = Decoded->formOf(Its, IsDone);
  return evaluate(Of, 0, Values);
}
