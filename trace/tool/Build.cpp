//===-- Build.cpp - how a program was built ---------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// maicc has the compilers record their command lines (-frecord-gcc-switches), which is how an
// object tells that clang did not vectorise it. -O0 and -O1 do not either.
//
//===----------------------------------------------------------------------===//

#include "Build.h"

#include "support/Elf.h"

#include <string_view>

using namespace maiprof;

namespace {

bool contains(std::string_view Text, std::string_view Part) {
  return Text.find(Part) != std::string_view::npos;
}

/// Whether a command line is clang's: options of gcc's, which begins "GNU C17 12.2.0", may name
/// a path with that word.
bool isClangs(std::string_view Command) {
  return contains(Command.substr(0, Command.find(" -")), "clang");
}

/// Whether the last -O of a command line lets clang vectorise.
bool optimises(std::string_view Command) {
  bool Result = false;
  for (size_t At = 0; (At = Command.find(" -O", At)) != std::string_view::npos; At += 3) {
    const char Level = At + 3 < Command.size() ? Command[At + 3] : ' ';
    Result = Level != '0' && Level != '1' && Level != ' ';
  }
  return Result;
}

/// The last argument of a command line that looks like a source.
std::string sourceOf(std::string_view Command) {
  size_t End = Command.size();
  while (End > 0) {
    size_t Start = Command.rfind(' ', End - 1);
    Start = Start == std::string_view::npos ? 0 : Start + 1;
    const std::string_view Word = Command.substr(Start, End - Start);
    if (!Word.empty() && Word[0] != '-' && contains(Word, ".") && !Word.ends_with(".o") &&
        !Word.ends_with(".bc"))
      return std::string(Word);
    if (Start == 0)
      break;
    End = Start - 1;
  }
  return "a source";
}

} // namespace

Build maiprof::examineBuild(const std::string &Program) {
  Build B;
  const support::Elf File(Program);
  B.IsElf = File.isElf();
  if (!B.IsElf)
    return B;
  const std::string Names = File.section(".dynstr");
  B.HasRuntime = contains(Names, "libmaitrace_rt.so");
  File.forEachSymbol([&](std::string_view Name) {
    /* Each instrumented source calls it at the program's start; the library alone defines it. */
    B.HasHooks |= Name == "__tsan_init";
  });
  bool Recorded = false;
  const std::string Commands = File.section(".GCC.command.line");
  for (size_t At = 0; At < Commands.size();) {
    const std::string Command = Commands.c_str() + At;
    At += Command.size() + 1;
    if (!isClangs(Command) || !contains(Command, "-fsanitize=thread"))
      continue;
    Recorded = true;
    const bool Kept =
        contains(Command, "-fno-vectorize") && contains(Command, "-fno-slp-vectorize");
    if (!Kept && optimises(Command))
      B.Vectorised = sourceOf(Command);
  }
  B.ClangWithoutRecord = contains(File.section(".comment"), "clang") && !Recorded;
  return B;
}
