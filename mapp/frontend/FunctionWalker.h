//===-- FunctionWalker.h - what one function does ---------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Walks a function in the order of execution, keeps for every scalar variable the value it has
// there as a form, and records accesses, calls and stored pointers.
//
// The walk is a heuristic, not a proof: where it cannot know a value it says "computed", and where
// it is wrong a page may end up on a worse node.  No edit's correctness depends on it.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_FUNCTIONWALKER_H
#define MAPP_FUNCTIONWALKER_H

#include "Forks.h"
#include "LoopHeader.h"
#include "MacroStatement.h"
#include "Modifications.h"
#include "OpenMP.h"
#include "SizeArithmetic.h"
#include "Unit.h"
#include "mapp/facts/Facts.h"

#include "clang/AST/Expr.h"
#include "clang/AST/StmtOpenMP.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <map>

namespace mapp {

/// Whether all variables that a statement names are as wanted.
bool allVariables(const clang::Stmt *S, llvm::function_ref<bool(const clang::VarDecl *)> Holds);

/// By OpenMP's function.
bool asksForNumberOfThreads(const clang::FunctionDecl *Callee);

class FunctionWalker {
public:
  FunctionWalker(Unit &Tables, const clang::FunctionDecl *Definition, Function &Recorded)
      : U(Tables), Declaration(Definition), Out(Recorded), Changes(Definition) {}

  void walk();

  /// A static variable of the function, or an automatic array that threads may share.
  struct StaticVariable {
    const clang::VarDecl *Variable;
    bool InBlock; ///< another declaration may follow its own
    const clang::DeclStmt *Statement;
  };
  const std::vector<StaticVariable> &statics() const { return Statics; }

private:
  /// A value; where it is not exact, the offset holds no more than the factors it depends on.
  struct Result {
    uint32_t Base = None;
    Polynomial Offset;
    bool Exact = true;
    int64_t Start = 0; ///< as of a value
    uint32_t Inner = None;
  };
  /// An lvalue: an address and what is known of the thing that lies there.
  struct Location {
    Result Address;
    const clang::VarDecl *Scalar = nullptr; ///< just this scalar variable
    const clang::FieldDecl *Field = nullptr;
    const clang::ArraySubscriptExpr *Subscript = nullptr; ///< an element of an array
  };

  /// The only number that the function stores in a member; none where both forms are empty.
  struct StoredMember {
    Polynomial Is;
    Polynomial Read; ///< the member, as others read it
  };

  /// A counting loop that the walk is in.
  struct OpenLoop {
    FactorId Factor;
    const LoopHeader *Header;
  };

  /// An `if` with all that follow its `else`, or a `switch`.
  struct Fork {
    uint32_t Number = None; ///< None: runs may take several arms
    bool IsSteady = false;
    unsigned Arms = 0;  ///< that were met
    uint64_t Ended = 0; ///< those of them behind which nothing runs
  };

  /// Nothing tells how often a condition on data holds. What such conditions guard ran in 0.35 of
  /// the cases on average, of 18 in programs that were counted; of two arms each may be the likely.
  static constexpr double Guarded = 1.0 / 3, OneOfTwo = 1.0 / 2;

  /// The range that a variable is tested to be in.
  struct TestedRange {
    const clang::VarDecl *Variable;
    std::optional<Polynomial> First, End;
  };

  // Statements.
  void visit(const clang::Stmt *S);
  void visitIn(const clang::Stmt *Parent, const clang::Stmt *S);
  void visitChildren(const clang::Stmt *S);
  void visitDeclarations(const clang::DeclStmt *S);
  void visitStatements(const clang::CompoundStmt *S);
  void visitIf(const clang::IfStmt *S);
  void visitBranches(const clang::IfStmt *S, Fork &Of);
  void visitElse(const clang::IfStmt *S, std::vector<Condition> Holds, double Share, Fork &Of);
  void visitWhere(Scope Branch, llvm::function_ref<void()> Body);
  bool isSteadyHere(const clang::Expr *E);
  Fork forkAt(llvm::ArrayRef<const clang::Expr *> Conditions);
  Scope arm(Fork &Of, const clang::Stmt *At, llvm::ArrayRef<const clang::Stmt *> Statements,
            uint64_t FallenInto = 0);
  void closeFork(const Fork &Of, const clang::Stmt *S);
  Scope behind(const clang::Stmt *S);
  bool isMadeFrom(const Polynomial &Number, llvm::ArrayRef<FactorKind> Kinds) const;
  bool isMadeFromElements(const Polynomial &Number) const;
  bool isOfData(const clang::Expr *E);
  void visitPart(double Share, const clang::Expr *Part, llvm::function_ref<void()> Body);
  void addBound(const clang::Expr *Tested, clang::BinaryOperatorKind Relation,
                const clang::Expr *Bound, std::vector<TestedRange> &To);
  void addBounds(const clang::Expr *E, bool Holds, std::vector<TestedRange> &To);
  std::optional<TestedRange> testedRange(const clang::Expr *E, bool Holds);
  void visitInRange(const std::optional<TestedRange> &Range, const clang::Stmt *At,
                    llvm::function_ref<void()> Body);
  bool isOfArguments(const Polynomial &Number) const;
  std::vector<Condition> conditions(const clang::Expr *E, bool Holds);
  std::optional<Condition> comparison(const clang::BinaryOperator *E);
  void visitLoop(const clang::Stmt *S);
  void visitParts(const LoopParts &Of);
  void countAlong(const clang::Stmt *S, const LoopParts &Parts, const Scope &Loop,
                  llvm::ArrayRef<Result> Starts);
  void visitCountingLoop(const clang::Stmt *S, const LoopParts &Parts, const LoopHeader &Header);
  void visitUncountedLoop(const clang::Stmt *S, const LoopParts &Parts);
  void visitSwitch(const clang::SwitchStmt *S);
  void visitCases(const clang::SwitchStmt *S);
  std::optional<Polynomial> argumentOf(const clang::SwitchStmt *S);
  void visitReturn(const clang::Expr *Returned);
  void visitDirective(const clang::OMPExecutableDirective *D);
  void visitAssociated(const clang::OMPExecutableDirective *D);
  void inScope(Scope New, llvm::function_ref<void(FactorId)> Body);
  bool isShareOfThread(const Scope &Loop, const Polynomial &Chunk) const;
  void setRange(Scope &Loop, const LoopHeader &Header, const Result &Start, const Result &Bound);
  std::optional<Polynomial> elementsBetween(const Result &Begin, const Result &End,
                                            clang::QualType Element);
  bool inParallel() const;
  bool inPrivate() const;
  uint32_t withoutForks(uint32_t Scope) const;
  Scope newScope(ScopeKind Kind, const clang::Stmt *S);

  // Expressions.
  Result evaluate(const clang::Expr *E);
  Result evaluateChildren(const clang::Expr *E);
  Result evaluateCast(const clang::CastExpr *E);
  Result followingFloats(const clang::Expr *E);
  Result evaluateUnary(const clang::UnaryOperator *E);
  Result evaluateBinary(const clang::BinaryOperator *E);
  Result evaluateAssignment(const clang::BinaryOperator *E);
  Result evaluateConditional(const clang::AbstractConditionalOperator *E);
  Result evaluateAtomic(const clang::AtomicExpr *E);
  Result evaluateArgument(const clang::CallExpr *Of, const clang::Expr *E);
  Result evaluateCall(const clang::CallExpr *E);
  Call describeCall(const clang::CallExpr *E, const clang::FunctionDecl *Callee,
                    llvm::ArrayRef<Result> Arguments);
  void describeArguments(const clang::CallExpr *E, const clang::FunctionDecl *Callee,
                         llvm::ArrayRef<Result> Arguments, Call &C);
  bool isLookedUpShare(const Polynomial &Number) const;
  std::optional<Polynomial> elementsIn(const Result &Pieces, const Result &Size,
                                       clang::QualType Element) const;
  void inCountedLoop(const Polynomial &Count, const clang::Stmt *At,
                     llvm::function_ref<void(FactorId)> Body);
  void passOver(const clang::CallExpr *E, const clang::FunctionDecl *Callee,
                llvm::ArrayRef<Result> Arguments, Call &C);
  Result evaluateReturned(const clang::CallExpr *E, const clang::FunctionDecl *Callee,
                          llvm::ArrayRef<Result> Arguments, Call &C);
  Result evaluateSteps(llvm::ArrayRef<const clang::Stmt *> Steps);
  void bind(const clang::ParmVarDecl *Parameter, const clang::Expr *Argument, const Result &Passed);
  Result evaluateInlined(const clang::CallExpr *E, const clang::FunctionDecl *Callee,
                         llvm::ArrayRef<Result> Arguments);
  Result evaluatePointer(const clang::CallExpr *E, const clang::FunctionDecl *Callee,
                         llvm::ArrayRef<Result> Arguments, Call &C);
  std::optional<Polynomial> ofThread(const clang::CallExpr *E, bool OfAnyFile);
  void storeResults(const clang::CallExpr *E);
  void storeFields(uint32_t To, clang::QualType Type, const clang::CallExpr *E);
  std::optional<Result> evaluateKnown(const clang::FunctionDecl *Callee,
                                      llvm::ArrayRef<Result> Arguments);
  Result combine(clang::BinaryOperatorKind Operation, clang::QualType LeftType, const Result &Left,
                 clang::QualType RightType, const Result &Right);
  std::optional<Polynomial> combineIntegers(clang::BinaryOperatorKind Operation, const Result &Left,
                                            const Result &Right);
  std::optional<Polynomial> combineConstant(clang::BinaryOperatorKind Operation,
                                            const Polynomial &Left, int64_t Right);
  std::optional<Polynomial> quotient(const Polynomial &Left, const Polynomial &Divisor);
  Result sum(bool Plus, const Result &Left, const Result &Right);
  bool isFirstOfTable(const Polynomial &Number, const Polynomial &Other) const;
  Result join(const Result &Left, const Result &Right);
  static bool isNull(const Result &R);
  Result choose(const clang::Expr *Choice, const Result &Left, const Result &Right);
  // Blocks of the heap.
  std::optional<Result> evaluateAllocation(const clang::CallExpr *E,
                                           const clang::FunctionDecl *Callee,
                                           llvm::ArrayRef<Result> Arguments);
  Result evaluateResult(const clang::CallExpr *E, const clang::FunctionDecl *Callee,
                        llvm::ArrayRef<Result> Arguments);
  bool isInPlacingMacro(const clang::CallExpr *E) const;
  void fillPointer(const clang::CallExpr *E, const clang::FunctionDecl *Callee,
                   llvm::ArrayRef<Result> Arguments);
  ArrayDeclaration &describeBlock(const clang::CallExpr *E, uint32_t Base,
                                  llvm::ArrayRef<Result> Arguments);
  bool isOnlyUse(const clang::Expr *Size) const;
  bool isExactSize(const clang::Expr *E);
  Block::Argument argument(const clang::Expr *E, const Result &R);
  void describeText(const clang::CallExpr *E, ArrayDeclaration &New);
  void describeBehindMacro(const clang::CallExpr *E, ArrayDeclaration &New);
  void addValues(const clang::Expr *E, Block &To);
  void addValues(const clang::Expr *E, Block &To,
                 llvm::SmallPtrSetImpl<const clang::VarDecl *> &Followed);
  const clang::Expr *stillDefinedBy(const clang::VarDecl *Variable);
  bool isVisibleEverywhere(const clang::VarDecl *Variable) const;
  void addValue(const clang::Expr *E, Block &To);
  void addBeside(const clang::MemberExpr *E, Block &To);
  static void setSize(llvm::ArrayRef<unsigned> Sizes, ArrayDeclaration &New);
  void putBlock(const clang::Expr *Pointer, const Result &R);
  void putBlockThrough(const Result &Pointer, clang::QualType Type, const Result &R);
  void nameBlock(const Result &R, const clang::Expr *Target);
  void nameBlock(const Result &R, const clang::VarDecl *Target);
  void setRow(const clang::Expr *Target, ArrayDeclaration &Array);
  void noteTables(const Location &To, uint32_t Into);
  void noteMember(const Location &To, const Result &R, AccessMode Mode);
  void nameMembers();
  std::string entriesOf(uint32_t Table, const Block &B) const;
  bool isInside(const Polynomial &Index, uint32_t Scope) const;
  const Polynomial *tableBefore(const Polynomial &Address) const;
  RowOfTable rowAt(const Polynomial &Address);
  RowOfTable rowOf(const OpenLoop &Loop, int64_t Shift);
  void noteElement(const Result &R, clang::QualType Pointee);
  ArrayDeclaration *blockOf(const Result &R);
  std::string text(const clang::Expr *E) const;

  Location locate(const clang::Expr *E);
  Location locateSubscript(const clang::ArraySubscriptExpr *E);
  Location locateMember(const clang::MemberExpr *E);
  Result scaled(const Result &Index, clang::QualType Element);
  Result sizeOf(clang::QualType Type);

  // Memory.
  Result load(const Location &L, clang::QualType Type, const clang::Expr *At);
  Result content(Location L, clang::QualType Type);
  Result numberAt(const Value &Address, const clang::FieldDecl *Field);
  uint32_t baseOf(const clang::VarDecl *Variable);
  Polynomial ofThreadToo(const Polynomial &Number);
  void noteCopy(const clang::VarDecl *Struct, const clang::Expr *From);
  void passNumbers(Call &By) const;
  bool isOnlyStore(const clang::VarDecl *Variable, const clang::Expr *At);
  void store(const Location &L, const Result &R, clang::QualType Type, const clang::Expr *At,
             AccessMode Mode);
  void initialise(const clang::VarDecl *Variable, const clang::Expr *Init);
  void initialiseObject(const Value &Object, const clang::Expr *Init,
                        const clang::FieldDecl *Array = nullptr);
  void storeThrough(const Location &To, const Result &R);
  llvm::SmallVector<StoredNumber, 1> placesOf(const Location &L) const;
  const Scope *loopAround(FactorId Index) const;
  llvm::SmallVector<int64_t, 1> valuesOf(const Polynomial &F) const;
  void noteStored(const Location &L, const clang::Expr *At, AccessMode Mode);
  void noteInitial(const clang::FieldDecl *Member, const clang::Expr *Stored);
  std::optional<Polynomial> ofItsOwn(const Location &L, const clang::Expr *Stored);
  std::optional<Polynomial> storedAs(const clang::Expr *Stored);
  Result byNames(const clang::Expr *E);
  bool isOwnMemory(uint32_t Base) const;
  void storeNumber(const Result &Address, const Result &R);
  Result number(const Value &Address);
  void copyObject(const Value &To, clang::QualType Type, const clang::Expr *From);
  void copyPointers(const Value &To, const Value &From, clang::QualType Type);
  uint32_t memberBase(const Value &Struct, const clang::FieldDecl *Field);
  Value object(const clang::Expr *E);
  Result ofCopied(const Result &Struct, const Result &InCopy);
  void storePointer(uint32_t To, const Result &From);
  Result variable(const clang::VarDecl *Variable);
  Result floatVariable(const clang::VarDecl *Variable);
  bool isUnaliased(uint32_t Base) const;
  unsigned doneIn(uint32_t Scope, const Value &Address) const;
  std::optional<AccessMode> withoutRepeats(const Value &Address, AccessMode Mode) const;
  unsigned wordsOf(clang::QualType Type) const;
  void record(const Location &L, AccessMode Mode, const clang::Expr *At);
  void record(const Location &L, AccessMode Mode, const clang::Expr *At, clang::QualType Moved);
  View view(const clang::ArraySubscriptExpr *E);
  /// What the pointers in `L` are counted from.
  Result addressOf(const Location &L);
  uint32_t holder(const Location &L);
  using Changed = Modifications::Changed;
  /// The values of what a statement changes, in that order, from before it.
  llvm::SmallVector<Result, 4> starts(const Changed &All);
  void forget(const Changed &All, llvm::ArrayRef<Result> Starts);
  Result drawn(const Result &From);
  Result contentAt(const Result &Address);
  Result counted(const Result &Start, clang::QualType Type, const Polynomial &By);

  /// The values of such expressions are followed: they may become part of an address.
  bool isFollowed(clang::QualType Type) const {
    return FollowFloats || Type->isIntegerType() || Type->isPointerType();
  }
  bool holdsAddresses(clang::QualType Type) const;
  static Result unknown() { return {None, {}, false}; }
  Polynomial exactly(const Result &R);
  Value value(const Result &R) { return {R.Base, exactly(R), R.Start, R.Inner}; }
  Result inexact(const Result &Left, const Result &Right);

  Unit &U;
  const clang::FunctionDecl *Declaration;
  Function &Out;
  Modifications Changes;
  llvm::DenseMap<const clang::VarDecl *, Result> Known;
  llvm::DenseMap<const clang::VarDecl *, const clang::Expr *> LastAssigned; ///< last, to numbers
  /// The first store of a number that is not known.
  llvm::DenseMap<const clang::VarDecl *, const clang::Expr *> OnlyStores;
  std::optional<SizeArithmetic> Arithmetic; ///< once it is asked for
  std::optional<MacroStatements> Macros;    ///< the same
  bool FollowFloats = false;                ///< the expression is converted to an integer
  llvm::DenseMap<const clang::VarDecl *, Result> FloatValues; ///< while FollowFloats
  llvm::DenseMap<uint32_t, Result> CopiedFrom; ///< addresses, by the base of a struct that stays so
  /// What was stored in automatic structs and arrays, by base and offset.
  std::map<std::pair<uint32_t, int64_t>, Result> Numbers;
  /// Positions of the function's accesses, by base and scope.
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, llvm::SmallVector<size_t, 4>> AccessesAt;
  llvm::DenseMap<uint32_t, unsigned> Privatised; ///< bases of which each thread has a copy here
  uint32_t Current = None;                       ///< the scope
  std::vector<StaticVariable> Statics;
  llvm::DenseMap<uint32_t, size_t> BlockAt; ///< by base: position in the unit's arrays
  llvm::MapVector<const clang::FieldDecl *, StoredMember> NumberOfMember;
  std::vector<OpenLoop> OpenLoops;
  const clang::Stmt *OuterLoop = nullptr;  ///< the outermost that the walk is in ...
  std::optional<Variables> ChangedInLoops; ///< ... and what it changes, once it is asked for
  llvm::DenseMap<const clang::Stmt *, Fork>
      Forks;                             ///< some arms of which come to no statement behind them
  llvm::DenseSet<uint32_t> ThreadCounts; ///< factors: how many threads there are
  llvm::DenseSet<uint32_t> OfThread;     ///< bases: each thread has memory of its own there
  bool InBlock = false;                  ///< the statement stands among those of a block
  bool Silent = false; ///< evaluate only: what is evaluated was recorded elsewhere
  unsigned Inlined = 0;

  /// Set by a directive for the loop that it divides. Of several collapsed loops it is the first:
  /// its index decides most about which thread gets an iteration.
  std::optional<Division> Pending;
};

} // namespace mapp

#endif // MAPP_FUNCTIONWALKER_H
