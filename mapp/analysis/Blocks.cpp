//===-- Blocks.cpp - which calls allocate -----------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Blocks.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/STLExtras.h"

#include <set>
#include <unordered_map>
#include <unordered_set>

using namespace mapp;

namespace {

/// What a function returns, when that is nothing but blocks of one size.
struct Wrapper {
  std::string Block;           ///< key of one of them
  std::vector<unsigned> Sizes; ///< parameters whose product is the size ...
  int64_t Factor = 1;          ///< ... times this
};

class WrapperFinder {
public:
  explicit WrapperFinder(std::vector<Facts> &Program) : Units(Program) {
    for (Facts &Unit : Units)
      for (ArrayDeclaration &Array : Unit.Arrays)
        if (Array.Allocated)
          Blocks.emplace(Array.Key, &Array);
  }

  void run() {
    for (bool Found = true; Found;) { // Wrappers of wrappers: one more level each time.
      Found = false;
      for (const Facts &Unit : Units)
        for (const Function &F : Unit.Functions)
          if (!Wrappers.count(F.Key) && !Silent.count(F.Key))
            Found |= tryFunction(Unit, F);
    }
    for (Facts &Unit : Units)
      settle(Unit);
    for (Facts &Unit : Units)
      for (Base &R : Unit.Bases)
        setLike(R);
  }

private:
  /// @return whether it is known now what the function returns
  bool tryFunction(const Facts &Unit, const Function &F) {
    const std::string Result = "result of " + F.Key;
    std::vector<ArrayDeclaration *> Inner;
    std::set<uint32_t> Seen;
    for (const PointerStore &Stored : F.PointerStores)
      if (Unit.Bases[Stored.To].Key == Result && !addSource(Unit, F, Stored, Inner, Seen))
        return false;
    if (Inner.empty())
      return Silent.insert(F.Key).second;
    std::optional<Wrapper> W;
    for (const ArrayDeclaration *Array : Inner) {
      std::optional<Wrapper> Own = sized(Unit, *Array);
      if (!Own || (W && (W->Sizes != Own->Sizes || W->Factor != Own->Factor)))
        return false;
      if (!W)
        W = std::move(Own);
    }
    for (ArrayDeclaration *Array : Inner) {
      Array->Allocated->HandedOn = true;
      SamePointers.unionSets(W->Block, Array->Key);
    }
    Wrappers.emplace(F.Key, std::move(*W));
    return true;
  }

  /// The blocks that a pointer was copied from, through variables of the function.
  /// @return false when something else is among them
  bool addSource(const Facts &Unit, const Function &F, const PointerStore &Stored,
                 std::vector<ArrayDeclaration *> &Found, std::set<uint32_t> &Seen) const {
    if (Stored.From.Offset != Polynomial())
      return false;
    if (!Seen.insert(Stored.From.Base).second)
      return true;
    const Base &From = Unit.Bases[Stored.From.Base];
    if (From.Kind == BaseKind::Pointer && From.Automatic)
      return llvm::all_of(F.PointerStores, [&](const PointerStore &Before) {
        return Before.To != Stored.From.Base || addSource(Unit, F, Before, Found, Seen);
      });
    const auto Block = Blocks.find(From.Key);
    if (Block == Blocks.end())
      return false;
    if (!Silent.count(Block->second->Allocated->Callee))
      Found.push_back(Block->second);
    return true;
  }

  /// The block's size in terms of the function's parameters.
  std::optional<Wrapper> sized(const Facts &Unit, const ArrayDeclaration &Array) const {
    const Block &B = *Array.Allocated;
    const std::optional<Polynomial> Size = isExact(B) ? sizeOf(B) : std::nullopt;
    if (!Size || Size->terms().size() != 1 || Size->terms()[0].Coefficient <= 0)
      return std::nullopt;
    Wrapper W{Array.Key, {}, Size->terms()[0].Coefficient};
    for (const FactorId Id : Size->terms()[0].Factors) {
      const Factor &F = Unit.Factors[Id.Index];
      if (F.Kind != FactorKind::Parameter || llvm::is_contained(W.Sizes, F.Index))
        return std::nullopt;
      W.Sizes.push_back(F.Index);
    }
    llvm::sort(W.Sizes);
    const bool Told = !W.Sizes.empty() && W.Sizes.size() <= 2; // MAI_BYTES and MAI_COUNT
    return Told ? std::optional(std::move(W)) : std::nullopt;
  }

  /// MAi must not be told of more bytes than the function asks for.
  bool isExact(const Block &B) const {
    const auto Found = Wrappers.find(B.Callee);
    return llvm::all_of(Found == Wrappers.end() ? B.Sizes : Found->second.Sizes, [&](unsigned I) {
      return I < B.Arguments.size() && B.Arguments[I].IsExact;
    });
  }

  std::optional<Polynomial> sizeOf(const Block &B) const {
    if (B.Callee.empty())
      return B.Size;
    const auto Found = Wrappers.find(B.Callee);
    return Found == Wrappers.end() ? std::nullopt : product(B, Found->second);
  }

  static std::optional<Polynomial> product(const Block &B, const Wrapper &W) {
    std::optional<Polynomial> Size = Polynomial(W.Factor);
    for (const unsigned I : W.Sizes)
      Size = Size && I < B.Arguments.size() ? Size->times(B.Arguments[I].Is) : std::nullopt;
    return Size;
  }

  void settle(Facts &Unit) {
    for (Base &R : Unit.Bases)
      if (R.Kind == BaseKind::Call)
        settleCall(R);
    for (ArrayDeclaration &Array : Unit.Arrays)
      if (Array.Allocated && !Array.Allocated->Callee.empty())
        setSize(Array);
    llvm::erase_if(Unit.Arrays, [&](const ArrayDeclaration &Array) {
      return Array.Allocated && !Array.Allocated->Callee.empty() &&
             !Wrappers.count(Array.Allocated->Callee);
    });
    for (ArrayDeclaration &Array : Unit.Arrays)
      if (Array.Allocated && Array.Name.empty())
        Array.Name = Array.InFunction + ":" + std::to_string(Array.Where.Line);
  }

  void settleCall(Base &R) {
    const auto Found = Blocks.find(R.Key);
    if (Found == Blocks.end())
      return;
    const auto Known = Wrappers.find(Found->second->Allocated->Callee);
    if (Known == Wrappers.end())
      return;
    R.Kind = BaseKind::Object;
    SamePointers.unionSets(R.Key, Known->second.Block);
  }

  void setSize(ArrayDeclaration &Array) const {
    Block &B = *Array.Allocated;
    const auto Found = Wrappers.find(B.Callee);
    if (Found == Wrappers.end())
      return;
    B.Sizes = Found->second.Sizes;
    B.SizeFactor = Found->second.Factor;
    B.Size = product(B, Found->second);
    if (B.Size)
      B.Values.push_back({"", *B.Size});
    if (B.Size && B.Size->constant() && *B.Size->constant() > 0)
      Array.Bytes = static_cast<uint64_t>(*B.Size->constant());
  }

  void setLike(Base &R) const {
    if (R.Kind != BaseKind::Object)
      return;
    const auto Class = SamePointers.findLeader(R.Key);
    if (Class != SamePointers.member_end() && *Class != R.Key)
      R.Like = *Class;
  }

  std::vector<Facts> &Units;
  std::unordered_map<std::string, ArrayDeclaration *> Blocks;
  std::unordered_set<std::string> Silent; ///< functions that return no pointer of the program
  std::unordered_map<std::string, Wrapper> Wrappers;
  llvm::EquivalenceClasses<std::string> SamePointers; ///< blocks
};

} // namespace

void mapp::findBlocks(std::vector<Facts> &Units) { WrapperFinder(Units).run(); }
