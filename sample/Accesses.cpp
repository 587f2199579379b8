//===-- Accesses.cpp - which address an instruction has accessed -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Accesses.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstrDesc.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"

#include <algorithm>
#include <set>

using namespace sample;

extern "C" {
void LLVMInitializeX86TargetInfo();
void LLVMInitializeX86TargetMC();
void LLVMInitializeX86Disassembler();
}

/// An instruction's access, its address as a sum of registers.
struct Instructions::Form {
  Access::Result What = Access::Result::NotKnown;
  bool Reads = false, Writes = false;
  bool IsNext = false; ///< it may be looked at instead of what precedes it: it is being repeated
  int Base = -1, Index = -1;
  uint64_t Scale = 1;
  uint64_t Offset = 0;
  bool IsInFile = false; ///< Offset is an address as the file counts

  bool isOfSamePlace(const Form &Other) const {
    return What == Access::Result::Known && Base == Other.Base && Index == Other.Index &&
           Scale == Other.Scale && Offset == Other.Offset && IsInFile == Other.IsInFile;
  }
};

/// An instruction of a function, as far as it tells which one precedes another.
struct Instructions::Step {
  uint64_t Address, Target; ///< the target of a jump, or 0
  bool IsConditional, IsUnconditional;

  using Place = std::vector<Step>::const_iterator;

  /// Where something jumps to an instruction, most often the end of a loop that it begins, what
  /// precedes the last of such jumps. Processors carry a comparison out with the jump behind it.
  /// \returns null where there is none
  static const Step *before(const std::vector<Step> &All, Place Its) {
    for (Place Jump = All.end(); Jump != All.begin() && --Jump != All.begin();)
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

class Instructions::Decoder {
public:
  Decoder() {
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
    for (unsigned I = 0; I < Names->getNumRegs(); ++I)
      Numbers.push_back(numberOf(Names->getName(I)));
    Assembly.reset(Target->createMCAsmInfo(*Names, Name, llvm::MCTargetOptions()));
    Processor.reset(Target->createMCSubtargetInfo(Name, "", ""));
    Infos.reset(Target->createMCInstrInfo());
    Context = std::make_unique<llvm::MCContext>(Of, Assembly.get(), Names.get(), Processor.get());
    Disassembler.reset(Target->createMCDisassembler(*Processor, *Context));
  }

  struct Instruction {
    llvm::MCInst Its;
    uint64_t Address = 0, Bytes = 0;
  };

  /// LLVM has some prefixes, such as that of atomic instructions, as instructions of their own.
  bool decode(std::string_view Rest, uint64_t Address, Instruction &Out) const {
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

  const llvm::MCInstrDesc &description(const Instruction &Of) const {
    return Infos->get(Of.Its.getOpcode());
  }

  /// A jump within the function: where to; 0: it is none.
  uint64_t target(const Instruction &Of) const {
    const llvm::MCInstrDesc &Its = description(Of);
    if (!Its.isBranch() || Its.isIndirectBranch() || Of.Its.getNumOperands() == 0 ||
        !Of.Its.getOperand(0).isImm())
      return 0;
    return Of.Address + Of.Bytes + static_cast<uint64_t>(Of.Its.getOperand(0).getImm());
  }

  bool isPause(const Instruction &Of) const {
    return Infos->getName(Of.Its.getOpcode()) == "PAUSE";
  }

  /// Such as MOVSB, W, L, Q.
  bool isString(const Instruction &Of, llvm::StringRef Kind) const {
    const llvm::StringRef Name = Infos->getName(Of.Its.getOpcode());
    return Name.starts_with(Kind) && Name.size() == 5;
  }
  bool isString(const Instruction &Of) const {
    return isString(Of, "MOVS") || isString(Of, "STOS") || isString(Of, "LODS") ||
           isString(Of, "SCAS") || isString(Of, "CMPS");
  }

  /// Bits by number: a register moves the address beyond what the operand says.
  bool isBitString(const Instruction &Of) const {
    const llvm::StringRef Name = Infos->getName(Of.Its.getOpcode());
    return Name.starts_with("BT") && Name.ends_with("mr");
  }

  Form formOf(const Instruction &Of, bool IsDone) const;

  /// What a register grows by where that is all that an instruction does: such as to the next
  /// element.
  std::optional<uint64_t> growth(const Instruction &Of, int Register) const;
  bool changes(const Instruction &Of, int Register) const;

private:
  bool decodeOne(std::string_view Rest, uint64_t Address, Instruction &Out) const {
    Out.Its.clear();
    const llvm::ArrayRef<uint8_t> Code(reinterpret_cast<const uint8_t *>(Rest.data()), Rest.size());
    return Disassembler &&
           Disassembler->getInstruction(Out.Its, Out.Bytes, Code, Address, llvm::nulls()) ==
               llvm::MCDisassembler::Success;
  }
  bool isOfStack(const Instruction &Of) const;
  void describeString(const Instruction &Of, bool IsDone, Form &Result) const;
  bool isOverwritten(const Instruction &Of, llvm::MCRegister Register) const;
  bool addRegister(const Instruction &Of, llvm::MCRegister Register, bool IsDone, int &To) const;
  /// The first of an instruction's operands of memory; -1 where it has none.
  int memoryOperand(const Instruction &Of) const;

  std::unique_ptr<const llvm::MCRegisterInfo> Names;
  std::vector<int> Numbers; ///< the kernel's, of each register that has a name
  std::unique_ptr<const llvm::MCAsmInfo> Assembly;
  std::unique_ptr<const llvm::MCSubtargetInfo> Processor;
  std::unique_ptr<const llvm::MCInstrInfo> Infos;
  std::unique_ptr<llvm::MCContext> Context;
  std::unique_ptr<const llvm::MCDisassembler> Disassembler;
};

int Instructions::Decoder::memoryOperand(const Instruction &Of) const {
  const llvm::ArrayRef<llvm::MCOperandInfo> All = description(Of).operands();
  for (unsigned I = 0; I + Operands <= All.size() && I + Operands <= Of.Its.getNumOperands(); ++I)
    if (All[I].OperandType == llvm::MCOI::OPERAND_MEMORY &&
        All[I + Segment].OperandType == llvm::MCOI::OPERAND_MEMORY)
      return static_cast<int>(I);
  return -1;
}

bool Instructions::Decoder::isOverwritten(const Instruction &Of, llvm::MCRegister Register) const {
  const llvm::MCInstrDesc &Its = description(Of);
  for (unsigned I = 0; I < Its.getNumDefs() && I < Of.Its.getNumOperands(); ++I)
    if (Of.Its.getOperand(I).isReg() && Names->regsOverlap(Of.Its.getOperand(I).getReg(), Register))
      return true;
  return std::any_of(
      Its.implicit_defs().begin(), Its.implicit_defs().end(),
      [&](llvm::MCPhysReg Defined) { return Names->regsOverlap(Defined, Register); });
}

/// \returns whether its value can be known
bool Instructions::Decoder::addRegister(const Instruction &Of, llvm::MCRegister Register,
                                        bool IsDone, int &To) const {
  if (Register == 0)
    return true;
  To = Numbers[Register];
  return To >= 0 && !(IsDone && isOverwritten(Of, Register));
}

/// Copying, filling, searching: where an interrupted one has got to is in its registers.
void Instructions::Decoder::describeString(const Instruction &Of, bool IsDone, Form &Result) const {
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
bool Instructions::Decoder::isOfStack(const Instruction &Of) const {
  const auto IsPointer = [&](llvm::MCPhysReg Used) {
    const llvm::StringRef Name = Names->getName(Used);
    return Name == "RSP" || Name == "RBP";
  };
  const llvm::ArrayRef<llvm::MCPhysReg> All = description(Of).implicit_uses();
  return std::any_of(All.begin(), All.end(), IsPointer);
}

/// @param IsDone its own results are in the registers
Instructions::Form Instructions::Decoder::formOf(const Instruction &Of, bool IsDone) const {
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

std::optional<uint64_t> Instructions::Decoder::growth(const Instruction &Of, int Register) const {
  const llvm::StringRef Name = Infos->getName(Of.Its.getOpcode());
  const bool Adds = Name.starts_with("ADD64"), Subtracts = Name.starts_with("SUB64");
  const bool IsOfAny = Name.substr(5).starts_with("ri"), IsOfRax = Name.substr(5) == "i32";
  if (!(Adds || Subtracts) || !(IsOfAny || IsOfRax))
    return std::nullopt;
  const int Its = IsOfRax ? numberOf("RAX") : Numbers[Of.Its.getOperand(0).getReg()];
  if (Its != Register)
    return std::nullopt;
  const auto By = static_cast<uint64_t>(Of.Its.getOperand(IsOfRax ? 0 : 2).getImm());
  return Adds ? By : uint64_t(0) - By;
}

bool Instructions::Decoder::changes(const Instruction &Of, int Register) const {
  const auto Its = std::find(Numbers.begin(), Numbers.end(), Register);
  return Its != Numbers.end() && isOverwritten(Of, static_cast<unsigned>(Its - Numbers.begin()));
}

Instructions::Instructions() : Decoded(std::make_unique<Decoder>()) {}
Instructions::~Instructions() = default;

/// Whether what a load has brought is stored to where it came from, a few instructions further on:
/// x += y. Of that time goes with the load, and the store is hardly ever seen.
bool Instructions::isStoredBack(const Code &In, uint64_t Behind, Form Load) const {
  constexpr unsigned Few = 24;
  const Code::Function Of = In.functionAt(Behind);
  Decoder::Instruction Now;
  for (unsigned I = 0; I < Few && Behind - Of.Start < Of.Bytes.size(); ++I, Behind += Now.Bytes) {
    if (!Decoded->decode(Of.Bytes.substr(Behind - Of.Start), Behind, Now))
      return false;
    const Form Its = Decoded->formOf(Now, false);
    if (Its.Writes && Its.isOfSamePlace(Load))
      return true;
    const llvm::MCInstrDesc &What = Decoded->description(Now);
    if (What.isBranch() || What.isCall() || What.isReturn())
      return false;
    if (const std::optional<uint64_t> By = Decoded->growth(Now, Load.Base); By && Load.Base >= 0)
      Load.Offset -= *By;
    else if ((Load.Base >= 0 && Decoded->changes(Now, Load.Base)) ||
             (Load.Index >= 0 && Decoded->changes(Now, Load.Index)))
      return false;
  }
  return false;
}

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
    return std::any_of(Fixed.begin(), Fixed.end(),
                       [&](int Register) { return Decoded->changes(Each, Register); });
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
  if (!IsNew)
    return At->second;
  Decoder::Instruction Now;
  for (uint64_t Offset = 0; Offset < Of.Bytes.size(); Offset += Now.Bytes) {
    if (!Decoded->decode(Of.Bytes.substr(Offset), Of.Start + Offset, Now))
      break;
    const llvm::MCInstrDesc &What = Decoded->description(Now);
    At->second.push_back({Now.Address, Decoded->target(Now), What.isConditionalBranch(),
                          What.isUnconditionalBranch()});
  }
  return At->second;
}

/// What the instruction before one does.
Instructions::Form Instructions::precedingOf(const Code &In, uint64_t Address) {
  Form Result;
  const Code::Function Of = In.functionAt(Address);
  const std::vector<Step> &All = stepsOf(In, Of);
  const auto There = std::ranges::lower_bound(All, Address, {}, &Step::Address);
  if (There == All.end() || There->Address != Address)
    return Result;
  Decoder::Instruction Found;
  const auto DecodeAt = [&](const Step &Its) {
    return Decoded->decode(Of.Bytes.substr(Its.Address - Of.Start), Its.Address, Found);
  };
  DecodeAt(*There);
  if (const Form Repeated = Decoded->formOf(Found, false); Repeated.IsNext)
    return Repeated;
  const Step *Before = Step::before(All, There);
  Result.What = Access::Result::None;
  if (!Before || !DecodeAt(*Before))
    return Result;
  Result = Decoded->formOf(Found, true);
  const Form Load = Decoded->formOf(Found, false);
  if (Load.What == Access::Result::Known && !Load.Writes && isOfWait(Of, Found.Address))
    Result.What = Access::Result::Waits;
  else if (Result.What == Access::Result::Known && !Result.Writes)
    Result.Writes = isStoredBack(In, Found.Address + Found.Bytes, Load);
  return Result;
}

const Instructions::Form *Instructions::preceding(const Code &In, uint64_t Address) {
  const auto [At, IsNew] = Known.try_emplace({&In, Address});
  if (IsNew)
    At->second = std::make_unique<Form>(precedingOf(In, Address));
  return At->second.get();
}

Access Instructions::evaluate(const Form *Of, uint64_t Bias, const Registers &Values) const {
  Access Result;
  Result.What = Of->What;
  Result.Reads = Of->Reads;
  Result.Writes = Of->Writes;
  if (Of->What != Access::Result::Known)
    return Result;
  Result.Address = Of->Offset + (Of->IsInFile ? Bias : 0);
  for (const auto &[Register, Scale] :
       {std::pair(Of->Base, uint64_t(1)), std::pair(Of->Index, Of->Scale)})
    if (Register >= 0) {
      if (!Values.has(static_cast<unsigned>(Register)))
        Result.What = Access::Result::Gone;
      Result.Address += Values.Values[static_cast<size_t>(Register)] * Scale;
    }
  return Result;
}

Access Instructions::before(const Code &In, uint64_t Address, uint64_t Bias,
                            const Registers &Values) {
  return evaluate(preceding(In, Address), Bias, Values);
}

Access Instructions::at(const Code &In, uint64_t Address, uint64_t Bias, const Registers &Values) {
  std::unique_ptr<Form> &Of = KnownAt[{&In, Address}];
  if (!Of) {
    Of = std::make_unique<Form>();
    Decoder::Instruction Now;
    const Code::Function Function = In.functionAt(Address);
    const uint64_t Offset = Address - Function.Start;
    if (Offset < Function.Bytes.size() &&
        Decoded->decode(Function.Bytes.substr(Offset), Address, Now))
      *Of = Decoded->formOf(Now, false);
  }
  return evaluate(Of.get(), Bias, Values);
}

bool Instructions::accessesMemory(std::string_view Its, uint64_t Start) const {
  const int Stack = numberOf("RSP"), Frame = numberOf("RBP");
  Decoder::Instruction Now;
  for (uint64_t Offset = 0;
       Offset < Its.size() && Decoded->decode(Its.substr(Offset), Start + Offset, Now);
       Offset += Now.Bytes) {
    const Form Of = Decoded->formOf(Now, false);
    if (Of.What == Access::Result::Known &&
        (Of.IsInFile ? Of.Writes : Of.Base >= 0 && Of.Base != Stack && Of.Base != Frame))
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
  return evaluate(&Of, 0, Values);
}
