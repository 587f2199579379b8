//===-- CallGraphBases.cpp - what names of a unit are in the program *- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Variables, parameters and members, resolved in terms of who calls.
//
//===----------------------------------------------------------------------===//

#include "CallGraph.h"

using namespace mapp;

uint32_t CallGraph::programBase(BaseKind Kind, const std::string &Key, uint32_t Of) {
  auto [Entry, New] = BaseOf.try_emplace(Key, static_cast<uint32_t>(Bases.size()));
  if (New) {
    const auto Block = Blocks.find(Key);
    Bases.push_back({Kind, Key, Of, Block == Blocks.end() ? nullptr : Block->second});
  }
  return Entry->second;
}

/// The base itself, even where the value of a parameter is known.
uint32_t CallGraph::storageOf(const Facts &Unit, uint32_t Base, const Arguments &Bound) {
  const mapp::Base &R = Unit.Bases[Base];
  if (R.Kind == BaseKind::Parameter)
    return programBase(BaseKind::Pointer, R.Key);
  return resolveBase(Unit, Base, Bound).Base;
}

/// The block whose pointers are those of this one, or the base itself.
uint32_t CallGraph::original(uint32_t Base) {
  for (auto Same = Like.find(Bases[Base].Key); Same != Like.end();
       Same = Like.find(Bases[Base].Key))
    Base = programBase(BaseKind::Object, Same->second);
  return Base;
}

std::string CallGraph::memberKey(uint32_t Any, uint32_t Struct) const {
  return Bases[Any].Key + " of " + Bases[Struct].Key;
}

Binding CallGraph::resolveBase(const Facts &Unit, uint32_t Base, const Arguments &Bound) {
  const mapp::Base &R = Unit.Bases[Base];
  switch (R.Kind) {
  case BaseKind::Object:
  case BaseKind::Pointer:
  case BaseKind::Private:
  case BaseKind::Result: {
    uint32_t &Own = OwnBases[Unit.Unit][Base];
    if (Own == None)
      Own = programBase(R.Kind, R.Key);
    if (Bound.Own != 0 && R.isOwnPointer())
      return {ownPointer(Own, Bound.Own), {}};
    return {R.Kind == BaseKind::Object ? apart(Own, Bound.Path) : Own, {}};
  }
  case BaseKind::Parameter:
    if (R.Index < Bound.Values.size() && Bound.Values[R.Index].Base != None)
      return Bound.Values[R.Index];
    return {programBase(BaseKind::Pointer, R.Key), {}};
  case BaseKind::Cell: {
    const uint32_t Pointer = storageOf(Unit, R.Index, Bound);
    return {programBase(BaseKind::Cell, "cell of " + Bases[Pointer].Key, Pointer), {}};
  }
  case BaseKind::Pointee: {
    const uint32_t Of = resolveBase(Unit, R.Index, Bound).Base;
    if (Bases[Of].Kind == BaseKind::Cell)
      return {Bases[Of].Of, {}};
    const uint32_t In = original(Of);
    return {programBase(BaseKind::Pointee, "content of " + Bases[In].Key, In), {}};
  }
  case BaseKind::Member: {
    const Binding Struct = resolveBase(Unit, R.Index, Bound);
    const uint32_t Inner = innerStruct(Unit, R.Inner, Struct.Inner);
    const uint32_t In = original(Struct.Base);
    const BaseKind Kind = Bases[In].Kind;
    if (Kind != BaseKind::Object && Kind != BaseKind::Private && Kind != BaseKind::Result)
      return {memberBase(R.Key, Inner), {}};
    return {memberBase(R.Key, Inner, In), {}};
  }
  case BaseKind::Call:
    return {resultOf(Unit, R, Bound), {}};
  }
  return {};
}

//===-- Members -------------------------------------------------------------===//
/// Where less may be known of a struct's place than where its member is stored: what lies in an
/// inner struct is also found through a pointer to that.
void CallGraph::addMember(uint32_t Less, uint32_t Own) {
  Members[Less].push_back(Own);
  General[Own].push_back(Less);
}

uint32_t CallGraph::innerStruct(const std::string &Member, uint32_t Outer) {
  const auto [Entry, New] =
      InnerOf.try_emplace({Member, Outer}, static_cast<uint32_t>(Inners.size()));
  if (New)
    Inners.push_back({Member, Outer});
  return Entry->second;
}

/// An inner struct of a unit, of a struct that may be an inner one itself.
uint32_t CallGraph::innerStruct(const Facts &Unit, uint32_t Inner, uint32_t Outer) {
  if (Inner == None)
    return Outer;
  const InnerStruct &Own = Unit.Inners[Inner];
  return innerStruct(Own.Member, innerStruct(Unit, Own.Outer, Outer));
}

/// What is known of it by a pointer to the next struct inside the outermost.
uint32_t CallGraph::withoutOutermost(uint32_t Inner) {
  const InnerStruct Own = Inners[Inner];
  return Own.Outer == None ? None : innerStruct(Own.Member, withoutOutermost(Own.Outer));
}

/// A member, in whatever memory the structs lie.
uint32_t CallGraph::memberBase(const std::string &Field, uint32_t Inner) {
  std::string Key = Field;
  for (uint32_t In = Inner; In != None; In = Inners[In].Outer)
    Key += " in " + Inners[In].Member;
  const size_t Known = Bases.size();
  const uint32_t Own = programBase(BaseKind::Pointer, Key);
  if (Own == Known && Inner != None)
    addMember(memberBase(Field, withoutOutermost(Inner)), Own);
  return Own;
}

/// The same in the memory of a struct.
uint32_t CallGraph::memberBase(const std::string &Field, uint32_t Inner, uint32_t Struct) {
  const uint32_t Any = memberBase(Field, Inner);
  const size_t Known = Bases.size();
  const uint32_t Own = programBase(BaseKind::Member, memberKey(Any, Struct), Any);
  if (Own != Known)
    return Own;
  StructOf.emplace(Own, Struct);
  addMember(Any, Own);
  if (Inner != None)
    addMember(memberBase(Field, withoutOutermost(Inner), Struct), Own);
  return Own;
}

Binding CallGraph::resolve(Frame &F, const Value &V) {
  const Polynomial Offset = Factors.inCaller(V.Offset, F.Bound);
  if (V.Base == None)
    return {None, Offset};
  Binding Result = resolveBase(*F.Of.Unit, V.Base, F.Bound);
  Result.Inner = innerStruct(*F.Of.Unit, V.Inner, Result.Inner);
  Result.Base = asReturned(F, Result.Base);
  const std::optional<Polynomial> Sum = Result.Offset.plus(Offset);
  Result.Offset = Sum ? *Sum : Offset;
  if (F.Of.Unit->Bases[V.Base].Kind == BaseKind::Parameter)
    Result.Start += V.Start;
  else
    Result.Start = std::max(Result.Offset.constantTerm(), V.Start);
  return Result;
}
