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

/// What a function returns, or puts into a pointer of its caller's, when that is nothing but blocks
/// of one size.
struct Wrapper {
  std::string Block;           ///< key of one of them
  std::vector<unsigned> Sizes; ///< parameters whose product is the size ...
  int64_t Factor = 1;          ///< ... times this
  bool MayBeLonger = false;    ///< it does nothing else with these
};

class WrapperFinder {
public:
  explicit WrapperFinder(std::vector<Facts> &Program) : Units(Program) {
    for (Facts &Unit : Units)
      for (ArrayDeclaration &Array : Unit.Arrays)
        if (Array.Allocated)
          Blocks.emplace(Array.Key, &Array);
    countCalls();
  }

  void run() {
    for (bool Found = true; Found;) { // Wrappers of wrappers: one more level each time.
      Found = false;
      for (const Facts &Unit : Units)
        for (const Function &F : Unit.Functions)
          Found |= tryResult(Unit, F) || tryFilled(Unit, F);
    }
    for (Facts &Unit : Units)
      settle(Unit);
    for (Facts &Unit : Units)
      for (Base &R : Unit.Bases)
        setLike(R);
  }

private:
  /// A block comes from what the function returns, or from the pointer that it sets.
  static std::string wayOf(const std::string &Function, uint32_t Filled) {
    return Filled == None ? Function : Function + " sets " + std::to_string(Filled);
  }
  static std::string wayOf(const Block &B) { return wayOf(B.Callee, B.Filled); }

  /// How many calls there are of each function, and how many of them give it, in a text that can be
  /// edited, the address of one pointer: only where all do, each can place its own block.
  void countCalls() {
    for (const Facts &Unit : Units) {
      for (const Function &F : Unit.Functions)
        for (const Call &C : F.Calls)
          ++Calls[C.Callee];
      for (const std::string &Key : Unit.AddressTaken)
        ++Calls[Key];
    }
    for (const auto &[Key, Array] : Blocks)
      if (const Block &B = *Array->Allocated;
          B.Filled != None && (Array->AlreadyPlaced || (!B.Hidden && Array->Refusal.Text.empty())))
        ++Filling[wayOf(B)];
  }

  bool tryFilled(const Facts &Unit, const Function &F) {
    bool Found = false;
    for (const unsigned Parameter : F.Filled) {
      const std::string Way = wayOf(F.Key, Parameter);
      if (Wrappers.count(Way) || Filling[Way] == 0 || Filling[Way] != Calls[F.Key])
        continue;
      std::vector<ArrayDeclaration *> Inner;
      std::set<uint32_t> Seen;
      bool Known = true;
      for (const PointerStore &Stored : F.PointerStores)
        if (isPointeeOf(Unit, Stored.To, Parameter))
          Known = Known && addSource(Unit, F, Stored, Inner, Seen);
      Found |= Known && Inner.size() == 1 && addWrapper(Unit, Way, Inner);
    }
    return Found;
  }

  static bool isPointeeOf(const Facts &Unit, uint32_t To, unsigned Parameter) {
    const Base &Pointee = Unit.Bases[To];
    if (Pointee.Kind != BaseKind::Pointee)
      return false;
    const Base &Of = Unit.Bases[Pointee.Index];
    return Of.Kind == BaseKind::Parameter && Of.Index == Parameter;
  }

  /// @return whether it is known now what the function returns
  bool tryResult(const Facts &Unit, const Function &F) {
    if (Wrappers.count(F.Key) || Silent.count(F.Key))
      return false;
    const std::string Result = "result of " + F.Key;
    std::vector<ArrayDeclaration *> Inner;
    std::set<uint32_t> Seen;
    for (const PointerStore &Stored : F.PointerStores)
      if (Unit.Bases[Stored.To].Key == Result && !addSource(Unit, F, Stored, Inner, Seen))
        return false;
    if (Inner.empty())
      return Silent.insert(F.Key).second;
    return addWrapper(Unit, F.Key, Inner);
  }

  bool addWrapper(const Facts &Unit, const std::string &Way,
                  const std::vector<ArrayDeclaration *> &Inner) {
    std::optional<Wrapper> W;
    for (const ArrayDeclaration *Array : Inner) {
      std::optional<Wrapper> Own = sized(Unit, *Array);
      if (!Own || (W && (W->Sizes != Own->Sizes || W->Factor != Own->Factor)))
        return false;
      if (!W)
        W = std::move(Own);
      else
        W->MayBeLonger &= Own->MayBeLonger;
    }
    for (ArrayDeclaration *Array : Inner) {
      Array->Allocated->HandedOn = true;
      SamePointers.unionSets(W->Block, Array->Key);
    }
    Wrappers.emplace(Way, std::move(*W));
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
    if (!Silent.count(wayOf(*Block->second->Allocated)))
      Found.push_back(Block->second);
    return true;
  }

  /// The block's size in terms of the function's parameters.
  std::optional<Wrapper> sized(const Facts &Unit, const ArrayDeclaration &Array) const {
    const Block &B = *Array.Allocated;
    const std::optional<Polynomial> Size = isExact(B) ? sizeOf(B) : std::nullopt;
    if (!Size || Size->terms().size() != 1 || Size->terms()[0].Coefficient <= 0)
      return std::nullopt;
    Wrapper W{Array.Key, {}, Size->terms()[0].Coefficient, mayBeLonger(B)};
    for (const FactorId Id : Size->terms()[0].Factors) {
      const Factor &F = Unit.Factors[Id.Index];
      if (F.Kind != FactorKind::Parameter || llvm::is_contained(W.Sizes, F.Index))
        return std::nullopt;
      W.Sizes.push_back(F.Index);
    }
    llvm::sort(W.Sizes);
    return W.Sizes.empty() ? std::nullopt : std::optional(std::move(W));
  }

  bool areSizes(const Block &B, bool Block::Argument::*What) const {
    const auto Found = Wrappers.find(wayOf(B));
    return llvm::all_of(Found == Wrappers.end() ? B.Sizes : Found->second.Sizes,
                        [&](unsigned I) { return I < B.Arguments.size() && B.Arguments[I].*What; });
  }

  /// MAi must not be told of more bytes than the function asks for.
  bool isExact(const Block &B) const { return areSizes(B, &Block::Argument::IsExact); }

  /// A caller of the function may ask for more bytes.
  bool mayBeLonger(const Block &B) const {
    const auto Found = Wrappers.find(wayOf(B));
    return (Found == Wrappers.end() ? B.MayBeLonger : Found->second.MayBeLonger) &&
           areSizes(B, &Block::Argument::IsAllUse);
  }

  std::optional<Polynomial> sizeOf(const Block &B) const {
    if (B.Callee.empty())
      return B.Size;
    const auto Found = Wrappers.find(wayOf(B));
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
             !Wrappers.count(wayOf(*Array.Allocated));
    });
    for (ArrayDeclaration &Array : Unit.Arrays)
      if (Array.Allocated && Array.Name.empty())
        Array.Name = Array.InFunction + ":" + std::to_string(Array.Where.Line);
  }

  void settleCall(Base &R) {
    const auto Found = Blocks.find(R.Key);
    if (Found == Blocks.end())
      return;
    const auto Known = Wrappers.find(wayOf(*Found->second->Allocated));
    if (Known == Wrappers.end())
      return;
    R.Kind = BaseKind::Object;
    SamePointers.unionSets(R.Key, Known->second.Block);
  }

  void setSize(ArrayDeclaration &Array) const {
    Block &B = *Array.Allocated;
    const auto Found = Wrappers.find(wayOf(B));
    if (Found == Wrappers.end())
      return;
    B.Sizes = Found->second.Sizes;
    B.SizeFactor = Found->second.Factor;
    B.MayBeLonger = Found->second.MayBeLonger;
    B.Size = product(B, Found->second);
    if (B.Size)
      B.Values.push_back({"", *B.Size});
    if (B.Size && B.Size->constant() && *B.Size->constant() > 0)
      Array.setBlockBytes(static_cast<uint64_t>(*B.Size->constant()));
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
  std::unordered_map<std::string, size_t> Calls, Filling; ///< by function; by way
  std::unordered_set<std::string> Silent; ///< functions that return no pointer of the program
  std::unordered_map<std::string, Wrapper> Wrappers;  ///< by way
  llvm::EquivalenceClasses<std::string> SamePointers; ///< blocks
};

} // namespace

void mapp::findBlocks(std::vector<Facts> &Units) { WrapperFinder(Units).run(); }
