//===-- ProfileFile.cpp - writes what was sampled as a profile -*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ProfileFile.h"

#include "System.h"

#include "support/Files.h"

#include <algorithm>
#include <set>

using namespace sample;
using maiprof::Array;

namespace {

constexpr uint64_t Line = 64;
constexpr uint64_t FlagPhases = 2, FlagSampled = 32;

class Section {
public:
  explicit Section(const char *Name) : Tag(Name) {}

  void put(uint64_t Value) {
    for (; Value > 0x7f; Value >>= 7)
      Payload += static_cast<char>((Value & 0x7f) | 0x80);
    Payload += static_cast<char>(Value);
  }
  void put(const std::string &Text) {
    put(Text.size());
    Payload += Text;
  }
  /// What is an index, or None.
  void putIndex(uint32_t Index) { put(Index == maiprof::None ? 0 : uint64_t(Index) + 1); }

  std::string whole() const {
    std::string Out = Tag;
    for (unsigned I = 0; I < 8; ++I)
      Out += static_cast<char>(Payload.size() >> (8 * I));
    return Out + Payload;
  }

private:
  std::string Tag;
  std::string Payload;
};

class Writer {
public:
  Writer(const Run &Whole, const Process &Its, const Objects &Known)
      : R(Whole), P(Whole.Head), Of(Its), O(Known) {}

  std::string write() const {
    std::string Out("MAIPROF\2");
    for (const Section &Each : {head(), sampling(), machine(), modules(), threads(), threadNames(),
                                phases(), unshared(), arrays(), calls(), keys(), pages()})
      Out += Each.whole();
    return Out + lines() + times() + Section("END ").whole();
  }

private:
  Section head() const {
    Section Out("HEAD");
    const uint64_t Flags = FlagSampled | (O.Phases.empty() ? 0 : FlagPhases);
    for (const uint64_t Number : {Line, PageBytes, uint64_t(1), uint64_t(0), R.BlockBytes, Flags,
                                  uint64_t(Of.Id), P.Started, uint64_t(P.Signal), uint64_t(0)})
      Out.put(Number);
    Out.put(P.Program);
    Out.put(P.Host);
    Out.put(P.Arguments.size());
    for (const std::string &Each : P.Arguments)
      Out.put(Each);
    return Out;
  }

  Section sampling() const {
    const maiprof::Sampling &S = *P.Sampled;
    Section Out("SAMP");
    double Weights = 0, Squares = 0;
    uint64_t Samples = 0;
    for (const Use &Each : O.Uses)
      if (!Each.IsTouch) {
        ++Samples;
        Weights += double(Each.Weight);
        Squares += double(Each.Weight) * double(Each.Weight);
      }
    Out.put(S.Source);
    Out.put(static_cast<uint64_t>(S.Of));
    for (const uint64_t Number :
         {S.Period, Samples, Squares > 0 ? static_cast<uint64_t>(Weights * Weights / Squares) : 0,
          Of.Without.Accesses, Of.Without.Addresses, Of.Without.Code, S.Lost, S.Throttled})
      Out.put(Number);
    return Out;
  }

  Section machine() const {
    Section Out("MACH");
    Out.put(P.Nodes.size());
    for (const maiprof::Node &Each : P.Nodes) {
      Out.put(Each.OsIndex);
      Out.put(Each.MemoryBytes);
    }
    for (const uint32_t Each : P.Distances)
      Out.put(Each);
    Out.put(P.Cpus.size());
    for (const maiprof::Cpu &Each : P.Cpus) {
      Out.put(Each.OsIndex);
      Out.putIndex(Each.Node);
    }
    return Out;
  }

  /// Samples see the code of all of them.
  Section modules() const {
    Section Out("MODS");
    std::set<std::string> Seen;
    for (const auto &[Start, Its] : Of.Maps)
      if (Its.IsCode && Its.File.starts_with("/") && Seen.insert(Its.File).second) {
        Out.put(2);
        Out.put(Its.File);
      }
    Out.put(0);
    return Out;
  }

  Section threads() const {
    Section Out("THRD");
    Out.put(O.Threads.size());
    for (const maiprof::Thread &Each : O.Threads) {
      Out.put(Each.What == maiprof::Thread::Kind::OpenMP ? 0 : 1);
      Out.put(Each.Number);
      Out.putIndex(Each.Cpu);
      Out.put(Each.Entries);
      Out.put(Each.Moves);
      Out.put(0);
      Out.put(0);
    }
    return Out;
  }

  Section threadNames() const {
    Section Out("NAME");
    for (size_t I = 0; I < O.Threads.size(); ++I)
      if (const std::string &Called = O.Threads[I].Called; !Called.empty()) {
        Out.put(I + 1);
        Out.put(Called);
      }
    Out.put(0);
    return Out;
  }

  Section phases() const {
    Section Out("PHAS");
    for (const maiprof::Phase &Each : O.Phases) {
      Out.put(1);
      Out.put(Each.Module);
      Out.put(Each.Offset);
      Out.put(Each.Function);
    }
    Out.put(0);
    return Out;
  }

  Section unshared() const {
    Section Out("DYNA");
    for (const uint32_t Phase : O.Unshared)
      Out.put(Phase + 1);
    Out.put(0);
    return Out;
  }

  Section arrays() const {
    Section Out("ARRY");
    for (const Array &Each : O.Arrays) {
      Out.put(static_cast<uint64_t>(Each.What));
      Out.put(Each.Start);
      Out.put(Each.Bytes);
      Out.put(Each.Instances);
      Out.put(Each.Name);
      Out.put(Each.Module);
      Out.put(Each.Offset);
      Out.put(Each.Function);
    }
    Out.put(0);
    return Out;
  }

  Section calls() const {
    Section Out("CALL");
    for (const maiprof::CallChain &Each : O.Chains) {
      /* A list ends with a chain of none. */
      Out.put(std::max<size_t>(1, Each.Calls.size()));
      if (Each.Calls.empty()) {
        Out.put(std::string());
        Out.put(0);
      }
      for (const maiprof::Call &Call : Each.Calls) {
        Out.put(Call.Module);
        Out.put(Call.Offset);
      }
    }
    Out.put(0);
    for (const Array &Each : O.Arrays)
      if (Each.Chain != maiprof::None) {
        Out.put(Each.Start);
        Out.put(uint64_t(Each.Chain) + 1);
        Out.put(Each.Number);
      }
    Out.put(0);
    return Out;
  }

  Section keys() const {
    Section Out("KEYS");
    for (size_t I = 0; I < O.Chains.size(); ++I) {
      Out.put(I + 1);
      Out.put(O.Chains[I].Key);
    }
    Out.put(0);
    return Out;
  }

  struct Touched {
    uint32_t Reader = maiprof::None, Writer = maiprof::None;
  };

  using Faults = std::map<uint64_t, const Use *>; ///< by page

  /// Of a huge page there is one fault, and of a flood of faults only some are told: the nearest
  /// one in the room of a huge page stands for those beside it. Null: there is none.
  static const Use *firstTouch(const Faults &All, uint64_t Number) {
    const auto Behind = All.lower_bound(Number);
    const Use *Nearest = nullptr;
    uint64_t Least = PagesOfHuge;
    const auto Consider = [&](const auto &Fault) {
      const uint64_t Distance = std::max(Fault.first, Number) - std::min(Fault.first, Number);
      if (Fault.first / PagesOfHuge == Number / PagesOfHuge && Distance < Least) {
        Least = Distance;
        Nearest = Fault.second;
      }
    };
    if (Behind != All.end())
      Consider(*Behind);
    if (Behind != All.begin())
      Consider(*std::prev(Behind));
    return Nearest;
  }

  /// Pages that samples tell of, with who touched them first: by faults, or else the first sample.
  Section pages() const {
    std::map<uint64_t, Touched> All;
    Faults Told;
    for (const Use &Each : O.Uses)
      if (Each.IsTouch)
        Told.try_emplace(Each.Address / PageBytes, &Each);
    for (const Use &Each : O.Uses) {
      if (Each.IsTouch)
        continue;
      const auto [At, IsNew] = All.try_emplace(Each.Address / PageBytes);
      if (!IsNew)
        continue;
      const Use *Touch = firstTouch(Told, At->first);
      const Use &First = Touch ? *Touch : Each;
      (First.IsWrite ? At->second.Writer : At->second.Reader) = First.Thread;
    }
    Section Out("PAGE");
    uint64_t Next = 0;
    for (const auto &[Number, Its] : All) {
      if (Next == 0) {
        Out.put(Number + 1);
        Next = Number;
      }
      const auto Node = O.Nodes.find(Number);
      Out.put(Number - Next + 1);
      Out.putIndex(Node == O.Nodes.end() ? maiprof::None : Node->second);
      Out.putIndex(Its.Reader);
      Out.putIndex(Its.Writer);
      Next = Number + 1;
    }
    if (!All.empty())
      Out.put(0);
    Out.put(0);
    return Out;
  }

  /// What a thread did in one phase, which the times of accesses do not tell.
  enum class Groups { ByPhase, Together };

  using Uses = std::vector<const Use *>;
  struct Group {
    uint32_t View, Thread, Phase;
    auto operator<=>(const Group &) const = default;
  };
  static Group groupOf(const Use *Its, Groups Are) {
    return Are == Groups::ByPhase ? Group{Its->View, Its->Thread, Its->Phase}
                                  : Group{0, Its->Thread, 0};
  }

  /// Of uses in order the end of those of the first one's line.
  static Uses::const_iterator endOfLine(Uses::const_iterator At, const Uses &All, Groups Are) {
    const Use *First = *At;
    return std::find_if(At, All.end(), [&](const Use *Each) {
      return groupOf(Each, Are) != groupOf(First, Are) ||
             Each->Address / Line != First->Address / Line;
    });
  }

  /// Accesses by group and line, in the order of time.
  Uses accesses(Groups Are) const {
    Uses All;
    for (const Use &Each : O.Uses)
      if (!Each.IsTouch && (Each.Cycles || Are == Groups::ByPhase))
        All.push_back(&Each);
    std::stable_sort(All.begin(), All.end(), [&](const Use *A, const Use *B) {
      return std::pair(groupOf(A, Are), A->Address / Line) <
             std::pair(groupOf(B, Are), B->Address / Line);
    });
    return All;
  }

  /// A section for each group: whose it is, its lines as one, each with what Put writes.
  template <typename Visitor>
  std::string byGroup(const char *Tag, Groups Are, Visitor &&Put) const {
    const Uses All = accesses(Are);
    std::string Out;
    for (auto At = All.begin(); At != All.end();) {
      const Group Whose = groupOf(*At, Are);
      Section Its(Whose.View ? "FREE" : Tag);
      if (Whose.View)
        Its.put(Whose.View);
      Its.put(Whose.Thread);
      if (Are == Groups::ByPhase)
        Its.put(Whose.Phase);
      uint64_t Next = (*At)->Address / Line;
      Its.put(Next + 1);
      while (At != All.end() && groupOf(*At, Are) == Whose) {
        const uint64_t Unit = (*At)->Address / Line;
        const auto End = endOfLine(At, All, Are);
        Its.put(Unit - Next + 1);
        Put(Its, At, End);
        Next = Unit + 1;
        At = End;
      }
      Its.put(0);
      Its.put(0);
      Out += Its.whole();
    }
    return Out;
  }

  std::string lines() const {
    return byGroup("LINE", Groups::ByPhase, [](Section &Out, auto At, auto End) {
      uint64_t Reads = 0, Writes = 0;
      for (; At != End; ++At)
        ((*At)->IsWrite ? Writes : Reads) += (*At)->Weight;
      Out.put(Reads);
      Out.put(Writes);
    });
  }

  /// How long accesses took that have told it.
  std::string times() const {
    return byGroup("LATE", Groups::Together, [](Section &Out, auto At, auto End) {
      Out.put(static_cast<uint64_t>(End - At));
      for (; At != End; ++At) {
        Out.put((*At)->Cycles);
        Out.put(std::min<uint64_t>((*At)->Weight, UINT32_MAX));
        Out.put(static_cast<uint64_t>((*At)->By));
      }
    });
  }

  const Run &R;
  const maiprof::Profile &P;
  const Process &Of;
  const Objects &O;
};

std::string withNumber(const std::string &File, const std::string &Number) {
  constexpr std::string_view Suffix = ".maiprof";
  const size_t End = File.size() - (File.ends_with(Suffix) ? Suffix.size() : 0);
  return File.substr(0, End) + "." + Number + File.substr(End);
}

} // namespace

/// Two processes, one after the other, may have had one number.
Profiles sample::writeProfiles(Run &Its, Processes &All, const Chains *Known, uint32_t Main,
                               const std::string &Output) {
  constexpr size_t Fewest = 10;
  Profiles Result;
  std::map<uint32_t, unsigned> Seen;
  for (Process &Each : All.all()) {
    const unsigned Before = Seen[Each.Id]++;
    const bool IsMain = Each.Id == Main && Before == 0;
    const size_t Accesses = Each.accesses();
    if (!IsMain && Accesses < Fewest) {
      Result.LeftOut += Accesses > 0;
      continue;
    }
    const bool HasCommand = IsMain && !Its.Head.Arguments.empty();
    Its.Head.Program = HasCommand ? Its.Head.Arguments[0] : Each.Name;
    const std::string Number =
        std::to_string(Each.Id) + (Before ? "-" + std::to_string(Before) : "");
    const std::string File = IsMain ? Output : withNumber(Output, Number);
    const std::string Bytes = profileOf(Its, Each, objectsOf(All, Each, Known, Its.ArrayBytes));
    if (const std::error_code Wrong = support::writeWhole(File, Bytes))
      Result.Error = File + ": " + Wrong.message();
    else
      Result.Files.insert(IsMain ? Result.Files.begin() : Result.Files.end(), File);
  }
  return Result;
}

std::string sample::profileOf(const Run &Its, const Process &Of, const Objects &Known) {
  return Writer(Its, Of, Known).write();
}
