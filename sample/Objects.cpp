//===-- Objects.cpp - what the addresses of samples are -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Objects.h"

#include "System.h"

#include "trace/profile/SampleError.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <cstdio>
#include <set>
#include <tuple>

using namespace sample;
using maiprof::Array;

namespace {

/// Where profiles have blocks that were freed, and small ones.
constexpr uint64_t FreedFrom = uint64_t(1) << 44;
/// What several threads used while it was there.
constexpr uint32_t SharedView = maiprof::Series::Alone + 1;

class Describing {
public:
  Describing(Processes &All, Process &Its, const Chains *Known, uint64_t Least)
      : In(All), Of(Its), Named(Known), ArraysFrom(Least) {}

  Objects run() {
    Result.Uses = std::move(Of.Uses);
    noteThreads();
    dropUnused();
    std::stable_sort(Result.Uses.begin(), Result.Uses.end(),
                     [](const Use &A, const Use &B) { return A.Time < B.Time; });
    std::erase_if(Result.Uses, [&](const Use &Each) { return isOurs(Each.Address); });
    Result.Nodes = Of.Nodes;
    addBlocks();
    noteUsed();
    addStatics();
    describePhases();
    describeThreads();
    addMaps();
    return std::move(Result);
  }

private:
  void noteThreads() {
    for (const Use &Each : Result.Uses)
      Seen.insert(Each.Thread);
  }

  /// Nothing is told of pages that are touched first and not seen again: most are such. But where
  /// no touch of a page was told that was seen, those beside it stand for it.
  void dropUnused() {
    llvm::DenseSet<uint64_t> Sampled, Touched, RoomsWithGaps;
    for (const Use &Each : Result.Uses)
      (Each.IsTouch ? Touched : Sampled).insert(Each.Address / PageBytes);
    for (const uint64_t Number : Sampled)
      if (!Touched.contains(Number))
        RoomsWithGaps.insert(Number / PagesOfHuge);
    std::erase_if(Result.Uses, [&](const Use &Each) {
      const uint64_t Number = Each.Address / PageBytes;
      return Each.IsTouch && !Sampled.contains(Number) &&
             !RoomsWithGaps.contains(Number / PagesOfHuge);
    });
  }

  /*===-- Blocks ------------------------------------------------------------===*/

  void addBlocks() {
    if (!Named)
      return;
    describeBlocks(Of.Blocks.all());
    noteSharing();
    moveAll();
  }

  /// A block has pages that another had before it was freed: who touched these first holds for it,
  /// too.
  void moveAll() {
    std::map<uint64_t, Use> Touched;                /* pages of the program, until now */
    std::set<std::pair<uint32_t, uint64_t>> Passed; /* blocks and pages */
    std::vector<Use> Earlier;
    for (Use &Each : Result.Uses) {
      const uint64_t Was = Each.Address / PageBytes;
      if (Each.IsTouch)
        Touched[Was] = Each;
      if (Each.Block == Lifetimes::None)
        continue;
      move(Each, Of.Blocks.all()[Each.Block]);
      const auto Known = Touched.find(Was);
      if (!Passed.emplace(Each.Block, Was).second || Known == Touched.end() ||
          Known->second.Block == Each.Block)
        continue;
      Earlier.push_back(Known->second);
      Earlier.back().Address = Each.Address;
    }
    Result.Uses.insert(Result.Uses.end(), Earlier.begin(), Earlier.end());
  }

  static std::vector<double> numbersOf(const std::map<uint32_t, double> &SamplesByThread) {
    std::vector<double> Numbers;
    for (const auto &[Thread, Samples] : SamplesByThread)
      Numbers.push_back(Samples);
    return Numbers;
  }

  /// By array, pairs of samples of the blocks that are one once they are freed.
  std::map<size_t, maiprof::Pairs> pairsOfArrays() const {
    std::map<uint32_t, std::map<uint32_t, double>> Users; /* by block */
    for (const Use &Each : Result.Uses)
      if (!Each.IsTouch && Overlaid.contains(Each.Block))
        ++Users[Each.Block][Each.Thread];
    std::map<size_t, maiprof::Pairs> Sums;
    for (const auto &[Block, SamplesByThread] : Users)
      Sums[Overlaid.at(Block)].add(numbersOf(SamplesByThread));
    return Sums;
  }

  /// Where several threads use each of the blocks that are one array, they share it; where each has
  /// had one user, only the profile puts these together.
  void noteSharing() {
    constexpr double Enough = 8; /* pairs */
    std::map<size_t, maiprof::Pairs> OfArrays = pairsOfArrays();
    for (Use &Each : Result.Uses) {
      const auto Known = Overlaid.find(Each.Block);
      if (Known == Overlaid.end())
        continue;
      const maiprof::Pairs &Its = OfArrays[Known->second];
      if (Its.All >= Enough)
        Each.View = 2 * Its.OfOne < Its.All ? SharedView : maiprof::Series::Alone;
    }
  }

  /// To where the profile has the block. A page of it is where that one was which has most of it.
  void move(Use &Its, const Block &From) {
    const uint64_t Was = Its.Address;
    const auto Small = Gathered.find({From.Chain, Was / PageBytes});
    Its.Address = Small == Gathered.end() ? Was - From.Start + Places[Its.Block]
                                          : Small->second + Was % PageBytes;
    const auto Known = Of.Nodes.find(Was / PageBytes);
    if (Known == Of.Nodes.end())
      return;
    const uint64_t Middle = Was - Was % PageBytes + PageBytes / 2;
    Result.Nodes.try_emplace(Its.Address / PageBytes, Known->second);
    Result.Nodes[(Middle - Was + Its.Address) / PageBytes] = Known->second;
  }

  /// Blocks of one site, size and number are one array once they are freed.
  void describeBlocks(const std::vector<Block> &All) {
    gather(All);
    std::map<std::tuple<uint64_t, uint64_t, uint64_t, std::string>, size_t> Freed;
    for (const Block &Each : All) {
      Places.push_back(Each.Start);
      if (!Each.IsUsed || isSmall(Each)) /* nobody asks for it, or as one of many */
        continue;
      if (!Each.IsFreed) {
        addBlock(Each, Each.Start);
        continue;
      }
      const auto [At, IsNew] =
          Freed.try_emplace({Each.Chain, Each.Bytes, Each.Number, Each.Name}, Result.Arrays.size());
      if (IsNew)
        addBlock(Each, reserve(Each.Start % PageBytes + Each.Bytes) + Each.Start % PageBytes);
      ++Result.Arrays[At->second].Instances;
      Overlaid[static_cast<uint32_t>(Places.size() - 1)] = At->second;
      Places.back() = Result.Arrays[At->second].Start;
    }
  }

  /// Room for what is not where it was in the program, with a page that is nobody's behind it.
  uint64_t reserve(uint64_t Bytes) {
    const uint64_t Start = Next;
    Next += (Bytes + PageBytes - 1) / PageBytes * PageBytes + PageBytes;
    return Start;
  }

  bool isSmall(const Block &Its) const { return Its.Bytes < ArraysFrom && !Its.IsOfMai; }

  /// The small blocks of a site are one array of the pages that they were seen in.
  void gather(const std::vector<Block> &All) {
    std::map<uint64_t, std::set<uint64_t>> Pages; /* by chain */
    std::map<uint64_t, uint64_t> Blocks;
    for (const Use &Each : Result.Uses)
      if (Each.Block != Lifetimes::None && !Each.IsTouch && isSmall(All[Each.Block]))
        Pages[All[Each.Block].Chain].insert(Each.Address / PageBytes);
    for (const Block &Each : All)
      Blocks[Each.Chain] += Each.IsUsed && isSmall(Each);
    for (const auto &[Chain, Its] : Pages) {
      const uint64_t Start = reserve(Its.size() * PageBytes);
      addBlock({.Start = Start, .Bytes = Its.size() * PageBytes, .Chain = Chain, .Name = {}},
               Start);
      Result.Arrays.back().Instances = Blocks[Chain];
      uint64_t At = Start;
      for (const uint64_t Each : Its) {
        Gathered[{Chain, Each}] = At;
        At += PageBytes;
      }
    }
  }

  void addBlock(const Block &Its, uint64_t Place) {
    Array New;
    New.What = Its.IsOfMai ? Array::Kind::Mai : Array::Kind::Heap;
    New.Name = Its.Name;
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

  static bool isOurs(const std::string &File) {
    return File.find("/libmai-record.so") != std::string::npos;
  }

  /// Whether we have put it into the program: the library, its variables, and the log.
  bool isOurs(uint64_t Address) const {
    const Map *Its = Of.mapOf(Address);
    if (Its && !isFile(*Its))
      Its = Of.mapOf(Its->Start - 1);
    return Its && (isOurs(Its->File) || Its->File.starts_with("/memfd:" SAMPLE_LOG_NAME));
  }

  static bool isPassing(const std::string &File) {
    return File.find("/libstdc++.so") != std::string::npos || isOurs(File);
  }

  uint32_t chainOf(uint64_t Number) {
    constexpr size_t Most = 24;
    const auto Known = Named->find(Number);
    if (Known == Named->end())
      return maiprof::None;
    const auto [At, IsNew] = ChainIndex.try_emplace(Number, Result.Chains.size());
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

  static bool isRuntime(const std::string &File) {
    return File.find("/libgomp.so") != std::string::npos ||
           File.find("/libomp.so") != std::string::npos ||
           File.find("/libiomp5.so") != std::string::npos;
  }

  /*===-- Parallel regions --------------------------------------------------===*/

  static bool isOutlined(const SampledFunction &Its) {
    return Its.Name.find("._omp_fn.") != std::string::npos ||
           Its.Name.find(".omp_outlined") != std::string::npos;
  }

  /// The functions that compilers make of regions, and those that regions call, which other threads
  /// than the first run, too: who has called one, samples do not tell.
  std::set<uint32_t> functionsOfRegions() const {
    std::set<uint32_t> Outlined, All;
    for (const Use &Each : Result.Uses) {
      if (Each.IsTouch || Each.Function == 0)
        continue;
      const SampledFunction &Its = In.functions()[Each.Function - 1];
      if (isOutlined(Its))
        Outlined.insert(Each.Function);
      if (isOutlined(Its) || (Each.Thread > 0 && !isRuntime(Its.Module) && !isOurs(Its.Module)))
        All.insert(Each.Function);
    }
    return Outlined.empty() ? Outlined : All;
  }

  void describePhases() {
    const std::set<uint32_t> OfRegions = functionsOfRegions();
    std::map<uint32_t, uint32_t> Phases;
    for (Use &Each : Result.Uses) {
      if (Each.IsTouch || !OfRegions.contains(Each.Function))
        continue;
      const auto [Known, IsNew] =
          Phases.try_emplace(Each.Function, static_cast<uint32_t>(Result.Phases.size() + 1));
      Each.Phase = Known->second;
      const SampledFunction &Its = In.functions()[Each.Function - 1];
      if (IsNew)
        Result.Phases.push_back({Its.Module, Its.Start, Its.Name, {}});
      if (IsNew && Of.Unshared.contains(Each.Function))
        Result.Unshared.push_back(Each.Phase);
    }
  }

  /*===-- Threads -----------------------------------------------------------===*/

  /// Where nobody tells numbers, threads of a run-time are taken to begin in their order.
  bool hasRuntime() const {
    return !Named && std::any_of(Of.Maps.begin(), Of.Maps.end(),
                                 [](const auto &Each) { return isRuntime(Each.second.File); });
  }

  /// The number of each thread in teams, or None. The initial thread is 0 where no other is.
  std::vector<uint32_t> numbers() const {
    std::vector<uint32_t> List;
    const bool AreInOrder = hasRuntime();
    for (const Thread &Each : Of.Threads)
      List.push_back(AreInOrder ? static_cast<uint32_t>(List.size()) : Each.Number);
    if (!List.empty() && List[0] == maiprof::None &&
        std::find(List.begin(), List.end(), 0) == List.end())
      List[0] = 0;
    return List;
  }

  /// As in traced programs a thread is a number in teams, whoever has it; others come behind, if
  /// there are samples of them: a program may have begun any number.
  void describeThreads() {
    Numbers = numbers();
    const auto IsKnown = [&](size_t I) {
      return Numbers[I] != maiprof::None || Seen.contains(static_cast<uint32_t>(I));
    };
    std::map<std::pair<uint32_t, size_t>, uint32_t> Order; /* the others by themselves */
    const auto KeyOf = [&](size_t I) {
      return std::pair(Numbers[I], Numbers[I] == maiprof::None ? I : size_t(0));
    };
    for (size_t I = 0; I < Numbers.size(); ++I)
      if (IsKnown(I))
        Order.try_emplace(KeyOf(I));
    for (auto &[Key, Place] : Order) {
      Place = static_cast<uint32_t>(Result.Threads.size());
      const bool IsOther = Key.first == maiprof::None;
      maiprof::Thread &New = Result.Threads.emplace_back();
      New.What = IsOther ? maiprof::Thread::Kind::Other : maiprof::Thread::Kind::OpenMP;
      New.Number = IsOther ? static_cast<uint32_t>(Key.second) : Key.first;
    }
    for (size_t I = 0; I < Numbers.size(); ++I)
      if (IsKnown(I))
        addFrom(Result.Threads[Order[KeyOf(I)]], Of.Threads[I]);
    for (Use &Each : Result.Uses)
      Each.Thread = Order[KeyOf(Each.Thread)];
  }

  static void addFrom(maiprof::Thread &To, const Thread &Its) {
    if (To.Called.empty())
      To.Called = Its.Name;
    if (Its.Cpu != maiprof::None)
      To.Cpu = Its.Cpu;
    To.Entries += Its.Looks;
    To.Moves += Its.Moves;
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

  /// The stack of a thread is where its stack pointer is; the first one's is called so by the
  /// kernel.
  uint32_t ownerOf(const Map &Its) const {
    if (Of.NoStacks.contains(Its.Start))
      return maiprof::None;
    for (uint32_t I = 1; I < Of.Threads.size(); ++I)
      if (Of.Threads[I].LowestStack >= Its.Start && Of.Threads[I].LowestStack < Its.end())
        return I;
    return maiprof::None;
  }

  std::string stackName(uint32_t Thread) const {
    if (Thread == 0)
      return "[stack]";
    return Numbers[Thread] == maiprof::None
               ? "[stack of other thread " + std::to_string(Thread) + "]"
               : "[stack of thread " + std::to_string(Numbers[Thread]) + "]";
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

  /// It grows downwards after it was mapped, up to what is mapped there. Below that the thread has
  /// had another one.
  void addMainStack(const Map &Its) {
    const uint64_t Lowest = Of.Threads.empty() ? Its.Start : Of.Threads[0].LowestStack;
    const auto Above = Of.Maps.find(Its.Start);
    const uint64_t Room = Above == Of.Maps.begin() ? 0 : std::prev(Above)->second.end();
    const uint64_t Start =
        Lowest < Room ? Its.Start : std::min(Its.Start, Lowest / PageBytes * PageBytes);
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
    return !Its.IsCode && (isFile(Its) || (!Named && !isZeroed(Its)));
  }

  static std::string nameOf(const Map &Its) {
    char Address[32];
    std::snprintf(Address, sizeof Address, " %llx]", static_cast<unsigned long long>(Its.Start));
    return Its.File == "//anon" || Its.File.empty() ? std::string("[anonymous") + Address
                                                    : llvm::sys::path::filename(Its.File).str();
  }

  Processes &In;
  Process &Of;
  const Chains *Named;
  uint64_t ArraysFrom; ///< bytes
  Objects Result;
  uint64_t Next = FreedFrom;
  std::vector<uint64_t> Places;        ///< of the blocks in the profile
  std::map<uint32_t, size_t> Overlaid; ///< blocks that were freed, and the arrays that have them
  std::map<std::pair<uint64_t, uint64_t>, uint64_t> Gathered; ///< pages, by chain and page
  std::map<uint64_t, uint32_t> ChainIndex;
  std::vector<uint64_t> Used;    ///< addresses, ascending
  std::set<uint32_t> Seen;       ///< threads of which there are samples
  std::vector<uint32_t> Numbers; ///< of the process's threads in teams, or None
};

} // namespace

Objects sample::objectsOf(Processes &In, Process &Of, const Chains *Known, uint64_t ArraysFrom) {
  return Describing(In, Of, Known, ArraysFrom).run();
}
