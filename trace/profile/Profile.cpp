//===-- Profile.cpp - reading profiles of mai-trace -------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Profile.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <sys/stat.h>
#include <unistd.h>
#include <unordered_map>

using namespace maiprof;

namespace {

constexpr std::string_view Magic{"MAIPROF", 7};
constexpr size_t MagicBytes = Magic.size() + 1; ///< with the version
constexpr char OldestVersion = 1, NewestVersion = 2;
constexpr uint32_t ViewsMax = 1024;
constexpr size_t TagBytes = 4;
constexpr size_t LengthBytes = 8;
constexpr uint64_t AddressEnd = uint64_t(1) << 57;
constexpr uint32_t ThreadsMax = 1U << 16;
constexpr uint64_t FlagCoarse = 1;
constexpr uint64_t FlagPhases = 2;
constexpr uint64_t FlagRunning = 4;
constexpr uint64_t FlagGaps = 8;
constexpr uint64_t FlagTransfers = 16;
constexpr uint64_t FlagSampled = 32;

/// The rest of a section. The first thing that is not there makes all that follows 0.
class Cursor {
public:
  explicit Cursor(std::string_view Section) : Rest(Section) {}

  bool failed() const { return Failed; }
  bool empty() const { return Rest.empty(); }
  void fail() { Failed = true; }

  uint64_t number() {
    uint64_t Value = 0;
    for (unsigned Shift = 0; Shift < 64 && !Failed; Shift += 7) {
      if (Rest.empty())
        break;
      const auto Byte = static_cast<unsigned char>(Rest.front());
      Rest.remove_prefix(1);
      if (Shift == 63 && Byte > 1)
        break;
      Value |= uint64_t(Byte & 0x7f) << Shift;
      if (!(Byte & 0x80))
        return Value;
    }
    Failed = true;
    return 0;
  }

  /// A number up to a bound.
  uint64_t number(uint64_t Max) {
    const uint64_t Value = number();
    if (Value <= Max)
      return Value;
    Failed = true;
    return 0;
  }

  /// How many things follow, each of which takes at least so many bytes.
  size_t count(size_t BytesEach) {
    const uint64_t Value = number();
    if (Value <= Rest.size() / BytesEach)
      return static_cast<size_t>(Value);
    Failed = true;
    return 0;
  }

  std::string text() {
    const size_t Length = count(1);
    std::string Text(Rest.substr(0, Length));
    Rest.remove_prefix(Failed ? 0 : Length);
    return Text;
  }

private:
  std::string_view Rest;
  bool Failed = false;
};

bool isPowerOfTwo(uint64_t Value) { return Value && (Value & (Value - 1)) == 0; }

uint32_t index(uint64_t PlusOne) { return PlusOne ? static_cast<uint32_t>(PlusOne - 1) : None; }

void readHead(Cursor &In, Profile &P) {
  P.LineBytes = In.number(uint64_t(1) << 30);
  P.PageBytes = In.number(uint64_t(1) << 30);
  P.Sample = In.number();
  P.CacheBytes = In.number();
  P.BlockBytes = In.number();
  const uint64_t Flags = In.number();
  P.Coarse = Flags & FlagCoarse;
  P.HasPhases = Flags & FlagPhases;
  P.HasTransfers = Flags & FlagTransfers;
  P.HasGaps = Flags & FlagGaps;
  P.WasRunning = Flags & FlagRunning;
  if (Flags & FlagSampled)
    P.Sampled.emplace();
  P.Process = In.number();
  P.Started = In.number();
  P.Signal = static_cast<uint32_t>(In.number(1024));
  P.CounterBytes = In.number();
  P.Program = In.text();
  P.Host = In.text();
  for (size_t Left = In.count(1); Left > 0 && !In.failed(); --Left)
    P.Arguments.push_back(In.text());
  if (!isPowerOfTwo(P.LineBytes) || !isPowerOfTwo(P.PageBytes) || P.LineBytes > P.PageBytes ||
      P.Sample == 0)
    In.fail();
}

void readSampling(Cursor &In, Profile &P) {
  Sampling &S = P.Sampled.emplace();
  S.Source = In.text();
  S.Of = static_cast<Sampling::Unit>(In.number(static_cast<uint64_t>(Sampling::Unit::Faults)));
  for (uint64_t *Number : {&S.Period, &S.Samples, &S.Effective, &S.WithoutAccess, &S.WithoutAddress,
                           &S.WithoutCode, &S.Lost, &S.Throttled})
    *Number = In.number();
}

void readMachine(Cursor &In, Profile &P) {
  for (size_t Left = In.count(2); Left > 0 && !In.failed(); --Left) {
    Node &N = P.Nodes.emplace_back();
    N.OsIndex = static_cast<uint32_t>(In.number(INT32_MAX));
    N.MemoryBytes = In.number();
  }
  for (size_t Left = P.Nodes.size() * P.Nodes.size(); Left > 0 && !In.failed(); --Left)
    P.Distances.push_back(static_cast<uint32_t>(In.number(UINT32_MAX)));
  for (size_t Left = In.count(2); Left > 0 && !In.failed(); --Left) {
    Cpu &C = P.Cpus.emplace_back();
    C.OsIndex = static_cast<uint32_t>(In.number(INT32_MAX));
    C.Node = index(In.number(P.Nodes.size()));
  }
}

void readModules(Cursor &In, Profile &P) {
  while (const uint64_t Kind = In.number(2)) {
    Module &M = P.Modules.emplace_back();
    M.Instrumented = Kind == 2;
    M.Path = In.text();
  }
}

uint32_t nodeOfCpu(const Profile &P, uint32_t OsIndex) {
  const auto Found = std::find_if(P.Cpus.begin(), P.Cpus.end(),
                                  [&](const Cpu &C) { return C.OsIndex == OsIndex; });
  return OsIndex == None || Found == P.Cpus.end() ? None : Found->Node;
}

void readThreads(Cursor &In, Profile &P) {
  for (size_t Left = std::min<size_t>(In.count(7), ThreadsMax); Left > 0 && !In.failed(); --Left) {
    Thread &T = P.Threads.emplace_back();
    T.What = In.number(1) ? Thread::Kind::Other : Thread::Kind::OpenMP;
    T.Number = static_cast<uint32_t>(In.number(ThreadsMax));
    T.Cpu = index(In.number(INT32_MAX));
    T.Entries = In.number();
    T.Moves = In.number();
    T.Elsewhere.Reads = In.number();
    T.Elsewhere.Writes = In.number();
  }
}

void readThreadNames(Cursor &In, Profile &P) {
  while (const uint64_t Thread = In.number(P.Threads.size()))
    P.Threads[Thread - 1].Called = In.text();
}

void readPhases(Cursor &In, std::vector<Phase> &Out) {
  while (In.number(1)) {
    Phase &New = Out.emplace_back();
    New.Module = In.text();
    New.Offset = In.number();
    New.Function = In.text();
  }
}

void readDynamicPhases(Cursor &In, Profile &P) {
  P.IsDynamic.resize(P.Phases.size() + 1);
  while (const uint64_t Phase = In.number(P.IsDynamic.size()))
    P.IsDynamic[Phase - 1] = true;
}

void readTasks(Cursor &In, Profile &P) {
  P.HasTasks = true;
  readPhases(In, P.Tasks);
}

void readArrays(Cursor &In, Profile &P) {
  while (const uint64_t Kind = In.number(static_cast<uint64_t>(Array::Kind::Mapping))) {
    Array &A = P.Arrays.emplace_back();
    A.Rank = static_cast<uint32_t>(P.Arrays.size() - 1);
    A.What = static_cast<Array::Kind>(Kind);
    A.Start = In.number(AddressEnd);
    A.Bytes = In.number(AddressEnd);
    A.Instances = In.number();
    A.Name = In.text();
    A.Module = In.text();
    A.Offset = In.number();
    (A.What == Array::Kind::Static ? A.Position : A.Function) = In.text();
  }
}

/// What allocated the arrays. Those that the file does not have were not used.
void readCalls(Cursor &In, Profile &P) {
  std::unordered_map<uint64_t, Array *> At;
  for (Array &A : P.Arrays)
    if (A.What != Array::Kind::Static && A.What != Array::Kind::Stack)
      At.emplace(A.Start, &A);
  while (size_t Left = In.count(2)) {
    CallChain &New = P.Chains.emplace_back();
    for (; Left > 0 && !In.failed(); --Left) {
      Call &C = New.Calls.emplace_back();
      C.Module = In.text();
      C.Offset = In.number();
    }
  }
  while (const uint64_t Start = In.number(AddressEnd)) {
    const uint32_t Chain = index(In.number(P.Chains.size()));
    const uint64_t Number = In.number();
    const auto Found = At.find(Start);
    if (Found == At.end() || In.failed())
      continue;
    Found->second->Chain = Chain;
    Found->second->Number = Number;
  }
}

void readKeys(Cursor &In, Profile &P) {
  while (const uint64_t Chain = In.number(P.Chains.size()))
    P.Chains[Chain - 1].Key = In.text();
}

/// Groups of things at ascending units: base plus 1, then for each the gap plus 1; 0 ends a
/// group, and another 0 the list.
template <typename Visitor> void readGroups(Cursor &In, uint64_t End, Visitor &&Visit) {
  while (uint64_t Next = In.number(End)) {
    Next--;
    while (const uint64_t Gap = In.number(End)) {
      const uint64_t Unit = Next + Gap - 1;
      if (In.failed() || Unit >= End) {
        In.fail();
        return;
      }
      Visit(Unit);
      Next = Unit + 1;
    }
  }
}

uint32_t nodeByOsIndex(const Profile &P, uint64_t PlusOne) {
  if (PlusOne == 0)
    return None;
  const auto Found = std::find_if(P.Nodes.begin(), P.Nodes.end(),
                                  [&](const Node &N) { return N.OsIndex == PlusOne - 1; });
  return Found == P.Nodes.end() ? None : static_cast<uint32_t>(Found - P.Nodes.begin());
}

void readPages(Cursor &In, Profile &P) {
  readGroups(In, AddressEnd / P.PageBytes, [&](uint64_t Number) {
    Page &New = P.Pages.emplace_back();
    New.Number = Number;
    New.Node = nodeByOsIndex(P, In.number(INT32_MAX));
    New.FirstReader = index(In.number(P.Threads.size()));
    New.FirstWriter = index(In.number(P.Threads.size()));
  });
}

/// Which counts follow.
struct Following {
  uint32_t Slice = 0, Task = 0; ///< as Series has them
};

void readSeries(Cursor &In, const Profile &P, uint64_t UnitBytes, const Following &Of,
                std::vector<Series> &Out) {
  Series &New = Out.emplace_back();
  New.Slice = Of.Slice;
  New.Task = Of.Task;
  New.Thread = static_cast<uint32_t>(In.number());
  New.Phase = static_cast<uint32_t>(In.number(P.Phases.size()));
  if (New.Thread >= P.Threads.size())
    In.fail();
  readGroups(In, AddressEnd / UnitBytes, [&](uint64_t Unit) {
    Touch &T = New.Touches.emplace_back();
    T.Unit = Unit;
    T.Accesses.Reads = In.number(INT64_MAX / 2);
    T.Accesses.Writes = In.number(INT64_MAX / 2);
  });
  std::sort(New.Touches.begin(), New.Touches.end(),
            [](const Touch &A, const Touch &B) { return A.Unit < B.Unit; });
}

uint32_t readThread(Cursor &In, const Profile &P) {
  const uint64_t Thread = In.number();
  if (Thread >= P.Threads.size())
    In.fail();
  return static_cast<uint32_t>(Thread);
}

void readTransfers(Cursor &In, Profile &P) {
  while (const uint64_t From = In.number(P.Threads.size())) {
    Transfers &New = P.Given.emplace_back();
    New.From = index(From);
    New.To = readThread(In, P);
    New.Phase = static_cast<uint32_t>(In.number(P.Phases.size()));
    New.Accesses.Reads = In.number(INT64_MAX / 2);
    New.Accesses.Writes = In.number(INT64_MAX / 2);
  }
}

/// Lines by chunks: the view plus 1, the first line, and then the distance from the line after the
/// last entry plus 1; 0 ends a chunk, and another 0 the list.
template <typename Visitor> void readLinesOfViews(Cursor &In, Visitor &&Visit) {
  constexpr uint64_t End = AddressEnd / 64;
  while (const uint64_t View = In.number(ViewsMax)) {
    uint64_t Next = In.number(End);
    while (const uint64_t Gap = In.number(End)) {
      Next += Gap;
      Visit(Next - 1, static_cast<uint32_t>(View - 1));
    }
  }
}

void readTransferred(Cursor &In, Profile &P) {
  readLinesOfViews(
      In, [&](uint64_t Unit, uint32_t View) { P.Moved.push_back({Unit, View, In.number()}); });
}

void readBytes(Cursor &In, Profile &P) {
  const uint32_t Thread = readThread(In, P);
  const auto Phase = static_cast<uint32_t>(In.number(P.Phases.size()));
  readLinesOfViews(In, [&](uint64_t Unit, uint32_t View) {
    UsedBytes &New = P.Bytes.emplace_back();
    New.Unit = Unit;
    New.View = View;
    New.Thread = Thread;
    New.Phase = Phase;
    New.Read = In.number();
    New.Written = In.number();
  });
}

/// By its lines: place, name, and the name without Fortran's module.
void nameArray(Array &Of, const std::string &Text) {
  const size_t Name = std::min(Text.find('\n'), Text.size());
  const size_t Short = std::min(Text.find('\n', std::min(Name + 1, Text.size())), Text.size());
  Of.Position = Text.substr(0, Name);
  std::string &Its = Of.What == Array::Kind::Static ? Of.Variable : Of.Name;
  if (Its.empty() && Name < Text.size())
    Its = Text.substr(Name + 1, Short - Name - 1);
  if (Short < Text.size())
    Of.Short = Text.substr(Short + 1);
}

void readPlaces(Cursor &In, Profile &P) {
  while (const uint64_t Kind = In.number(2)) {
    const uint64_t Index = In.number();
    std::string Text = In.text();
    if (Kind == 1 && Index < P.Arrays.size())
      nameArray(P.Arrays[Index], Text);
    else if (Kind == 2 && Index < P.Phases.size())
      P.Phases[Index].Position = std::move(Text);
    else
      In.fail();
  }
}

void readHeld(Cursor &In, Profile &P) {
  while (const uint64_t Holder = In.number(P.Arrays.size())) {
    HeldArray &New = P.Held.emplace_back();
    New.Holder = index(Holder);
    New.Offset = In.number(P.Arrays[New.Holder].Bytes);
    New.Bytes = In.number(P.Arrays[New.Holder].Bytes - New.Offset);
    New.Name = In.text();
  }
}

void readTaskPlaces(Cursor &In, Profile &P) {
  while (const uint64_t Number = In.number(P.Tasks.size()))
    P.Tasks[Number - 1].Position = In.text();
}

void readSites(Cursor &In, Profile &P) {
  while (const uint64_t Index = In.number(P.Chains.size())) {
    const std::string Text = In.text();
    std::vector<Site> &Sites = P.Chains[Index - 1].Sites;
    Sites.clear();
    for (size_t At = 0; At < Text.size();) {
      const size_t Position = std::min(Text.find('\n', At), Text.size());
      const size_t Name =
          std::min(Text.find('\n', std::min(Position + 1, Text.size())), Text.size());
      const bool IsPart = Position + 1 < Name && Text[Position + 1] == '.';
      const size_t First = std::min(Position + (IsPart ? 2 : 1), Name);
      Sites.push_back({Text.substr(At, Position - At), Text.substr(First, Name - First), IsPart});
      At = Name + 1;
    }
  }
}

void readLines(Cursor &In, Profile &P) {
  while (const uint64_t Chain = In.number(P.Chains.size()))
    P.Chains[Chain - 1].Lines = In.text();
}

void readCodes(Cursor &In, Profile &P) {
  while (In.number(1)) {
    Code &New = P.Codes.emplace_back();
    New.Module = In.text();
    New.Offset = In.number();
  }
}

/// What one thread did by code in one phase, up to 0. \p ReadCounts reads what was counted of it.
void readUsesOfCode(Cursor &In, Profile &P, void (*ReadCounts)(Cursor &In, CodeUse &New)) {
  const uint32_t Thread = readThread(In, P);
  const auto Phase = static_cast<uint32_t>(In.number(P.Phases.size()));
  while (const uint64_t Code = In.number(P.Codes.size())) {
    CodeUse &New = P.Uses.emplace_back();
    New.Code = index(Code);
    New.Thread = Thread;
    New.Phase = Phase;
    New.Page = In.number(AddressEnd / P.PageBytes);
    ReadCounts(In, New);
  }
}

void readUses(Cursor &In, Profile &P) {
  readUsesOfCode(In, P, [](Cursor &Its, CodeUse &New) {
    New.Accesses.Reads = Its.number(INT64_MAX / 2);
    New.Accesses.Writes = Its.number(INT64_MAX / 2);
  });
}

void readModel(Cursor &In, Profile &P) {
  Model New;
  New.Nodes = static_cast<uint32_t>(In.number(ModelNodesMax));
  New.CacheBytes = In.number();
  New.Ways = static_cast<uint32_t>(In.number(INT32_MAX));
  P.SeenBy = New;
}

void readModelCounts(Cursor &In, Profile &P) {
  readUsesOfCode(In, P, [](Cursor &Its, CodeUse &New) {
    for (uint64_t *Count :
         {&New.Model.Misses, &New.Model.Predicted, &New.Model.OtherCaches, &New.Model.Memory})
      *Count = Its.number(INT64_MAX / 2);
  });
}

std::vector<std::string> readTexts(Cursor &In) {
  std::vector<std::string> Texts;
  for (size_t Left = In.count(1); Left > 0 && !In.failed(); --Left)
    Texts.push_back(In.text());
  return Texts;
}

void readSources(Cursor &In, Profile &P) {
  const std::vector<std::string> Texts = readTexts(In);
  const auto Text = [&] {
    const uint64_t Index = In.number();
    if (Index < Texts.size())
      return Texts[Index];
    In.fail();
    return std::string();
  };
  while (const uint64_t Index = In.number(P.Codes.size())) {
    Code &Its = P.Codes[Index - 1];
    Its.File = Text();
    Its.Line = static_cast<uint32_t>(In.number(INT32_MAX));
    Its.Function = Text();
  }
}

void readCodeTime(Cursor &In, Profile &P) {
  RunTime &Its = P.CodeTime.emplace();
  Its.Samples = In.number(INT64_MAX);
  while (In.number(1)) {
    RunTime::Part &New = Its.Untraced.emplace_back();
    New.Module = In.text();
    New.Function = In.text();
    New.Samples = In.number(Its.Samples);
  }
  if (Its.Samples == 0)
    In.fail();
}

/// One section of a file.
struct Section {
  std::string_view Tag;
  std::string_view Payload;
  size_t End; ///< in the file
};

/// The section that begins at an offset; nothing when the file does not hold it.
std::optional<Section> sectionAt(std::string_view Bytes, size_t Offset) {
  if (Bytes.size() - Offset < TagBytes + LengthBytes)
    return std::nullopt;
  uint64_t Length = 0;
  for (size_t I = 0; I < LengthBytes; ++I)
    Length |= uint64_t(static_cast<unsigned char>(Bytes[Offset + TagBytes + I])) << (8 * I);
  const size_t Start = Offset + TagBytes + LengthBytes;
  if (Length > Bytes.size() - Start)
    return std::nullopt;
  return Section{Bytes.substr(Offset, TagBytes), Bytes.substr(Start, Length), Start + Length};
}

/// When each slice of time began.
void readSlices(Cursor &In, Profile &P) {
  for (size_t Left = In.count(1); Left > 0 && !In.failed(); --Left)
    P.Slices.push_back(In.number());
}

/// The slice of the counts that follow.
uint32_t readSlice(Cursor &In, const Profile &P) {
  const uint64_t Slice = In.number();
  if (Slice >= P.Slices.size())
    In.fail();
  return static_cast<uint32_t>(Slice);
}

/// The tasks of the counts that follow, which a thread has begun.
uint32_t readTask(Cursor &In, Profile &P) {
  const auto Task = static_cast<uint32_t>(In.number(P.Tasks.size()));
  const uint32_t Thread = readThread(In, P);
  const uint64_t Number = In.number();
  if (Task && Number)
    P.Begun.push_back({Task - 1, Thread, Number});
  return Task;
}

void readFreed(Cursor &In, const Profile &P, const Following &Of, std::vector<Series> &Out) {
  const uint64_t View = In.number(ViewsMax);
  readSeries(In, P, P.LineBytes, Of, Out);
  Out.back().View = static_cast<uint32_t>(View);
}

void readTimes(Cursor &In, Profile &P) {
  const uint32_t Thread = readThread(In, P);
  readGroups(In, AddressEnd / P.LineBytes, [&](uint64_t Line) {
    for (size_t Left = In.count(3); Left > 0 && !In.failed(); --Left) {
      Timed &New = P.Times.emplace_back();
      New.Line = Line;
      New.Thread = Thread;
      New.Cycles = static_cast<uint32_t>(In.number(UINT32_MAX));
      New.Accesses = In.number(UINT32_MAX);
      if (New.Accesses == 0)
        In.fail();
      New.By = static_cast<Served>(In.number(ServedKinds - 1));
    }
  });
}

/// How often a profile may have a section.
enum class Occurs : uint8_t { Once, Often };

struct KnownSection {
  std::string_view Tag;
  Occurs How;
  void (*Read)(Cursor &In, Following &Next, Profile &P);
};

/// Reads what does not depend on the slice or task before.
template <void (*Read)(Cursor &In, Profile &P)> void alone(Cursor &In, Following &, Profile &P) {
  Read(In, P);
}

constexpr KnownSection KnownSections[] = {
    {"HEAD", Occurs::Once, alone<readHead>},
    {"SAMP", Occurs::Once, alone<readSampling>},
    {"MACH", Occurs::Once, alone<readMachine>},
    {"MODS", Occurs::Once, alone<readModules>},
    {"THRD", Occurs::Once, alone<readThreads>},
    {"NAME", Occurs::Once, alone<readThreadNames>},
    {"PHAS", Occurs::Once, [](Cursor &In, Following &, Profile &P) { readPhases(In, P.Phases); }},
    {"DYNA", Occurs::Once, alone<readDynamicPhases>},
    {"TASK", Occurs::Once, alone<readTasks>},
    {"ARRY", Occurs::Once, alone<readArrays>},
    {"CALL", Occurs::Once, alone<readCalls>},
    {"KEYS", Occurs::Once, alone<readKeys>},
    {"PAGE", Occurs::Once, alone<readPages>},
    {"LINE", Occurs::Often,
     [](Cursor &In, Following &Next, Profile &P) {
       readSeries(In, P, P.LineBytes, Next, P.Lines);
     }},
    {"FREE", Occurs::Often,
     [](Cursor &In, Following &Next, Profile &P) { readFreed(In, P, Next, P.Lines); }},
    {"PART", Occurs::Often,
     [](Cursor &In, Following &Next, Profile &P) { readSeries(In, P, 1, Next, P.Parts); }},
    {"COAR", Occurs::Often,
     [](Cursor &In, Following &Next, Profile &P) {
       readSeries(In, P, P.PageBytes, Next, P.CoarsePages);
     }},
    {"GIVE", Occurs::Once, alone<readTransfers>},
    {"MOVE", Occurs::Once, alone<readTransferred>},
    {"BYTE", Occurs::Often, alone<readBytes>},
    {"TIME", Occurs::Once, alone<readSlices>},
    {"SLIC", Occurs::Often,
     [](Cursor &In, Following &Next, Profile &P) { Next.Slice = readSlice(In, P); }},
    {"BODY", Occurs::Often,
     [](Cursor &In, Following &Next, Profile &P) { Next.Task = readTask(In, P); }},
    {"CODE", Occurs::Once, alone<readCodes>},
    {"USES", Occurs::Often, alone<readUses>},
    {"MODL", Occurs::Once, alone<readModel>},
    {"MISS", Occurs::Often, alone<readModelCounts>},
    {"SRCS", Occurs::Often, alone<readSources>},
    {"RUNT", Occurs::Once, alone<readCodeTime>},
    {"LATE", Occurs::Often, alone<readTimes>},
    {"PLAC", Occurs::Often, alone<readPlaces>},
    {"HELD", Occurs::Once, alone<readHeld>},
    {"TPLC", Occurs::Often, alone<readTaskPlaces>},
    {"SITE", Occurs::Often, alone<readSites>},
    {"LEAD", Occurs::Often, alone<readLines>},
};

const KnownSection *knownSection(std::string_view Tag) {
  const auto *Known = std::find_if(std::begin(KnownSections), std::end(KnownSections),
                                   [&](const KnownSection &Each) { return Each.Tag == Tag; });
  return Known == std::end(KnownSections) ? nullptr : Known;
}

/// What later sections need earlier ones for is checked by their order: an index of a thread that
/// is not known yet is an error. \returns false for a section that nobody knows
bool readSection(const Section &S, Cursor &In, Following &Next, Profile &P) {
  const KnownSection *Known = knownSection(S.Tag);
  if (Known)
    Known->Read(In, Next, P);
  return Known;
}

bool isRepeated(std::string_view Tag) {
  const KnownSection *Known = knownSection(Tag);
  return Known && Known->How == Occurs::Often;
}

void sortArrays(Profile &P) {
  std::stable_sort(P.Arrays.begin(), P.Arrays.end(),
                   [](const Array &A, const Array &B) { return A.Start < B.Start; });
}

void finish(Profile &P) {
  for (Thread &T : P.Threads)
    T.Node = nodeOfCpu(P, T.Cpu);
  sortArrays(P);
  std::stable_sort(P.Pages.begin(), P.Pages.end(),
                   [](const Page &A, const Page &B) { return A.Number < B.Number; });
}

std::string printable(std::string_view Tag) {
  std::string Text;
  for (const char C : Tag)
    Text += C >= ' ' && C <= '~' ? C : '?';
  return Text;
}

std::string baseName(const std::string &Path) { return Path.substr(Path.rfind('/') + 1); }

void append(std::string &Out, uint64_t Value) {
  for (; Value > 0x7f; Value >>= 7)
    Out += static_cast<char>((Value & 0x7f) | 0x80);
  Out += static_cast<char>(Value);
}

} // namespace

std::string Thread::name() const {
  return (What == Kind::Other ? "other " : "") + std::to_string(Number) +
         (Called.empty() ? "" : " (" + Called + ")");
}

std::string Phase::name() const {
  if (!Position.empty())
    return Position + (Function.empty() ? "" : " (" + Function + ")");
  return Function.empty() ? baseName(Module) + "+" + std::to_string(Offset) : Function;
}

std::string Array::name() const {
  std::string Text = Variable.empty() ? Name : Variable;
  if (What == Kind::Stack || What == Kind::Static)
    return Text.empty() ? "?" : Text;
  if (Position.empty() && Function.empty() && Module.empty() && !Text.empty())
    return Text;
  const std::string Site = !Position.empty()   ? Position
                           : !Function.empty() ? Function + "()"
                                               : baseName(Module) + "+" + std::to_string(Offset);
  return Text.empty() ? Site : Text + " (" + Site + ")";
}

std::optional<Profile> maiprof::parse(std::string_view Bytes, std::string &Error) {
  Profile P;
  if (!Bytes.starts_with(Magic)) {
    Error = "this is no profile of mai-trace";
    return std::nullopt;
  }
  if (Bytes.size() < MagicBytes || Bytes[Magic.size()] < OldestVersion ||
      Bytes[Magic.size()] > NewestVersion) {
    Error = "a profile of another version: this program reads versions 1 and 2; use the mai-trace "
            "that came with the library that wrote it";
    return std::nullopt;
  }
  std::vector<std::string_view> Seen;
  Following Next;
  for (size_t Offset = MagicBytes;;) {
    const std::optional<Section> S = sectionAt(Bytes, Offset);
    if (!S || (Offset == MagicBytes) != (S->Tag == "HEAD")) {
      Error = S ? "byte " + std::to_string(Offset) + ": expected section HEAD just at the start"
                : "the file ends early, at byte " + std::to_string(Bytes.size()) +
                      "; was the disk full, or is it a partial copy?";
      return std::nullopt;
    }
    if (S->Tag == "END ")
      break;
    Cursor In(S->Payload);
    const bool Repeats = std::find(Seen.begin(), Seen.end(), S->Tag) != Seen.end();
    if ((Repeats && !isRepeated(S->Tag)) || (readSection(*S, In, Next, P) && In.failed())) {
      Error = "section " + printable(S->Tag) + " at byte " + std::to_string(Offset) +
              (Repeats && !isRepeated(S->Tag) ? " occurs twice" : " is damaged");
      return std::nullopt;
    }
    if (!Repeats)
      Seen.push_back(S->Tag);
    Offset = S->End;
  }
  finish(P);
  return P;
}

std::optional<std::string> maiprof::readWhole(const std::string &Path) {
  const int File = open(Path.c_str(), O_RDONLY | O_CLOEXEC);
  if (File < 0)
    return std::nullopt;
  std::string Bytes;
  std::vector<char> Buffer(size_t(1) << 16);
  ssize_t Some = 0;
  while ((Some = read(File, Buffer.data(), Buffer.size())) > 0)
    Bytes.append(Buffer.data(), static_cast<size_t>(Some));
  const int Saved = errno;
  close(File);
  errno = Saved;
  return Some < 0 ? std::nullopt : std::optional(std::move(Bytes));
}

std::optional<Profile> maiprof::load(const std::string &Path, std::string &Error) {
  const std::optional<std::string> Bytes = readWhole(Path);
  if (!Bytes) {
    Error = Path + ": " + std::strerror(errno);
    return std::nullopt;
  }
  std::optional<Profile> P = parse(*Bytes, Error);
  if (!P)
    Error = Path + ": " + Error;
  return P;
}

/// Some of a static array's memory. What sources call it begins in the same way.
static Array heldBy(const Array &Holder, const HeldArray &Its) {
  Array New = Holder;
  New.Start += Its.Offset;
  New.Bytes = Its.Bytes;
  New.Name = Its.Name;
  const bool IsFortran = !Holder.Variable.empty() && !Holder.Name.starts_with("_Z");
  New.Variable = IsFortran ? Its.Name : "";
  if (Holder.Variable.ends_with(Holder.Short) && Its.Name.starts_with(Holder.Variable))
    New.Short = Its.Name.substr(Holder.Variable.size() - Holder.Short.size());
  return New;
}

void maiprof::divideHolders(Profile &P) {
  std::map<uint32_t, Array> Holders;
  for (const HeldArray &Each : P.Held)
    Holders.try_emplace(Each.Holder);
  std::erase_if(P.Arrays, [&](const Array &A) {
    const auto Found = Holders.find(A.Rank);
    if (Found != Holders.end())
      Found->second = A;
    return Found != Holders.end();
  });
  for (const HeldArray &Each : P.Held)
    P.Arrays.push_back(heldBy(Holders[Each.Holder], Each));
  P.Held.clear();
  sortArrays(P);
}

namespace {

void appendText(std::string &Out, const std::string &Text) {
  append(Out, Text.size());
  Out += Text;
}

std::string section(std::string_view Tag, const std::string &Payload) {
  std::string Out(Tag);
  for (size_t I = 0; I < LengthBytes; ++I)
    Out += static_cast<char>(Payload.size() >> (8 * I));
  return Out + Payload;
}

std::string placesSection(const Places &Found) {
  std::string Payload;
  const auto Put = [&](uint64_t Kind, const auto &List) {
    for (const auto &[Index, Text] : List) {
      append(Payload, Kind);
      append(Payload, Index);
      appendText(Payload, Text);
    }
  };
  Put(1, Found.Arrays);
  Put(2, Found.Phases);
  append(Payload, 0);
  return section("PLAC", Payload);
}

std::string heldSection(const Places &Found) {
  std::string Payload;
  for (const HeldArray &Each : Found.Held) {
    append(Payload, uint64_t(Each.Holder) + 1);
    append(Payload, Each.Offset);
    append(Payload, Each.Bytes);
    appendText(Payload, Each.Name);
  }
  append(Payload, 0);
  return section("HELD", Payload);
}

/// Texts by number, which are counted from 1.
std::string textsSection(std::string_view Tag,
                         const std::vector<std::pair<uint32_t, std::string>> &List) {
  std::string Payload;
  for (const auto &[Index, Text] : List) {
    append(Payload, Index + 1);
    appendText(Payload, Text);
  }
  append(Payload, 0);
  return section(Tag, Payload);
}

/// Texts occur once each; entries have their numbers.
std::string sourcesSection(const Places &Found) {
  std::unordered_map<std::string, size_t> Numbers;
  std::string Texts;
  std::string Entries;
  const auto Number = [&](const std::string &Text) {
    const auto [At, IsNew] = Numbers.try_emplace(Text, Numbers.size());
    if (IsNew)
      appendText(Texts, Text);
    return At->second;
  };
  for (size_t I = 0; I < Found.Codes.size(); ++I) {
    if (Found.Codes[I].File.empty())
      continue;
    append(Entries, I + 1);
    append(Entries, Number(Found.Codes[I].File));
    append(Entries, Found.Codes[I].Line);
    append(Entries, Number(Found.Codes[I].Function));
  }
  std::string Payload;
  append(Payload, Numbers.size());
  Payload += Texts + Entries;
  append(Payload, 0);
  return section("SRCS", Payload);
}

std::string timesSection(const RunTime &Its) {
  std::string Payload;
  append(Payload, Its.Samples);
  for (const RunTime::Part &Each : Its.Untraced) {
    append(Payload, 1);
    appendText(Payload, Each.Module);
    appendText(Payload, Each.Function);
    append(Payload, Each.Samples);
  }
  append(Payload, 0);
  return section("RUNT", Payload);
}

} // namespace

std::string maiprof::withPlaces(std::string_view Bytes, const Places &Found) {
  size_t Offset = MagicBytes;
  for (; Offset < Bytes.size();) {
    const std::optional<Section> S = sectionAt(Bytes, Offset);
    if (!S)
      return "";
    if (S->Tag == "END ")
      break;
    Offset = S->End;
  }
  std::string Out(Bytes.substr(0, Offset));
  Out += placesSection(Found);
  if (!Found.Held.empty())
    Out += heldSection(Found);
  if (!Found.Tasks.empty())
    Out += textsSection("TPLC", Found.Tasks);
  if (!Found.Chains.empty())
    Out += textsSection("SITE", Found.Chains);
  if (!Found.Lines.empty())
    Out += textsSection("LEAD", Found.Lines);
  if (!Found.Codes.empty())
    Out += sourcesSection(Found);
  if (Found.CodeTime)
    Out += timesSection(*Found.CodeTime);
  Out += Bytes.substr(Offset);
  return Out;
}
