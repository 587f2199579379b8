//===-- Decoder.h - what instructions of x86-64 access ----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_SAMPLE_DECODER_H
#define MINAS_SAMPLE_DECODER_H

#include "Accesses.h"

#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstrInfo.h"

namespace sample {

/// An instruction's access, its address as a sum of registers.
struct Form {
  Access::Result What = Access::Result::NotKnown;
  bool Reads = false, Writes = false;
  bool IsNext = false; ///< it may be looked at instead of what precedes it: it is being repeated
  int Base = -1, Index = -1; ///< by the kernel's numbers of registers
  uint64_t Scale = 1;
  uint64_t Offset = 0;
  bool IsInFile = false; ///< Offset is an address as the file counts
};

class Decoder {
public:
  Decoder();
  ~Decoder();

  struct Instruction {
    llvm::MCInst Its;
    uint64_t Address = 0, Bytes = 0;
  };

  /// LLVM has some prefixes, such as that of atomic instructions, as instructions of their own.
  bool decode(std::string_view Rest, uint64_t Address, Instruction &Out) const;

  /// The one at an address, as the file counts; nothing where there is none.
  std::optional<Instruction> decode(const Code &In, uint64_t Address) const;

  const llvm::MCInstrDesc &description(const Instruction &Of) const {
    return Infos->get(Of.Its.getOpcode());
  }

  /// A jump within the function: where to; 0: it is none.
  uint64_t target(const Instruction &Of) const;

  /// @param IsDone its own results are in the registers
  Form formOf(const Instruction &Of, bool IsDone) const;

  /// A register and what it grows by where that is all that an instruction does: such as to the
  /// next element.
  std::optional<std::pair<int, uint64_t>> growth(const Instruction &Of) const;
  /// The registers whose values change, a bit for each.
  uint32_t changed(const Instruction &Of) const;

private:
  bool decodeOne(std::string_view Rest, uint64_t Address, Instruction &Out) const;
  bool isPause(const Instruction &Of) const;
  bool isString(const Instruction &Of, llvm::StringRef Kind) const;
  bool isString(const Instruction &Of) const;
  bool isBitString(const Instruction &Of) const;
  bool isOfStack(const Instruction &Of) const;
  void describeString(const Instruction &Of, bool IsDone, Form &Result) const;
  bool isOverwritten(const Instruction &Of, llvm::MCRegister Register) const;
  bool addRegister(const Instruction &Of, llvm::MCRegister Register, bool IsDone, int &To) const;
  int memoryOperand(const Instruction &Of) const;

  std::unique_ptr<const llvm::MCRegisterInfo> Names;
  std::vector<int> Numbers;       ///< the kernel's, of each register that has a name
  std::vector<unsigned> Numbered; ///< registers that the kernel has numbers of
  std::unique_ptr<const llvm::MCAsmInfo> Assembly;
  std::unique_ptr<const llvm::MCSubtargetInfo> Processor;
  std::unique_ptr<const llvm::MCInstrInfo> Infos;
  std::unique_ptr<llvm::MCContext> Context;
  std::unique_ptr<const llvm::MCDisassembler> Disassembler;
};

} // namespace sample
#endif
