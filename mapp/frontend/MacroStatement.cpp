//===-- MacroStatement.cpp - macros that are statements ---------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "MacroStatement.h"

#include "LoopHeader.h"

#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace mapp;

namespace {

class Finder {
public:
  Finder(const ASTContext &Program, const ParentMap &Of, const CallExpr *E)
      : Context(Program), Sources(Program.getSourceManager()), Parents(Of), Call(E),
        Expansion(Sources.getExpansionLoc(E->getBeginLoc())) {}

  std::optional<MacroStatement> find() {
    IsSet = !Call->getType()->isPointerType();
    const Stmt *At = Call, *Parent = Parents.getParent(At);
    bool IsAlways = true;
    for (; Parent && isMacros(Parent) && !isBlockAround(Parent); Parent = Parents.getParent(At)) {
      IsAlways = IsAlways && climb(Parent, At);
      At = Parent;
    }
    const auto *Block = dyn_cast_or_null<CompoundStmt>(Parent);
    if (!isMacros(At) || (isa<Expr>(At) && !(Block && IsSet)))
      return std::nullopt;
    Found.MayFollow = Block && IsAlways && IsSet && staysSet(Block, At);
    if (!isa<DeclStmt>(At))
      addVariables(At);
    Found.End = Lexer::getLocForEndOfToken(Sources.getExpansionRange(At->getBeginLoc()).getEnd(), 0,
                                           Sources, Context.getLangOpts());
    return Found;
  }

private:
  bool isMacros(SourceLocation L) const {
    return L.isMacroID() && Sources.getExpansionLoc(L) == Expansion;
  }
  bool isMacros(const Stmt *S) const { return isMacros(S->getBeginLoc()); }

  bool isBlockAround(const Stmt *S) const {
    return isa_and_nonnull<CompoundStmt>(S) && !isMacros(cast<CompoundStmt>(S)->getLBracLoc());
  }

  /// Whether all that is known of a statement is true of the one around it: that it is always
  /// executed there, and when it has been, the pointer is set.
  bool climb(const Stmt *Parent, const Stmt *From) {
    if (isa<ParenExpr, CastExpr, FullExpr>(Parent))
      return true;
    if (const auto *Declarations = dyn_cast<DeclStmt>(Parent))
      return setsDeclared(Declarations, From);
    if (const auto *Binary = dyn_cast<BinaryOperator>(Parent))
      return climbOperator(Binary, From);
    if (isa<DoStmt>(Parent))
      return IsSet && doneOnce(Parent, Context) == From;
    if (const auto *If = dyn_cast<IfStmt>(Parent))
      return IsSet && If->getCond() == From;
    return IsSet && isa<CompoundStmt, UnaryOperator>(Parent);
  }

  bool setsDeclared(const DeclStmt *S, const Stmt *From) {
    const auto *Variable = S->isSingleDecl() ? dyn_cast<VarDecl>(S->getSingleDecl()) : nullptr;
    if (IsSet || !Variable || Variable->getInit() != From)
      return false;
    Found.Declared = Variable;
    return IsSet = true;
  }

  bool climbOperator(const BinaryOperator *E, const Stmt *From) {
    if (IsSet)
      return E->getLHS() == From || (!E->isLogicalOp() && !E->isAssignmentOp());
    if (E->getOpcode() != BO_Assign || E->getRHS() != From || E->getLHS()->HasSideEffects(Context))
      return false;
    Found.Pointer = E->getLHS();
    return IsSet = true;
  }

  /// The pointer is the same, to the same block, behind all that the macro makes.
  bool staysSet(const CompoundStmt *Block, const Stmt *S) {
    const auto *const End = Block->body_end();
    const auto *const Begin = llvm::find(Block->body(), S) + 1;
    const auto *const Next = std::find_if_not(
        Begin, End, [&](const Stmt *Behind) { return isMacros(Behind) || isa<NullStmt>(Behind); });
    if (Next != End)
      Found.IsPlaced = isPlacing((*Next)->getBeginLoc());
    return std::all_of(Begin, Next, [&](const Stmt *B) { return isa<NullStmt>(B) || keeps(B); });
  }

  bool isPlacing(SourceLocation L) const {
    if (!L.isMacroID())
      return false;
    const llvm::StringRef Macro = Lexer::getImmediateMacroName(L, Sources, Context.getLangOpts());
    return Macro == "MAI_PLACE_POINTER" || Macro == "MAI_PLACE_NEXT_ROW_POINTER";
  }

  /// A statement does not change the pointer, nor free a block, nor leave the macro.
  bool keeps(const Stmt *S) const {
    if (const auto *Binary = dyn_cast<BinaryOperator>(S);
        Binary && Binary->isAssignmentOp() && isPointer(Binary->getLHS()))
      return false;
    if (const auto *Unary = dyn_cast<UnaryOperator>(S);
        Unary && (Unary->isIncrementDecrementOp() || Unary->getOpcode() == UO_AddrOf) &&
        isPointer(Unary->getSubExpr()))
      return false;
    if (const auto *E = dyn_cast<CallExpr>(S))
      if (const FunctionDecl *Callee = E->getDirectCallee();
          !Callee || Callee->getName() == "free" || Callee->getName() == "realloc")
        return false;
    return !isa<ReturnStmt, GotoStmt, IndirectGotoStmt, BreakStmt, ContinueStmt>(S) &&
           llvm::all_of(S->children(), [&](const Stmt *C) { return !C || keeps(C); });
  }

  /// What is no variable may be it.
  bool isPointer(const Expr *E) const {
    const VarDecl *Is =
        Found.Declared ? Found.Declared : (Found.Pointer ? namedVariable(Found.Pointer) : nullptr);
    const VarDecl *Named = namedVariable(E);
    return !Is || !Named || Is == Named;
  }

  void addVariables(const Stmt *S) {
    if (const auto *Declarations = dyn_cast<DeclStmt>(S))
      for (const Decl *D : Declarations->decls())
        if (const auto *Variable = dyn_cast<VarDecl>(D))
          Found.Own.insert(Variable);
    for (const Stmt *Child : S->children())
      if (Child)
        addVariables(Child);
  }

  const ASTContext &Context;
  const SourceManager &Sources;
  const ParentMap &Parents;
  const CallExpr *const Call;
  const SourceLocation Expansion;
  MacroStatement Found;
  bool IsSet = false; ///< the pointer, when what has been looked at has been executed
};

} // namespace

MacroStatements::MacroStatements(const ASTContext &Program, const FunctionDecl *Of)
    : Context(Program), Parents(Of->getBody()) {}

std::optional<MacroStatement> MacroStatements::around(const CallExpr *Call) const {
  return Finder(Context, Parents, Call).find();
}
