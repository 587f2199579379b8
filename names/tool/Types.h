//===-- Types.h - the types that lead to blocks of the heap -----*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef MINAS_NAMES_TYPES_H
#define MINAS_NAMES_TYPES_H

#include "Table.h"
#include "names/debug/Entries.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

#include <string>
#include <utility>
#include <vector>

namespace names {

/// The parameters of a function, or of the type of one.
std::vector<llvm::DWARFDie> parametersOf(llvm::DWARFDie Function);

/// Whether a class is that of a lambda expression.
bool isClosure(llvm::DWARFDie Class);

/// What is called so that a lambda expression has captured, where it stands; "Class::" of the
/// object that it was made in.
std::string nameOfCaptured(llvm::DWARFDie Member);

/// A class's name without the arguments of its template.
std::string classNameOf(llvm::DWARFDie Class);

/// Puts types into a table, each once, and leaves out those from which no pointer can be reached.
class TypeGraph {
public:
  TypeGraph(Table &Result, llvm::DWARFContext &Info) : Into(Result), Context(Info) {}

  /// The number of a type, which may have typedefs and qualifiers; 0: there is nothing to follow.
  uint32_t number(llvm::DWARFDie Type) { return number(Type, 0); }

  /// The number of the address of something of a type.
  uint32_t reference(uint32_t Type);

  /// Puts in what pointers lead to. Called once, at the end.
  void finish();

private:
  uint32_t number(llvm::DWARFDie Type, unsigned Depth);
  uint32_t make(llvm::DWARFDie Type, unsigned Depth);
  uint32_t pointer(llvm::DWARFDie Type, minas_names_kind Kind);
  uint32_t array(llvm::DWARFDie Type, unsigned Depth);
  uint32_t record(llvm::DWARFDie Type, unsigned Depth);
  uint32_t range(llvm::DWARFDie Type);
  uint32_t add(const minas_names_type &Type);
  llvm::DWARFDie definition(llvm::DWARFDie Declaration);
  void indexDefinitions();

  Table &Into;
  llvm::DWARFContext &Context;
  llvm::DenseMap<const llvm::DWARFDebugInfoEntry *, uint32_t> Numbers;
  llvm::StringMap<llvm::DWARFDie> Definitions;
  bool Indexed = false;
  std::vector<std::pair<uint32_t, llvm::DWARFDie>> Targets; ///< still to be put in
};

} // namespace names

#endif // MINAS_NAMES_TYPES_H
