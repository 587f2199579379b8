//===-- FunctionAllocations.cpp - blocks of the heap ------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The calls of the walk that allocate memory: each is an array of its own.  Whether a function of
// the program just hands on what malloc() returned is known when all of it has been read, see
// Blocks.h; until then every call that returns a pointer may be one.
//
//===----------------------------------------------------------------------===//

#include "FunctionWalker.h"
#include "Sites.h"

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace mapp;

namespace {

/// A function of the C library that allocates.
struct Allocator {
  llvm::SmallVector<unsigned, 2> Sizes; ///< positions of the arguments whose product is the size
  bool ReturnsStatus = false;           ///< the block's address goes where the first one points
  bool KeepsContents = false;           ///< of the block that the first one is
};

std::optional<Allocator> allocator(llvm::StringRef Name) {
  return llvm::StringSwitch<std::optional<Allocator>>(Name)
      .Cases("malloc", "valloc", "_mm_malloc", Allocator{{0}})
      .Cases("aligned_alloc", "memalign", Allocator{{1}})
      .Case("realloc", Allocator{{1}, false, true})
      .Case("calloc", Allocator{{0, 1}})
      .Case("reallocarray", Allocator{{1, 2}, false, true})
      .Case("posix_memalign", Allocator{{2}, true})
      .Default(std::nullopt);
}

/// The functions by which a program, or the output of mapp-rewrite, has MAi place a block.
bool placesBlock(llvm::StringRef Name) {
  return Name == "mai_place_block" || Name == "mai_place_row" || Name == "mai_place";
}

/// Without what must not stand in text that is put elsewhere.
bool isPlain(llvm::StringRef Text) {
  constexpr size_t MaxLength = 60;
  return !Text.empty() && Text.size() <= MaxLength &&
         Text.find_first_of("\r\n\\\"'#{};") == llvm::StringRef::npos && !Text.contains("//") &&
         !Text.contains("/*");
}

/// What a pointer points to, for counting: elements of arrays, single bytes of what is not known.
uint64_t sizeOfElement(const ASTContext &Context, QualType Pointee) {
  if (Context.getAsVariableArrayType(Pointee))
    Pointee = Context.getBaseElementType(Pointee);
  if (Pointee->isIncompleteType() || Pointee->isFunctionType() || Pointee->isDependentType())
    return 1;
  return static_cast<uint64_t>(Context.getTypeSizeInChars(Pointee).getQuantity());
}

/// sizeof that, where its name can stand in the source.
std::string sizeText(const ASTContext &Context, QualType Pointee) {
  const QualType Element = Context.getBaseElementType(Pointee).getUnqualifiedType();
  if (Element != Context.getBaseElementType(Pointee.getUnqualifiedType()) ||
      (Pointee->isConstantArrayType()) || Pointee->isIncompleteType())
    return "";
  if (const auto *Tag = Element->getAsTagDecl();
      Tag && !Tag->getIdentifier() && !Element->getAs<TypedefType>())
    return "";
  return "sizeof(" + Element.getAsString(Context.getPrintingPolicy()) + ")";
}

} // namespace

std::string FunctionWalker::text(const Expr *E) const {
  std::string Printed;
  llvm::raw_string_ostream Stream(Printed);
  E->IgnoreParens()->printPretty(Stream, nullptr, U.Context.getPrintingPolicy());
  return Stream.str();
}

//===-- Where it is allocated -------------------------------------------------===//

/// The text of the call and of its arguments, as far as it stands in the main file.
void FunctionWalker::describeText(const CallExpr *E, ArrayDeclaration &New) {
  const SourceManager &Sources = U.sources();
  const LangOptions &Language = U.Context.getLangOpts();
  const auto RangeOf = [&](SourceRange Tokens) {
    return Lexer::makeFileCharRange(CharSourceRange::getTokenRange(Tokens), Sources, Language);
  };
  Block &B = *New.Allocated;
  CharSourceRange Whole = RangeOf(E->getSourceRange());
  B.Hidden = Whole.isInvalid();
  if (B.Hidden) // By a macro: it is taken as a whole.
    Whole = CharSourceRange::getCharRange(
        Sources.getExpansionLoc(E->getBeginLoc()),
        Lexer::getLocForEndOfToken(Sources.getExpansionRange(E->getEndLoc()).getEnd(), 0, Sources,
                                   Language));
  if (!Sources.isWrittenInMainFile(Whole.getBegin()) ||
      !Sources.isWrittenInMainFile(Whole.getEnd())) {
    New.Refusal = {Topic::BlockHeader, "allocated in " + New.Where.File + ", which is included"};
    return;
  }
  if (Sources.isMacroArgExpansion(E->getBeginLoc())) { // which may be used twice, or as text
    New.Refusal = {Topic::BlockSize, "the call stands in an argument of a macro"};
    return;
  }
  B.Begin = Sources.getFileOffset(Whole.getBegin());
  B.End = Sources.getFileOffset(Whole.getEnd());
  if (B.Hidden)
    describeBehindMacro(E, New);
  New.Edit.NameOffset = New.Edit.BeginOffset = B.Begin;
  New.Edit.After = B.End;
  for (unsigned I = 0; I < B.Arguments.size(); ++I) {
    const CharSourceRange Range =
        B.Hidden ? CharSourceRange() : RangeOf(E->getArg(I)->getSourceRange());
    if (Range.isInvalid() || !Sources.isWrittenInMainFile(Range.getBegin()))
      continue;
    B.Arguments[I].Begin = Sources.getFileOffset(Range.getBegin());
    B.Arguments[I].End = Sources.getFileOffset(Range.getEnd());
  }
}

/// The pointer whose address an argument is; null where that is not written so.
static const Expr *pointedTo(const Expr *Argument) {
  const auto *Address = dyn_cast<UnaryOperator>(Argument->IgnoreParenCasts());
  return Address && Address->getOpcode() == UO_AddrOf ? Address->getSubExpr()->IgnoreParens()
                                                      : nullptr;
}

/// Where the macro is a statement, another can place the block, in words that mean the same there.
void FunctionWalker::describeBehindMacro(const CallExpr *E, ArrayDeclaration &New) {
  if (!Macros)
    Macros.emplace(U.Context, Declaration);
  const std::optional<MacroStatement> Macro = Macros->around(E);
  if (!Macro)
    return;
  const auto IsSeen = [&](const Expr *Named) {
    return allVariables(Named, [&](const VarDecl *V) { return !Macro->Own.contains(V); });
  };
  const bool ArePointersSeen = llvm::all_of(E->arguments(), [&](const Expr *Argument) {
    const Expr *Set = pointedTo(Argument);
    return !Set || IsSeen(Set);
  });
  if (!Macro->MayFollow || !ArePointersSeen || (Macro->Pointer && !IsSeen(Macro->Pointer))) {
    New.Refusal = {Topic::BlockSize, "a macro allocates it, and makes more than that"};
    return;
  }
  Block &B = *New.Allocated;
  New.AlreadyPlaced = Macro->IsPlaced;
  B.Behind = true;
  B.Begin = B.End = U.sources().getFileOffset(Macro->End);
  if (Macro->Declared)
    B.Pointer = Macro->Declared->getNameAsString();
  else if (Macro->Pointer)
    B.Pointer = text(Macro->Pointer);
  if (!Macro->Own.empty())
    B.Values.clear();
  for (unsigned I = 0; I < B.Arguments.size(); ++I)
    if (!IsSeen(E->getArg(I)))
      B.Arguments[I].Text.clear();
}

/// Remembers an integer expression that may be repeated: without side effects, and short.
void FunctionWalker::addValue(const Expr *E, Block &To) {
  constexpr size_t MaxValues = 16;
  if (To.Values.size() == MaxValues || !E->getType()->isIntegerType() ||
      E->HasSideEffects(U.Context))
    return;
  const std::string Text = text(E->IgnoreParenImpCasts());
  if (!isPlain(Text))
    return;
  const bool WasSilent = std::exchange(Silent, true);
  const Polynomial Is = exactly(evaluate(E));
  Silent = WasSilent;
  if (!Is.constant() && llvm::none_of(To.Values, [&](const NamedValue &V) { return V.Is == Is; }))
    To.Values.push_back({Text, Is});
  // Other functions see a variable with static storage as itself, whatever this one knows of it.
  const VarDecl *Variable = namedVariable(E);
  if (Variable && Variable->hasGlobalStorage() && To.Values.size() < MaxValues)
    To.Values.push_back({Text, Polynomial(U.symbol(Variable))});
}

/// The other numbers of a struct that the function got: `mesh->cells` where the size is
/// `mesh->cells_and_halo`, of which loops may leave out the halo.
void FunctionWalker::addBeside(const MemberExpr *E, Block &To) {
  constexpr unsigned Most = 8;
  const VarDecl *Struct = E->isArrow() ? namedVariable(E->getBase()) : nullptr;
  const auto *Own = dyn_cast<FieldDecl>(E->getMemberDecl());
  if (!isa_and_nonnull<ParmVarDecl>(Struct) || !Own)
    return;
  unsigned Added = 0;
  for (FieldDecl *Field : Own->getParent()->fields()) {
    if (Field == Own || Field->isBitField() || !Field->getType()->isIntegerType() ||
        !Field->getIdentifier() || ++Added > Most)
      continue;
    MemberExpr *Named =
        MemberExpr::CreateImplicit(U.Context, const_cast<Expr *>(E->getBase()), true, Field,
                                   Field->getType(), VK_LValue, OK_Ordinary);
    const size_t Before = To.Values.size();
    addValue(ImplicitCastExpr::Create(U.Context, Field->getType(), CK_LValueToRValue, Named,
                                      nullptr, VK_PRValue, FPOptionsOverride()),
             To);
    if (To.Values.size() > Before)
      To.Values.back().IsBeside = true;
  }
}

void FunctionWalker::noteMember(const Location &To, const Result &R, AccessMode Mode) {
  const bool IsOwn = isOwnMemory(To.Address.Base) && To.Address.Offset.constant();
  const Result Held = IsOwn ? number(value(To.Address)) : R;
  const bool IsNumber = Mode == AccessMode::Write && Held.Exact && R.Base == None &&
                        To.Address.Base != None && !Held.Offset.constant();
  const auto [Place, IsNew] = NumberOfMember.try_emplace(To.Field);
  if (!IsNumber || (!IsNew && Place->second.Is != Held.Offset))
    Place->second = {};
  else
    Place->second = {Held.Offset, Polynomial(U.loaded(value(To.Address), To.Field))};
}

/// What the function stores in a member, `grid->n = n` before the block is allocated or behind, is
/// what other functions find there.
void FunctionWalker::nameMembers() {
  for (const auto &[Base, Entry] : BlockAt) {
    std::vector<NamedValue> &Values = U.Out.Arrays[Entry].Allocated->Values;
    std::vector<NamedValue> Members;
    for (const NamedValue &V : Values)
      for (const auto &[Field, Stored] : NumberOfMember)
        if (!V.Text.empty() && Stored.Is == V.Is)
          Members.push_back({V.Text, Stored.Read, true});
    const bool HasSize = !Values.empty() && Values.back().Text.empty();
    Values.insert(Values.end() - (HasSize ? 1 : 0), Members.begin(), Members.end());
  }
}

/// A variable of the function's outermost block, a parameter, or one with static storage.
bool FunctionWalker::isVisibleEverywhere(const VarDecl *Variable) const {
  if (isa<ParmVarDecl>(Variable) || Variable->hasGlobalStorage())
    return true;
  return llvm::any_of(Declaration->getBody()->children(), [&](const Stmt *S) {
    const auto *Declarations = dyn_cast_or_null<DeclStmt>(S);
    return Declarations && llvm::is_contained(Declarations->decls(), Variable);
  });
}

bool mapp::allVariables(const Stmt *S, llvm::function_ref<bool(const VarDecl *)> Holds) {
  if (const auto *Reference = dyn_cast<DeclRefExpr>(S)) {
    const auto *Variable = dyn_cast<VarDecl>(Reference->getDecl());
    return !Variable || Holds(Variable);
  }
  return llvm::all_of(S->children(),
                      [&](const Stmt *Child) { return !Child || allVariables(Child, Holds); });
}

/// The expression that gave a variable its value, where it has that value still: of
/// `size = rows * columns` both may be spoken of.
const Expr *FunctionWalker::stillDefinedBy(const VarDecl *Variable) {
  const Expr *Definition = LastAssigned.lookup(Variable);
  if (!Definition || Variable->hasGlobalStorage() || Definition->HasSideEffects(U.Context))
    return nullptr;
  const bool IsInitialiser = Definition == Variable->getInit(); // What it names is seen as well.
  if (!IsInitialiser &&
      !allVariables(Definition, [&](const VarDecl *V) { return isVisibleEverywhere(V); }))
    return nullptr;
  const bool WasSilent = std::exchange(Silent, true);
  const Result Now = evaluate(Definition), Had = variable(Variable);
  Silent = WasSilent;
  return Now.Exact && Had.Exact && Now.Offset == Had.Offset ? Definition : nullptr;
}

void FunctionWalker::addValues(const Expr *E, Block &To) {
  llvm::SmallPtrSet<const VarDecl *, 8> Followed;
  addValues(E, To, Followed);
}

/// @param Followed each is followed once: `count = same` may come behind `same = count`
void FunctionWalker::addValues(const Expr *E, Block &To,
                               llvm::SmallPtrSetImpl<const VarDecl *> &Followed) {
  // Down to what is read: a conversion is added where the value is spoken of.
  E = E->IgnoreParens();
  for (const auto *Cast = dyn_cast<CastExpr>(E); Cast && Cast->getCastKind() != CK_LValueToRValue;
       Cast = dyn_cast<CastExpr>(E))
    E = Cast->getSubExpr()->IgnoreParens();
  addValue(E, To);
  if (const auto *Member = dyn_cast<MemberExpr>(E->IgnoreParenImpCasts()))
    addBeside(Member, To);
  if (const VarDecl *Variable = namedVariable(E); Variable && Followed.insert(Variable).second)
    if (const Expr *Definition = stillDefinedBy(Variable))
      addValues(Definition, To, Followed);
  if (const auto *Binary = dyn_cast<BinaryOperator>(E)) {
    addValues(Binary->getLHS(), To, Followed);
    addValues(Binary->getRHS(), To, Followed);
  }
}

/// The block is as large as the product of these arguments says.
void FunctionWalker::setSize(llvm::ArrayRef<unsigned> Sizes, ArrayDeclaration &New) {
  Block &B = *New.Allocated;
  B.Sizes.assign(Sizes.begin(), Sizes.end());
  std::optional<Polynomial> Size = Polynomial(1);
  for (const unsigned I : Sizes)
    Size = Size ? Size->times(B.Arguments[I].Is) : std::nullopt;
  B.Size = std::move(Size);
  if (B.Size)
    B.Values.push_back({"", *B.Size});
  if (B.Size && B.Size->constant() && *B.Size->constant() > 0)
    New.setBlockBytes(static_cast<uint64_t>(*B.Size->constant()));
}

ArrayDeclaration &FunctionWalker::describeBlock(const CallExpr *E, uint32_t Base,
                                                llvm::ArrayRef<Result> Arguments) {
  const auto [Entry, IsNew] = BlockAt.try_emplace(Base, U.Out.Arrays.size());
  if (!IsNew)
    return U.Out.Arrays[Entry->second];
  ArrayDeclaration &New = U.Out.Arrays.emplace_back();
  New.Key = U.Out.Bases[Base].Key;
  New.InFunction = Declaration->getNameAsString();
  New.Where = U.positionOf(E->getBeginLoc());
  New.Definition = true;
  New.UnitBytes = 1;
  New.Allocated.emplace();
  Block &B = *New.Allocated;
  B.Scope = Current;
  for (unsigned I = 0; I < E->getNumArgs(); ++I)
    B.Arguments.push_back(argument(E->getArg(I), Arguments[I]));
  for (const Expr *Argument : E->arguments())
    if (Argument->getType()->isIntegerType())
      addValues(Argument, B);
  for (const OpenLoop &Loop : OpenLoops)
    addValues(Loop.Header->Bound, B);
  describeText(E, New);
  Out.Blocks.push_back(New.Key);
  return New;
}

/// Only of functions that may hand the block on is this asked.
bool FunctionWalker::isExactSize(const Expr *E) {
  if (!Declaration->getReturnType()->isPointerType() && Out.Filled.empty())
    return false;
  if (!Arithmetic)
    Arithmetic.emplace(U.Context, Declaration);
  return Arithmetic->isExact(E);
}

static size_t timesNamed(const VarDecl *Variable, const Stmt *In) {
  size_t Times = 0;
  allVariables(In, [&](const VarDecl *V) {
    Times += V == Variable;
    return true;
  });
  return Times;
}

/// The parameters that make up a size are named nowhere else in the function.
bool FunctionWalker::isOnlyUse(const Expr *Size) const {
  return allVariables(Size, [&](const VarDecl *V) {
    return isa<ParmVarDecl>(V) && timesNamed(V, Size) == timesNamed(V, Declaration->getBody());
  });
}

/// A number that any integer parameter takes whole.
static bool isSmallConstant(const ASTContext &Context, const Expr *E) {
  const std::optional<llvm::APSInt> Value = E->IgnoreImpCasts()->getIntegerConstantExpr(Context);
  return Value && Value->isNonNegative() && Value->getActiveBits() < 8;
}

Block::Argument FunctionWalker::argument(const Expr *E, const Result &R) {
  Block::Argument New;
  const QualType Given = E->IgnoreImpCasts()->getType(), Taken = E->getType();
  if (!Taken->isIntegerType())
    return New;
  New.Is = exactly(R);
  New.IsSize = U.Context.hasSameUnqualifiedType(Taken, U.Context.getSizeType());
  if (std::string Text = text(E->IgnoreParenImpCasts());
      !E->HasSideEffects(U.Context) && isPlain(Text))
    New.Text = std::move(Text);
  New.IsExact = isExactSize(E);
  New.IsAllUse = New.IsExact && isOnlyUse(E);
  New.Narrowed = Given->isScalarType() &&
                 U.Context.getTypeSize(Given) > U.Context.getTypeSize(Taken) &&
                 !isSmallConstant(U.Context, E);
  return New;
}

//===-- Who allocates -----------------------------------------------------------===//

std::optional<FunctionWalker::Result>
FunctionWalker::evaluateAllocation(const CallExpr *E, const FunctionDecl *Callee,
                                   llvm::ArrayRef<Result> Arguments) {
  if (!Callee->getIdentifier())
    return std::nullopt;
  if (placesBlock(Callee->getName()) && !Arguments.empty()) {
    if (ArrayDeclaration *Placed = blockOf(Arguments[0]))
      Placed->AlreadyPlaced = true;
    return unknown();
  }
  if (Callee->getName() == "mai_new_block" && !Arguments.empty())
    return Arguments[0];
  if (Callee->getName() == "free") // no access
    return unknown();
  const std::optional<Allocator> How = allocator(Callee->getName());
  if (!How || !Callee->hasExternalFormalLinkage() || E->getNumArgs() <= How->Sizes.back())
    return std::nullopt;
  if (Inlined > 0) // It is the callee's block.
    return unknown();
  const Result R{U.blockBase(E), {}, true};
  ArrayDeclaration &New = describeBlock(E, R.Base, Arguments);
  if (New.Allocated->Sizes.empty())
    setSize(How->Sizes, New);
  New.Allocated->IsNew = !How->ReturnsStatus && !How->KeepsContents && !New.Allocated->Hidden;
  New.Allocated->MayBeLonger = New.Allocated->IsNew;
  if (!Silent && Arguments[0].Base != None) // realloc() keeps the pointers in the block.
    Out.PointerStores.push_back({U.pointeeBase(R.Base), {U.pointeeBase(Arguments[0].Base), {}}});
  if (!How->ReturnsStatus)
    return R;
  if (pointedTo(E->getArg(0)))
    putBlock(E->getArg(0), R);
  else
    putBlockThrough(Arguments[0], E->getArg(0)->IgnoreParenCasts()->getType(), R);
  return unknown();
}

/// posix_memalign(&pointer, ...)
void FunctionWalker::putBlock(const Expr *Pointer, const Result &R) {
  const Expr *Target = pointedTo(Pointer);
  if (!Target)
    return;
  if (Target->getType()->isPointerType())
    noteElement(R, Target->getType()->getPointeeType());
  nameBlock(R, Target);
  store(locate(Target), R, Target->getType(), Target, AccessMode::Write);
  if (ArrayDeclaration *Block = blockOf(R); Block && !Target->HasSideEffects(U.Context))
    Block->Allocated->Pointer = text(Target);
}

/// posix_memalign(p, ...), p being a pointer to the pointer
void FunctionWalker::putBlockThrough(const Result &Pointer, QualType Type, const Result &R) {
  const QualType Target = Type->getPointeeType();
  if (Target.isNull() || !Target->isPointerType() || Pointer.Base == None)
    return;
  noteElement(R, Target->getPointeeType());
  storePointer(U.pointeeBase(Pointer.Base), R);
}

/// The call is the argument of MAI_PLACED_BY or its like.
bool FunctionWalker::isInPlacingMacro(const CallExpr *E) const {
  const SourceLocation At = E->getBeginLoc();
  return U.sources().isMacroArgExpansion(At) &&
         Lexer::getImmediateMacroName(At, U.sources(), U.Context.getLangOpts())
             .starts_with("MAI_PLACED");
}

/// A call that gets the address of just one pointer: a function of the program may put a block
/// there, see FilledParameters.h.
void FunctionWalker::fillPointer(const CallExpr *E, const FunctionDecl *Callee,
                                 llvm::ArrayRef<Result> Arguments) {
  if (Inlined > 0 ||
      U.sources().isInSystemHeader(U.sources().getExpansionLoc(Callee->getLocation())))
    return;
  std::optional<unsigned> Filled;
  for (unsigned I = 0; I < E->getNumArgs(); ++I) {
    const Expr *Target = pointedTo(E->getArg(I));
    if (!Target || !Target->getType()->isPointerType() ||
        Target->getType()->isFunctionPointerType())
      continue;
    if (Filled || Target->HasSideEffects(U.Context))
      return;
    Filled = I;
  }
  if (!Filled)
    return;
  const Result R{U.fillBase(E), {}, true};
  ArrayDeclaration &New = describeBlock(E, R.Base, Arguments);
  New.AlreadyPlaced = isInPlacingMacro(E);
  Block &B = *New.Allocated;
  const Expr *Target = pointedTo(E->getArg(*Filled));
  B.Callee = U.key(Callee);
  B.Filled = *Filled;
  B.IsVoid = E->getType()->isVoidType();
  B.Pointer = text(Target);
  noteElement(R, Target->getType()->getPointeeType());
  nameBlock(R, Target);
  const bool WasSilent = std::exchange(Silent, true);
  const Location Where = locate(Target);
  Silent = WasSilent;
  storePointer(holder(Where), R);
}

/// A call that returns a pointer: of a function of the program it may be a block.
FunctionWalker::Result FunctionWalker::evaluateResult(const CallExpr *E, const FunctionDecl *Callee,
                                                      llvm::ArrayRef<Result> Arguments) {
  if (U.sources().isInSystemHeader(U.sources().getExpansionLoc(Callee->getLocation())))
    return {U.resultBase(Callee), {}, true};
  const Result R{U.callBase(E, Callee), {}, true};
  ArrayDeclaration &New = describeBlock(E, R.Base, Arguments);
  New.Allocated->Callee = U.key(Callee);
  noteElement(R, E->getType()->getPointeeType());
  return R;
}

//===-- What becomes of it -------------------------------------------------------===//

/// The block that begins where `R` points to.
ArrayDeclaration *FunctionWalker::blockOf(const Result &R) {
  if (R.Base == None || !R.Exact || R.Offset != Polynomial())
    return nullptr;
  const auto Found = BlockAt.find(R.Base);
  return Found == BlockAt.end() ? nullptr : &U.Out.Arrays[Found->second];
}

void FunctionWalker::noteElement(const Result &R, QualType Pointee) {
  ArrayDeclaration *Block = blockOf(R);
  if (!Block || Block->UnitBytes > 1 || Pointee->isVoidType())
    return;
  Block->UnitBytes = sizeOfElement(U.Context, Pointee);
  Block->Allocated->ScalarBytes = sizeOfElement(U.Context, U.Context.getBaseElementType(Pointee));
  Block->setBlockBytes(Block->Bytes);
  Block->Allocated->ElementText = sizeText(U.Context, Pointee);
}

void FunctionWalker::nameBlock(const Result &R, const VarDecl *Target) {
  ArrayDeclaration *Block = blockOf(R);
  const SourceLocation Spelt = U.sources().getSpellingLoc(Target->getLocation());
  if (!Block || !Block->Name.empty() || U.sources().isInSystemHeader(Spelt)) // of MAI_PLACED
    return;
  Block->Name = Target->getNameAsString();
  // The pointer to a row of run-time length knows its size.
  if (Target->getType()->isPointerType() &&
      U.Context.getAsVariableArrayType(Target->getType()->getPointeeType()))
    Block->Allocated->Values.push_back(
        {"sizeof *" + Block->Name, exactly(sizeOf(Target->getType()->getPointeeType()))});
}

void FunctionWalker::nameBlock(const Result &R, const Expr *Target) {
  ArrayDeclaration *Block = blockOf(R);
  if (!Block)
    return;
  if (Block->Name.empty())
    if (const VarDecl *Variable = namedVariable(Target))
      nameBlock(R, Variable);
  if (Block->Name.empty())
    if (std::string Text = text(Target); isPlain(Text))
      Block->Name = std::move(Text);
  setRow(Target, *Block);
}

/// `a[i] = block`: one row of the table a; in `a[i][j] = block` that table is one row of another.
void FunctionWalker::setRow(const Expr *Target, ArrayDeclaration &Array) {
  constexpr size_t MostLevels = 4;
  Block &B = *Array.Allocated;
  if (OpenLoops.empty() || B.Scope != Current || !B.Rows.empty() || B.Behind ||
      !isa<ArraySubscriptExpr, MemberExpr>(Target->IgnoreParens()))
    return;
  const bool WasSilent = std::exchange(Silent, true);
  const Location Where = locate(Target);
  Silent = WasSilent;
  for (const Polynomial *At = &Where.Address.Offset; At && B.Rows.size() < MostLevels;
       At = tableBefore(*At))
    B.Rows.push_back(rowAt(*At));
}

/// An index that is constant, or goes by loops that are not around the scope: of all entries of a
/// table, not of one that somebody else chooses.
bool FunctionWalker::isInside(const Polynomial &Index, uint32_t Scope) const {
  const auto IsAround = [&](FactorId Id) {
    for (uint32_t S = Scope; S != None; S = U.Out.Scopes[S].Parent)
      if (U.Out.Scopes[S].Factor == Id)
        return true;
    return false;
  };
  return llvm::all_of(Index.terms(), [&](const Term &T) {
    const auto Kind = [&](FactorId Id) { return U.Out.Factors[Id.Index].Kind; };
    return llvm::none_of(T.Factors, IsAround) &&
           (T.Factors.empty() || llvm::any_of(T.Factors, [&](FactorId Id) {
              return Kind(Id) == FactorKind::Loop || Kind(Id) == FactorKind::Row;
            }));
  });
}

/// Tables whose entries all point into one block: `planes[k][j] = all + (k * n + j) * n`,
/// `planes[0][0] = all`.
void FunctionWalker::noteTables(const Location &To, uint32_t Into) {
  if (Silent || !To.Subscript || To.Address.Base == None || Into == None)
    return;
  const auto Found = BlockAt.find(Into);
  if (Found == BlockAt.end())
    return;
  Block &B = *U.Out.Arrays[Found->second].Allocated;
  for (const Polynomial *At = &To.Address.Offset; At; At = tableBefore(*At))
    if (!isInside(*At, B.Scope))
      return;
  size_t Tables = 1;
  uint32_t Outermost = To.Address.Base;
  for (; U.Out.Bases[Outermost].Kind == BaseKind::Pointee; Outermost = U.Out.Bases[Outermost].Index)
    ++Tables;
  if (Tables <= B.Tables)
    return;
  B.Tables = Tables;
  B.Planes = entriesOf(Outermost, B);
}

/// How many entries a table has, in words that mean the same where the block is allocated.
std::string FunctionWalker::entriesOf(uint32_t Table, const Block &B) const {
  const auto Found = BlockAt.find(Table);
  if (Found == BlockAt.end())
    return "";
  const ArrayDeclaration &Array = U.Out.Arrays[Found->second];
  const std::optional<Polynomial> &Size = Array.Allocated->Size;
  const std::optional<Polynomial> Entries =
      Size ? Size->dividedBy(static_cast<int64_t>(Array.UnitBytes)) : std::nullopt;
  if (!Entries)
    return "";
  if (const std::optional<int64_t> Constant = Entries->constant())
    return std::to_string(*Constant);
  const auto Value = llvm::find_if(
      B.Values, [&](const NamedValue &V) { return !V.Text.empty() && V.Is == *Entries; });
  return Value == B.Values.end() ? "" : Value->Text;
}

/// Where the pointer lies by which an address was reached.
const Polynomial *FunctionWalker::tableBefore(const Polynomial &Address) const {
  for (const Term &T : Address.terms())
    if (T.Factors.size() == 1)
      if (const Factor &F = U.Out.Factors[T.Factors.begin()->Index]; F.Kind == FactorKind::Row)
        return &F.Of;
  return nullptr;
}

/// The row at an address that moves with just one of the loops around.
RowOfTable FunctionWalker::rowAt(const Polynomial &Address) {
  const OpenLoop *By = nullptr;
  int64_t RowBytes = 0;
  for (const Term &T : Address.terms()) {
    if (T.Factors.empty())
      continue;
    if (T.Factors.size() == 1 && U.Out.Factors[T.Factors.begin()->Index].Kind == FactorKind::Row)
      continue;
    const auto Loop = llvm::find_if(OpenLoops, [&](const OpenLoop &L) {
      return T.Factors.size() == 1 && *T.Factors.begin() == L.Factor;
    });
    if (By || Loop == OpenLoops.end() || T.Coefficient <= 0)
      return {};
    By = &*Loop;
    RowBytes = T.Coefficient;
  }
  if (!By)
    return {};
  const int64_t More = Address.constantTerm(); // Of a member, too.
  return rowOf(*By, More / RowBytes - (More % RowBytes < 0 ? 1 : 0));
}

static std::string added(const std::string &Text, int64_t More) {
  if (More == 0)
    return Text;
  const bool Simple = llvm::all_of(Text, [](char C) { return llvm::isAlnum(C) || C == '_'; });
  return (Simple ? Text : "(" + Text + ")") + (More > 0 ? " + " : " - ") +
         std::to_string(std::llabs(More));
}

/// It is the same wherever it stands there. To ask for the number of threads does nothing else.
static bool mayBeRepeated(const Expr *E, const ASTContext &Context) {
  const auto *Call = dyn_cast<CallExpr>(E->IgnoreParenImpCasts());
  return !E->HasSideEffects(Context) || (Call && asksForNumberOfThreads(Call->getDirectCallee()));
}

RowOfTable FunctionWalker::rowOf(const OpenLoop &Loop, int64_t Shift) {
  const Expr *Bound = Loop.Header->Bound;
  const std::string BoundText = text(Bound->IgnoreParenImpCasts());
  if (!Loop.Header->Upwards || !mayBeRepeated(Bound, U.Context) || !isPlain(BoundText) ||
      !Loop.Header->Variable->getType()->isIntegerType())
    return {};
  const int64_t More = Shift + (Loop.Header->Inclusive ? 1 : 0);
  const bool WasSilent = std::exchange(Silent, true);
  const std::optional<int64_t> Count = exactly(evaluate(Bound)).constant();
  Silent = WasSilent;
  return {added(Loop.Header->Variable->getNameAsString(), Shift), added(BoundText, More),
          Count ? *Count + More : 0};
}
