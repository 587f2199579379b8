//===-- main.cpp - the compiler wrapper -------------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// maicc stands where the compiler stands in a build, runs the compiler that MAICC_CC names, and
// makes programs whose arrays are placed (Place.h) or, with --trace, programs whose accesses to
// memory are counted (Trace.cpp). Whatever is neither compiling nor linking of OpenMP goes to the
// compiler as it is.
//
//===----------------------------------------------------------------------===//

#include "Command.h"
#include "Modes.h"

#include "llvm/Support/Path.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <unistd.h>

using namespace maicc;

namespace {

constexpr const char *HelpText =
    R"(usage: maicc [--profile FILE] [--mapp=OPTION...] [--show] [compiler arguments]
       maicc --trace [--show] [compiler arguments]

Compiles and links like the compiler. The OpenMP programs that it links have their static arrays
placed on NUMA nodes, as mapp-rewrite decides from all their sources.
  --profile FILE  what mai-trace has counted in a run of the program, for mapp-rewrite
  --mapp=OPTION   an option for mapp-rewrite, such as --mapp=--min-bytes=65536
  --trace         count the program's accesses to memory instead, when mai-trace runs it
  --show          print the commands instead of running them
  -h, --help      this text, where nothing else is asked for
  --version       the compiler's version, and this program's

maic++ and maifort do the same for programs that have C++ and Fortran in them; only C is rewritten.
They also link what mai-run loads: MAI_POLICY places arrays and blocks by their names, those of
parallel regions where there is debug information (-g).
All other arguments are the compiler's.
  MAICC_CC         the compiler (default: cc); MAICC_CXX for maic++ (c++), MAICC_FC for
                   maifort (gfortran), or MAICC_CC where these are not set
  MAICC_VERBOSE    1: tell what is placed where, and what is not
  MAICC_LIBRARIES  the directory of libmai and libmaitrace (default: where maicc is installed)
Examples:
  make CC=maicc
  MAICC_VERBOSE=1 maicc -O3 -fopenmp foo.c -o foo
  maicc --trace -O2 -fopenmp foo.c -o foo && mai-trace ./foo
Exit status: the compiler's; 2 wrong usage.
)";

std::string toolName(const char *Argv0) {
  const std::string Path = Argv0 ? Argv0 : "maicc";
  return llvm::sys::path::filename(Path).str();
}

bool isOurselves(const Arguments &Compiler) {
  for (const std::string &Word : Compiler)
    if (isOneOf(toolName(Word.c_str()), {"maicc", "maic++", "maifort"}))
      return true;
  return false;
}

int version(const Request &R) {
  Arguments Command = R.Compiler;
  Command.push_back("--version");
  const int Status = run(Command);
  std::puts("maicc (Minas) " MINAS_VERSION);
  return Status;
}

} // namespace

int maicc::usageError(const std::string &Message) {
  std::fprintf(stderr, "maicc: %s\nTry 'maicc --help'.\n", Message.c_str());
  return ExitUsage;
}

int main(int Argc, char **Argv) {
  if (Argc == 2 && isOneOf(Argv[1], {"-h", "--help"})) {
    std::fputs(HelpText, stdout);
    return 0;
  }
  Request R = parse(Argc, Argv);
  R.Compiler = compilerFor(toolName(Argv[0]));
  R.PlacesBlocks = isOneOf(toolName(Argv[0]), {"maic++", "maifort"});
  if (R.Compiler.empty())
    return usageError("MAICC_CC names no compiler");
  if (isOurselves(R.Compiler))
    return usageError("MAICC_CC names maicc itself: it is to name the compiler that maicc runs");
  if (Argc == 2 && std::strcmp(Argv[1], "--version") == 0)
    return version(R);
  if (R.HasProfile && R.Trace)
    return usageError("--trace and --profile exclude each other");
  if (R.HasProfile && access(R.Profile.c_str(), R_OK) != 0)
    return usageError("--profile " + R.Profile + ": " + std::strerror(errno));
  if (!R.Trace)
    return place(R);
  if (R.Sources.empty() && R.Others.empty())
    return usageError("no input files");
  return trace(R);
}
