//===-- Decoder.cpp - what instructions of x86-64 access --------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Decoder.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCInstrDesc.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"

#include <algorithm>

using namespace sample;

extern "C" {
void LLVMInitializeX86TargetInfo();
void LLVMInitializeX86TargetMC();
void LLVMInitializeX86Disassembler();
}

namespace {

/// The kernel's number of a register; -1: it does not tell it.
int numberOf(llvm::StringRef Name) {
  static const char *const Names[Registers::Count] = {
      "RAX", "RBX", "RCX", "RDX", "RSI", "RDI", "RBP", "RSP", "",    "",    "",    "",
      "",    "",    "",    "",    "R8",  "R9",  "R10", "R11", "R12", "R13", "R14", "R15"};
  const auto *Found = std::find(std::begin(Names), std::end(Names), Name);
  return Found == std::end(Names) || Name.empty() ? -1 : static_cast<int>(Found - Names);
}

/// The operands of memory that LLVM has for x86: base, scale, index, displacement, segment.
enum Operand : unsigned { Base, Scale, Index, Displacement, Segment, Operands };

} // namespace

Decoder::Decoder() {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86Disassembler();
  std::string Error;
  const llvm::Triple Of("x86_64-linux-gnu");
#if LLVM_VERSION_MAJOR > 21
  const llvm::Triple &Name = Of;
#else
  const std::string Name = Of.str();
#endif
  const llvm::Target *Target = llvm::TargetRegistry::lookupTarget(Name, Error);
  if (!Target)
    return;
  Names.reset(Target->createMCRegInfo(Name));
  for (unsigned I = 0; I < Names->getNumRegs(); ++I) {
    Numbers.push_back(numberOf(Names->getName(I)));
    if (Numbers.back() >= 0)
      Numbered.push_back(I);
  }
  Assembly.reset(Target->createMCAsmInfo(*Names, Name, llvm::MCTargetOptions()));
  Processor.reset(Target->createMCSubtargetInfo(Name, "", ""));
  Infos.reset(Target->createMCInstrInfo());
  Context = std::make_unique<llvm::MCContext>(Of, Assembly.get(), Names.get(), Processor.get());
  Disassembler.reset(Target->createMCDisassembler(*Processor, *Context));
}

Decoder::~Decoder() = default;

bool Decoder::decodeOne(std::string_view Rest, uint64_t Address, Instruction &Out) const {
  Out.Its.clear();
  const llvm::ArrayRef<uint8_t> Code(reinterpret_cast<const uint8_t *>(Rest.data()), Rest.size());
  return Disassembler &&
         Disassembler->getInstruction(Out.Its, Out.Bytes, Code, Address, llvm::nulls()) ==
             llvm::MCDisassembler::Success;
}

bool Decoder::decode(std::string_view Rest, uint64_t Address, Instruction &Out) const {
  uint64_t Prefixes = 0;
  for (; decodeOne(Rest, Address + Prefixes, Out); ++Prefixes, Rest.remove_prefix(1)) {
    const bool IsPrefix = Infos->getName(Out.Its.getOpcode()).ends_with("_PREFIX");
    if (IsPrefix && Out.Bytes == 1)
      continue;
    Out.Address = Address;
    Out.Bytes += Prefixes;
    return !IsPrefix;
  }
  return false;
}

std::optional<Decoder::Instruction> Decoder::decode(const Code &In, uint64_t Address) const {
  const Code::Function Of = In.functionAt(Address);
  const uint64_t Offset = Address - Of.Start;
  Instruction Result;
  if (Offset >= Of.Bytes.size() || !decode(Of.Bytes.substr(Offset), Address, Result))
    return std::nullopt;
  return Result;
}

uint64_t Decoder::target(const Instruction &Of) const {
  const llvm::MCInstrDesc &Its = description(Of);
  if (!Its.isBranch() || Its.isIndirectBranch() || Of.Its.getNumOperands() == 0 ||
      !Of.Its.getOperand(0).isImm())
    return 0;
  return Of.Address + Of.Bytes + static_cast<uint64_t>(Of.Its.getOperand(0).getImm());
}

bool Decoder::isPause(const Instruction &Of) const {
  return Infos->getName(Of.Its.getOpcode()) == "PAUSE";
}

/// Such as MOVSB, W, L, Q.
bool Decoder::isString(const Instruction &Of, llvm::StringRef Kind) const {
  const llvm::StringRef Name = Infos->getName(Of.Its.getOpcode());
  return Name.starts_with(Kind) && Name.size() == 5;
}

bool Decoder::isString(const Instruction &Of) const {
  return isString(Of, "MOVS") || isString(Of, "STOS") || isString(Of, "LODS") ||
         isString(Of, "SCAS") || isString(Of, "CMPS");
}

/// Bits by number: a register moves the address beyond what the operand says.
bool Decoder::isBitString(const Instruction &Of) const {
  const llvm::StringRef Name = Infos->getName(Of.Its.getOpcode());
  return Name.starts_with("BT") && Name.ends_with("mr");
}

/// The first of an instruction's operands of memory; -1 where it has none.
int Decoder::memoryOperand(const Instruction &Of) const {
  const llvm::ArrayRef<llvm::MCOperandInfo> All = description(Of).operands();
  for (unsigned I = 0; I + Operands <= All.size() && I + Operands <= Of.Its.getNumOperands(); ++I)
    if (All[I].OperandType == llvm::MCOI::OPERAND_MEMORY &&
        All[I + Segment].OperandType == llvm::MCOI::OPERAND_MEMORY)
      return static_cast<int>(I);
  return -1;
}

bool Decoder::isOverwritten(const Instruction &Of, llvm::MCRegister Register) const {
  const llvm::MCInstrDesc &Its = description(Of);
  for (unsigned I = 0; I < Its.getNumDefs() && I < Of.Its.getNumOperands(); ++I)
    if (Of.Its.getOperand(I).isReg() && Names->regsOverlap(Of.Its.getOperand(I).getReg(), Register))
      return true;
  return std::any_of(
      Its.implicit_defs().begin(), Its.implicit_defs().end(),
      [&](llvm::MCPhysReg Defined) { return Names->regsOverlap(Defined, Register); });
}

/// \returns whether its value can be known
bool Decoder::addRegister(const Instruction &Of, llvm::MCRegister Register, bool IsDone,
                          int &To) const {
  if (Register == 0)
    return true;
  To = Numbers[Register];
  return To >= 0 && !(IsDone && isOverwritten(Of, Register));
}

/// Copying, filling, searching: where an interrupted one has got to is in its registers.
void Decoder::describeString(const Instruction &Of, bool IsDone, Form &Result) const {
  constexpr uint64_t Most = 8; /* behind what has been accessed */
  const bool IsLoad = isString(Of, "LODS");
  Result.What = Access::Result::Known;
  Result.Base = numberOf(IsLoad ? "RSI" : "RDI");
  Result.Writes = isString(Of, "MOVS") || isString(Of, "STOS");
  Result.Reads = !isString(Of, "STOS");
  Result.IsNext = !IsLoad;
  Result.Offset = IsDone ? uint64_t(0) - Most : 0;
  for (const llvm::MCOperand &Each : Of.Its) {
    const llvm::StringRef Register = Each.isReg() ? Names->getName(Each.getReg()) : "";
    if (Register == "EDI" || Register == "ESI" || Register == "FS" || Register == "GS")
      Result.What = Access::Result::Gone; /* half a register, or a segment's */
  }
}

/// Whether it goes to the stack by itself.
bool Decoder::isOfStack(const Instruction &Of) const {
  const auto IsPointer = [&](llvm::MCPhysReg Used) {
    const llvm::StringRef Name = Names->getName(Used);
    return Name == "RSP" || Name == "RBP";
  };
  const llvm::ArrayRef<llvm::MCPhysReg> All = description(Of).implicit_uses();
  return std::any_of(All.begin(), All.end(), IsPointer);
}

/// @param IsDone its own results are in the registers
Form Decoder::formOf(const Instruction &Of, bool IsDone) const {
  Form Result;
  const llvm::MCInstrDesc &Its = description(Of);
  Result.What = isPause(Of) ? Access::Result::Waits : Access::Result::None;
  if (isPause(Of)) /* LLVM has it read and write, so that compilers leave it where it is */
    return Result;
  Result.Reads = Its.mayLoad();
  Result.Writes = Its.mayStore();
  if (isString(Of)) {
    describeString(Of, IsDone, Result);
    return Result;
  }
  const int First = memoryOperand(Of);
  if (First < 0 && (Result.Reads || Result.Writes) && !isOfStack(Of))
    Result.What = Access::Result::Gone; /* by registers that are no operands */
  if (First < 0 || !(Result.Reads || Result.Writes))
    return Result; /* what goes to the stack by itself is the thread's own */
  const auto Operand = [&](unsigned Number) {
    return Of.Its.getOperand(static_cast<unsigned>(First) + Number);
  };
  Result.What = Access::Result::Gone;
  if (!Operand(Displacement).isImm() || Operand(Segment).getReg() != 0 || isBitString(Of))
    return Result;
  Result.Offset = static_cast<uint64_t>(Operand(Displacement).getImm());
  Result.Scale = static_cast<uint64_t>(Operand(Scale).getImm());
  if (llvm::StringRef(Names->getName(Operand(Base).getReg())) == "RIP") {
    Result.Offset += Of.Address + Of.Bytes;
    Result.IsInFile = true;
  } else if (!addRegister(Of, Operand(Base).getReg(), IsDone, Result.Base)) {
    return Result;
  }
  if (addRegister(Of, Operand(Index).getReg(), IsDone, Result.Index))
    Result.What = Access::Result::Known;
  return Result;
}

std::optional<std::pair<int, uint64_t>> Decoder::growth(const Instruction &Of) const {
  const llvm::StringRef Name = Infos->getName(Of.Its.getOpcode());
  const auto Register = [&](unsigned Operand) { return Of.Its.getOperand(Operand).getReg(); };
  const auto Number = [&](unsigned Operand) {
    return static_cast<uint64_t>(Of.Its.getOperand(Operand).getImm());
  };
  if (Name.starts_with("ADD64ri"))
    return std::pair(Numbers[Register(0)], Number(2));
  if (Name.starts_with("SUB64ri"))
    return std::pair(Numbers[Register(0)], -Number(2));
  if (Name == "ADD64i32")
    return std::pair(numberOf("RAX"), Number(0));
  if (Name == "SUB64i32")
    return std::pair(numberOf("RAX"), -Number(0));
  if (Name == "INC64r")
    return std::pair(Numbers[Register(0)], uint64_t(1));
  if (Name == "DEC64r")
    return std::pair(Numbers[Register(0)], -uint64_t(1));
  if (Name == "LEA64r" && Register(1 + Base) == Register(0) && Register(1 + Index) == 0 &&
      Register(1 + Segment) == 0 && Of.Its.getOperand(1 + Displacement).isImm())
    return std::pair(Numbers[Register(0)], Number(1 + Displacement));
  return std::nullopt;
}

uint32_t Decoder::changed(const Instruction &Of) const {
  uint32_t Result = 0;
  for (const unsigned Register : Numbered)
    if (isOverwritten(Of, Register))
      Result |= uint32_t(1) << Numbers[Register];
  return Result;
}
