//===-- CommandLine.h - what a call of the compiler asks for ----*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MAICC_COMMANDLINE_H
#define MAICC_COMMANDLINE_H

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace maicc {

using Arguments = std::vector<std::string>;

/// What a command line asks for, as far as it matters here.
struct Request {
  bool Trace = false;
  bool Show = false;
  bool PlacesBlocks = false; ///< for C++ and Fortran: by the names of who asks for them
  Arguments Compiler;        ///< the command, with its own arguments
  Arguments Given;           ///< everything that is the compiler's, as it was given
  bool Response = false;     ///< a part of it came from response files
  Arguments Mapp;            ///< options for mapp-rewrite
  std::string Profile;       ///< --profile: for mapp-rewrite, too
  bool HasProfile = false;
  Arguments Sources; ///< each with the -x that holds for it
  Arguments Languages;
  Arguments Others;             ///< everything else, in order, objects and libraries too
  std::vector<size_t> SourceAt; ///< where in Others each source stood
  std::string Output;
  bool CompileOnly = false; ///< -c
  bool NoCode = false;      ///< -E, -S, -M, -fsyntax-only, --version: the compiler's business alone
  bool Shared = false;
};

/// Reads the command line; response files (@FILE) are read, too.
Request parse(int Argc, char **Argv);

/// The compiler that the environment names for maicc, maic++ or maifort.
Arguments compilerFor(const std::string &Tool);

/// The user's arguments that concern compiling.
Arguments compileOptions(const Request &R);

/// A source as the compiler takes it, with its language if that was given.
Arguments source(const Request &R, size_t I);

/// What is no source that is known by its name: objects, libraries, assembler.
Arguments otherInputs(const Request &R);

bool isAssembler(const std::string &Input);

/// Has the compiler alone make objects of inputs.
Arguments compilationOf(const Request &R, const Arguments &Inputs);

/// Whether a source is a header, of which the compiler makes neither object nor program.
bool isHeader(const Request &R, size_t I);
bool hasHeader(const Request &R);

/// The object that -c writes for a source.
std::string objectFor(const Request &R, size_t I);

/// Whether the next argument belongs to this one.
bool takesNext(std::string_view Argument);

bool isOneOf(std::string_view Text, std::initializer_list<std::string_view> List);
bool startsWithOneOf(std::string_view Text, std::initializer_list<std::string_view> List);
bool hasOption(const Arguments &List, std::string_view Start);
bool hasExactly(const Arguments &List, std::initializer_list<std::string_view> Options);
void append(Arguments &List, const Arguments &More);

} // namespace maicc

#endif // MAICC_COMMANDLINE_H
