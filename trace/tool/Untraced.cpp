//===-- Untraced.cpp - how long code runs that is not traced ----*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A program may have objects that were compiled without hooks beside others that were. So each
// function that samples lie in is looked at: one that accesses memory, and refers to nothing of the
// hooks, is not traced.
//
//===----------------------------------------------------------------------===//

#include "Untraced.h"

#include "sample/Accesses.h"

#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <memory>
#include <set>

namespace fs = std::filesystem;
using namespace maiprof;

namespace {

constexpr std::string_view Library = "libmaitrace_rt.so";

/// What programs call and read to count, and what of that is linked into them.
bool isHook(llvm::StringRef Name) {
  return Name.starts_with("__tsan_") || Name.starts_with("mai_trace_") ||
         Name.starts_with("__wrap_mem");
}

template <typename Value> Value valueOr(llvm::Expected<Value> Found, Value Otherwise) {
  if (Found)
    return *Found;
  llvm::consumeError(Found.takeError());
  return Otherwise;
}

/// The functions of a file, and which of them count.
class TracedFile {
public:
  struct Function {
    uint64_t Start = 0, Bytes = 0;
    std::string Name;
  };

  explicit TracedFile(const std::string &Path) {
    llvm::Expected<llvm::object::OwningBinary<llvm::object::ObjectFile>> Opened =
        llvm::object::ObjectFile::createObjectFile(Path);
    if (!Opened) {
      llvm::consumeError(Opened.takeError());
      return;
    }
    File = std::move(*Opened);
    Object = llvm::dyn_cast<llvm::object::ELFObjectFileBase>(File.getBinary());
    if (!Object)
      return;
    readSymbols();
    readSlots();
    readStubs();
  }

  bool isTraced() const { return IsTraced; }

  /// The one that an address lies in, as far as symbols tell.
  const Function *functionAt(uint64_t Address) const {
    auto After = std::upper_bound(Functions.begin(), Functions.end(), Address,
                                  [](uint64_t At, const Function &Its) { return At < Its.Start; });
    if (After == Functions.begin())
      return nullptr;
    --After;
    return Address - After->Start < After->Bytes ? &*After : nullptr;
  }

  /// Whether what a function accesses is lost.
  bool isSilent(const Function &Its) const {
    const std::string_view Code = bytesAt(Its.Start, Its.Bytes);
    return !refersToHooks(Code, Its.Start) && Decoded.accessesMemory(Code, Its.Start);
  }

private:
  void readSymbols() {
    for (const llvm::object::ELFSymbolRef Each : Object->symbols()) {
      const llvm::StringRef Name = valueOr(Each.getName(), llvm::StringRef());
      IsTraced |= Name == "__tsan_init";
      if (valueOr(Each.getType(), llvm::object::SymbolRef::ST_Other) !=
              llvm::object::SymbolRef::ST_Function ||
          Each.getSize() == 0)
        continue;
      const uint64_t Start = valueOr(Each.getAddress(), uint64_t(0));
      Functions.push_back({Start, Each.getSize(), Name.str()});
      if (isHook(Name))
        Hooks.insert(Start);
    }
    for (const llvm::object::ELFSymbolRef Each : Object->getDynamicSymbolIterators())
      IsTraced |= valueOr(Each.getName(), llvm::StringRef()) == "__tsan_init";
    std::sort(Functions.begin(), Functions.end(),
              [](const Function &A, const Function &B) { return A.Start < B.Start; });
  }

  /// Where the dynamic linker writes addresses of hooks.
  void readSlots() {
    for (const llvm::object::SectionRef &Section : Object->dynamic_relocation_sections())
      for (const llvm::object::RelocationRef &Each : Section.relocations())
        if (const auto Symbol = Each.getSymbol(); Symbol != Object->symbol_end())
          if (isHook(valueOr(Symbol->getName(), llvm::StringRef())))
            Hooks.insert(Each.getOffset());
  }

  /// What jumps to where such a slot says.
  void readStubs() {
    constexpr uint64_t StubBytes = 16;
    std::set<uint64_t> Stubs;
    for (const llvm::object::SectionRef &Section : Object->sections()) {
      if (!valueOr(Section.getName(), llvm::StringRef()).starts_with(".plt"))
        continue;
      for (uint64_t At = Section.getAddress(); At < Section.getAddress() + Section.getSize();
           At += StubBytes)
        if (refersToHooks(bytesAt(At, StubBytes), At))
          Stubs.insert(At);
    }
    Hooks.insert(Stubs.begin(), Stubs.end());
  }

  std::string_view bytesAt(uint64_t Start, uint64_t Bytes) const {
    for (const llvm::object::SectionRef &Section : Object->sections()) {
      const uint64_t Offset = Start - Section.getAddress();
      if (!Section.isText() || Start < Section.getAddress() || Offset >= Section.getSize())
        continue;
      const llvm::StringRef Contents = valueOr(Section.getContents(), llvm::StringRef());
      return std::string_view(Contents).substr(std::min<uint64_t>(Offset, Contents.size()), Bytes);
    }
    return {};
  }

  /// Calls of x86-64 and addresses of variables are a distance of 4 bytes, from behind it. That
  /// other bytes look like one to a hook is as good as impossible.
  bool refersToHooks(std::string_view Code, uint64_t Start) const {
    int32_t Distance;
    for (size_t At = 0; At + sizeof Distance <= Code.size(); ++At) {
      std::memcpy(&Distance, Code.data() + At, sizeof Distance);
      if (Hooks.count(Start + At + sizeof Distance + static_cast<uint64_t>(int64_t(Distance))))
        return true;
    }
    return false;
  }

  llvm::object::OwningBinary<llvm::object::ObjectFile> File;
  const llvm::object::ELFObjectFileBase *Object = nullptr;
  sample::Instructions Decoded;
  std::vector<Function> Functions; ///< by start
  std::set<uint64_t> Hooks;        ///< and what leads there
  bool IsTraced = false;
};

/// As the profile calls it: the kernel and the dynamic linker may name a file by different links.
std::string nameOf(const std::string &File, const Profile &P) {
  std::error_code Ignored;
  for (const Module &M : P.Modules)
    if (M.Path == File || fs::equivalent(M.Path, File, Ignored))
      return M.Path;
  return File;
}

} // namespace

std::optional<RunTime> maiprof::timesOf(const Profile &P, const sample::RunTime::Places &Samples) {
  RunTime Result;
  std::map<std::pair<std::string, std::string>, uint64_t> Parts; /* by object and function */
  std::map<std::string, std::unique_ptr<TracedFile>> Files;
  for (const auto &[At, Count] : Samples) {
    const auto &[Path, Address] = At;
    if (llvm::sys::path::filename(Path).starts_with(Library))
      continue;
    std::unique_ptr<TracedFile> &File = Files[Path];
    if (!File)
      File = std::make_unique<TracedFile>(Path);
    const TracedFile::Function *Its = File->isTraced() ? File->functionAt(Address) : nullptr;
    if (Its && isHook(Its->Name))
      continue;
    Result.Samples += Count;
    if (!File->isTraced())
      Parts[{nameOf(Path, P), ""}] += Count;
    else if (Its && File->isSilent(*Its))
      Parts[{nameOf(Path, P), Its->Name}] += Count;
  }
  for (const auto &[Its, Count] : Parts)
    Result.Untraced.push_back({Its.first, Its.second, Count});
  std::stable_sort(Result.Untraced.begin(), Result.Untraced.end(),
                   [](const auto &A, const auto &B) { return A.Samples > B.Samples; });
  return Result.Samples ? std::optional(Result) : std::nullopt;
}
