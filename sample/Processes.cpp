//===-- Processes.cpp - the programs of a recording -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Processes.h"

#include "Served.h"
#include "System.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <cstdlib>
#include <linux/perf_event.h>

using namespace sample;

namespace {

/// Of all processors; the kernel's own addresses have all bits there.
constexpr uint64_t UserEnd = uint64_t(1) << 56;
/// Of those whose instructions are decoded.
constexpr uint64_t DecodedEnd = uint64_t(1) << 47;

/// perf keeps copies of what it has recorded, by build-ids.
std::string cachedFile(const std::string &BuildId) {
  const char *Home = getenv("HOME");
  return std::string(Home ? Home : "") + "/.debug/.build-id/" +
         llvm::toHex(llvm::StringRef(BuildId).substr(0, 1), true) + "/" +
         llvm::toHex(llvm::StringRef(BuildId).substr(1), true) + "/elf";
}

} // namespace

/*===-- Process -------------------------------------------------------------===*/

const Map *Process::mapOf(uint64_t Address) const {
  auto After = Maps.upper_bound(Address);
  if (After == Maps.begin())
    return nullptr;
  const Map &Its = (--After)->second;
  return Address < Its.end() ? &Its : nullptr;
}

/// The first thread has the process's number, whichever is heard of first.
uint32_t Process::threadOf(uint32_t ThreadId) {
  if (Threads.empty() && ThreadId != Id)
    threadOf(Id);
  const auto [Found, IsNew] = ById.try_emplace(ThreadId, static_cast<uint32_t>(Threads.size()));
  if (IsNew)
    Threads.push_back({.Id = ThreadId});
  return Found->second;
}

/// What was mapped there before is gone, as far as the new one goes.
void Process::add(const Map &New) {
  if (New.Bytes == 0 || New.end() < New.Start)
    return;
  auto At = Maps.lower_bound(New.Start);
  if (At != Maps.begin())
    --At;
  while (At != Maps.end() && At->second.Start < New.end()) {
    const Map Old = At->second;
    if (Old.end() <= New.Start) {
      ++At;
      continue;
    }
    At = Maps.erase(At);
    if (Old.Start < New.Start) {
      Map Before = Old;
      Before.Bytes = New.Start - Old.Start;
      Maps[Before.Start] = Before;
    }
    if (Old.end() > New.end()) {
      Map After = Old;
      After.Start = New.end();
      After.Bytes = Old.end() - New.end();
      After.Offset += New.end() - Old.Start;
      Maps[After.Start] = After;
    }
  }
  Maps[New.Start] = New;
}

void Process::beginAnew() {
  Threads.clear();
  ById.clear();
  Uses.clear();
  Maps.clear();
  NoStacks.clear();
  Nodes.clear();
  Blocks = {};
  Unshared.clear();
  Asked = 0;
  Without = {};
  Running = 1;
}

void Process::inherit(const Process &Parent) {
  Name = Parent.Name;
  Maps = Parent.Maps;
  Blocks.inherit(Parent.Blocks);
}

size_t Process::accesses() const {
  return static_cast<size_t>(
      std::count_if(Uses.begin(), Uses.end(), [](const Use &Each) { return !Each.IsTouch; }));
}

/*===-- Processes -----------------------------------------------------------===*/

Process &Processes::of(uint32_t Id) {
  const auto [Known, IsNew] = ById.try_emplace(Id);
  if (IsNew) {
    List.emplace_back(Id);
    Known->second = std::prev(List.end());
  }
  return *Known->second;
}

Code *Processes::codeOf(const Map &Its) {
  if (LastFile && LastFile->first.first == Its.File && LastFile->first.second == Its.BuildId)
    return LastFile->second.get();
  LastFile = &*Files.try_emplace({Its.File, Its.BuildId}).first;
  std::unique_ptr<Code> &Known = LastFile->second;
  if (Known)
    return Known.get();
  Known = std::make_unique<Code>(Its.File);
  /* Tools fill short ones up with zeros. */
  const std::string &Own = Known->buildId();
  if (Its.BuildId.empty() || (!Own.empty() && Its.BuildId.starts_with(Own)))
    return Known.get();
  const bool IsThere = Known->isThere();
  Known = std::make_unique<Code>(cachedFile(Its.BuildId));
  if (IsThere && !Known->isThere())
    NotSame.insert(Its.File);
  return Known.get();
}

CodePlace Processes::placeOf(const Process &In, uint64_t Address) {
  const Map *Its = In.mapOf(Address);
  if (!Its || !Its->IsCode || Its->File.empty() || Its->File[0] != '/')
    return {};
  Code *File = codeOf(*Its);
  const uint64_t Start = File->addressOf(Its->Offset);
  return {File, Address - Its->Start + Start, Its->Start - Start};
}

uint32_t Processes::functionOf(const Process &In, uint64_t Address) {
  const CodePlace At = placeOf(In, Address);
  if (!At.File)
    return 0;
  const Code::Function Its = At.File->functionAt(At.Address);
  if (Its.Bytes.empty())
    return 0;
  const auto [Known, IsNew] = FunctionNumbers.try_emplace(
      {At.File, Its.Start}, static_cast<uint32_t>(Functions.size() + 1));
  if (IsNew)
    Functions.push_back({In.mapOf(Address)->File, Its.Start, At.File->functionName(Its.Start)});
  return Known->second;
}

void Processes::noteThread(Thread &Of, const Sample &Its) {
  if (Its.User.has(Registers::Sp))
    Of.LowestStack = std::min(Of.LowestStack, Its.User.Values[Registers::Sp]);
  if (!Its.HasCpu)
    return;
  Of.Moves += Of.Cpu != UINT32_MAX && Of.Cpu != Its.Cpu;
  Of.Cpu = Its.Cpu;
  ++Of.Looks;
}

/// Where the physical address is told, the page is where that is. A page that local memory served
/// is on the CPU's node; of two nodes, it is on the other one where remote memory did.
void Processes::noteServed(Process &Of, const Sample &Its, maiprof::Served By) const {
  if (const std::optional<uint32_t> Node = Memory.nodeOf(Its.Physical); Node && Its.Physical) {
    Of.Nodes[Its.Address / PageBytes] = *Node;
    return;
  }
  const auto Here = Its.HasCpu ? NodeOf.find(Its.Cpu) : NodeOf.end();
  if (Here == NodeOf.end())
    return;
  if (By == maiprof::Served::LocalMemory)
    Of.Nodes[Its.Address / PageBytes] = Here->second;
  std::set<uint32_t> Others;
  for (const auto &[Cpu, Node] : NodeOf)
    if (Node != Here->second)
      Others.insert(Node);
  if (By == maiprof::Served::RemoteMemory && Others.size() == 1)
    Of.Nodes[Its.Address / PageBytes] = *Others.begin();
}

/// Whether a page was touched first by writing is what the instruction says that was not carried
/// out.
void Processes::takeTouch(Process &Of, const Use &Begun, const Sample &Its, bool AreAll) {
  Use New = Begun;
  New.Address = Its.Address;
  const CodePlace At = placeOf(Of, Its.Code);
  New.IsWrite = !At.File || Decoded.at(*At.File, At.Address, At.Bias, Its.User).Writes;
  New.IsTouch = true;
  add(Of, New);
  New.IsTouch = false;
  if (AreAll) /* there is nothing else to know the accesses by */
    add(Of, New);
}

void Processes::add(Process &Of, Use New) {
  New.Block = Of.Blocks.use(New.Address, New.IsTouch);
  Of.Uses.push_back(New);
}

/// Nothing that is in use of a stack lies below its pointer. Go's stacks, and coroutines', lie in
/// memory that has arrays, too.
void Processes::noteBelowStack(Process &Of, uint64_t Address, const Registers &User) {
  constexpr uint64_t RedZone = 128;
  const uint64_t Pointer = User.Values[Registers::Sp];
  if (!User.has(Registers::Sp) || Address + RedZone >= Pointer)
    return;
  const Map *Its = Of.mapOf(Address);
  if (Its && Its == Of.mapOf(Pointer))
    Of.NoStacks.insert(Its->Start);
}

void Processes::takeAccess(Process &Of, Use New, const Sample &Its, bool TellsAddresses) {
  New.Function = functionOf(Of, Its.Code);
  if (Its.Address) {
    New.Address = Its.Address;
    New.IsWrite = isStore(Its.Served);
    New.Cycles = static_cast<uint32_t>(std::min<uint64_t>(Its.Latency, UINT32_MAX));
    New.By = servedBy(Its.Served);
    noteServed(Of, Its, New.By);
    add(Of, New);
    return;
  }
  if (TellsAddresses) { /* the instruction was none that accesses memory */
    ++Of.Without.Accesses;
    return;
  }
  const CodePlace At = placeOf(Of, Its.Code);
  const Access Its_ = At.File ? Decoded.sampled(*At.File, At.Address, At.Bias, Its.User) : Access();
  switch (Its_.What) {
  case Access::Result::Known:
    New.Address = Its_.Address;
    New.IsWrite = Its_.Writes;
    noteBelowStack(Of, New.Address, Its.User);
    if (New.Address < DecodedEnd)
      add(Of, New);
    return;
  case Access::Result::None:
  case Access::Result::Waits: /* time, but no memory that a placement could bring nearer */
    ++Of.Without.Accesses;
    return;
  case Access::Result::Gone:
    ++Of.Without.Addresses;
    return;
  case Access::Result::NotKnown:
    ++Of.Without.Code;
    return;
  }
}

void Processes::take(uint64_t Time, const Sample &Its, const std::vector<Source> &Sources) {
  const Source &From = Sources[Its.From];
  if (Its.Address >= UserEnd || (Its.Code >= UserEnd && !Its.Address))
    return; /* the kernel's own */
  Process &Of = of(Its.Process);
  Use New;
  New.Time = Time;
  New.Thread = Of.threadOf(Its.Thread);
  New.Weight = From.isVarying() && Its.Period ? Its.Period : From.Weight * Its.Times;
  noteThread(Of.Threads[New.Thread], Its);
  if (From.isFaults())
    takeTouch(Of, New, Its, std::ranges::none_of(Sources, &Source::tellsAccesses));
  else
    takeAccess(Of, New, Its, From.Fields & PERF_SAMPLE_DATA_SRC);
}

void Processes::take(const Renamed &Its) {
  Process &Of = of(Its.Process);
  if (Its.IsExec)
    Of.beginAnew();
  if (Its.Process == Its.Thread)
    Of.Name = Its.Name;
  else
    Of.Threads[Of.threadOf(Its.Thread)].Name = Its.Name;
}

/// Numbers of processes that have ended are given to others.
void Processes::take(const Forked &Its) {
  if (Its.Process == Its.Parent) {
    ++of(Its.Process).Running;
  } else {
    ById.erase(Its.Process);
    of(Its.Process).inherit(of(Its.Parent));
  }
  of(Its.Process).threadOf(Its.Thread);
}

/// There may be any number of processes that have done nothing that a sample tells of.
void Processes::take(const Exited &Its) {
  const auto Known = ById.find(Its.Process);
  if (Known == ById.end() || --Known->second->Running > 0)
    return;
  if (Its.Process != Kept && Known->second->accesses() == 0) {
    List.erase(Known->second);
    ById.erase(Known);
  }
}

/// Of a process that has ended a log may tell still.
void Processes::take(const BlockEvent &Its) {
  if (const auto Known = ById.find(Its.Process); Known != ById.end())
    Known->second->Blocks.take(Its);
}

/// The first one that it had.
void Processes::take(const Numbered &Its) {
  const auto Known = ById.find(Its.Process);
  if (Known == ById.end())
    return;
  uint32_t &Number = Known->second->Threads[Known->second->threadOf(Its.Thread)].Number;
  if (Number == UINT32_MAX)
    Number = Its.Number;
}

void Processes::take(const Unshared &Its) {
  const auto Known = ById.find(Its.Process);
  if (Known == ById.end())
    return;
  if (const uint32_t Function = functionOf(*Known->second, Its.Code - 1))
    Known->second->Unshared.insert(Function);
}

void Processes::take(const Event &Its, const std::vector<Source> &Sources) {
  if (const auto *S = std::get_if<Sample>(&Its.What))
    take(Its.Time, *S, Sources);
  else if (const auto *M = std::get_if<Map>(&Its.What))
    of(M->Process).add(*M);
  else if (const auto *B = std::get_if<BlockEvent>(&Its.What))
    take(*B);
  else if (const auto *R = std::get_if<Renamed>(&Its.What))
    take(*R);
  else if (const auto *F = std::get_if<Forked>(&Its.What))
    take(*F);
  else if (const auto *E = std::get_if<Exited>(&Its.What))
    take(*E);
  else if (const auto *N = std::get_if<Numbered>(&Its.What))
    take(*N);
  else if (const auto *U = std::get_if<Unshared>(&Its.What))
    take(*U);
  else if (const auto *L = std::get_if<Lost>(&Its.What))
    LostCount += L->Count;
  else if (const auto *T = std::get_if<Traced>(&Its.What))
    LostCount += T->IsTruncated; /* how much it was nobody tells */
  else if (std::holds_alternative<Throttled>(Its.What))
    ++ThrottledCount;
}

maiprof::Sampling sample::samplingOf(const std::vector<Source> &Sources, const Processes &Read) {
  maiprof::Sampling S;
  for (const auto Kind : {&Source::tellsAccesses, &Source::isFaults})
    for (const Source &Each : Sources)
      if ((Each.*Kind)() && !Each.Name.empty() && S.Source.find(Each.Name) == std::string::npos)
        S.Source += (S.Source.empty() ? "" : " and ") + Each.Name;
  if (S.Source.empty())
    S.Source = "perf";
  /* Where there is anything else, faults only tell of first touches. */
  const auto First = std::ranges::find_if(Sources, &Source::tellsAccesses);
  const Source &Its = First == Sources.end() ? Sources.front() : *First;
  S.Of = Its.isFaults()  ? maiprof::Sampling::Unit::Faults
         : Its.isTimer() ? maiprof::Sampling::Unit::Time
                         : maiprof::Sampling::Unit::Accesses;
  S.Period = Its.isByFrequency() ? 0 : Its.Period;
  S.Lost = Read.lost();
  S.Throttled = Read.throttled();
  return S;
}
