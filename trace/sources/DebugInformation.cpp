//===-- DebugInformation.cpp - what compilers tell of code and data *- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "DebugInformation.h"

#include "names/debug/Entries.h"
#include "names/debug/Location.h"

#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/DebugInfo/DWARF/DWARFDie.h"
#include "llvm/DebugInfo/Symbolize/Symbolize.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Object/ObjectFile.h"

#include <optional>

using namespace maiprof;
using namespace llvm::dwarf;
using llvm::StringRef;

class DebugInformation::Symbolizer : public llvm::symbolize::LLVMSymbolizer {
public:
  Symbolizer() : LLVMSymbolizer(options()) {}

  llvm::Expected<llvm::DIInliningInfo> framesOf(const std::string &Module, uint64_t Offset) {
    return symbolizeInlinedCode(Module, {Offset, llvm::object::SectionedAddress::UndefSection});
  }

private:
  static Options options() {
    Options Wanted;
    Wanted.UseSymbolTable = false;
    return Wanted;
  }
};

//===-- Static variables ------------------------------------------------------===//

namespace {

/// What an expected value is, or nothing.
template <typename T> std::optional<T> valueOf(llvm::Expected<T> Wanted) {
  if (Wanted)
    return std::move(*Wanted);
  llvm::consumeError(Wanted.takeError());
  return std::nullopt;
}

/// The procedure that keeps a variable; empty where that is none, or the main program.
std::string procedureOf(llvm::DWARFDie Variable) {
  llvm::DWARFDie Home = Variable.getParent();
  while (Home && Home.getTag() != DW_TAG_subprogram)
    Home = Home.getParent();
  if (!Home || Home.find(DW_AT_main_subprogram))
    return "";
  const char *Name = Home.getShortName();
  return Name ? Name : "";
}

} // namespace

/// The names of one module's static variables.
class DebugInformation::Statics {
public:
  explicit Statics(const std::string &Module) {
    auto Opened = valueOf(llvm::object::ObjectFile::createObjectFile(Module));
    if (!Opened)
      return;
    File = std::move(*Opened);
    readSymbols(*File.getBinary());
    Context = llvm::DWARFContext::create(*File.getBinary());
    for (const auto &Unit : Context->compile_units())
      if (names::isFortran(Unit->getUnitDIE())) {
        HasFortran = true;
        readUnit(*Unit);
      }
  }

  std::string nameOf(StringRef Symbol) const {
    if (Symbol.starts_with("_Z"))
      return llvm::demangle(Symbol);
    if (!HasFortran)
      return "";
    if (Symbol.starts_with("__") && Symbol.contains("_MOD_")) {
      const auto [Module, Array] = Symbol.drop_front(2).split("_MOD_");
      return Module.str() + "%" + Array.str();
    }
    if (Symbol == "__BLNK__")
      return "//";
    if (Symbol.ends_with("_"))
      return "/" + Symbol.drop_back().str() + "/";
    const auto Address = AddressOf.find(Symbol.str());
    const auto Kept = Address == AddressOf.end() ? Saved.end() : Saved.find(Address->second);
    return Kept == Saved.end() ? "" : Kept->second;
  }

  std::vector<names::StaticArray> heldBy(const std::string &Symbol, uint64_t Bytes) {
    const auto Address = AddressOf.find(Symbol);
    std::vector<names::StaticArray> Found;
    if (Address != AddressOf.end() && Bytes >= 2 * names::LeastHeldBytes)
      for (const names::StaticArray &Each : held())
        if (const uint64_t Within = Each.Start - Address->second;
            Within < Bytes && Each.Bytes <= Bytes - Within)
          Found.push_back({Within, Each.Bytes, Each.Name});
    return Found;
  }

  bool hasFortranModule(const std::string &Name) const {
    const std::string Prefix = "__" + Name + "_MOD_";
    const auto First = AddressOf.lower_bound(Prefix);
    return First != AddressOf.end() && StringRef(First->first).starts_with(Prefix);
  }

private:
  /// All types have to be read for it.
  const std::vector<names::StaticArray> &held() {
    if (!Held)
      Held = names::staticArrays(*Context);
    return *Held;
  }

  void readSymbols(const llvm::object::ObjectFile &Object) {
    for (const llvm::object::SymbolRef &Symbol : Object.symbols()) {
      const auto Name = valueOf(Symbol.getName());
      const auto Address = valueOf(Symbol.getAddress());
      if (!Name || !Address || Name->empty())
        continue;
      const auto [At, IsNew] = AddressOf.try_emplace(Name->str(), *Address);
      if (!IsNew)
        At->second = UINT64_MAX; /* of several sources: which one is not known */
    }
  }

  void readUnit(llvm::DWARFUnit &Unit) {
    for (const llvm::DWARFDebugInfoEntry &Entry : Unit.dies()) {
      const llvm::DWARFDie Variable(&Unit, &Entry);
      if (Variable.getTag() != DW_TAG_variable)
        continue;
      const std::optional<uint64_t> Address = names::staticAddress(Variable);
      const char *Name = Address ? Variable.getShortName() : nullptr;
      if (!Name)
        continue;
      const std::string Procedure = procedureOf(Variable);
      Saved[*Address] = Procedure.empty() ? Name : std::string(Name) + " (in " + Procedure + ")";
    }
  }

  bool HasFortran = false;
  std::map<std::string, uint64_t> AddressOf; ///< by symbol
  std::map<uint64_t, std::string> Saved;     ///< by address
  llvm::object::OwningBinary<llvm::object::ObjectFile> File;
  std::unique_ptr<llvm::DWARFContext> Context; ///< of the file
  std::optional<std::vector<names::StaticArray>> Held;
};

/// A function's name as the source has it in front of its parameters.
static std::string withoutParameters(StringRef Function) {
  if (Function == llvm::DILineInfo::BadString)
    return "";
  int Depth = 0;
  for (size_t I = 0; I < Function.size(); ++I) {
    Depth += Function[I] == '<' ? 1 : Function[I] == '>' ? -1 : 0;
    if (Depth == 0 && Function[I] == '(' && !Function.substr(I).starts_with("(anonymous"))
      return Function.take_front(I).str();
  }
  return Function.str();
}

//===-- The whole -------------------------------------------------------------===//

DebugInformation::DebugInformation() : Lines(std::make_unique<Symbolizer>()) {}
DebugInformation::~DebugInformation() = default;

const std::vector<Place> &DebugInformation::places(const std::string &Module, uint64_t Offset) {
  const auto [At, IsNew] = Known.try_emplace({Module, Offset});
  if (!IsNew)
    return At->second;
  const auto Frames = valueOf(Lines->framesOf(Module, Offset));
  for (unsigned I = 0; Frames && I < Frames->getNumberOfFrames(); ++I) {
    const llvm::DILineInfo &Frame = Frames->getFrame(I);
    if (Frame.Line > 0 && Frame.FileName != llvm::DILineInfo::BadString)
      At->second.push_back(
          {Frame.FileName, Frame.Line, Frame.Column, withoutParameters(Frame.FunctionName)});
  }
  return At->second;
}

support::CallPlace DebugInformation::callPlace(const std::string &Module, uint64_t Offset) {
  const auto Frames = valueOf(Lines->framesOf(Module, Offset));
  return Frames ? support::callPlace(*Frames) : support::CallPlace();
}

DebugInformation::Statics &DebugInformation::staticsOf(const std::string &Module) {
  std::unique_ptr<Statics> &Found = Variables[Module];
  if (!Found)
    Found = std::make_unique<Statics>(Module);
  return *Found;
}

std::string DebugInformation::variable(const std::string &Module, const std::string &Symbol) {
  return staticsOf(Module).nameOf(Symbol);
}

std::vector<names::StaticArray>
DebugInformation::heldBy(const std::string &Module, const std::string &Symbol, uint64_t Bytes) {
  return staticsOf(Module).heldBy(Symbol, Bytes);
}

std::string DebugInformation::withoutModule(const std::string &Module, const std::string &Name) {
  const auto [Fortrans, Array] = StringRef(Name).split('%');
  return !Array.empty() && staticsOf(Module).hasFortranModule(Fortrans.str()) ? Array.str() : "";
}
