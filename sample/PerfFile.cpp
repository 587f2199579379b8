//===-- PerfFile.cpp - files of perf record -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "PerfFile.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <tuple>
#ifdef MINAS_HAS_ZSTD
#include <zstd.h>
#endif

using namespace sample;

namespace {

constexpr std::string_view Magic = "PERFILE2", SwappedMagic = "2ELIFREP";
constexpr uint64_t PipedHead = 16;
constexpr size_t RecordHead = 8, SourceLeast = 64;

/// Records that perf itself writes, beside the kernel's.
enum Written : uint32_t {
  FirstWritten = 64,
  Attribute = 64,
  TracingData = 66,
  FinishedRound = 68,
  AuxTraceInfo = 70,
  AuxTrace = 71,
  TimeConversionOf = 79,
  Feature = 80,
  Compressed = 81,
  Compressed2 = 83
};

enum FeatureBit : unsigned {
  BuildIdTable = 2,
  HostName = 3,
  CommandLine = 11,
  EventNames = 12,
  NumaTopology = 14,
  MemoryTopology = 22,
  FeatureEnd = 256
};

/// CPUs in a list such as "0-3,8", which a file may make as long as it likes.
std::vector<uint32_t> readList(const std::string &Text) {
  constexpr size_t Most = 1 << 13; // CPUs of a kernel
  std::vector<uint32_t> List;
  const char *At = Text.data(), *End = At + Text.size();
  while (At < End) {
    uint32_t First = 0;
    auto [Next, Error] = std::from_chars(At, End, First);
    if (Error != std::errc())
      break;
    uint32_t Last = First;
    if (Next < End && *Next == '-')
      Next = std::from_chars(Next + 1, End, Last).ptr;
    Last = std::min<uint32_t>(Last, INT32_MAX);
    for (uint32_t Each = First; Each <= Last && List.size() < Most; ++Each)
      List.push_back(Each);
    At = Next < End ? Next + 1 : End;
  }
  return List;
}

} // namespace

/*===-- Compressed records --------------------------------------------------===*/

/// One stream of zstd, which goes on from record to record, and so do the records in it.
class PerfFile::Inflater {
public:
#ifdef MINAS_HAS_ZSTD
  Inflater() : Stream(ZSTD_createDStream()) {}
  ~Inflater() { ZSTD_freeDStream(Stream); }

  /// \returns whether it could be read; what came out is at the end of Rest
  bool add(std::string_view Packed) {
    constexpr size_t Piece = 1 << 16;
    constexpr size_t Most = 64 << 20; /* that one record may become */
    const size_t Before = Rest.size();
    ZSTD_inBuffer In{Packed.data(), Packed.size(), 0};
    for (bool IsFull = false; In.pos < In.size || IsFull;) {
      const size_t At = Rest.size();
      if (At - Before > Most)
        return false;
      Rest.resize(At + Piece);
      ZSTD_outBuffer Out{Rest.data() + At, Piece, 0};
      const size_t Result = ZSTD_decompressStream(Stream, &Out, &In);
      Rest.resize(At + Out.pos);
      IsFull = Out.pos == Piece;
      if (ZSTD_isError(Result))
        return false;
    }
    return true;
  }

private:
  ZSTD_DStream *Stream;

public:
#else
  static bool add(std::string_view) { return false; }
#endif
  std::string Rest; ///< what is not read yet
};

PerfFile::PerfFile(std::string_view Whole) : All(Whole), Known(std::make_unique<Records>()) {}
PerfFile::~PerfFile() = default;

/*===-- The head ------------------------------------------------------------===*/

bool PerfFile::fail(uint64_t Offset, const std::string &Why) {
  Error = "byte " + std::to_string(Offset) + ": " + Why;
  return false;
}

std::optional<std::string_view> PerfFile::contents(const Section &Its) const {
  if (Its.Offset > All.size() || Its.Bytes > All.size() - Its.Offset)
    return std::nullopt;
  return All.substr(Its.Offset, Its.Bytes);
}

PerfFile::Section PerfFile::readSection(Bytes &In) const {
  Section Result;
  Result.Offset = In.u64();
  Result.Bytes = In.u64();
  return Result;
}

bool PerfFile::readHead() {
  Swapped = All.starts_with(SwappedMagic);
  if (!Swapped && !All.starts_with(Magic))
    return fail(0, "this is no file of perf record");
  Known = std::make_unique<Records>(Swapped);
  Bytes In = bytesOf(All.substr(Magic.size()));
  const uint64_t Size = In.u64();
  IsPiped = Size == PipedHead;
  if (IsPiped) {
    Data = {PipedHead, All.size() - std::min<uint64_t>(PipedHead, All.size())};
    return true;
  }
  const uint64_t AttributeSize = In.u64();
  const Section Attributes = readSection(In);
  Data = readSection(In);
  readSection(In);
  uint64_t Has[4];
  for (uint64_t &Each : Has)
    Each = In.u64();
  if (In.failed())
    return fail(All.size(), "the file ends in its head");
  if (Data.Bytes == 0)
    return fail(0, "perf record has not finished it: it was killed, or the disk was full");
  return readAttributes(Attributes, AttributeSize) && readFeatures(Data, Has);
}

bool PerfFile::readAttributes(const Section &Of, uint64_t Size) {
  constexpr uint64_t IdsHead = 16;
  const std::optional<std::string_view> List = contents(Of);
  if (!List || Size < SourceLeast + IdsHead)
    return fail(Of.Offset, "the list of events is damaged");
  for (uint64_t At = 0; At + Size <= List->size(); At += Size) {
    const std::string_view Its = List->substr(At, Size);
    Source New = readSource(Its.substr(0, Size - IdsHead), Swapped);
    Bytes In = bytesOf(Its.substr(Size - IdsHead));
    const std::optional<std::string_view> Ids = contents(readSection(In));
    if (!Ids)
      return fail(Of.Offset + At, "the identifiers of an event are damaged");
    Bytes Numbers = bytesOf(*Ids);
    while (Numbers.left() >= sizeof(uint64_t))
      New.Ids.push_back(Numbers.u64());
    Known->add(std::move(New));
  }
  return true;
}

/*===-- What was recorded on which machine ----------------------------------===*/

bool PerfFile::readFeatures(const Section &Data_, const uint64_t (&Has)[4]) {
  const uint64_t Start = Data_.Offset + Data_.Bytes;
  if (Start < Data_.Offset || Start > All.size())
    return fail(All.size(), "the file ends early: is it a partial copy?");
  Bytes In = bytesOf(All.substr(Start));
  for (unsigned Bit = 0; Bit < FeatureEnd; ++Bit)
    if (Has[Bit / 64] >> (Bit % 64) & 1)
      if (const std::optional<std::string_view> Its = contents(readSection(In));
          Its && !In.failed())
        readFeature(Bit, *Its);
  return true;
}

/// Padded with zeros.
std::string PerfFile::readString(Bytes &In) const {
  const uint32_t Length = In.u32();
  return bytesOf(In.take(Length)).text();
}

void PerfFile::readFeature(unsigned Number, std::string_view Its) {
  Bytes In = bytesOf(Its);
  if (Number == HostName)
    Host = readString(In);
  else if (Number == CommandLine)
    for (uint32_t Left = In.u32(); Left > 0 && !In.failed(); --Left)
      Command.push_back(readString(In));
  else if (Number == BuildIdTable)
    readBuildIds(In);
  else if (Number == EventNames)
    readNames(In);
  else if (Number == NumaTopology)
    readTopology(In);
  else if (Number == MemoryTopology)
    readMemory(In);
}

/// Records, with a build-id and a file's name in each. Older tools do not tell its length.
void PerfFile::readBuildIds(Bytes &In) {
  constexpr uint16_t HasLength = 1 << 15;
  constexpr size_t UsualLength = 20, Room = 24;
  while (In.left() >= RecordHead && !In.failed()) {
    In.u32();
    const uint16_t Misc = In.u16(), Size = In.u16();
    if (Size < RecordHead)
      return;
    Bytes Its = bytesOf(In.take(Size - RecordHead));
    Its.u32(); /* of the host or a guest */
    const std::string_view Id = Its.take(Room);
    if (Its.failed())
      return;
    const size_t Length =
        Misc & HasLength ? static_cast<unsigned char>(Id[UsualLength]) : UsualLength;
    BuildIds[Its.text()] = std::string(Id.substr(0, std::min(Length, UsualLength)));
  }
}

/// In the order of the list of events, with the attributes once more.
void PerfFile::readNames(Bytes &In) {
  const uint32_t Count = In.u32(), Size = In.u32();
  for (uint32_t I = 0; I < Count && !In.failed(); ++I) {
    In.skip(Size);
    const uint32_t Ids = In.u32();
    const std::string Name = readString(In);
    In.skip(uint64_t(Ids) * sizeof(uint64_t));
    if (!In.failed())
      Known->name(I, Name);
  }
}

void PerfFile::readTopology(Bytes &In) {
  for (uint32_t Left = In.u32(); Left > 0 && !In.failed(); --Left) {
    RecordedNode New;
    New.OsIndex = In.u32();
    New.MemoryBytes = In.u64() * 1024;
    In.u64();
    New.Cpus = readList(readString(In));
    if (!In.failed() && New.OsIndex < 1024)
      Nodes.push_back(std::move(New));
  }
}

/// A set of blocks for each node.
void PerfFile::readMemory(Bytes &In) {
  constexpr uint64_t Version = 1, Most = 1 << 18;
  if (In.u64() != Version)
    return;
  Memory = MemoryNodes(In.u64());
  for (uint64_t Left = In.u64(); Left > 0 && !In.failed(); --Left) {
    const auto Node = static_cast<uint32_t>(In.u64());
    In.u64();
    const uint64_t Blocks = std::min(In.u64(), Most);
    uint64_t Set = 0;
    for (uint64_t Block = 0; Block < Blocks && !In.failed(); ++Block) {
      if (Block % 64 == 0)
        Set = In.u64();
      if (Set >> (Block % 64) & 1)
        Memory.add(Block, Node);
    }
  }
}

/*===-- Packets of Arm's SPE ------------------------------------------------===*/

void PerfFile::readUnit(Bytes &In) {
  constexpr uint32_t ArmSpe = 4;
  if (In.u32() != ArmSpe)
    return;
  In.u32();
  uint64_t Type = In.u64();
  if (In.left() > sizeof(uint64_t)) { /* since Linux 6.14 a version and a size stand in front */
    In.u64();
    Type = In.u64();
  }
  TracingUnit = static_cast<uint32_t>(Type);
}

void PerfFile::readTimeConversion(Bytes &In) {
  Ticks.emplace();
  Ticks->Shift = In.u64();
  Ticks->Multiplier = In.u64();
  Ticks->Zero = In.u64();
}

void PerfFile::noteThread(const Event &Its) {
  uint32_t Process = 0, Thread = 0;
  if (const auto *R = std::get_if<Renamed>(&Its.What))
    std::tie(Process, Thread) = std::pair(R->Process, R->Thread);
  else if (const auto *F = std::get_if<Forked>(&Its.What))
    std::tie(Process, Thread) = std::pair(F->Process, F->Thread);
  else
    return;
  ProcessOf[Thread] = Process;
  if (First == 0)
    First = Process;
}

/// Whose operations these are the packets say, or else the record; or they are of the program that
/// was recorded.
void PerfFile::readTrace(std::string_view Announced, std::string_view Trace) {
  Bytes In = bytesOf(Announced);
  In.skip(8 + 8 + 8 + 4); /* size, offset, reference, index */
  const uint32_t OfThread = In.u32(), Cpu = In.u32();
  const auto At = std::find_if(sources().begin(), sources().end(), [&](const Source &Each) {
    return TracingUnit && Each.Type == *TracingUnit;
  });
  if (At == sources().end() || In.failed())
    return;
  readSpe(Trace, [&](const SpeAccess &Its) {
    Sample New;
    New.From = static_cast<uint32_t>(At - sources().begin());
    fill(New, Its);
    New.Thread = Its.Context.value_or(OfThread == UINT32_MAX ? First : OfThread);
    const auto Known_ = ProcessOf.find(New.Thread);
    New.Process = Known_ == ProcessOf.end() ? New.Thread : Known_->second;
    New.Cpu = Cpu;
    New.HasCpu = Cpu != UINT32_MAX;
    Waiting.add({Ticks && Its.Time ? Ticks->nanoseconds(*Its.Time) : Latest, New});
  });
}

/*===-- Records -------------------------------------------------------------===*/

/// In pipes heads are records: the attributes, and behind these the identifiers.
void PerfFile::readPipedAttribute(std::string_view Contents) {
  Bytes In = bytesOf(Contents);
  In.u32();
  const uint32_t Size = std::max<uint32_t>(In.u32(), SourceLeast);
  Source New = readSource(Contents.substr(0, std::min<size_t>(Size, Contents.size())), Swapped);
  Bytes Ids = bytesOf(Contents.substr(std::min<size_t>(Size, Contents.size())));
  while (Ids.left() >= sizeof(uint64_t))
    New.Ids.push_back(Ids.u64());
  Known->add(std::move(New));
}

/// Nothing comes any more that is older than the newest of the round before.
void PerfFile::endRound() {
  Waiting.pass(LatestOfRound, *Visitor);
  LatestOfRound = Latest;
}

bool PerfFile::readCompressed(std::string_view Packed, uint64_t Offset) {
  if (!Unpacked)
    Unpacked = std::make_unique<Inflater>();
  if (!Unpacked->add(Packed))
    return fail(Offset, "compressed records cannot be read");
  const std::string Some = std::move(Unpacked->Rest);
  size_t Used = 0;
  const bool IsWell = readRecords(Some, Offset, true, Used);
  Unpacked->Rest = Some.substr(Used);
  return IsWell;
}

/// @param Behind receives how many bytes follow the record that belong to it
bool PerfFile::readRecord(uint32_t Type, uint16_t Misc, std::string_view Contents, uint64_t Offset,
                          uint64_t &Behind) {
  Bytes In = bytesOf(Contents);
  switch (Type) {
  case Attribute:
    readPipedAttribute(Contents);
    return true;
  case Feature:
    readFeature(static_cast<unsigned>(In.u64()),
                Contents.substr(std::min<size_t>(8, Contents.size())));
    return true;
  case FinishedRound:
    endRound();
    return true;
  case TracingData:
    Behind = (uint64_t(In.u32()) + 7) / 8 * 8;
    return true;
  case AuxTraceInfo:
    readUnit(In);
    return true;
  case TimeConversionOf:
    readTimeConversion(In);
    return true;
  case AuxTrace:
    Behind = In.u64();
    return true;
  case Compressed:
    return readCompressed(Contents, Offset);
  case Compressed2: {
    const uint64_t Size = In.u64();
    return readCompressed(In.take(std::min<uint64_t>(Size, In.left())), Offset);
  }
  default:
    return readEvent(Type, Misc, Contents, Offset);
  }
}

/// A record of the kernel's.
bool PerfFile::readEvent(uint32_t Type, uint16_t Misc, std::string_view Contents, uint64_t Offset) {
  std::optional<Event> Next = Known->read(Type, Misc, Contents);
  if (!Next)
    return fail(Offset, "a record of type " + std::to_string(Type) + " is damaged");
  Latest = std::max(Latest, Next->Time);
  noteThread(*Next);
  complete(*Next);
  if (!std::holds_alternative<std::monostate>(Next->What))
    Waiting.add(std::move(*Next));
  return true;
}

void PerfFile::complete(Event &Its) const {
  auto *Mapped = std::get_if<Map>(&Its.What);
  if (!Mapped || !Mapped->BuildId.empty())
    return;
  if (const auto Known_ = BuildIds.find(Mapped->File); Known_ != BuildIds.end())
    Mapped->BuildId = Known_->second;
}

/// @param Used receives how much was read; of what is inflated a record may go on in the next piece
bool PerfFile::readRecords(std::string_view All_, uint64_t Offset, bool IsInflated, size_t &Used) {
  for (Used = 0; All_.size() - Used >= RecordHead;) {
    Bytes In = bytesOf(All_.substr(Used));
    const uint32_t Type = In.u32();
    const uint16_t Misc = In.u16(), Size = In.u16();
    const uint64_t At = IsInflated ? Offset : Offset + Used;
    if (Size < RecordHead)
      return fail(At, "a record without a size");
    if (Size > All_.size() - Used)
      return IsInflated || fail(At, "the file ends in a record");
    if (IsInflated && (Type == Compressed || Type == Compressed2))
      return fail(At, "compressed records in compressed records");
    uint64_t Behind = 0;
    if (!readRecord(Type, Misc, All_.substr(Used + RecordHead, Size - RecordHead), At, Behind))
      return false;
    Used += Size;
    if (Behind > All_.size() - Used)
      return fail(At, "the file ends in what a record announces");
    if (Type == AuxTrace)
      readTrace(All_.substr(Used - Size + RecordHead, Size - RecordHead),
                All_.substr(Used, Behind));
    Used += Behind;
  }
  return true;
}

std::string PerfFile::read(const std::function<void(const Event &)> &Visit) {
  Visitor = &Visit;
  if (!readHead())
    return Error;
  const std::optional<std::string_view> Its = contents(Data);
  if (!Its) {
    fail(All.size(), "the file ends early: is it a partial copy?");
    return Error;
  }
  size_t Used = 0;
  const bool IsWell = readRecords(*Its, Data.Offset, false, Used);
  if (IsWell && Known->sources().empty())
    fail(Data.Offset, "no event is described");
  Waiting.pass(UINT64_MAX, Visit);
  return Error;
}
