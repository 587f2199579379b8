//===-- Stacks.cpp - what threads keep on their own stacks ------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "trace/profile/Analysis.h"

#include <algorithm>
#include <charconv>
#include <map>

using namespace maiprof;

namespace {

struct Stack {
  uint64_t Start, End;
  uint32_t Owner;
  /* What others use of it. */
  uint64_t UsedFrom = UINT64_MAX, UsedTo = 0;
};

using ThreadsByNumber = std::map<std::pair<Thread::Kind, uint32_t>, uint32_t>;

/// The thread that a name such as "[stack of other thread 3]" tells; "[stack]" is the initial
/// thread's.
uint32_t ownerOf(const ThreadsByNumber &Threads, std::string_view Name) {
  Thread::Kind Kind = Thread::Kind::OpenMP;
  uint32_t Number = 0;
  if (Name != "[stack]") {
    constexpr std::string_view Start = "[stack of ";
    constexpr std::string_view Noun = "thread ";
    const size_t At = Name.find(Noun);
    if (!Name.starts_with(Start) || At == std::string_view::npos)
      return None;
    if (At > Start.size())
      Kind = Thread::Kind::Other;
    const std::string_view Digits = Name.substr(At + Noun.size());
    std::from_chars(Digits.data(), Digits.data() + Digits.size(), Number);
  }
  const auto Found = Threads.find({Kind, Number});
  return Found == Threads.end() ? None : Found->second;
}

class Stacks {
public:
  explicit Stacks(const Profile &P) {
    ThreadsByNumber Threads;
    for (uint32_t I = 0; I < P.Threads.size(); ++I)
      Threads[{P.Threads[I].What, P.Threads[I].Number}] = I;
    for (const Array &A : P.Arrays) /* by start */
      if (A.What == Array::Kind::Stack && A.end() > A.Start)
        if (const uint32_t Owner = ownerOf(Threads, A.Name); Owner != None)
          List.push_back({A.Start, A.end(), Owner});
  }

  /// The stack that an address lies in.
  Stack *find(uint64_t Address) {
    auto After = std::upper_bound(List.begin(), List.end(), Address,
                                  [](uint64_t A, const Stack &S) { return A < S.Start; });
    return After != List.begin() && Address < (--After)->End ? &*After : nullptr;
  }

  void noteUse(const Series &S, uint64_t Unit) {
    for (const Touch &T : S.Touches)
      if (Stack *Of = find(T.Unit * Unit); Of && Of->Owner != S.Thread) {
        Of->UsedFrom = std::min(Of->UsedFrom, T.Unit * Unit);
        Of->UsedTo = std::max(Of->UsedTo, (T.Unit + 1) * Unit);
      }
  }

  Counts leaveOut(Series &S, uint64_t Unit) {
    Counts Sum;
    std::erase_if(S.Touches, [&](const Touch &T) {
      const uint64_t Address = T.Unit * Unit;
      const Stack *Of = find(Address);
      if (!Of || Of->Owner != S.Thread || (Address >= Of->UsedFrom && Address < Of->UsedTo))
        return false;
      Sum.Reads += T.Accesses.Reads;
      Sum.Writes += T.Accesses.Writes;
      return true;
    });
    return Sum;
  }

  /// What code did to pages that hold nothing but what their owner keeps there.
  void leaveOut(std::vector<CodeUse> &Uses, uint64_t PageBytes) {
    std::erase_if(Uses, [&](const CodeUse &Use) {
      const uint64_t Start = Use.Page * PageBytes;
      const Stack *Of = find(Start);
      return Of && Of->Owner == Use.Thread &&
             (Start + PageBytes <= Of->UsedFrom || Start >= Of->UsedTo);
    });
  }

  void leaveOut(std::vector<Timed> &Times, uint64_t LineBytes) {
    std::erase_if(Times, [&](const Timed &Its) {
      const uint64_t Address = Its.Line * LineBytes;
      const Stack *Of = find(Address);
      return Of && Of->Owner == Its.Thread && (Address < Of->UsedFrom || Address >= Of->UsedTo);
    });
  }

private:
  std::vector<Stack> List;
};

} // namespace

void maiprof::leaveOutOwnStacks(Profile &P) {
  Stacks All(P);
  const std::pair<std::vector<Series> *, uint64_t> Lists[] = {{&P.Lines, P.LineBytes},
                                                              {&P.CoarsePages, P.PageBytes}};
  for (const auto &[List, Unit] : Lists)
    for (const Series &S : *List)
      All.noteUse(S, Unit);
  for (const auto &[List, Unit] : Lists)
    for (Series &S : *List) {
      const Counts Left = All.leaveOut(S, Unit);
      P.OnOwnStacks.Reads += Left.Reads * P.Sample;
      P.OnOwnStacks.Writes += Left.Writes * P.Sample;
    }
  All.leaveOut(P.Uses, P.PageBytes);
  All.leaveOut(P.Times, P.LineBytes);
}
