//===-- Record.h - how an object was made -----------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Each object that maicc compiles from OpenMP C says in a section of its own which source it comes
// from and how it was compiled. Linkers put the sections of all objects that a program is made of
// into the program, those from archives and from `ld -r` too: so maicc finds the sources of just
// that program.
//
// The section is `.mai_sources`, is not loaded, and holds records one behind the other. What a file
// says about itself is not trusted: a record that makes no sense is no record.
//
//===----------------------------------------------------------------------===//
#ifndef MAICC_RECORD_H
#define MAICC_RECORD_H

#include "CommandLine.h"

#include <optional>

namespace maicc {

struct Record {
  std::string Directory; ///< where the compiler ran
  std::string Source;    ///< as it was named there
  Arguments Compiler;
  Arguments Options;
  Arguments Files;  ///< all that was read: the source, and headers
  std::string Hash; ///< of what they held

  std::string bytes() const; ///< as it stands in a section; names the record, too
};

/// The records in a linked program or library; none where it is no ELF file of this machine's kind.
std::vector<Record> recordsIn(const std::string &File);

/// The same for an object; none for a library, whose sources are another program's.
std::vector<Record> recordsInObject(const std::string &File);

/// Adds a record to an object, which is replaced as a whole or stays as it is.
/// @return whether it was added; not to files other than 64-bit relocatable ELF
bool addRecord(const std::string &Object, const Record &New);

/// One number for the contents of files; empty where one cannot be read.
std::string hashOf(const std::string &Directory, const Arguments &Files);

/// The same for a text.
std::string hashOf(const std::string &Text);

/// The files that a dependency file for make names first; none where it cannot be read.
Arguments dependencies(const std::string &DependencyFile);

std::optional<std::string> contents(const std::string &File);

} // namespace maicc

#endif // MAICC_RECORD_H
