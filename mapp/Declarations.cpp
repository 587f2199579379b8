//===-- Declarations.cpp - arrays and where to edit them --------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Declarations.h"

#include "clang/AST/Attr.h"
#include "clang/AST/TypeLoc.h"
#include "clang/Lex/Lexer.h"

using namespace clang;
using namespace mapp;

namespace {

/// A lexer that sees the main file's characters from `Offset` on, and no macros or directives.
Lexer rawLexer(const Unit &U, uint32_t Offset) {
  const llvm::StringRef Text = U.sources().getBufferData(U.sources().getMainFileID());
  const SourceLocation Start = U.sources().getLocForStartOfFile(U.sources().getMainFileID());
  return Lexer(Start, U.Context.getLangOpts(), Text.begin(), Text.begin() + Offset, Text.end());
}

uint32_t offsetOf(const Unit &U, SourceLocation Location) {
  return U.sources().getFileOffset(U.sources().getExpansionLoc(Location));
}

/// The `;` that ends the declaration whose declarator has its name at `NameOffset`.
std::optional<uint32_t> findSemicolon(const Unit &U, uint32_t NameOffset) {
  Lexer Lex = rawLexer(U, NameOffset);
  for (int Depth = 0; Depth >= 0;) {
    Token Next;
    Lex.LexFromRawLexer(Next);
    if (Next.is(tok::eof) || (Next.is(tok::hash) && Next.isAtStartOfLine()))
      return std::nullopt;
    if (Next.isOneOf(tok::l_paren, tok::l_square, tok::l_brace))
      ++Depth;
    else if (Next.is(tok::r_paren) && Depth == 0)
      continue; // The declarator is in parentheses.
    else if (Next.isOneOf(tok::r_paren, tok::r_square, tok::r_brace))
      --Depth;
    else if (Depth == 0 && Next.is(tok::semi))
      return U.sources().getFileOffset(Next.getLocation());
  }
  return std::nullopt;
}

bool containsArray(QualType Type) {
  const auto *Record = Type->getAsRecordDecl();
  return Record && llvm::any_of(Record->fields(), [](const FieldDecl *Field) {
           return Field->getType()->isArrayType() || containsArray(Field->getType());
         });
}

//===-- Why not ---------------------------------------------------------------===//

/// What the language or the linker promised about this variable that placing it could break.
std::string storageRefusal(const ASTContext &Context, const VarDecl *Variable) {
  const QualType Element = Context.getBaseElementType(Variable->getType());
  if (Element.isConstQualified())
    return "const: it lies in read-only memory";
  if (Variable->hasAttr<OMPThreadPrivateDeclAttr>())
    return "threadprivate: each thread has its own";
  if (Variable->getTLSKind() != VarDecl::TLS_None)
    return "thread-local: each thread has its own";
  if (Variable->hasAttr<OMPAllocateDeclAttr>())
    return "an allocate directive gives it an allocator";
  if (Variable->hasAttr<SectionAttr>() || Variable->hasAttr<PragmaClangBSSSectionAttr>() ||
      Variable->hasAttr<PragmaClangDataSectionAttr>())
    return "it lies in a section of its own";
  if (Variable->hasAttr<WeakAttr>() || Variable->hasAttr<WeakImportAttr>())
    return "weak: another definition may replace it";
  if (Variable->hasAttr<AliasAttr>() || Variable->hasAttr<WeakRefAttr>())
    return "an alias of another variable";
  if (Element.getAddressSpace() != LangAS::Default)
    return "it lies in an address space of its own";
  return "";
}

/// What in the text forbids an insertion.
std::string textRefusal(const Unit &U, const VarDecl *Variable, const DeclarationContext &In) {
  const SourceLocation Name = Variable->getLocation();
  if (Name.isMacroID())
    return "declared by a macro";
  if (!U.sources().isWrittenInMainFile(Name))
    return "declared in " + U.place(Name).File +
           ", which is included; only the files given are edited";
  if (In.Function && In.Function->isInlined() && In.Function->hasExternalFormalLinkage())
    return "in an inline function with external linkage";
  if (!In.MayFollow)
    return "no declaration can follow it there";
  return "";
}

//===-- Shape -----------------------------------------------------------------===//

/// The text between the first brackets of the declarator, where it may be repeated elsewhere.
std::string firstExtentText(const Unit &U, const VarDecl *Variable) {
  constexpr size_t MaxLength = 40;
  if (!Variable->getTypeSourceInfo())
    return "";
  const TypeLoc Type = Variable->getTypeSourceInfo()->getTypeLoc().getUnqualifiedLoc();
  const auto Array = Type.IgnoreParens().getAs<ArrayTypeLoc>();
  if (!Array || Array.getLBracketLoc().isMacroID() || Array.getRBracketLoc().isMacroID())
    return "";
  const uint32_t Begin =
      offsetOf(U, Lexer::getLocForEndOfToken(Array.getLBracketLoc(), 0, U.sources(),
                                             U.Context.getLangOpts()));
  const uint32_t End = offsetOf(U, Array.getRBracketLoc());
  if (End <= Begin || !U.sources().isWrittenInMainFile(Array.getLBracketLoc()))
    return "";
  const llvm::StringRef Text = llvm::StringRef(U.Out.Text).slice(Begin, End).trim();
  const bool OneLine = Text.find_first_of("\r\n\\") == llvm::StringRef::npos;
  const bool Comment = Text.contains("/*") || Text.contains("//");
  return OneLine && !Comment && Text.size() <= MaxLength ? Text.str() : "";
}

void setShape(const Unit &U, const VarDecl *Variable, ArrayDeclaration &Out) {
  QualType Type = Variable->getType();
  if (Type->isIncompleteType())
    return;
  Out.Bytes = static_cast<uint64_t>(U.Context.getTypeSizeInChars(Type).getQuantity());
  while (const ConstantArrayType *Array = U.Context.getAsConstantArrayType(Type)) {
    Out.Extents.push_back(Array->getSize().getLimitedValue());
    Type = Array->getElementType();
    if (Out.UnitBytes == 0)
      Out.UnitBytes = static_cast<uint64_t>(U.Context.getTypeSizeInChars(Type).getQuantity());
  }
  Out.FirstExtent = firstExtentText(U, Variable);
}

} // namespace

std::optional<ArrayDeclaration> mapp::describe(const Unit &U, const VarDecl *Variable,
                                               const DeclarationContext &In) {
  const QualType Type = Variable->getType();
  const bool Array = Type->isConstantArrayType() || Type->isIncompleteArrayType();
  if (!Variable->hasGlobalStorage() || (!Array && !containsArray(Type)) ||
      U.sources().isInSystemHeader(U.sources().getExpansionLoc(Variable->getLocation())))
    return std::nullopt;

  ArrayDeclaration Out;
  Out.Key = U.key(Variable);
  Out.Name = Variable->getNameAsString();
  Out.InFunction = In.Function ? In.Function->getNameAsString() : "";
  Out.Where = U.place(Variable->getLocation());
  Out.Tentative = Variable->isThisDeclarationADefinition() == VarDecl::TentativeDefinition;
  Out.Definition = Out.Tentative || Variable->isThisDeclarationADefinition() == VarDecl::Definition;
  setShape(U, Variable, Out);

  Out.Refusal = Array ? storageRefusal(U.Context, Variable)
                      : std::string(Type->isUnionType() ? "a union" : "a struct") +
                            ": only arrays of their own are placed";
  if (Out.Refusal.empty())
    Out.Refusal = textRefusal(U, Variable, In);
  if (!Out.Refusal.empty())
    return Out;
  Out.Edit.NameOffset = offsetOf(U, Variable->getLocation());
  Out.Edit.BeginOffset = std::min(offsetOf(U, Variable->getBeginLoc()), Out.Edit.NameOffset);
  if (const std::optional<uint32_t> Semicolon = findSemicolon(U, Out.Edit.NameOffset))
    Out.Edit.SemicolonOffset = *Semicolon;
  else
    Out.Refusal = "the end of its declaration is hidden by a macro or a directive";
  return Out;
}

uint32_t mapp::firstToken(const Unit &U) {
  Lexer Lex = rawLexer(U, 0);
  Token First;
  Lex.LexFromRawLexer(First);
  return U.sources().getFileOffset(First.getLocation());
}
