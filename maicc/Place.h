//===-- Place.h - programs whose arrays are placed --------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Where an array belongs follows from all loops of a program, and a call of the compiler sees one
// file. So, as with link-time optimisation, the decision waits for the linker:
//
//   compiling   is the user's own command; the object is told how it was made (Record.h)
//   linking     is the user's own command, too. Then the sources of just that program are
//               analysed together, those files in which arrays are placed are compiled once more
//               from the rewritten text, and the program is linked anew with these objects.
//
// What the user's build has made stays as it is, objects and dependency files. Whatever goes wrong
// on the way to the better program, there is one already.
//
//===----------------------------------------------------------------------===//
#ifndef MAICC_PLACE_H
#define MAICC_PLACE_H

#include "CommandLine.h"
#include "Modes.h"
#include "Record.h"

namespace maicc {

/// Links a program, and links it again with its arrays placed.
int link(const Request &R);

/// Whether the user wants to know more (MAICC_VERBOSE).
bool isVerbose();

/// Says something about a file on standard error.
void note(const std::string &About, const std::string &What);

bool isOpenMP(const Request &R);

/// Says, where the user wants to know more, why nothing of an OpenMP program is placed.
void noteNothing(const Request &R, const std::string &About, const std::string &Why);

/// The program that is linked.
std::string outputOf(const Request &R);

/// Why a source is left to the compiler, where it is one of OpenMP; empty: it is not.
std::string whyNotRewritten(const Request &R, size_t I);

/// Whether a source is OpenMP C whose object another one can stand in for.
bool canBeRewritten(const Request &R, size_t I);

/// The option by which gcc tells MAi of the data that the clause affinity names, which gcc itself
/// drops; empty where no source has that word, or the compiler is not the gcc of the plugin.
Arguments affinityOption(const Arguments &Compiler, const Arguments &Sources);

/// How a source of the request is compiled; without the files that it reads, and their hash.
Record recordOf(const Request &R, size_t I);

/// Options without those by which a compiler writes more than its object.
Arguments withoutSideOutputs(const Arguments &Options);

} // namespace maicc

#endif // MAICC_PLACE_H
