//===-- Profile.h - reading profiles of mai-trace ---------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The format is maiprof(5). A profile may come from anywhere: every number in it is checked, and
// what is read takes memory in proportion to the file. Needs nothing but the standard library, for
// all tools of Minas.
//
//===----------------------------------------------------------------------===//
#ifndef MINAS_TRACE_PROFILE_H
#define MINAS_TRACE_PROFILE_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace maiprof {

/// An index where there is nothing.
inline constexpr uint32_t None = UINT32_MAX;

struct Counts {
  uint64_t Reads = 0;
  uint64_t Writes = 0;
  uint64_t sum() const { return Reads + Writes; }
};

struct Node {
  uint32_t OsIndex = 0;
  uint64_t MemoryBytes = 0;
};

struct Cpu {
  uint32_t OsIndex = 0;
  uint32_t Node = None; ///< index in Profile::Nodes
};

struct Thread {
  enum class Kind { OpenMP, Other };
  Kind What = Kind::OpenMP;
  uint32_t Number = 0;
  uint32_t Cpu = None;  ///< OS index of where it was seen last
  uint32_t Node = None; ///< index in Profile::Nodes, by the CPU
  uint64_t Entries = 0; ///< how often its CPU was looked at, on entering regions
  uint64_t Moves = 0;   ///< how often that was another one than before
  Counts Elsewhere;     ///< accesses of which only the number is known
  std::string Called;   ///< what the program calls it; empty: it has not told
  std::string name() const;
};

/// The program or a library.
struct Module {
  std::string Path;
  bool Instrumented = false;
};

/// A parallel region, or the code of tasks.
struct Phase {
  std::string Module;
  uint64_t Offset = 0; ///< of its code, as the symbols of the module count
  std::string Function;
  std::string Position; ///< file:line, where known
  std::string name() const;
};

/// How many tasks of one place a thread began.
struct TasksBegun {
  uint32_t Task = 0; ///< index in Profile::Tasks
  uint32_t Thread = 0;
  uint64_t Number = 0;
};

/// A call, of allocations and of what calls those.
struct Call {
  std::string Module;
  uint64_t Offset = 0;
};

/// A line of the source in which such a call stands; of functions that compilers merged there are
/// several for one.
struct Site {
  std::string Position; ///< file:line
  std::string Name;     ///< of the variable that the line assigns to; may be empty
  bool IsPart = false;  ///< of what the next site with a name calls so
};

/// How an allocation was reached, the innermost first.
struct CallChain {
  std::vector<Call> Calls;
  std::vector<Site> Sites; ///< as far as they are known
  std::string Key;         ///< by which mai-run knows the blocks; may be empty
  std::string Lines;       ///< the same, where the program has debug information; may be empty
};

struct Array {
  enum class Kind { Static = 1, Heap, Mai, Stack, Mapping };
  Kind What = Kind::Static;
  uint64_t Start = 0;
  uint64_t Bytes = 0;
  uint64_t Instances = 0; ///< how many blocks were freed that this stands for; 0: one that is there
  std::string Name;       ///< may be empty; of a static one its symbol
  std::string Variable;   ///< what the source calls a static one, where that is not its symbol
  std::string Short;      ///< what statements call a block, where Name has its module in front
  std::string Module;
  uint64_t Offset = 0; ///< of the code that allocated it; 0: not known
  std::string Function;
  std::string Position;  ///< file:line where it was allocated, where known; of a static array that
                         ///< other files do not see, its file
  uint32_t Rank = 0;     ///< its number in the file
  uint32_t Chain = None; ///< index in Profile::Chains
  uint64_t Number = 0;   ///< how many blocks of the same chain there were when it was allocated
  uint64_t end() const { return Start + Bytes; }
  std::string name() const;
};

/// An array that lies in a static one: a member of a structure, or of a common block.
struct HeldArray {
  uint32_t Holder = 0; ///< by rank
  uint64_t Offset = 0;
  uint64_t Bytes = 0;
  std::string Name;
};

struct Page {
  uint64_t Number = 0;         ///< its address / the page size
  uint32_t Node = None;        ///< index in Profile::Nodes
  uint32_t FirstReader = None; ///< index in Profile::Threads
  uint32_t FirstWriter = None;
  uint32_t firstToucher() const { return FirstWriter != None ? FirstWriter : FirstReader; }
};

/// What a thread did to a line (or to a part of one, or, where counting was coarse, a page).
struct Touch {
  uint64_t Unit = 0; ///< address / size of the line or page; of a part the address
  Counts Accesses;
};

/// What one thread did in one phase, by ascending units; may occur in several parts.
struct Series {
  uint32_t Thread = 0;
  uint32_t Phase = 0; ///< 0: outside of all; i: Phases[i - 1]
  uint32_t Slice = 0; ///< of time: index in Profile::Slices
  uint32_t Task = 0;  ///< 0: outside of all tasks; i: Tasks[i - 1]
  uint32_t View = 0;  ///< 0: of memory that is there; others: of freed blocks
  std::vector<Touch> Touches;
  /// Freed blocks have one address, and several views of it: threads share a line there only if
  /// they use it in one view, and in this one none do.
  static constexpr uint32_t Alone = 1;
};

/// Lines that one thread wrote and another read or wrote then.
struct Transfers {
  uint32_t From = 0, To = 0; ///< indices in Profile::Threads
  uint32_t Phase = 0;        ///< of the thread that gets them
  Counts Accesses;           ///< by which it got them
};

/// How often one line, of 64 bytes, was transferred.
struct Transferred {
  uint64_t Unit = 0; ///< address / 64
  uint32_t View = 0;
  uint64_t Times = 0;
};

/// At which bytes of a line, of 64, accesses of a thread began; of lines that were transferred.
struct UsedBytes {
  uint64_t Unit = 0; ///< address / 64
  uint32_t View = 0;
  uint32_t Thread = 0;
  uint32_t Phase = 0;
  uint64_t Read = 0, Written = 0; ///< a bit for each byte
};

/// Code that accesses memory.
struct Code {
  std::string Module;
  uint64_t Offset = 0;
  /// Where it stands in the sources, if known: the innermost of the program's own.
  std::string File; ///< empty: not known
  uint32_t Line = 0;
  std::string Function;
};

/// The machine by whose model accesses were seen: trace/model/.
inline constexpr uint32_t ModelNodesMax = 64;
struct Model {
  uint32_t Nodes = 0; ///< that were imagined; 0: the machine's
  uint64_t CacheBytes = 0;
  uint32_t Ways = 0;
};

/// What it made of some accesses.
struct ModelCounts {
  uint64_t Misses = 0;                  ///< of the thread's first cache
  uint64_t Predicted = 0;               ///< of these, by prefetchers
  uint64_t OtherCaches = 0, Memory = 0; ///< where lines came from, if not from the node's cache
};

/// What one thread did to a page by some code, in one phase. There may be several of the same.
struct CodeUse {
  uint32_t Code = 0; ///< index in Profile::Codes
  uint32_t Thread = 0;
  uint32_t Phase = 0;
  uint64_t Page = 0; ///< its number
  Counts Accesses;
  ModelCounts Model; ///< where there is a model
};

/// What answered an access, as processors tell it.
enum class Served : uint8_t {
  NotKnown,
  Caches,       ///< of the CPU, or shared on its node
  OtherCache,   ///< of another CPU of the node
  LocalMemory,  ///< of the CPU's node
  RemoteCache,  ///< of another node
  RemoteMemory, ///< of another node
};
inline constexpr size_t ServedKinds = 6;

/// Accesses of which a sample has told how long one took.
struct Timed {
  uint64_t Line = 0; ///< its number
  uint32_t Thread = 0;
  uint32_t Cycles = 0;
  uint64_t Accesses = 1; ///< that it stands for
  Served By = Served::NotKnown;
};

/// How samples were taken, where not every access was counted: reads and writes are then what the
/// samples stand for.
struct Sampling {
  enum class Unit { Accesses, Time, Faults };
  std::string Source;       ///< such as "cpu-clock"
  Unit Of = Unit::Accesses; ///< what a sample is one of so many of
  uint64_t Period = 0;    ///< accesses, nanoseconds or faults that each stands for; 0: they differ
  uint64_t Samples = 0;   ///< that are in the counts
  uint64_t Effective = 0; ///< samples of equal weight that would be as exact
  uint64_t WithoutAccess = 0;  ///< the code there made no access, or waited
  uint64_t WithoutAddress = 0; ///< the registers that told the address had been overwritten
  uint64_t WithoutCode = 0;    ///< the instruction is not known
  uint64_t Lost = 0;           ///< for which the kernel had no room
  uint64_t Throttled = 0;      ///< how often the kernel stopped sampling for a while
};

/// Where the program's own time went, by samples of its code, without that of counting as far as it
/// can be told apart.
struct RunTime {
  struct Part {
    std::string Module;   ///< empty: code that the program generated
    std::string Function; ///< that counts nothing; empty: all of an object that is not traced
    uint64_t Samples = 0;
  };
  uint64_t Samples = 0;       ///< of all code
  std::vector<Part> Untraced; ///< those with most samples first
  double part(const Part &Of) const { return double(Of.Samples) / double(Samples); }
};

struct Profile {
  uint64_t LineBytes = 64;
  uint64_t PageBytes = 4096;
  uint64_t Sample = 1;     ///< one of so many accesses was counted
  uint64_t CacheBytes = 0; ///< only misses of a cache of this size were counted; 0: everything
  uint64_t BlockBytes = 0; ///< allocations from this size on are known
  bool Coarse = false;     ///< memory for counters did not suffice
  bool HasPhases = false;
  bool HasTasks = false;
  bool HasTransfers = false;
  bool HasGaps = false;    ///< only a part of the run was counted
  bool WasRunning = false; ///< it was written while the program ran, and not again at its end
  uint64_t Process = 0;
  uint64_t Started = 0; ///< seconds since 1970
  uint32_t Signal = 0;  ///< that ended the program
  uint64_t CounterBytes = 0;
  std::string Program;
  std::string Host;
  std::vector<std::string> Arguments;
  std::vector<Node> Nodes;
  std::vector<uint32_t> Distances; ///< Nodes.size() squared, by rows
  std::vector<Cpu> Cpus;
  std::vector<Module> Modules;
  std::vector<Thread> Threads;
  std::vector<Phase> Phases;
  /// By phase, as far as there are any: whether its loops gave threads pieces as these came.
  std::vector<bool> IsDynamic;
  std::vector<Phase> Tasks; ///< places that make them; only where tasks were told apart
  std::vector<TasksBegun> Begun;
  std::vector<uint64_t> Slices; ///< when each began, in ms; empty: the run is one
  std::vector<Array> Arrays;    ///< by start; they may overlap
  std::vector<HeldArray> Held;  ///< whose holders are among these, up to divideHolders()
  std::vector<CallChain> Chains;
  std::vector<Page> Pages; ///< by number
  std::vector<Series> Lines;
  std::vector<Series>
      Parts; ///< of lines that several arrays share; the unit is a part's first byte
  std::vector<Series> CoarsePages;
  std::vector<Transfers> Given;
  std::vector<Transferred> Moved;
  std::vector<UsedBytes> Bytes;
  std::vector<Code> Codes; ///< only where accesses were counted by code
  std::vector<CodeUse> Uses;
  std::optional<Model> SeenBy;
  std::optional<Sampling> Sampled;
  std::optional<RunTime> CodeTime;
  std::vector<Timed> Times; ///< of samples; by threads, and lines
  Counts OnOwnStacks;       ///< accesses that leaveOutOwnStacks() has left out
};

/// Read a profile. \returns it, or nothing, and what is wrong with the bytes.
std::optional<Profile> parse(std::string_view Bytes, std::string &Error);

/// All bytes of a file. \returns nothing with errno when it cannot be read.
std::optional<std::string> readWhole(const std::string &Path);

/// Read a file. The error begins with the file's name.
std::optional<Profile> load(const std::string &Path, std::string &Error);

/// What was found after the profile was written: source positions, and where time went.
struct Places {
  /// By rank: the place, after a newline the name of the variable or, of a static one, what the
  /// source calls it, and after another the name without Fortran's module, where it has one.
  std::vector<std::pair<uint32_t, std::string>> Arrays;
  std::vector<HeldArray> Held;
  std::vector<std::pair<uint32_t, std::string>> Phases;
  std::vector<std::pair<uint32_t, std::string>> Tasks;
  /// By number: place and name of each of a chain's sites, each with a newline behind it.
  std::vector<std::pair<uint32_t, std::string>> Chains;
  /// By number: the lines that lead to a chain's site.
  std::vector<std::pair<uint32_t, std::string>> Lines;
  /// By index: where code stands.
  std::vector<Code> Codes;
  std::optional<RunTime> CodeTime;
};

/// Lets the arrays that static ones hold take the place of these.
void divideHolders(Profile &P);

/// The bytes of a profile with these places in it. Empty when the bytes are no profile.
std::string withPlaces(std::string_view Bytes, const Places &Found);

} // namespace maiprof
#endif
