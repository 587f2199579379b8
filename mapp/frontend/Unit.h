//===-- Unit.h - the tables of facts while they grow ------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Gives Clang's declarations their entries in the tables of Facts.h, so that the other parts of
// `collect` can speak of "the base of this variable" without minding how it is stored.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_UNIT_H
#define MAPP_UNIT_H

#include "mapp/facts/Facts.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace mapp {

/// The path of a header as whoever named the main file would name it.
std::string namedAsMain(const Facts &Main, llvm::StringRef Path);

/// The member that the initialiser at that position of a list is for; null where it is an array's.
const clang::FieldDecl *initialisedField(const clang::InitListExpr *List, unsigned Position);

/// Bytes from the start of what the list initialises to that part of it.
int64_t offsetOfPart(const clang::ASTContext &Context, const clang::InitListExpr *List,
                     unsigned Position);

class Unit {
public:
  Unit(clang::ASTContext &Parsed, Facts &Tables) : Context(Parsed), Out(Tables) {}

  const clang::SourceManager &sources() const { return Context.getSourceManager(); }

  // Factors.
  FactorId loopFactor(uint32_t Scope) { return addFactor({FactorKind::Loop, Scope, {}, None}); }
  FactorId testedFactor(uint32_t Scope, const Polynomial &Value) {
    return addFactor({FactorKind::Loop, Scope, Value, None});
  }
  FactorId symbol(const clang::ValueDecl *Variable);
  FactorId parameter(uint32_t Position);
  FactorId thread();
  /// @param Member that it is read from, which is the same number each time; null: from something
  ///        else
  FactorId loaded(const Value &Address, const clang::FieldDecl *Member = nullptr);
  /// The same of a pointer.
  FactorId row(const Value &Address, const clang::FieldDecl *Member = nullptr);
  /// @param Values so many it can have, from 0 on, where that is known
  FactorId computed(const Polynomial &From, uint32_t Values = None);
  /// What a call of a function returns, in a way that is not known here.
  FactorId answer(const clang::FunctionDecl *Callee);
  FactorId quotient(const Polynomial &Of, uint32_t Divisor) {
    return addFactor({FactorKind::Quotient, Divisor, Of, None});
  }
  /// A number that comes from outside, and stays as it is.
  FactorId input() { return addFactor({FactorKind::Symbol, None, {}, None}); }
  FactorId span() { return addFactor({FactorKind::Span, None, {}, None}); }

  // Bases.
  uint32_t variableBase(const clang::VarDecl *Variable);
  /// Of the pointers in that member, of whatever struct.
  uint32_t fieldBase(const clang::FieldDecl *Field);
  /// The same of those structs only that lie in the memory of another base, and of that inner
  /// struct there.
  uint32_t memberBase(uint32_t Of, uint32_t Inner, const clang::FieldDecl *Field);
  /// The inner struct that a member is; the one that it is a member of where it holds no structs,
  /// and in a union, whose members are one.
  uint32_t innerStruct(uint32_t Outer, const clang::FieldDecl *Field);
  /// An inner struct, of a struct that is an inner one itself.
  uint32_t innerStruct(uint32_t Outer, uint32_t Inner);
  /// Of the pointers that are stored in the memory of another base.
  uint32_t pointeeBase(uint32_t Of);
  /// Of a pointer variable's own storage.
  uint32_t cellBase(uint32_t Pointer);
  /// Of the block that a call of one of the C library's functions returns.
  uint32_t blockBase(const clang::CallExpr *Call);
  /// Of the pointer that one call of a function returns.
  uint32_t callBase(const clang::CallExpr *Call, const clang::FunctionDecl *Callee);
  /// What a call puts into a pointer whose address it gets, if that is a block.
  uint32_t fillBase(const clang::CallExpr *Call);
  /// The position of the pointer parameter that a function, of whatever file, gives back.
  std::optional<unsigned> returnedParameter(const clang::FunctionDecl *Callee) const;
  /// Of the pointers that a function returns.
  uint32_t resultBase(const clang::FunctionDecl *Function);
  /// Of the pointers that a conditional expression chooses from.
  uint32_t choiceBase(const clang::Expr *Choice);
  /// Of an object without a name.
  uint32_t literalBase(const clang::CompoundLiteralExpr *Literal);

  /// A name of a variable or function that is equal in all units exactly for the same entity.
  std::string key(const clang::NamedDecl *Named) const;
  SourcePosition positionOf(clang::SourceLocation Location) const;
  unsigned line(clang::SourceLocation Location) const {
    return sources().getExpansionLineNumber(Location);
  }
  /// Where a text of the main file that no macro has made begins and ends; None where it cannot be
  /// put into a macro's argument.
  std::pair<uint32_t, uint32_t> editable(clang::SourceRange Tokens) const;
  /// A type in words that are equal in all units.
  const std::string &typeText(clang::QualType Type);
  void takeAddress(const clang::FunctionDecl *Function);

  clang::ASTContext &Context;
  Facts &Out;

private:
  FactorId addFactor(Factor New);
  /// The one that was read from the same place in a member before, or a new one.
  FactorId once(Factor New, uint32_t Member);
  std::string fieldKey(const clang::FieldDecl *Field) const;
  uint32_t innerStruct(uint32_t Outer, const std::string &Member);
  std::string callKey(const clang::CallExpr *Call) const;
  uint32_t addBase(const void *Identity, BaseKind Kind, std::string Key, uint32_t Index = None);
  uint32_t derivedBase(BaseKind Kind, uint32_t Of);
  std::string at(clang::SourceLocation Location) const;
  std::string keyOf(const clang::Expr *Made) const;

  llvm::DenseMap<const void *, uint32_t> BaseOf;
  llvm::DenseMap<std::pair<unsigned, uint32_t>, uint32_t> Derived;
  std::map<std::tuple<uint32_t, uint32_t, const void *>, uint32_t> Members;
  std::map<std::pair<uint32_t, std::string>, uint32_t> Inners; ///< by outer one and member
  llvm::DenseMap<const void *, FactorId> SymbolOf;
  llvm::DenseMap<uint32_t, FactorId> ParameterAt;
  /// What was read from a member of the structs in the memory of a base.
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, llvm::SmallVector<FactorId, 1>> ReadFrom;
  llvm::DenseMap<const void *, std::string> TypeTexts;
  llvm::DenseSet<const void *> Taken;
  std::optional<FactorId> Thread;
  llvm::DenseMap<const void *, FactorId> AnswerOf;
};

} // namespace mapp

#endif // MAPP_UNIT_H
