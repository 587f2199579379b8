//===-- HeapForm.cpp - may an array become a pointer? -----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "HeapForm.h"

#include "clang/AST/Expr.h"
#include "clang/AST/OpenMPClause.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/AST/TypeLoc.h"
#include "clang/Basic/Builtins.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"

#include <type_traits>

using namespace clang;
using namespace mapp;

namespace {

//===-- Uses ------------------------------------------------------------------===//

/// How one mention of an array would fare if it were a pointer.
struct Use {
  Remark Refusal;       ///< it would change its meaning, thus
  bool Escapes = false; ///< a pointer to it, or into it, goes elsewhere
};

/// A statement, a declaration or, where it is neither, a type.
class Node {
public:
  Node() = default;
  explicit Node(const Stmt *Known) : Statement(Known) {}
  explicit Node(const Decl *Known) : Declaration(Known) {}

  /// As a `T`, or null.
  template <typename T> const T *get() const {
    if constexpr (std::is_base_of_v<Decl, T>)
      return dyn_cast_or_null<T>(Declaration);
    else
      return dyn_cast_or_null<T>(Statement);
  }
  bool isType() const { return !Statement && !Declaration; }

private:
  const Stmt *Statement = nullptr;
  const Decl *Declaration = nullptr;
};

/// All around something and the thing itself, outermost first: the translation unit.
using Ancestors = std::vector<Node>;

/// Climbs from a mention of the array to what is made of it.
class UseClassifier {
public:
  explicit UseClassifier(const Ancestors &OfMention) : Nodes(OfMention) {}

  Use classify() {
    const size_t Decay = parentOf(Nodes.size() - 1);
    const auto *Cast = Nodes[Decay].get<ImplicitCastExpr>();
    const bool Decays = Cast && Cast->getCastKind() == CK_ArrayToPointerDecay;
    if (const VarDecl *Holder = Decays || isAddressOf(Nodes[Decay]) ? initialised(Decay) : nullptr)
      return {{Topic::HeapAddressConstant,
               "its address is in the static initialiser of " + Holder->getName().str()},
              true};
    if (!Decays)
      return {describe(Nodes[Decay]), true};
    if (inSizeQuery(Decay))
      return {{Topic::HeapSizeQuery, "the compiler is asked for its size"}, true};
    return {{}, !isWholeSubscript(Decay)};
  }

private:
  /// The nearest parent that is no parenthesis.
  size_t parentOf(size_t Child) const {
    while (Child > 0 && Nodes[--Child].get<ParenExpr>())
      ;
    return Child;
  }

  static Remark describe(const Node &Parent) {
    if (const auto *Operator = Parent.get<UnaryExprOrTypeTraitExpr>())
      return Operator->getKind() == UETT_SizeOf
                 ? Remark{Topic::HeapSizeof, "its size is taken with sizeof"}
                 : Remark{Topic::HeapAlignof, "its alignment is asked for"};
    if (isAddressOf(Parent))
      return {Topic::HeapAddressOf, "its address is taken with &"};
    if (Parent.isType())
      return {Topic::HeapTypeof, "its type is taken with typeof"};
    if (Parent.get<GenericSelectionExpr>())
      return {Topic::HeapGeneric, "its type is asked for by _Generic"};
    if (const auto *Directive = Parent.get<OMPExecutableDirective>()) // Its maps may be implicit.
      return isOpenMPTargetExecutionDirective(Directive->getDirectiveKind())
                 ? Remark{Topic::HeapTarget, "a target construct maps or copies it"}
                 : Remark{Topic::HeapClause, "it stands in an OpenMP clause other than shared"};
    return {Topic::HeapOtherUse, "it is used other than by subscript"};
  }

  static bool isAddressOf(const Node &Of) {
    const auto *Operator = Of.get<UnaryOperator>();
    return Operator && Operator->getOpcode() == UO_AddrOf;
  }

  /// The variable with static storage in whose initialiser the node stands, or null.
  const VarDecl *initialised(size_t At) const {
    while (Nodes[At].get<Expr>())
      At = parentOf(At);
    const auto *Variable = Nodes[At].get<VarDecl>();
    return Variable && Variable->hasGlobalStorage() ? Variable : nullptr;
  }

  /// In a call to a builtin that answers from the type of its argument.
  bool inSizeQuery(size_t At) const {
    for (; Nodes[At].get<Expr>(); At = parentOf(At))
      if (const auto *Call = Nodes[At].get<CallExpr>())
        switch (Call->getBuiltinCallee()) {
        case Builtin::BI__builtin_object_size:
        case Builtin::BI__builtin_dynamic_object_size:
        case Builtin::BI__builtin_constant_p:
          return true;
        default:
          break;
        }
    return false;
  }

  /// The chain of subscripts from this decay reaches an element, and nobody takes its address.
  bool isWholeSubscript(size_t Decay) const {
    while (true) {
      const size_t Parent = parentOf(Decay);
      const auto *Subscript = Nodes[Parent].get<ArraySubscriptExpr>();
      if (!Subscript || Subscript->getBase()->IgnoreParens() != Nodes[Decay].get<Expr>())
        return false;
      const size_t Next = parentOf(Parent);
      if (!Subscript->getType()->isArrayType()) {
        const auto *Operator = Nodes[Next].get<UnaryOperator>();
        return !Operator || Operator->getOpcode() != UO_AddrOf;
      }
      if (!Nodes[Next].get<ImplicitCastExpr>())
        return false;
      Decay = Next;
    }
  }

  const Ancestors &Nodes;
};

/// Whether expressions may stand in a type. Most types are names, or pointers to what has one.
bool mayHoldExpressions(TypeLoc T) {
  for (;;) {
    T = T.getUnqualifiedLoc();
    if (const auto Named = T.getAs<ElaboratedTypeLoc>())
      T = Named.getNamedTypeLoc();
    else if (const auto Pointer = T.getAs<PointerTypeLoc>())
      T = Pointer.getPointeeLoc();
    else
      return !T.getAs<BuiltinTypeLoc>() && !T.getAs<TypedefTypeLoc>() && !T.getAs<TagTypeLoc>();
  }
}

/// Collects what the uses of each array together mean.
class UseVisitor : public RecursiveASTVisitor<UseVisitor> {
  using Base = RecursiveASTVisitor<UseVisitor>;

public:
  explicit UseVisitor(const TranslationUnitDecl *Whole) : Nodes{Node(Whole)} {}

  void add(const VarDecl *Array) { Uses[Array->getCanonicalDecl()]; }
  const Use &of(const VarDecl *Array) { return Uses[Array->getCanonicalDecl()]; }

  // NOLINTBEGIN(readability-identifier-naming): the base class calls them by these names.
  bool TraverseDecl(Decl *D) {
    return !D || within(Node(D), [&] { return Base::TraverseDecl(D); });
  }

  bool TraverseStmt(Stmt *S) {
    if (!S || isa<IntegerLiteral, FloatingLiteral, CharacterLiteral, StringLiteral>(S))
      return true;
    return within(Node(S), [&] {
      if (const auto *Mention = dyn_cast<DeclRefExpr>(S))
        return note(Mention);
      // Nothing but other expressions is in these, of which most code is made.
      if (!isa<ImplicitCastExpr, ParenExpr, BinaryOperator, ArraySubscriptExpr>(S))
        return Base::TraverseStmt(S);
      return llvm::all_of(S->children(), [&](Stmt *Child) { return TraverseStmt(Child); });
    });
  }

  bool TraverseTypeLoc(TypeLoc T) {
    return T.isNull() || !mayHoldExpressions(T) ||
           within(Node(), [&] { return Base::TraverseTypeLoc(T); });
  }

  // A shared array stays shared as a pointer: do not look into the clause.
  bool VisitOMPSharedClause(OMPSharedClause *) { return true; }
  // NOLINTEND(readability-identifier-naming)

private:
  bool note(const DeclRefExpr *Mention) {
    const auto *Variable = dyn_cast<VarDecl>(Mention->getDecl());
    const auto Found = Variable ? Uses.find(Variable->getCanonicalDecl()) : Uses.end();
    if (Found == Uses.end() || !Found->second.Refusal.empty()) // One refusal is enough.
      return true;
    Use This = UseClassifier(Nodes).classify();
    Found->second.Escapes |= This.Escapes;
    Found->second.Refusal = std::move(This.Refusal);
    return true;
  }

  bool within(Node Inner, llvm::function_ref<bool()> Traverse) {
    Nodes.push_back(Inner);
    const bool GoOn = Traverse();
    Nodes.pop_back();
    return GoOn;
  }

  Ancestors Nodes;
  llvm::DenseMap<const VarDecl *, Use> Uses;
};

//===-- Text ------------------------------------------------------------------===//

/// The stars between the words that all declarators share and this array's name.
std::string starsText(const VarDecl *Array) {
  TypeLoc Element = Array->getTypeSourceInfo()->getTypeLoc();
  while (const auto Dimension = Element.getAs<ArrayTypeLoc>())
    Element = Dimension.getElementLoc();
  std::string Stars;
  while (const auto Pointer = Element.getUnqualifiedLoc().getAs<PointerTypeLoc>()) {
    Stars += '*';
    Element = Pointer.getPointeeLoc();
  }
  return Stars.empty() ? "" : " " + Stars;
}

/// The words at the start of the declaration without storage classes and qualifiers, which with
/// the stars are the element type; empty if that is not made of plain words.
std::string elementTypeText(const Unit &U, const VarDecl *Array) {
  const SourceManager &Sources = U.sources();
  if (Array->getBeginLoc().isMacroID() || !Sources.isWrittenInMainFile(Array->getBeginLoc()))
    return "";
  const llvm::StringRef Text = U.Out.Text;
  Lexer Lex(Sources.getLocForStartOfFile(Sources.getMainFileID()), U.Context.getLangOpts(),
            Text.begin(), Text.begin() + Sources.getFileOffset(Array->getBeginLoc()), Text.end());
  llvm::SmallVector<std::string, 4> Words;
  Token Next;
  for (Lex.LexFromRawLexer(Next); Next.is(tok::raw_identifier); Lex.LexFromRawLexer(Next))
    Words.push_back(Next.getRawIdentifier().str());
  if (Next.isOneOf(tok::l_square, tok::comma, tok::semi, tok::equal) && !Words.empty())
    Words.pop_back(); // The first declarator's name.
  else if (Next.isNot(tok::star) && Next.isNot(tok::l_brace))
    return "";
  llvm::erase_if(Words,
                 [](llvm::StringRef Word) { return Word == "static" || Word == "volatile"; });
  const bool Tagless = Words.empty() || Words.back() == "struct" || Words.back() == "union" ||
                       Words.back() == "enum";
  return Tagless ? "" : llvm::join(Words, " ") + starsText(Array);
}

/// The offset after a bracket, however it is spelt.
uint32_t endOffset(const Unit &U, SourceLocation Bracket) {
  return U.sources().getFileOffset(
      Lexer::getLocForEndOfToken(Bracket, 0, U.sources(), U.Context.getLangOpts()));
}

/// Fills in the offsets of the brackets; false when part of the declarator comes from a macro.
bool setBrackets(const Unit &U, const VarDecl *Array, HeapForm &Out) {
  const SourceManager &Sources = U.sources();
  auto Type = Array->getTypeSourceInfo()->getTypeLoc().getAs<ArrayTypeLoc>();
  if (!Type)
    return false;
  Out.FirstBracket = Sources.getFileOffset(Type.getLBracketLoc());
  for (; Type; Type = Type.getElementLoc().getAs<ArrayTypeLoc>()) {
    if (Type.getLBracketLoc().isMacroID() || Type.getRBracketLoc().isMacroID())
      return false;
    Out.LastBracketEnd = endOffset(U, Type.getRBracketLoc());
    if (Out.FirstBracketEnd == 0)
      Out.FirstBracketEnd = Out.LastBracketEnd;
  }
  const llvm::StringRef Extents =
      llvm::StringRef(U.Out.Text).slice(Out.FirstBracket, Out.LastBracketEnd);
  return Extents.find_first_of("\r\n\\") == llvm::StringRef::npos;
}

Remark declarationRefusal(const Unit &U, const VarDecl *Array) {
  if (Array->getLocation().isMacroID())
    return {Topic::HeapMacro, "declared by a macro"};
  if (!U.sources().isWrittenInMainFile(Array->getLocation()))
    return {Topic::HeapHeader, "declared in " + U.positionOf(Array->getLocation()).File +
                                   ", which is included; only the files given are edited"};
  if (Array->hasExternalFormalLinkage())
    return {Topic::HeapExternal, "other files may declare it: it is not static"};
  if (Array->hasInit())
    return {Topic::HeapInitialised, "it has an initialiser"};
  if (Array->hasAttrs())
    return {Topic::HeapAttributes, "its declaration has attributes"};
  if (Array->getPreviousDecl() || Array->getMostRecentDecl() != Array)
    return {Topic::HeapRedeclared, "it is declared more than once"};
  return {};
}

} // namespace

/// All but what the uses of the array tell.
static HeapForm describeDeclaration(const Unit &U, const VarDecl *Array) {
  HeapForm Out;
  Out.Refusal = declarationRefusal(U, Array);
  if (!Out.Refusal.empty())
    return Out;
  Out.ElementType = elementTypeText(U, Array);
  Out.RestrictKeyword = U.Context.getLangOpts().C99 ? "restrict" : "__restrict";
  if (Out.ElementType.empty() || !setBrackets(U, Array, Out))
    Out.Refusal = {Topic::HeapForm, "its declaration is not of the form `static type name[...]`"};
  return Out;
}

/// The declaration at file scope that `D` is, or is part of.
static const Decl *outermost(const Decl *D) {
  while (!isa<TranslationUnitDecl>(D->getDeclContext()))
    D = cast<Decl>(D->getDeclContext());
  return D;
}

std::vector<HeapForm> mapp::describeHeapForms(const Unit &U,
                                              llvm::ArrayRef<const VarDecl *> Arrays) {
  std::vector<HeapForm> Polynomials;
  UseVisitor Visitor(U.Context.getTranslationUnitDecl());
  llvm::SmallPtrSet<const Decl *, 16> Declarations;
  for (const VarDecl *Array : Arrays) {
    Polynomials.push_back(describeDeclaration(U, Array));
    if (!Polynomials.back().Refusal.empty())
      continue;
    Visitor.add(Array);
    Declarations.insert(outermost(Array));
  }
  bool Declared = false; // Nothing mentions an array that is not declared yet.
  for (Decl *D : U.Context.getTranslationUnitDecl()->decls()) {
    Declared |= Declarations.contains(D);
    if (Declared)
      Visitor.TraverseDecl(D);
  }
  for (size_t I = 0; I < Arrays.size(); ++I) {
    if (!Polynomials[I].Refusal.empty())
      continue;
    Polynomials[I].Refusal = Visitor.of(Arrays[I]).Refusal;
    Polynomials[I].Restrict = !Visitor.of(Arrays[I]).Escapes;
  }
  return Polynomials;
}
