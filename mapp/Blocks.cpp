//===-- Blocks.cpp - which calls allocate -----------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Blocks.h"

#include "llvm/ADT/STLExtras.h"

#include <unordered_map>

using namespace mapp;

namespace {

/// What a function returns, when it is nothing but a block.
struct Wrapper {
  std::string Inner;           ///< key of the block
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
          if (!Wrappers.count(F.Key))
            if (std::optional<Wrapper> W = wrapper(Unit, F)) {
              Wrappers.emplace(F.Key, std::move(*W));
              Found = true;
            }
    }
    for (const auto &[Key, W] : Wrappers)
      Blocks.at(W.Inner)->Allocated->HandedOn = true;
    for (Facts &Unit : Units)
      settle(Unit);
  }

private:
  std::optional<Wrapper> wrapper(const Facts &Unit, const Function &F) const {
    const std::string Result = "result of " + F.Key;
    const ArrayDeclaration *Returned = nullptr;
    for (const Flow &Stored : F.Flows) {
      if (Unit.Roots[Stored.To].Key != Result)
        continue;
      const auto Found = Blocks.find(Unit.Roots[Stored.From.Root].Key);
      if (Found == Blocks.end() || Stored.From.Offset != Form() ||
          (Returned && Returned != Found->second))
        return std::nullopt;
      Returned = Found->second;
    }
    return Returned ? sized(Unit, *Returned) : std::nullopt;
  }

  /// The block's size in terms of the function's parameters.
  std::optional<Wrapper> sized(const Facts &Unit, const ArrayDeclaration &Array) const {
    const Block &B = *Array.Allocated;
    const std::optional<Form> Size = isExact(B) ? sizeOf(B) : std::nullopt;
    if (!Size || Size->terms().size() != 1 || Size->terms()[0].Coefficient <= 0)
      return std::nullopt;
    Wrapper W{Array.Key, {}, Size->terms()[0].Coefficient};
    for (const FactorId Id : Size->terms()[0].Factors) {
      const Factor &F = Unit.Factors[Id.Index];
      if (F.Kind != FactorKind::Parameter || llvm::is_contained(W.Sizes, F.Index))
        return std::nullopt;
      W.Sizes.push_back(F.Index);
    }
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

  std::optional<Form> sizeOf(const Block &B) const {
    if (B.Callee.empty())
      return B.Size;
    const auto Found = Wrappers.find(B.Callee);
    return Found == Wrappers.end() ? std::nullopt : product(B, Found->second);
  }

  static std::optional<Form> product(const Block &B, const Wrapper &W) {
    std::optional<Form> Size = Form(W.Factor);
    for (const unsigned I : W.Sizes)
      Size = Size && I < B.Arguments.size() ? Size->times(B.Arguments[I].Is) : std::nullopt;
    return Size;
  }

  void settle(Facts &Unit) {
    for (Root &R : Unit.Roots) {
      const auto Found = R.Kind == RootKind::Call ? Blocks.find(R.Key) : Blocks.end();
      const auto Known =
          Found == Blocks.end() ? Wrappers.end() : Wrappers.find(Found->second->Allocated->Callee);
      if (Known == Wrappers.end())
        continue;
      R.Kind = RootKind::Object;
      R.Like = Known->second.Inner;
    }
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

  std::vector<Facts> &Units;
  std::unordered_map<std::string, ArrayDeclaration *> Blocks;
  std::unordered_map<std::string, Wrapper> Wrappers;
};

} // namespace

void mapp::findBlocks(std::vector<Facts> &Units) { WrapperFinder(Units).run(); }
