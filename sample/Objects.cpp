//===-- Objects.cpp - what the addresses of samples are -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Objects.h"

#include <algorithm>
#include <cstdio>
#include <tuple>

using namespace sample;
using maiprof::Array;

namespace {

constexpr uint64_t Page = 4096;
/// Where profiles have blocks that were freed.
constexpr uint64_t FreedFrom = uint64_t(1) << 44;
constexpr size_t Never = SIZE_MAX;

/// A block from its allocation to its end.
struct Block {
  uint64_t Start = 0, Bytes = 0, Chain = 0;
  uint64_t Number = 0; ///< how many of its chain there were
  bool IsUsed = false;
  bool IsFreed = false;
};

/// Goes through the log and the samples in the order of time.
class Lifetimes {
public:
  explicit Lifetimes(const BlockLog *Log) {
    if (Log)
      Events = &Log->Events;
  }

  /// Which block each of these uses is of; Never: of none.
  std::vector<size_t> blocksOf(uint32_t Process, std::vector<Use> &Uses) {
    std::stable_sort(Uses.begin(), Uses.end(),
                     [](const Use &A, const Use &B) { return A.Time < B.Time; });
    List.clear();
    Alive.clear();
    OfChain.clear();
    std::vector<size_t> Found;
    size_t Next = 0;
    for (const Use &Each : Uses) {
      Next = advance(Process, Next, Each.Time);
      Found.push_back(at(Each.Address));
      if (Found.back() != Never)
        List[Found.back()].IsUsed |= !Each.IsTouch;
    }
    advance(Process, Next, UINT64_MAX);
    return Found;
  }

  std::vector<Block> List;

private:
  size_t advance(uint32_t Process, size_t Next, uint64_t Until) {
    for (; Events && Next < Events->size() && (*Events)[Next].Time <= Until; ++Next)
      if ((*Events)[Next].Process == Process)
        apply((*Events)[Next]);
    return Next;
  }

  void apply(const BlockEvent &Its) {
    if (const auto Old = Alive.find(Its.Address); Old != Alive.end()) {
      List[Old->second].IsFreed = true;
      --OfChain[List[Old->second].Chain];
      Alive.erase(Old);
    }
    if (Its.IsFreed)
      return;
    Alive[Its.Address] = List.size();
    List.push_back({.Start = Its.Address,
                    .Bytes = Its.Bytes,
                    .Chain = Its.Chain,
                    .Number = OfChain[Its.Chain]++});
  }

  size_t at(uint64_t Address) const {
    auto After = Alive.upper_bound(Address);
    if (After == Alive.begin())
      return Never;
    const Block &Its = List[(--After)->second];
    return Address - Its.Start < Its.Bytes ? After->second : Never;
  }

  const std::vector<BlockEvent> *Events = nullptr;
  std::map<uint64_t, size_t> Alive;     ///< by address
  std::map<uint64_t, uint64_t> OfChain; ///< how many are alive
};

class Describing {
public:
  Describing(Processes &All, Process &Its, const BlockLog *Known) : In(All), Of(Its), Log(Known) {}

  Objects run() {
    Result.Uses = std::move(Of.Uses);
    for (const auto &[Start, Its] : Of.Maps)
      Result.HasTeam |= Its.File.find("/libgomp.so") != std::string::npos ||
                        Its.File.find("/libomp.so") != std::string::npos ||
                        Its.File.find("/libiomp5.so") != std::string::npos;
    Result.Nodes = Of.Nodes;
    addBlocks();
    noteUsed();
    addStatics();
    addMaps();
    return std::move(Result);
  }

private:
  /*===-- Blocks ------------------------------------------------------------===*/

  void addBlocks() {
    Lifetimes Its(Log);
    const std::vector<size_t> Found = Its.blocksOf(Of.Id, Result.Uses);
    describeBlocks(Its.List);
    for (size_t I = 0; I < Found.size(); ++I)
      if (Found[I] != Never)
        move(Result.Uses[I], Its.List[Found[I]], Places[Found[I]]);
  }

  /// To where the profile has the block.
  void move(Use &Its, const Block &From, uint64_t Place) {
    const uint64_t To = Its.Address - From.Start + Place;
    if (const auto Known = Of.Nodes.find(Its.Address / Page); Known != Of.Nodes.end())
      Result.Nodes[To / Page] = Known->second;
    Its.Address = To;
  }

  /// Blocks of one site, size and number are one array once they are freed.
  void describeBlocks(const std::vector<Block> &All) {
    std::map<std::tuple<uint64_t, uint64_t, uint64_t>, size_t> Freed;
    uint64_t Next = FreedFrom;
    for (const Block &Each : All) {
      if (!Each.IsUsed && Each.IsFreed) {
        Places.push_back(Each.Start); /* nobody asks for it */
        continue;
      }
      if (!Each.IsFreed) {
        Places.push_back(Each.Start);
        if (Each.IsUsed)
          addBlock(Each, Each.Start);
        continue;
      }
      const auto [At, IsNew] =
          Freed.try_emplace({Each.Chain, Each.Bytes, Each.Number}, Result.Arrays.size());
      if (IsNew) {
        addBlock(Each, Next + Each.Start % Page);
        Next += (Each.Start % Page + Each.Bytes + Page - 1) / Page * Page + Page;
      }
      ++Result.Arrays[At->second].Instances;
      Places.push_back(Result.Arrays[At->second].Start);
    }
  }

  void addBlock(const Block &Its, uint64_t Place) {
    Array New;
    New.What = Array::Kind::Heap;
    New.Start = Place;
    New.Bytes = Its.Bytes;
    New.Chain = chainOf(Its.Chain);
    New.Number = Its.Number;
    if (New.Chain != maiprof::None && !Result.Chains[New.Chain].Calls.empty()) {
      New.Module = Result.Chains[New.Chain].Calls.front().Module;
      New.Offset = Result.Chains[New.Chain].Calls.front().Offset;
    }
    Result.Arrays.push_back(std::move(New));
  }

  static bool isPassing(const std::string &File) {
    return File.find("/libstdc++.so") != std::string::npos ||
           File.find("/libmai-record.so") != std::string::npos;
  }

  uint32_t chainOf(uint64_t Number) {
    constexpr size_t Most = 24;
    const auto Known = Log->Chains.find(Number);
    if (Known == Log->Chains.end())
      return maiprof::None;
    const auto [At, IsNew] = Chains.try_emplace(Number, Result.Chains.size());
    if (!IsNew)
      return At->second;
    maiprof::CallChain &New = Result.Chains.emplace_back();
    New.Key = Known->second.Key;
    for (const uint64_t Code : Known->second.Calls) {
      const CodePlace Its = In.placeOf(Of, Code - 1);
      const Map *Where = Of.mapOf(Code - 1);
      if (!Its.File || (New.Calls.empty() && isPassing(Where->File)) || New.Calls.size() == Most)
        continue;
      New.Calls.push_back({Where->File, Its.Address});
    }
    return At->second;
  }

  /*===-- What is no block --------------------------------------------------===*/

  void noteUsed() {
    for (const Use &Each : Result.Uses)
      if (!Each.IsTouch)
        Used.push_back(Each.Address);
    std::sort(Used.begin(), Used.end());
  }

  bool isUsed(uint64_t Start, uint64_t End) const {
    const auto At = std::lower_bound(Used.begin(), Used.end(), Start);
    return At != Used.end() && *At < End;
  }

  void addStatics() {
    for (const auto &[Start, Its] : Of.Maps) {
      const CodePlace Place = In.placeOf(Of, Start);
      if (!Place.File)
        continue;
      for (const Variable &Each : Place.File->variables()) {
        const uint64_t Begin = Each.Start + Place.Bias;
        if (isUsed(Begin, Begin + Each.Bytes))
          add(Array::Kind::Static, Begin, Each.Bytes, Each.Name, Its.File);
      }
    }
  }

  void add(Array::Kind What, uint64_t Start, uint64_t Bytes, const std::string &Name,
           const std::string &Module) {
    Array New;
    New.What = What;
    New.Start = Start;
    New.Bytes = Bytes;
    New.Name = Name;
    New.Module = Module;
    Result.Arrays.push_back(std::move(New));
  }

  /// The stack of a thread is where its stack pointer is.
  uint32_t ownerOf(const Map &Its) const {
    for (uint32_t I = 0; I < Of.Threads.size(); ++I)
      if (Of.Threads[I].LowestStack >= Its.Start && Of.Threads[I].LowestStack < Its.end())
        return I;
    return maiprof::None;
  }

  std::string stackName(uint32_t Thread) const {
    if (Thread == 0)
      return "[stack]";
    return (Result.HasTeam ? "[stack of thread " : "[stack of other thread ") +
           std::to_string(Thread) + "]";
  }

  void addMaps() {
    for (const auto &[Start, Its] : Of.Maps)
      if (Its.File == "[stack]")
        addMainStack(Its);
      else if (!isUsed(Start, Its.end()))
        continue;
      else if (const uint32_t Owner = ownerOf(Its); Owner != maiprof::None)
        add(Array::Kind::Stack, Start, Its.Bytes, stackName(Owner), "");
      else if (isArray(Its))
        add(Array::Kind::Mapping, Start, Its.Bytes, nameOf(Its), "");
  }

  /// It grows downwards after it was mapped.
  void addMainStack(const Map &Its) {
    const uint64_t Lowest = Of.Threads.empty() ? Its.Start : Of.Threads[0].LowestStack;
    const uint64_t Start = std::min(Its.Start, Lowest / Page * Page);
    add(Array::Kind::Stack, Start, Its.end() - Start, stackName(0), "");
  }

  static bool isFile(const Map &Its) {
    return Its.File.starts_with("/") && !Its.File.starts_with("//");
  }

  /// Behind the data of a file the variables that it has no contents for.
  bool isZeroed(const Map &Its) const {
    const Map *Before = Of.mapOf(Its.Start - 1);
    return Before && isFile(*Before);
  }

  /// Mapped data. What an allocator has mapped is blocks where these are known.
  bool isArray(const Map &Its) const {
    return !Its.IsCode && (isFile(Its) || (!Log && !isZeroed(Its)));
  }

  static std::string nameOf(const Map &Its) {
    char Address[32];
    std::snprintf(Address, sizeof Address, " %llx]", static_cast<unsigned long long>(Its.Start));
    return Its.File == "//anon" || Its.File.empty() ? std::string("[anonymous") + Address
                                                    : Its.File.substr(Its.File.rfind('/') + 1);
  }

  Processes &In;
  Process &Of;
  const BlockLog *Log;
  Objects Result;
  std::vector<uint64_t> Places; ///< of the blocks in the profile
  std::map<uint64_t, uint32_t> Chains;
  std::vector<uint64_t> Used; ///< addresses, ascending
};

} // namespace

Objects sample::objectsOf(Processes &In, Process &Of, const BlockLog *Log) {
  return Describing(In, Of, Log).run();
}
