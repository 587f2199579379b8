//===-- Declarations.cpp - arrays and where to edit them --------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Declarations.h"

#include "clang/AST/Attr.h"
#include "clang/AST/RecordLayout.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/AST/TypeLoc.h"
#include "clang/Lex/Lexer.h"

#include <algorithm>

using namespace clang;
using namespace mapp;

namespace {

bool containsArray(QualType Type) {
  const auto *Record = Type->getAsRecordDecl();
  return Record && llvm::any_of(Record->fields(), [](const FieldDecl *Field) {
           return Field->getType()->isArrayType() || containsArray(Field->getType());
         });
}

//===-- Why not ---------------------------------------------------------------===//

/// What the language or the linker promised about this variable that placing it could break.
Remark storageRefusal(const ASTContext &Context, const VarDecl *Variable) {
  const QualType Element = Context.getBaseElementType(Variable->getType());
  if (Element.isConstQualified())
    return {Topic::Constant, "const: it lies in read-only memory"};
  if (Variable->hasAttr<OMPThreadPrivateDeclAttr>())
    return {Topic::ThreadPrivate, "threadprivate: each thread has its own"};
  if (Variable->getTLSKind() != VarDecl::TLS_None)
    return {Topic::ThreadLocal, "thread-local: each thread has its own"};
  if (Variable->hasAttr<OMPAllocateDeclAttr>())
    return {Topic::Allocator, "an allocate directive gives it an allocator"};
  if (Variable->hasAttr<SectionAttr>() || Variable->hasAttr<PragmaClangBSSSectionAttr>() ||
      Variable->hasAttr<PragmaClangDataSectionAttr>())
    return {Topic::Section, "it lies in a section of its own"};
  if (Variable->hasAttr<WeakAttr>() || Variable->hasAttr<WeakImportAttr>())
    return {Topic::Weak, "weak: another definition may replace it"};
  if (Variable->hasAttr<AliasAttr>() || Variable->hasAttr<WeakRefAttr>())
    return {Topic::Alias, "an alias of another variable"};
  if (Element.getAddressSpace() != LangAS::Default)
    return {Topic::AddressSpace, "it lies in an address space of its own"};
  return {};
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

void setShape(const ASTContext &Context, QualType Type, ArrayDeclaration &Out) {
  if (Type->isIncompleteType())
    return;
  Out.Bytes = static_cast<uint64_t>(Context.getTypeSizeInChars(Type).getQuantity());
  while (const ConstantArrayType *Array = Context.getAsConstantArrayType(Type)) {
    Out.Extents.push_back(Array->getSize().getLimitedValue());
    Type = Array->getElementType();
    if (Out.UnitBytes == 0)
      Out.UnitBytes = static_cast<uint64_t>(Context.getTypeSizeInChars(Type).getQuantity());
  }
}

void setSite(const Unit &U, const VarDecl *Variable, const DeclarationContext &In,
             ArrayDeclaration &Out) {
  SiteOrRefusal Found = findSite(U, Variable, In);
  Out.Edit = Found.Where;
  Out.Refusal = std::move(Found.Refusal);
}

//===-- Members ----------------------------------------------------------------===//

/// An array inside a struct.
struct Member {
  std::string Path; ///< of names, joined by dots
  QualType Type;
  uint64_t Within; ///< bytes from the struct's start
};

/// The arrays in a struct and in the structs inside it. Those in a union share their bytes with
/// something else.
void findMembers(const ASTContext &Context, const RecordDecl *Record, const std::string &Prefix,
                 uint64_t Within, std::vector<Member> &Found) {
  if (Record->isUnion() || Record->isInvalidDecl())
    return;
  for (const FieldDecl *Field : Record->fields()) {
    const QualType Type = Field->getType();
    const uint64_t Offset =
        Within +
        static_cast<uint64_t>(
            Context.toCharUnitsFromBits(static_cast<int64_t>(Context.getFieldOffset(Field)))
                .getQuantity());
    const std::string Path = Prefix + Field->getName().str();
    if (Context.getAsConstantArrayType(Type))
      Found.push_back({Path, Type, Offset});
    else if (const auto *Inner = Type->getAsRecordDecl())
      findMembers(Context, Inner, Field->isAnonymousStructOrUnion() ? Prefix : Path + ".", Offset,
                  Found);
  }
}

/// One declaration for each array that is a member of the struct which `Whole` declares.
std::vector<ArrayDeclaration> membersOf(const Unit &U, const RecordDecl *Record,
                                        const ArrayDeclaration &Whole) {
  std::vector<Member> Found;
  findMembers(U.Context, Record, "", 0, Found);
  std::vector<ArrayDeclaration> All;
  for (const Member &M : Found) {
    ArrayDeclaration &Out = All.emplace_back(Whole);
    Out.Object = Whole.Key;
    Out.ObjectBytes = Whole.Bytes;
    Out.Key = memberName(Whole.Key, M.Path);
    Out.Name = memberName(Whole.Name, M.Path);
    Out.Identifier = Out.Name;
    std::replace(Out.Identifier.begin(), Out.Identifier.end(), '.', '_');
    Out.Written = Out.Name;
    Out.Within = M.Within;
    Out.UnitBytes = 0;
    setShape(U.Context, M.Type, Out);
    if (Out.Refusal.empty() && U.Context.getBaseElementType(M.Type).isConstQualified())
      Out.Refusal = {Topic::Constant, "const: it lies in read-only memory"};
    Out.Heap.Refusal = {Topic::HeapMember, "it is a member of a struct"};
  }
  return All;
}

//===-- Automatic arrays -------------------------------------------------------===//

/// Whether a task names the variable. Outside of parallel regions it has a copy of what is
/// automatic, and shares what is static.
bool isNamedInTask(const Stmt *S, const VarDecl *Variable, bool InTask = false) {
  if (const auto *Reference = dyn_cast<DeclRefExpr>(S))
    return InTask && Reference->getDecl() == Variable;
  if (const auto *Captured = dyn_cast<CapturedStmt>(S))
    return isNamedInTask(Captured->getCapturedStmt(), Variable, InTask);
  const auto *Directive = dyn_cast<OMPExecutableDirective>(S);
  InTask |= Directive && isOpenMPTaskingDirective(Directive->getDirectiveKind());
  return llvm::any_of(S->children(), [&](const Stmt *Child) {
    return Child && isNamedInTask(Child, Variable, InTask);
  });
}

/// As long as the function runs once, `static` changes nothing but where the array lies.
bool isAsGoodStatic(const VarDecl *Variable, const Stmt *Body) {
  return Variable && Variable->getType()->isConstantArrayType() && !Variable->hasInit() &&
         Variable->getStorageClass() == SC_None && !Variable->hasAttr<CleanupAttr>() &&
         !isNamedInTask(Body, Variable);
}

/// main() runs once, unless the program calls it. All that the statement declares becomes static.
bool mayBeStatic(const Unit &U, const DeclarationContext &In) {
  return In.Function->isMain() && !In.Function->getMostRecentDecl()->isReferenced() &&
         In.Statement && U.sources().isWrittenInMainFile(In.Statement->getBeginLoc()) &&
         llvm::all_of(In.Statement->decls(), [&](const Decl *D) {
           return isAsGoodStatic(dyn_cast<VarDecl>(D), In.Function->getBody());
         });
}

/// An automatic array that is large, or that may be.
std::vector<ArrayDeclaration> describeAutomatic(const Unit &U, const VarDecl *Variable,
                                                const DeclarationContext &In) {
  constexpr uint64_t Large = 1 << 16, SomeArray = 1 << 26;
  const QualType Type = Variable->getType();
  ArrayDeclaration Out;
  if (Type->isConstantArrayType())
    setShape(U.Context, Type, Out);
  else if (Type->isVariableArrayType())
    Out.Bytes = SomeArray, Out.UnitBytes = 1;
  if (Out.Bytes < Large)
    return {};
  Out.Key = U.key(Variable);
  Out.Name = Variable->getNameAsString();
  Out.InFunction = In.Function->getNameAsString();
  Out.Where = U.positionOf(Variable->getLocation());
  Out.Definition = true;
  Out.Refusal = {Topic::OnStack, "it lies on the stack of the thread that calls " + Out.InFunction +
                                     "(): make it static, or allocate it"};
  if (mayBeStatic(U, In)) {
    Out.Heap.Refusal = std::move(Out.Refusal);
    Out.Refusal = storageRefusal(U.Context, Variable);
    if (Out.Refusal.empty())
      setSite(U, Variable, In, Out);
    Out.FirstExtent = firstExtentText(U, Variable);
    Out.Edit.MakeStatic = true;
  }
  return {std::move(Out)};
}

} // namespace

std::string mapp::memberName(llvm::StringRef Object, llvm::StringRef Path) {
  return (Object + "." + Path).str();
}

std::vector<ArrayDeclaration> mapp::describe(const Unit &U, const VarDecl *Variable,
                                             const DeclarationContext &In) {
  const QualType Type = Variable->getType();
  const bool Array = Type->isConstantArrayType() || Type->isIncompleteArrayType();
  if (In.Function && !Variable->hasGlobalStorage())
    return describeAutomatic(U, Variable, In);
  if (!Variable->hasGlobalStorage() || (!Array && !containsArray(Type)) ||
      U.sources().isInSystemHeader(U.sources().getExpansionLoc(Variable->getLocation())))
    return {};

  ArrayDeclaration Out;
  Out.Key = U.key(Variable);
  Out.Name = Variable->getName().str();
  Out.InFunction = In.Function ? In.Function->getName().str() : "";
  Out.Where = U.positionOf(Variable->getLocation());
  Out.Tentative = Variable->isThisDeclarationADefinition() == VarDecl::TentativeDefinition;
  Out.Definition = Out.Tentative || Variable->isThisDeclarationADefinition() == VarDecl::Definition;
  setShape(U.Context, Type, Out);
  if (Array)
    Out.FirstExtent = firstExtentText(U, Variable);
  Out.Refusal = storageRefusal(U.Context, Variable);
  if (Out.Refusal.empty())
    setSite(U, Variable, In, Out);
  if (Array)
    return {std::move(Out)};
  std::vector<ArrayDeclaration> Members = membersOf(U, Type->getAsRecordDecl(), Out);
  if (!Members.empty())
    return Members;
  Out.Refusal = {Topic::UnionMember, "its arrays share their bytes with other members of a union"};
  return {std::move(Out)};
}
