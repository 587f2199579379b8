//===-- Unit.cpp - the tables of facts while they grow ----------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Unit.h"

#include "ReturnedParameter.h"

#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace clang;
using namespace mapp;

FactorId Unit::addFactor(Factor New) {
  Out.Factors.push_back(std::move(New));
  return {Out.Unit, static_cast<uint32_t>(Out.Factors.size() - 1)};
}

FactorId Unit::symbol(const ValueDecl *Variable) {
  auto [Entry, New] = SymbolOf.try_emplace(Variable->getCanonicalDecl());
  if (!New)
    return Entry->second;
  const auto *Static = dyn_cast<VarDecl>(Variable);
  const bool IsStored = Static && Static->hasGlobalStorage() && Static->getType()->isIntegerType();
  return Entry->second = addFactor({FactorKind::Symbol,
                                    isa<FunctionDecl>(Variable) ? NumberOfThreads : None,
                                    {},
                                    IsStored ? variableBase(Static) : None});
}

FactorId Unit::parameter(uint32_t Position) {
  auto [Entry, New] = ParameterAt.try_emplace(Position);
  if (New)
    Entry->second = addFactor({FactorKind::Parameter, Position, {}, None});
  return Entry->second;
}

FactorId Unit::once(Factor New, uint32_t Member) {
  llvm::SmallVector<FactorId, 1> &Known = ReadFrom[{New.Base, Member}];
  const auto Same = llvm::find_if(Known, [&](FactorId Id) {
    return Out.Factors[Id.Index].Kind == New.Kind && Out.Factors[Id.Index].Of == New.Of;
  });
  if (Same != Known.end())
    return *Same;
  Known.push_back(addFactor(std::move(New)));
  return Known.back();
}

FactorId Unit::loaded(const Value &Address, const FieldDecl *Member) {
  if (!Member)
    return addFactor({FactorKind::Loaded, None, Address.Offset, Address.Base});
  const uint32_t Of = fieldBase(Member);
  return once({FactorKind::Loaded, None, Address.Offset, Address.Base, None, Of}, Of);
}

FactorId Unit::row(const Value &Address, const FieldDecl *Member) {
  Factor New{FactorKind::Row, None, Address.Offset, Address.Base};
  return Member ? once(std::move(New), fieldBase(Member)) : addFactor(std::move(New));
}

FactorId Unit::thread() {
  if (!Thread)
    Thread = addFactor({FactorKind::Thread, None, {}, None});
  return *Thread;
}

/// What something computed depends on says all there is to say: `From` is replaced by that, so that
/// long computations make no long chains.
FactorId Unit::computed(const Polynomial &From, uint32_t Values) {
  Polynomial Sources;
  const auto Add = [&](const Polynomial &F) {
    for (const Term &T : F.terms())
      for (const FactorId Id : T.Factors)
        if (!Sources.mentions(Id))
          if (std::optional<Polynomial> More = Sources.plus(Polynomial(Id)))
            Sources = std::move(*More);
  };
  for (const Term &T : From.terms())
    for (const FactorId Id : T.Factors) {
      const Factor &F = Out.Factors[Id.Index];
      Add(F.Kind == FactorKind::Computed ? F.Of : Polynomial(Id));
    }
  return addFactor({FactorKind::Computed, Values, std::move(Sources), None});
}

FactorId Unit::answer(const FunctionDecl *Callee) {
  auto [Entry, New] = AnswerOf.try_emplace(Callee->getCanonicalDecl());
  if (New) {
    Entry->second =
        addFactor({FactorKind::Answer, static_cast<uint32_t>(Out.Asked.size()), {}, None});
    Out.Asked.push_back(key(Callee));
  }
  return Entry->second;
}

uint32_t Unit::addBase(const void *Identity, BaseKind Kind, std::string Key, uint32_t Index) {
  auto [Entry, New] = BaseOf.try_emplace(Identity, static_cast<uint32_t>(Out.Bases.size()));
  if (New)
    Out.Bases.push_back({Kind, std::move(Key), Index});
  return Entry->second;
}

/// An array worth speaking of even where it is automatic.
static bool isLarge(const ASTContext &Context, QualType Type) {
  constexpr int64_t Large = 1 << 16;
  return Type->isVariableArrayType() ||
         (Type->isConstantArrayType() && Context.getTypeSizeInChars(Type).getQuantity() >= Large);
}

/// A struct with pointers in it.
static bool isBundle(const ASTContext &Context, QualType Type) {
  const auto *Record = Type->getAsRecordDecl();
  return Record && llvm::any_of(Record->fields(), [&](const FieldDecl *Field) {
           const QualType Element = Context.getBaseElementType(Field->getType());
           return Element->isPointerType() || isBundle(Context, Element);
         });
}

uint32_t Unit::variableBase(const VarDecl *Variable) {
  const VarDecl *Canonical = Variable->getCanonicalDecl();
  if (auto Known = BaseOf.find(Canonical); Known != BaseOf.end())
    return Known->second;
  const bool HoldsPointer = Variable->getType()->isPointerType();
  // What is passed by value counts as the caller's own: nobody minds who has a copy of pointers.
  if (const auto *Parameter = dyn_cast<ParmVarDecl>(Variable);
      Parameter && (HoldsPointer || isBundle(Context, Variable->getType())))
    return addBase(Canonical, BaseKind::Parameter, key(Variable),
                   Parameter->getFunctionScopeIndex());
  if (HoldsPointer) {
    const uint32_t Base = addBase(Canonical, BaseKind::Pointer, key(Variable));
    Out.Bases[Base].Automatic = !Variable->hasGlobalStorage();
    return Base;
  }
  const bool Shared = Variable->hasGlobalStorage() || isLarge(Context, Variable->getType());
  return addBase(Canonical, Shared ? BaseKind::Object : BaseKind::Private, key(Variable));
}

std::string Unit::fieldKey(const FieldDecl *Field) const {
  const RecordDecl *Record = Field->getParent();
  std::string Owner = Record->getName().str();
  if (Owner.empty()) {
    const SourcePosition Where = positionOf(Record->getLocation());
    Owner = Where.File + ":" + std::to_string(Where.Line);
  }
  return Field->getName().str() + "@" + Owner + "." + std::to_string(Field->getFieldIndex());
}

uint32_t Unit::fieldBase(const FieldDecl *Field) {
  return addBase(Field->getCanonicalDecl(), BaseKind::Pointer, fieldKey(Field));
}

uint32_t Unit::memberBase(uint32_t Of, uint32_t Inner, const FieldDecl *Field) {
  const std::string Key = Out.Bases[fieldBase(Field)].Key;
  auto [Entry, New] = Members.try_emplace({Of, Inner, Field->getCanonicalDecl()},
                                          static_cast<uint32_t>(Out.Bases.size()));
  if (New)
    Out.Bases.push_back({BaseKind::Member, Key, Of, false, {}, Inner});
  return Entry->second;
}

uint32_t Unit::innerStruct(uint32_t Outer, const std::string &Member) {
  auto [Entry, New] = Inners.try_emplace({Outer, Member}, static_cast<uint32_t>(Out.Inners.size()));
  if (New)
    Out.Inners.push_back({Member, Outer});
  return Entry->second;
}

uint32_t Unit::innerStruct(uint32_t Outer, const FieldDecl *Field) {
  const bool HoldsStructs = Context.getBaseElementType(Field->getType())->isRecordType();
  return HoldsStructs && !Field->getParent()->isUnion() ? innerStruct(Outer, fieldKey(Field))
                                                        : Outer;
}

uint32_t Unit::innerStruct(uint32_t Outer, uint32_t Inner) {
  if (Inner == None)
    return Outer;
  const InnerStruct Own = Out.Inners[Inner];
  return innerStruct(innerStruct(Outer, Own.Outer), Own.Member);
}

uint32_t Unit::derivedBase(BaseKind Kind, uint32_t Of) {
  auto [Entry, New] = Derived.try_emplace({static_cast<unsigned>(Kind), Of},
                                          static_cast<uint32_t>(Out.Bases.size()));
  if (New)
    Out.Bases.push_back({Kind, "", Of});
  return Entry->second;
}

uint32_t Unit::pointeeBase(uint32_t Of) { return derivedBase(BaseKind::Pointee, Of); }

uint32_t Unit::cellBase(uint32_t Pointer) { return derivedBase(BaseKind::Cell, Pointer); }

uint32_t Unit::resultBase(const FunctionDecl *Function) {
  return addBase(Function->getCanonicalDecl(), BaseKind::Result, "result of " + key(Function));
}

uint32_t Unit::choiceBase(const Expr *Choice) {
  const uint32_t Base = addBase(Choice, BaseKind::Pointer, keyOf(Choice));
  Out.Bases[Base].Automatic = true;
  return Base;
}

uint32_t Unit::literalBase(const CompoundLiteralExpr *Literal) {
  return addBase(Literal, BaseKind::Private, keyOf(Literal));
}

/// What makes a name in this unit one of the whole program's.
std::string Unit::at(SourceLocation Location) const {
  return "@" + std::to_string(Out.Unit) + "@" + std::to_string(Location.getRawEncoding());
}

/// The key of something that an expression makes.
std::string Unit::keyOf(const Expr *Made) const {
  return at(Made->getBeginLoc()) + at(Made->getEndLoc());
}

std::string Unit::callKey(const CallExpr *Call) const {
  return "block@" + Out.Path + "@" + std::to_string(Call->getBeginLoc().getRawEncoding());
}

uint32_t Unit::blockBase(const CallExpr *Call) {
  return addBase(Call, BaseKind::Object, callKey(Call));
}

uint32_t Unit::callBase(const CallExpr *Call, const FunctionDecl *Callee) {
  return addBase(Call, BaseKind::Call, callKey(Call), resultBase(Callee));
}

std::optional<unsigned> Unit::returnedParameter(const FunctionDecl *Callee) const {
  if (Callee->hasBody())
    return mapp::returnedParameter(Callee);
  const auto Elsewhere = Out.GivenBack.find(key(Callee));
  return Elsewhere == Out.GivenBack.end() ? std::nullopt : std::optional(Elsewhere->second);
}

uint32_t Unit::fillBase(const CallExpr *Call) {
  const uint32_t Nothing = addBase(&Out, BaseKind::Private, "nothing");
  return addBase(Call, BaseKind::Call, callKey(Call), Nothing);
}

std::string Unit::key(const NamedDecl *Named) const {
  std::string Name = Named->getName().str();
  if (Named->hasExternalFormalLinkage())
    return Name;
  // Things without linkage are told apart by where they stand; things with internal linkage
  // belong to one unit, even those from a header.
  return Name + at(Named->getCanonicalDecl()->getLocation());
}

std::string mapp::namedAsMain(const Facts &Main, llvm::StringRef Path) {
  llvm::StringRef Directory = Main.Path;
  if (Directory.consume_back(llvm::sys::path::remove_leading_dotslash(Main.File)))
    Path.consume_front(Directory);
  return Path.str();
}

const FieldDecl *mapp::initialisedField(const InitListExpr *List, unsigned Position) {
  const RecordDecl *Record = List->getType()->getAsRecordDecl();
  if (!Record || Record->isUnion())
    return Record ? List->getInitializedFieldInUnion() : nullptr;
  for (const FieldDecl *Field : Record->fields())
    if (!Field->isUnnamedBitField() && Position-- == 0)
      return Field;
  return nullptr;
}

int64_t mapp::offsetOfPart(const ASTContext &Context, const InitListExpr *List, unsigned Position) {
  const FieldDecl *Field = initialisedField(List, Position);
  if (!Field)
    return Context.getTypeSizeInChars(List->getInit(Position)->getType()).getQuantity() * Position;
  return Context.toCharUnitsFromBits(static_cast<int64_t>(Context.getFieldOffset(Field)))
      .getQuantity();
}

SourcePosition Unit::positionOf(SourceLocation Location) const {
  const SourceLocation Expansion = sources().getExpansionLoc(Location);
  const bool Main = sources().isWrittenInMainFile(Expansion);
  return {Main ? Out.File : namedAsMain(Out, sources().getFilename(Expansion)), line(Expansion)};
}

std::pair<uint32_t, uint32_t> Unit::editable(SourceRange Tokens) const {
  const LangOptions &Language = Context.getLangOpts();
  if (Tokens.getBegin().isMacroID() || Tokens.getEnd().isMacroID() ||
      !sources().isWrittenInMainFile(Tokens.getBegin()) ||
      !sources().isWrittenInMainFile(Tokens.getEnd()))
    return {None, None};
  const uint32_t Begin = sources().getFileOffset(Tokens.getBegin());
  const uint32_t End =
      sources().getFileOffset(Lexer::getLocForEndOfToken(Tokens.getEnd(), 0, sources(), Language));
  const bool HasDirective = llvm::StringRef(Out.Text).slice(Begin, End).contains('#');
  return HasDirective ? std::pair(None, None) : std::pair(Begin, End);
}

const std::string &Unit::typeText(QualType Type) {
  const QualType Canonical = Type.getCanonicalType();
  auto [Entry, New] = TypeTexts.try_emplace(Canonical.getAsOpaquePtr());
  if (New)
    Entry->second = Canonical.getAsString();
  return Entry->second;
}

void Unit::takeAddress(const FunctionDecl *Function) {
  if (Taken.insert(Function->getCanonicalDecl()).second)
    Out.AddressTaken.push_back(key(Function));
}
