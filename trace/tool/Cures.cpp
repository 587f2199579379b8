//===-- Cures.cpp - lines to paste ------------------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Cures.h"

#include "llvm/Support/Path.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cstring>
#include <map>
#include <set>

using namespace maiprof;

namespace {

/// As a shell takes it for one word, whatever a profile says.
std::string quoted(const std::string &Text) {
  const auto IsPlain = [](unsigned char C) {
    return std::isalnum(C) || std::strchr("_./+-", C) != nullptr;
  };
  if (std::all_of(Text.begin(), Text.end(), IsPlain))
    return Text;
  std::string Out = "'";
  for (const char C : Text)
    Out += C == '\'' ? std::string("'\\''") : std::string(1, C);
  return Out + "'";
}

const Array &firstOf(const Profile &P, const ArrayUse &A) { return P.Arrays[A.Arrays[0]]; }

/// What a statement calls an array; empty where that is not known.
std::string nameIn(const Array &A) {
  return !A.Short.empty() ? A.Short : !A.Variable.empty() ? A.Variable : A.Name;
}

/// " of NAME, at FILE:LINE", as far as that is known.
std::string where(const Profile &P, const ArrayUse &A) {
  if (A.Arrays.empty())
    return "";
  const Array &First = firstOf(P, A);
  const std::string &Place = First.Position.empty() ? First.Function : First.Position;
  return (First.Name.empty() ? "" : " of " + nameIn(First)) +
         (Place.empty() ? "" : ", at " + Place);
}

/// Whether it is Fortran's: by the suffix of the source that allocates it, or its symbol.
bool isFortran(const Profile &P, const ArrayUse &A) {
  if (A.Arrays.empty())
    return false;
  const Array &First = firstOf(P, A);
  const std::string File = First.Position.substr(0, First.Position.find(':'));
  const size_t Suffix = File.rfind('.');
  return (Suffix != std::string::npos && Suffix + 1 < File.size() &&
          (File[Suffix + 1] == 'f' || File[Suffix + 1] == 'F')) ||
         (!First.Variable.empty() && First.Name.rfind("_Z", 0) != 0);
}

/// Whether a source in C allocates it, or one that is not known.
bool isC(const Profile &P, const ArrayUse &A) {
  const std::string &Position = firstOf(P, A).Position;
  const std::string File = Position.substr(0, Position.find(':'));
  return A.What == Array::Kind::Heap && (File.empty() || File.ends_with(".c"));
}

/// What a statement of Fortran calls an array: of "kept (in work)" what stands in front.
std::string inFortran(const Profile &P, const ArrayUse &A) {
  const std::string Name = nameIn(firstOf(P, A));
  return Name.empty() ? "array" : Name.substr(0, Name.find(" (in "));
}

/// Whether a statement of Fortran can name it: of a common block only parts have names.
bool hasNameInFortran(const Profile &P, const ArrayUse &A) {
  return isFortran(P, A) && !inFortran(P, A).starts_with("/");
}

/// What divides a loop among the threads.
std::string loopDirective(const Profile &P, const ArrayUse &A, bool InTurn) {
  return std::string(isFortran(P, A) ? "!$omp parallel do" : "#pragma omp parallel for") +
         " schedule(static" + (InTurn ? ", 1" : "") + ")";
}

/// The source of an array, where it is known.
std::string sourceOf(const Profile &P, const ArrayUse &A) {
  const std::string &Position = firstOf(P, A).Position;
  const std::string File = Position.substr(0, Position.find(':'));
  return !File.empty() ? File : isFortran(P, A) ? "source.f90" : "source.c";
}

/// Of the pages the part that one thread was the first to touch, and which.
std::pair<size_t, double> mainToucher(const ArrayUse &A) {
  uint64_t Sum = 0;
  size_t Most = 0;
  for (size_t I = 0; I < A.FirstTouched.size(); ++I) {
    Sum += A.FirstTouched[I];
    if (A.FirstTouched[I] > A.FirstTouched[Most])
      Most = I;
  }
  return {Most, Sum ? double(A.FirstTouched[Most]) / double(Sum) : 0};
}

} // namespace

std::string maiprof::policyFor(const Profile &P, const ArrayUse &A, const advice::Advice &Its) {
  std::string Entries;
  for (const std::string &Name : Its.OfRows ? std::set<std::string>() : runNames(P, A))
    Entries += (Entries.empty() ? "" : ",") + Name + ": " + Its.Policy;
  return Entries;
}

uint64_t maiprof::leastSize(const Profile &P, const ArrayUse &A) {
  constexpr uint64_t ByDefault = uint64_t(1) << 20;
  uint64_t Least = ByDefault;
  for (const uint32_t I : A.Arrays)
    if (A.What == Array::Kind::Heap || A.What == Array::Kind::Mapping)
      Least = std::min(Least, P.Arrays[I].Bytes);
  return Least < ByDefault ? Least : 0;
}

/// The name by which mai-run knows an array.
static std::string nameForRun(const Profile &P, const Array &A) {
  switch (A.What) {
  case Array::Kind::Static:
  case Array::Kind::Mai:
    return A.Name;
  case Array::Kind::Heap:
  case Array::Kind::Mapping:
    return A.Chain == None ? "" : P.Chains[A.Chain].Key;
  default:
    return "";
  }
}

/// A name as a pattern that nothing else fits, on one line.
static std::string pattern(const std::string &Name) {
  std::string Out;
  for (const char C : Name) {
    const bool IsSpecial = std::strchr("*?[\\", C) != nullptr;
    Out += (IsSpecial ? "\\" : "") +
           std::string(1, std::iscntrl(static_cast<unsigned char>(C)) ? '?' : C);
  }
  return Out;
}

std::set<std::string> maiprof::runNames(const Profile &P, const ArrayUse &A) {
  std::set<std::string> Names;
  for (const uint32_t I : A.Arrays)
    if (const std::string Name = nameForRun(P, P.Arrays[I]); !Name.empty())
      Names.insert(pattern(Name));
  return Names;
}

std::set<std::string> maiprof::runNamesWithLines(const Profile &P, const ArrayUse &A) {
  std::set<std::string> Names;
  for (const uint32_t I : A.Arrays) {
    const std::string Name = nameForRun(P, P.Arrays[I]);
    const uint32_t Chain = P.Arrays[I].Chain;
    const std::string Lines = Chain == None ? "" : P.Chains[Chain].Lines;
    if (!Name.empty())
      Names.insert(pattern(Name + (Lines.empty() ? "" : " at " + Lines)));
  }
  return Names;
}

std::vector<std::string> maiprof::placementCures(const Profile &P, const ArrayUse &A,
                                                 const advice::Advice &Its) {
  const std::string Program = llvm::sys::path::filename(P.Program).str();
  const std::string Entry = policyFor(P, A, Its);
  const std::string Profile = quoted(Program + ".maiprof");
  const uint64_t Least = leastSize(P, A);
  std::vector<std::string> Lines;
  if (A.What == Array::Kind::Mai && !Entry.empty())
    Lines.push_back("MAI_POLICY=" + quoted(Entry) + " " + quoted("./" + Program));
  else if (!Entry.empty())
    Lines.push_back("mai-run " + (Least ? "-s " + std::to_string(Least) + " " : "") + "-p " +
                    quoted(Entry) + " " + quoted("./" + Program));
  if (!Its.OfRows && hasNameInFortran(P, A))
    Lines.push_back("call mai_place(" + inFortran(P, A) + ", '" + Its.Policy + "')   # " +
                    (A.What == Array::Kind::Static ? "once, before it is used"
                                                   : "behind the allocation" + where(P, A)));
  else if (!Its.OfRows && (Entry.empty() || isC(P, A)))
    Lines.push_back("mai_alloc(count, size, \"" + Its.Policy + "\", NULL)   # the allocation" +
                    where(P, A));
  const std::string Source = sourceOf(P, A);
  if (Source.size() > 2 && Source.compare(Source.size() - 2, 2, ".c") == 0)
    Lines.push_back("mapp-rewrite --profile " + Profile + " -o rewritten.c " + quoted(Source) +
                    (Its.OfRows ? "   # places its rows" : ""));
  constexpr double NearlyAll = 0.9;
  const auto [Toucher, Part] = mainToucher(A);
  if (Part >= NearlyAll && Its.Divides)
    Lines.push_back(loopDirective(P, A, Its.OfRows) + "   # before the loop in which thread " +
                    P.Threads[Toucher].name() + " fills it, in place of a policy");
  return Lines;
}

std::string maiprof::copyCure(const Profile &P, const ArrayUse &A) {
  if (isFortran(P, A))
    return "allocate(copy, source=" + inFortran(P, A) +
           ")   # by a thread of each node, for its threads to read, if it is only read once it is "
           "filled; the allocation" +
           where(P, A);
  return "mai_alloc(count, size, \"replicate\", NULL), and mai_replica() where it is read   # if "
         "it "
         "is only read once it is filled; the allocation" +
         where(P, A);
}

std::vector<std::string> maiprof::changingCures(const Profile &P, const ArrayUse &A,
                                                bool MovingHelps) {
  std::vector<std::string> Lines = {
      loopDirective(P, A, false) +
      "   # on the loops over the same dimension, in all regions that use it"};
  if (MovingHelps)
    Lines.push_back((isFortran(P, A) ? "call mai_next_touch(" + inFortran(P, A) + ")"
                                     : std::string("mai_next_touch(array, 0, bytes)")) +
                    "   # in front of each region that uses it for "
                    "long; the allocation" +
                    where(P, A));
  return Lines;
}

std::vector<std::string> maiprof::paddingCures(const Profile &P, const ArrayUse &A) {
  if (isFortran(P, A))
    return {"real(8) :: element(" + std::to_string(P.LineBytes / 8) +
            ", threads)   # a column for each thread's element" + where(P, A)};
  return {"_Alignas(" + std::to_string(P.LineBytes) + ")   # on each thread's element" +
          where(P, A) + ": pad elements to a line each"};
}

std::string maiprof::bytesByThread(const Profile &P, uint64_t Line) {
  constexpr size_t Most = 4;
  std::map<uint32_t, uint64_t> Bytes; /* by thread */
  for (const UsedBytes &Used : P.Bytes)
    if (Used.Unit == Line / 64 && (!P.HasPhases || Used.Phase > 0))
      Bytes[Used.Thread] |= Used.Read | Used.Written;
  std::string Text;
  size_t Shown = 0;
  for (const auto &[Thread, Begun] : Bytes) {
    if (Begun == 0 || Shown == Most)
      continue;
    const int First = std::countr_zero(Begun), Last = 63 - std::countl_zero(Begun);
    Text +=
        (Shown++ ? ", " : "") + std::string("thread ") + P.Threads[Thread].name() +
        (First == Last ? "'s accesses begin at byte " + std::to_string(First)
                       : "'s at bytes " + std::to_string(First) + " to " + std::to_string(Last));
  }
  return Text + (Bytes.size() > Most ? ", and so on" : "");
}

std::vector<std::string> maiprof::lineCures(const Profile &P, const ArrayUse &A) {
  const std::string Line = std::to_string(P.LineBytes);
  if (isFortran(P, A))
    return {"real(8) :: element(" + std::to_string(P.LineBytes / 8) +
                ", threads)   # a column for each thread's element" + where(P, A) +
                ", if threads have elements of their own",
            "reduction(+ : ...)   # a copy for each thread, if they all write the same"};
  return {"_Alignas(" + Line + ")   # on each thread's element" + where(P, A) +
              ": pad elements to a line each, if threads have elements of their own",
          "reduction(+ : ...)   # a copy for each thread, if they all write the same"};
}

std::string maiprof::groupsText(const Profile &P, const Layout &L,
                                const std::vector<uint32_t> &NodeOf) {
  std::string Text;
  for (uint32_t Node = 0; Node < L.Nodes; ++Node) {
    std::string Members;
    for (size_t I = 0; I < NodeOf.size(); ++I)
      if (NodeOf[I] == Node)
        Members += " " + P.Threads[I].name();
    if (!Members.empty())
      Text += (Text.empty() ? "" : ", ") + std::string("node ") + std::to_string(L.OsIndex[Node]) +
              ": threads" + Members;
  }
  return Text;
}

std::vector<uint32_t> maiprof::cpusFor(const Profile &P, const Layout &L,
                                       const std::vector<uint32_t> &NodeOf) {
  std::vector<bool> Taken(P.Cpus.size(), L.Imagined);
  std::vector<std::pair<uint32_t, uint32_t>> OfNumber; /* and of each the CPU */
  for (size_t I = 0; I < P.Threads.size(); ++I) {
    if (P.Threads[I].What != Thread::Kind::OpenMP)
      continue;
    size_t Cpu = 0;
    while (Cpu < Taken.size() && (Taken[Cpu] || P.Cpus[Cpu].Node != NodeOf[I]))
      ++Cpu;
    if (Cpu == Taken.size())
      return {};
    Taken[Cpu] = true;
    OfNumber.emplace_back(P.Threads[I].Number, P.Cpus[Cpu].OsIndex);
  }
  std::sort(OfNumber.begin(), OfNumber.end());
  std::vector<uint32_t> Cpus;
  for (const auto &[Number, Cpu] : OfNumber)
    Cpus.push_back(Cpu);
  return Cpus;
}

std::vector<std::string> maiprof::mapCures(const Profile &P, const std::vector<uint32_t> &Cpus) {
  const std::string Program = llvm::sys::path::filename(P.Program).str();
  std::vector<std::string> Lines;
  if (Cpus.empty()) {
    Lines.push_back("mai-map -o map.cfg " + quoted(Program + ".maiprof"));
  } else {
    std::string List;
    for (const uint32_t Cpu : Cpus)
      List += (List.empty() ? "" : " ") + std::to_string(Cpu);
    Lines.push_back("printf '" + List + "\\n' > map.cfg");
  }
  Lines.push_back("mai-run -m map.cfg " + quoted("./" + Program));
  return Lines;
}
