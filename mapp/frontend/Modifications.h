//===-- Modifications.h - which statement changes what ----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// To know a variable's value inside and after a loop or a branch, one must know whether the loop
// or branch assigns to it.  One pass over a function answers that for all its statements.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_MODIFICATIONS_H
#define MAPP_MODIFICATIONS_H

#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <unordered_map>
#include <utility>

namespace mapp {

class Modifications {
public:
  explicit Modifications(const clang::FunctionDecl *Of);

  /// Of another function, too, into which is looked.
  void include(const clang::FunctionDecl *Definition);

  /// All that is done to a variable.
  struct Modification {
    unsigned Times = 0;    ///< in so many places
    bool Increment = true; ///< all by ++, --, += or -=: a pointer still points into the same array
    bool Afresh = true;    ///< a pointer: all by =, from others
  };
  /// By variable, in the order of the text.
  using Changed = llvm::SmallMapVector<const clang::VarDecl *, Modification, 4>;

  /// Everything that `S` (a loop, a branch of an `if`, the body of a `switch`) modifies.
  const Changed &of(const clang::Stmt *S) const;

  /// A struct that has what it was initialised with wherever it can be seen: none of its parts is
  /// changed, nor its address taken.
  bool isConstant(const clang::VarDecl *Struct) const { return !Handled.contains(Struct); }

private:
  void scan(const clang::Stmt *S);
  void scanExpression(const clang::Expr *E);
  void scanDeclarations(const clang::DeclStmt *S);
  void scanChildren(const clang::Stmt *S);
  void scanBranch(const clang::Stmt *S);
  void scanWhole(const clang::Stmt *S, llvm::function_ref<void()> Scan);
  void note(const clang::Expr *Modified, bool Increment, const clang::Expr *From = nullptr);
  void noteHandled(const clang::Expr *Part);
  void add(const clang::VarDecl *Variable, const Modification &More);

  const clang::ASTContext &Context;
  llvm::DenseSet<const clang::VarDecl *> Handled; ///< structs
  Changed Open; ///< of the innermost statement that is being scanned
  llvm::DenseMap<const clang::VarDecl *, size_t> Locals; ///< with how many were declared before
  llvm::DenseSet<const clang::FunctionDecl *> Included;
  std::unordered_map<const clang::Stmt *, Changed> ChangedBy; ///< stay where they are
};

/// The statement that an OpenMP directive applies to, or null.
const clang::Stmt *associatedStatement(const clang::Stmt *Directive);

} // namespace mapp

#endif // MAPP_MODIFICATIONS_H
