//===-- CommandLine.cpp - what a call of the compiler asks for --*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "CommandLine.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/StringSaver.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

using namespace maicc;

bool maicc::isOneOf(std::string_view Text, std::initializer_list<std::string_view> List) {
  return std::find(List.begin(), List.end(), Text) != List.end();
}

bool maicc::startsWithOneOf(std::string_view Text, std::initializer_list<std::string_view> List) {
  return std::any_of(List.begin(), List.end(),
                     [&](std::string_view Start) { return Text.starts_with(Start); });
}

bool maicc::hasOption(const Arguments &List, std::string_view Start) {
  return std::any_of(List.begin(), List.end(),
                     [&](const std::string &Argument) { return Argument.starts_with(Start); });
}

bool maicc::hasExactly(const Arguments &List, std::initializer_list<std::string_view> Options) {
  return std::any_of(List.begin(), List.end(),
                     [&](const std::string &Argument) { return isOneOf(Argument, Options); });
}

void maicc::append(Arguments &List, const Arguments &More) {
  List.insert(List.end(), More.begin(), More.end());
}

bool maicc::takesNext(std::string_view Argument) {
  return isOneOf(Argument, {"-I",
                            "-L",
                            "-D",
                            "-U",
                            "-l",
                            "-A",
                            "-include",
                            "-imacros",
                            "-isystem",
                            "-idirafter",
                            "-iquote",
                            "-iprefix",
                            "-iwithprefix",
                            "-iwithprefixbefore",
                            "-imultilib",
                            "-isysroot",
                            "--sysroot",
                            "-framework",
                            "-MF",
                            "-MT",
                            "-MQ",
                            "-T",
                            "-u",
                            "-z",
                            "-Xlinker",
                            "-Xassembler",
                            "-Xpreprocessor",
                            "-Xclang",
                            "-mllvm",
                            "-target",
                            "--param",
                            "-aux-info",
                            "-dumpbase",
                            "-dumpbase-ext",
                            "-dumpdir",
                            "-J",
                            "-B",
                            "-e",
                            "-arch",
                            "-gcc-toolchain",
                            "-wrapper",
                            "-MJ",
                            "-F",
                            "-G",
                            "-R",
                            "-Tbss",
                            "-Tdata",
                            "-Ttext",
                            "-Xanalyzer",
                            "-Xopenmp-target",
                            "-cxx-isystem",
                            "-iframework",
                            "-imultiarch",
                            "-include-pch",
                            "-ivfsoverlay",
                            "-iwithsysroot",
                            "-mthread-model",
                            "-resource-dir",
                            "-rpath",
                            "-serialize-diagnostics",
                            "-working-directory",
                            "--config",
                            "--define-macro",
                            "--entry",
                            "--for-assembler",
                            "--for-linker",
                            "--imacros",
                            "--include",
                            "--include-directory",
                            "--library-directory",
                            "--prefix",
                            "--serialize-diagnostics",
                            "--undefine-macro"});
}

namespace {

bool endsHeader(std::string_view End) {
  return isOneOf(End, {".h", ".H", ".hh", ".hp", ".hpp", ".hxx", ".h++", ".HPP", ".tcc"});
}

bool isSource(const std::string &Argument) {
  const size_t Dot = Argument.rfind('.');
  const std::string_view End =
      std::string_view(Argument).substr(Dot != std::string::npos ? Dot : Argument.size());
  return !Argument.starts_with("-") &&
         (endsHeader(End) ||
          isOneOf(End, {".c",   ".i",   ".cc",  ".cp",  ".cpp", ".cxx", ".c++", ".C",
                        ".CPP", ".ii",  ".f",   ".for", ".ftn", ".F",   ".FOR", ".f90",
                        ".F90", ".f95", ".F95", ".f03", ".F03", ".f08", ".F08"}));
}

/// The arguments with those of response files in their place; what names no file that can be read
/// the compiler takes as it is.
Arguments expanded(Request &R) {
  llvm::BumpPtrAllocator Memory;
  llvm::StringSaver Saver(Memory);
  llvm::SmallVector<const char *, 0> Words;
  for (const std::string &Argument : R.Given)
    Words.push_back(Argument.c_str());
  if (!llvm::cl::ExpandResponseFiles(Saver, llvm::cl::TokenizeGNUCommandLine, Words))
    return R.Given;
  R.Response = !llvm::equal(
      Words, R.Given, [](const char *Word, const std::string &Of) { return Word == Of.c_str(); });
  return {Words.begin(), Words.end()};
}

/// Our own arguments, and everything else as it was given.
Arguments split(int Argc, char **Argv, Request &R) {
  for (int I = 1; I < Argc; ++I) {
    const std::string Argument = Argv[I];
    if (Argument == "--trace")
      R.Trace = true;
    else if (Argument == "--show")
      R.Show = true;
    else if (Argument == "--profile" || Argument.starts_with("--profile=")) {
      R.HasProfile = true;
      R.Profile = Argument != "--profile" ? Argument.substr(sizeof "--profile=" - 1)
                  : I + 1 < Argc          ? Argv[++I]
                                          : "";
    } else if (Argument.starts_with("--mapp="))
      R.Mapp.push_back(Argument.substr(sizeof "--mapp=" - 1));
    else
      R.Given.push_back(Argument);
  }
  return expanded(R);
}

bool asksAQuestion(const std::string &Argument) {
  return isOneOf(Argument, {"-E", "-S", "-M", "-MM", "-fsyntax-only", "-###", "-v", "--version",
                            "--help", "-dumpversion", "-dumpfullversion", "-dumpmachine",
                            "-dumpspecs", "-dM", "--target-help"}) ||
         startsWithOneOf(Argument, {"-print-", "--print-", "--help="});
}

} // namespace

Request maicc::parse(int Argc, char **Argv) {
  Request R;
  std::string Language;
  const Arguments All = split(Argc, Argv, R);
  for (size_t I = 0; I < All.size(); ++I) {
    const std::string &Argument = All[I];
    const bool HasNext = I + 1 < All.size();
    if (Argument == "-c")
      R.CompileOnly = true;
    else if (isOneOf(Argument, {"-o", "--output"}) && HasNext)
      R.Output = All[++I];
    else if (Argument.starts_with("-o") && Argument.size() > 2 && !Argument.starts_with("-object"))
      R.Output = Argument.substr(2);
    else if (Argument == "-x" && HasNext)
      Language = All[++I] == "none" ? "" : All[I];
    else if (Argument.starts_with("-x") && Argument.size() > 2)
      Language = Argument == "-xnone" ? "" : Argument.substr(2);
    else if (isSource(Argument) ||
             (!Language.empty() && (Argument == "-" || !Argument.starts_with("-")))) {
      R.SourceAt.push_back(R.Others.size());
      R.Sources.push_back(Argument);
      R.Languages.push_back(Language);
    } else {
      R.NoCode |= asksAQuestion(Argument);
      R.Shared |= Argument == "-shared";
      R.Others.push_back(Argument);
      if (takesNext(Argument) && HasNext)
        R.Others.push_back(All[++I]);
    }
  }
  // -v with something to do is no question: CMake asks so how a compiler links, and links. Traced
  // objects need their library then, too.
  const bool HasWork = !R.Sources.empty() || (R.Trace && !R.Output.empty());
  if (R.NoCode && HasWork &&
      !hasExactly(R.Others, {"-E", "-S", "-M", "-MM", "-fsyntax-only", "-###", "-dM"}))
    R.NoCode = false;
  return R;
}

namespace {

Arguments words(const std::string &Text) {
  Arguments List;
  std::istringstream Stream(Text);
  for (std::string Word; Stream >> Word;)
    List.push_back(Word);
  return List;
}

bool isLinkerInput(const std::string &Argument) {
  return startsWithOneOf(Argument, {"-l", "-Wl,", "-L"}) || !Argument.starts_with("-");
}

} // namespace

Arguments maicc::compilerFor(const std::string &Tool) {
  const char *Own = Tool == "maic++" ? "MAICC_CXX" : Tool == "maifort" ? "MAICC_FC" : "MAICC_CC";
  for (const char *Variable : {Own, "MAICC_CC"})
    if (const char *Named = std::getenv(Variable); Named && *Named)
      return words(Named);
  return {Tool == "maic++" ? "c++" : Tool == "maifort" ? "gfortran" : "cc"};
}

Arguments maicc::compileOptions(const Request &R) {
  Arguments List;
  for (size_t I = 0; I < R.Others.size(); ++I) {
    const bool Pair = takesNext(R.Others[I]) && I + 1 < R.Others.size();
    const bool Linker =
        isLinkerInput(R.Others[I]) ||
        isOneOf(R.Others[I], {"-Xlinker", "-shared", "-rdynamic", "-static-libgcc",
                              "-static-libstdc++", "-pie", "-no-pie", "-z", "-T", "-u", "-s"});
    if (!Linker) {
      List.push_back(R.Others[I]);
      if (Pair)
        List.push_back(R.Others[I + 1]);
    }
    I += Pair;
  }
  return List;
}

Arguments maicc::source(const Request &R, size_t I) {
  if (R.Languages[I].empty())
    return {R.Sources[I]};
  return {"-x", R.Languages[I], R.Sources[I]};
}

bool maicc::isAssembler(const std::string &Input) {
  return isOneOf(std::filesystem::path(Input).extension().string(), {".s", ".S", ".sx"});
}

Arguments maicc::compilationOf(const Request &R, const Arguments &Inputs) {
  Arguments Command = R.Compiler;
  append(Command, compileOptions(R));
  // Options for C say nothing to the assembler; with -Werror clang would fail.
  append(Command, {"-Wno-unused-command-line-argument", "-c"});
  append(Command, Inputs);
  return Command;
}

Arguments maicc::otherInputs(const Request &R) {
  Arguments Inputs;
  for (size_t I = 0; I < R.Others.size(); ++I)
    if (!R.Others[I].starts_with("-"))
      Inputs.push_back(R.Others[I]);
    else
      I += takesNext(R.Others[I]);
  return Inputs;
}

bool maicc::isHeader(const Request &R, size_t I) {
  const std::filesystem::path Source = R.Sources[I];
  return R.Languages[I].empty() ? endsHeader(Source.extension().string())
                                : R.Languages[I].ends_with("-header");
}

bool maicc::hasHeader(const Request &R) {
  for (size_t I = 0; I < R.Sources.size(); ++I)
    if (isHeader(R, I))
      return true;
  return false;
}

std::string maicc::objectFor(const Request &R, size_t I) {
  if (!R.Output.empty())
    return R.Output;
  return std::filesystem::path(R.Sources[I]).filename().replace_extension(".o").string();
}
